// What did the author say that JSON Schema has no keyword for? Our annotations, and `dirge-hints` of other servers' schemas.
import type { Relation, SchemaObject } from '../json/json-schema.ts';
import type { JsonObject } from '../json/json-value.ts';
import { ownValue } from '../json/own-key.ts';

/** Ours, `dirge-hints.semantic` and the older `x-dirge-kind`, all three spelled as a kind of path or something else. */
export function semanticOf(plain: SchemaObject): string | undefined {
  const hints = plain['dirge-hints'];
  const foreign = isRecord(hints) ? ownValue(hints, 'semantic') : plain['x-dirge-kind'];
  const said = plain['x-toolmend']?.semantic ?? foreign;
  if (typeof said !== 'string') return undefined;
  return /(?:^|[_-])path$/.test(said) ? 'path' : said;
}

/** Ours, and `dirge-hints.relational`, whose entries say `requires`/`defaults` or `fields`/`default`. */
export function relationsOf(plain: SchemaObject): readonly Relation[] {
  const hints = plain['dirge-hints'];
  const foreign = isRecord(hints) ? ownValue(hints, 'relational') : undefined;
  return [
    ...(plain['x-toolmend']?.relational ?? []),
    ...(Array.isArray(foreign) ? foreign.flatMap(relationOf) : []),
  ];
}

function relationOf(entry: unknown): readonly Relation[] {
  if (!isRecord(entry)) return [];
  const partners: unknown = ownValue(entry, 'requires') ?? ownValue(entry, 'fields');
  const defaults: unknown = ownValue(entry, 'defaults') ?? ownValue(entry, 'default');
  if (!Array.isArray(partners) || !isJsonRecord(defaults)) return [];
  return [{ requires: partners.filter((name) => typeof name === 'string'), defaults }];
}

// A schema is JSON: what stands in it is.
const isJsonRecord = (value: unknown): value is JsonObject => isRecord(value);

/** Ours, and `dirge-hints.aliases`. */
export function aliasesOf(plain: SchemaObject): readonly string[] {
  const hints = plain['dirge-hints'];
  const foreign = isRecord(hints) ? ownValue(hints, 'aliases') : undefined;
  const names: readonly unknown[] = [
    ...(plain['x-toolmend']?.aliases ?? []),
    ...(Array.isArray(foreign) ? foreign : []),
  ];
  return names.filter((name) => typeof name === 'string');
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
