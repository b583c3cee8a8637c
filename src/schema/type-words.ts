import { type JsonType, jsonTypes } from '../json/value.ts';
import { type SchemaObject, mapSubschemas } from './json-schema.ts';

/** Types of programming languages that plainly mean one of JSON Schema's. */
const typesByWord: ReadonlyMap<string, JsonType> = new Map([
  ...jsonTypes.map((type) => [type, type] as const),
  ['str', 'string'],
  ['text', 'string'],
  ['int', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['bool', 'boolean'],
  ['dict', 'object'],
  ['map', 'object'],
  ['list', 'array'],
  ['tuple', 'array'],
]);

/** A type that JSON Schema doesn't have, and the types that it means. */
export interface TypeWord {
  readonly word: string;
  readonly types: readonly JsonType[];
}

const declaredTypes: ReadonlySet<unknown> = new Set(jsonTypes);

/**
 * The schema with the types of JSON Schema in the place of other languages' words for them, in any
 * case: `str`, `STRING`, `int?`. A word that means none stays, which makes the schema unusable.
 */
export function withJsonTypes(root: SchemaObject): {
  readonly schema: SchemaObject;
  readonly words: readonly TypeWord[];
} {
  const words = new Map<string, TypeWord>();
  const read = (schema: SchemaObject): SchemaObject =>
    mapSubschemas(withJsonType(schema, words), read);
  return { schema: read(root), words: [...words.values()] };
}

function withJsonType(schema: SchemaObject, words: Map<string, TypeWord>): SchemaObject {
  const { type, ...others } = schema;
  const typeNames: readonly unknown[] = [type].flat();
  if (type === undefined || typeNames.every((name) => declaredTypes.has(name))) return schema;
  const meanings = typeNames.map((name) => typeWordOf(name));
  const typeWords = meanings.flatMap((meaning) => meaning ?? []);
  if (typeWords.length < meanings.length) return schema;
  for (const typeWord of typeWords)
    if (!declaredTypes.has(typeWord.word)) words.set(typeWord.word, typeWord);
  // One of the types is any.
  if (typeWords.some(({ types }) => types.length === jsonTypes.length)) return others;
  const types = [...new Set(typeWords.flatMap((typeWord) => typeWord.types))];
  const [only] = types;
  return { ...schema, type: only !== undefined && types.length === 1 ? only : types };
}

/** A question mark at the end allows null, as in the languages that write it. */
function typeWordOf(name: unknown): TypeWord | undefined {
  if (typeof name !== 'string') return undefined;
  const word = name.toLowerCase();
  if (word === 'any' || word === 'any?') return { word: name, types: jsonTypes };
  const type = typesByWord.get(word.replace(/\?$/, ''));
  if (type === undefined) return undefined;
  return { word: name, types: word.endsWith('?') ? [type, 'null'] : [type] };
}
