// What is one plain schema that says the same as `allOf`, and as a reference with something beside it? What two parts say
// of the same thing is said in words, but for the part that counts.
import { mergeSchemas } from '../../contract/merge-schemas.ts';
import { resolveReference } from '../../contract/judged-schema/local-references.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import { keywordWords } from './keyword-words.ts';

export interface FlatSchema {
  readonly schema: SchemaObject;
  /** What the plain schema has no room for. */
  readonly words: readonly string[];
  /** The references that were followed. */
  readonly references: ReadonlySet<string>;
}

/** The references at a schema itself, through `allOf`. */
export function referencesAt(
  schema: SchemaObject,
  root: SchemaObject,
  found: Set<string> = new Set(),
): Set<string> {
  const { $ref, allOf = [] } = schema;
  if ($ref !== undefined && !found.has($ref)) {
    found.add($ref);
    const target = resolveReference($ref, root);
    if (target !== undefined) referencesAt(target, root, found);
  }
  for (const part of allOf) if (typeof part === 'object') referencesAt(part, root, found);
  return found;
}

/** Keywords that are joined, and those of which the nearest counts. */
const joined: ReadonlySet<string> = new Set([
  '$ref',
  '$defs',
  'allOf',
  'anyOf',
  'oneOf',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'description',
  'title',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
]);

export function flattenSchema(schema: SchemaObject, root: SchemaObject): FlatSchema {
  const merged = mergeSchemas(schema, root);
  const words = new Set<string>();
  for (const part of partsOf(schema, root, new Set())) {
    for (const [keyword, held] of Object.entries(part)) {
      if (joined.has(keyword) || JSON.stringify(merged[keyword]) === JSON.stringify(held)) continue;
      const said = keywordWords(keyword, held);
      if (said !== undefined) words.add(said);
    }
    const { additionalProperties: others } = part;
    if (typeof others === 'object' && merged.additionalProperties !== others) {
      const said = keywordWords('additionalProperties', others);
      if (said !== undefined) words.add(said);
    }
  }
  return { schema: merged, words: [...words], references: referencesAt(schema, root) };
}

/** Every schema that speaks of the same value: itself, what it refers to, and its `allOf`. */
function partsOf(schema: SchemaObject, root: SchemaObject, seen: Set<string>): readonly SchemaObject[] {
  const { $ref, allOf = [], ...plain } = schema;
  const parts = [
    plain,
    ...allOf.flatMap((part) => (typeof part === 'object' ? partsOf(part, root, seen) : [])),
  ];
  if ($ref === undefined || seen.has($ref)) return parts;
  seen.add($ref);
  const target = resolveReference($ref, root);
  return target === undefined ? parts : [...parts, ...partsOf(target, root, seen)];
}
