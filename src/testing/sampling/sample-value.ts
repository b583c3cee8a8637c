// Which value would a schema take? One of many, by chance; the judge has the last word on it.
import { mergeSchemas } from '../../contract/merge-schemas.ts';
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import type { JsonType, JsonValue } from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import type { Random } from '../random.ts';
import { sampleNumber } from './sample-number.ts';
import { sampleText } from './sample-text.ts';

/** What every place of one call shares. */
export interface Sampling {
  readonly root: SchemaObject;
  readonly random: Random;
}

/** Where a value is wanted: the key that names it, and how deep it is. */
export interface SampledPlace {
  readonly name: string;
  readonly depth: number;
}

/** Below this, only what is required is there. */
const deepest = 5;

/** A value that the schema may take; what is beyond types, bounds, formats and members is left to chance. */
export function sampleValue(sampling: Sampling, schema: JsonSchema, place: SampledPlace): JsonValue {
  if (typeof schema === 'boolean') return sampleText({}, place.name, sampling.random);
  const { random } = sampling;
  const plain = mergeSchemas(schema, sampling.root);
  const members = plain.const === undefined ? plain.enum : [plain.const];
  if (members !== undefined) return random.pick(members) ?? null;
  if (plain.default !== undefined && random.chance(0.2)) return plain.default;
  const { anyOf, oneOf, ...beside } = plain;
  const branch = random.pick(anyOf ?? oneOf ?? []);
  if (branch !== undefined) return sampleValue(sampling, { allOf: [beside, branch] }, place);
  return sampleOfType(sampling, plain, place);
}

function sampleOfType(sampling: Sampling, plain: SchemaObject, place: SampledPlace): JsonValue {
  const { random } = sampling;
  switch (random.pick([plain.type ?? typeByKeywords(plain)].flat())) {
    case 'object':
      return sampleObject(sampling, plain, place);
    case 'array':
      return sampleList(sampling, plain, place);
    case 'integer':
      return sampleNumber(plain, 'integer', random);
    case 'number':
      return sampleNumber(plain, 'number', random);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return sampleText(plain, place.name, random);
  }
}

function typeByKeywords(plain: SchemaObject): JsonType {
  if (plain.properties !== undefined || plain.required !== undefined) return 'object';
  return plain.items === undefined ? 'string' : 'array';
}

function sampleObject(sampling: Sampling, plain: SchemaObject, { depth }: SampledPlace): JsonValue {
  const { random } = sampling;
  const required = new Set(plain.required);
  const declared = Object.entries(plain.properties ?? {}).filter(
    ([name]) => required.has(name) || (depth < deepest && random.chance(0.45)),
  );
  const entries = declared.map(
    ([name, schema]) => [name, sampleValue(sampling, schema, { name, depth: depth + 1 })] as const,
  );
  return objectOf([...entries, ...sampleMapEntries(sampling, plain, depth)]);
}

const mapKeys = ['first', 'X-Request-Id', 'team a', 'k1'];

/** Keys of a map, whose values have a schema of their own. */
function sampleMapEntries(
  sampling: Sampling,
  plain: SchemaObject,
  depth: number,
): readonly (readonly [string, JsonValue])[] {
  const values = plain.additionalProperties;
  if (typeof values !== 'object' || depth >= deepest) return [];
  const keys = sampling.random.shuffled(mapKeys).slice(0, sampling.random.whole(0, 2));
  return keys.map((name) => [name, sampleValue(sampling, values, { name, depth: depth + 1 })] as const);
}

function sampleList(sampling: Sampling, plain: SchemaObject, { name, depth }: SampledPlace): JsonValue {
  const place = { name, depth: depth + 1 };
  const fixed = (plain.prefixItems ?? []).map((schema) => sampleValue(sampling, schema, place));
  const items = plain.items;
  if (items === false || (fixed.length > 0 && items === undefined)) return fixed;
  const least = typeof plain['minItems'] === 'number' ? plain['minItems'] : 0;
  const most = typeof plain['maxItems'] === 'number' ? plain['maxItems'] : least + 3;
  const wanted = depth >= deepest ? least : sampling.random.whole(least, Math.min(most, least + 3));
  const schema: JsonSchema = isOneSchema(items) ? items : true;
  const more = Array.from({ length: Math.max(wanted - fixed.length, 0) }, () =>
    sampleValue(sampling, schema, place),
  );
  return [...fixed, ...more];
}

const isOneSchema = (items: SchemaObject['items']): items is JsonSchema =>
  items !== undefined && !Array.isArray(items);
