import { type JsonObject, ownValue } from '../json/value.ts';
import { type Relation, type SchemaObject, mapSubschemas } from './json-schema.ts';

const annotations = ['x-toolmend', 'dirge-hints', 'x-dirge-kind'];

/** A copy without annotations in all its schemas, toolmend's own and foreign ones. Data and names stay as they are. */
export function withoutAnnotations(schema: SchemaObject): SchemaObject {
  const kept = Object.entries(schema).filter(([keyword]) => !annotations.includes(keyword));
  return mapSubschemas(Object.fromEntries(kept), withoutAnnotations);
}

/** What a string means, as `path` or `content`: by our annotation, `dirge-hints.semantic` or `x-dirge-kind`. */
export function semanticOf(schema: SchemaObject): string | undefined {
  const hints = schema['dirge-hints'];
  const foreign = isRecord(hints) ? ownValue(hints, 'semantic') : schema['x-dirge-kind'];
  const semantic = schema['x-toolmend']?.semantic ?? foreign;
  if (typeof semantic !== 'string') return undefined;
  return /(?:^|[_-])path$/.test(semantic) ? 'path' : semantic;
}

/** Our relations, and those of `dirge-hints.relational`. */
export function relationsOf(schema: SchemaObject): readonly Relation[] {
  const foreign = listInHints(schema, 'relational').flatMap(foreignRelation);
  return [...(schema['x-toolmend']?.relational ?? []), ...foreign];
}

/** An entry has `requires` and `defaults`, or `fields` and `default`. */
function foreignRelation(entry: unknown): readonly Relation[] {
  if (!isRecord(entry)) return [];
  const names: unknown = ownValue(entry, 'requires') ?? ownValue(entry, 'fields');
  const defaults: unknown = ownValue(entry, 'defaults') ?? ownValue(entry, 'default');
  if (!Array.isArray(names) || !isJsonRecord(defaults)) return [];
  return [{ requires: names.filter((name) => typeof name === 'string'), defaults }];
}

/** Our aliases, and those of `dirge-hints.aliases`. */
export const aliasesOf = (schema: SchemaObject): readonly string[] => [
  ...(schema['x-toolmend']?.aliases ?? []),
  ...listInHints(schema, 'aliases').filter((name) => typeof name === 'string'),
];

/** Whether a schema declares its values to be secret. */
export const saysSecret = (schema: SchemaObject): boolean =>
  schema['x-toolmend']?.secret === true || schema.writeOnly === true || schema.format === 'password';

function listInHints(schema: SchemaObject, name: string): readonly unknown[] {
  const hints = schema['dirge-hints'];
  const list = isRecord(hints) ? ownValue(hints, name) : undefined;
  return Array.isArray(list) ? list : [];
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// A schema is JSON, and so is everything in it.
const isJsonRecord = (value: unknown): value is JsonObject => isRecord(value);
