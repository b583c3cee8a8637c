// May something at or below a place be a secret? Then nothing of a value there is shown.
import { pointerKeys, pointerTo } from '../json/json-pointer.ts';
import type { JsonSchema, SchemaObject } from '../json/json-schema.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../json/json-value.ts';
import { mapSubschemas } from '../json/map-subschemas.ts';
import { objectOf } from '../json/own-key.ts';
import { resolveReference } from './judged-schema/local-references.ts';
import { memberSchema, saysSecret, type SchemaView, type SchemaViews } from './schema-view.ts';

const known = new WeakMap<SchemaViews, WeakMap<SchemaObject, boolean>>();

/** True if the place or anything declared below it is secret. */
export function holdsSecret(views: SchemaViews, schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return false;
  const answers = known.get(views) ?? new WeakMap<SchemaObject, boolean>();
  known.set(views, answers);
  let answer = answers.get(schema);
  if (answer === undefined) {
    answer = reachesSecret(schema, views.root);
    answers.set(schema, answer);
  }
  return answer;
}

/** Looks at every schema at and below one, and at all that they refer to. */
function reachesSecret(start: SchemaObject, root: SchemaObject): boolean {
  const seen = new Set<SchemaObject>();
  const open = [start];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (seen.has(schema)) continue;
    if (saysSecret(schema)) return true;
    seen.add(schema);
    // Definitions are looked at where they are referred to.
    const { $defs: _definitions, $ref, ...judging } = schema;
    const target = $ref === undefined ? undefined : resolveReference($ref, root);
    if (target !== undefined) open.push(target);
    mapSubschemas(judging, (below) => {
      open.push(below);
      return below;
    });
  }
  return false;
}

/** True if the place at a JSON Pointer, anything around it or anything declared below it is secret. */
export function isSecretPlace(views: SchemaViews, pointer: string): boolean {
  if (!holdsSecret(views, views.root)) return false;
  let schemas = withParts(views, views.root);
  for (const key of pointerKeys(pointer)) {
    if (schemas.some((schema) => isHidden(views, schema))) return true;
    const below = schemas.flatMap((schema) => withParts(views, partOf(views.of(schema), key)));
    schemas = [...new Set(below)];
  }
  return schemas.some((schema) => holdsSecret(views, schema));
}

/** What stands for a secret in what is shown. */
const mask = '(as you sent it)';

/**
 * A copy to show, with a word in the place of every secret; the same value if there is none. `word`: what stands there;
 * default: what says to a model that it has sent it.
 */
export function maskSecrets(
  views: SchemaViews,
  schema: JsonSchema,
  value: JsonValue,
  word: string = mask,
): JsonValue {
  if (!holdsSecret(views, schema)) return value;
  const view = views.of(schema);
  const masked = (part: JsonValue, key: string): JsonValue =>
    maskSecrets(views, partOf(view, key), part, word);
  if (view.isSecret || view.isOpaque || splitsSecretly(views, view)) return word;
  if (isJsonArray(value)) return value.map((item, index) => masked(item, String(index)));
  if (!isJsonObject(value)) return value;
  return objectOf(Object.entries(value).map(([key, member]) => [key, masked(member, key)] as const));
}

/** JSON Pointers of secrets that are the word that stands for them: a model that copies what it was shown. */
export const copiedMasks = (views: SchemaViews, schema: JsonSchema, value: JsonValue): readonly string[] =>
  masksBelow(views, [schema], value, '');

function masksBelow(
  views: SchemaViews,
  schemas: readonly JsonSchema[],
  value: JsonValue,
  path: string,
): readonly string[] {
  const secret = schemas.filter((schema) => holdsSecret(views, schema));
  if (secret.length === 0) return [];
  if (value === mask) return [path];
  if (typeof value !== 'object' || value === null) return [];
  const all = new Set(secret.flatMap((schema) => withParts(views, schema)));
  return Object.entries(value).flatMap(([key, member]) => {
    const below = new Set([...all].map((schema) => partOf(views.of(schema), key)));
    return masksBelow(views, [...below], member, pointerTo(path, key));
  });
}

/** What may hold beside what holds in any case: branches of a union, and what stands on a condition. */
const partsOf = ({ branches, conditions }: SchemaView): readonly JsonSchema[] => [
  ...branches,
  ...conditions.flatMap(({ ifSo, ifNot }) => [ifSo, ifNot]),
];

/** Nobody here knows which part holds for a value. */
const splitsSecretly = (views: SchemaViews, view: SchemaView): boolean =>
  view.branches.length > 0 || partsOf(view).some((part) => holdsSecret(views, part));

/** With the parts of its parts: a condition may stand on a condition. */
function withParts(views: SchemaViews, schema: JsonSchema): readonly JsonSchema[] {
  const found = new Set([schema]);
  for (const one of found) for (const part of partsOf(views.of(one))) found.add(part);
  return [...found];
}

/** What stands in a branch that nobody looks into may be the secret. */
function isHidden(views: SchemaViews, schema: JsonSchema): boolean {
  const { isSecret, isOpaque } = views.of(schema);
  return isSecret || (isOpaque && holdsSecret(views, schema));
}

/** What is declared of a member, or of an element: a key that is an index may be either. */
function partOf(view: SchemaView, key: string): JsonSchema {
  const isElement = /^\d+$/.test(key) && view.types.has('array') && !view.properties.has(key);
  return isElement ? (view.prefixItems[Number(key)] ?? view.items) : memberSchema(view, key);
}
