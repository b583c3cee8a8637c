import { pointerKeys, pointerTo } from '../json/json-pointer.ts';
import { type JsonValue, isJsonArray, isJsonObject, objectOf } from '../json/value.ts';
import { type JsonSchema, type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import { readPattern } from '../schema/patterns.ts';
import { resolveReference } from '../schema/references.ts';
import { type SchemaViews, partsOf as schemasTogether, saysSecret } from '../schema/schema-view.ts';

// Then nothing of a value there is shown.
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
    const { $defs: _definitions, $ref, ...validating } = schema;
    const target = $ref === undefined ? undefined : resolveReference($ref, root);
    if (target !== undefined) open.push(target);
    mapSubschemas(validating, (below) => {
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
    const below = schemas.flatMap((schema) => schemasBelow(views, schema, key));
    schemas = [...new Set(below.flatMap((schema) => withParts(views, schema)))];
  }
  return schemas.some((schema) => holdsSecret(views, schema));
}

/**
 * A JSON Pointer to show: with a word in the place of every key that is part of a secret. That is one below a secret, or
 * whose name is called one, unless the schema declares it.
 */
export function shownPointer(views: SchemaViews, pointer: string): string {
  if (pointer === '' || !holdsSecret(views, views.root)) return pointer;
  let schemas = withParts(views, views.root);
  let isInside = false;
  let shown = '';
  for (const key of pointerKeys(pointer)) {
    isInside ||= schemas.some((schema) => views.of(schema).isSecret);
    const isHiding = isInside || schemas.some((schema) => namesSecrets(views, schema));
    const isDeclared = schemas.some((schema) => views.of(schema).properties.has(key));
    shown = pointerTo(shown, isHiding && !isDeclared ? secretKey : key);
    const below = schemas.flatMap((schema) => schemasBelow(views, schema, key));
    schemas = [...new Set(below.flatMap((one) => withParts(views, one)))];
  }
  return shown;
}

const secretKey = '(secret)';

/** What stands for a secret in what is shown. */
const mask = '(as you sent it)';

/**
 * A copy to show, with a word in the place of every secret; the same value if there is none. `word`: what stands there;
 * default: what says to a model that it has sent it.
 */
export const maskSecrets = (
  views: SchemaViews,
  schema: JsonSchema,
  value: JsonValue,
  word: string = mask,
): JsonValue => masked(views, [schema], value, word);

/** `schemas`: all that are said of the value. */
function masked(
  views: SchemaViews,
  schemas: readonly JsonSchema[],
  value: JsonValue,
  word: string,
): JsonValue {
  const secret = schemas.filter((schema) => holdsSecret(views, schema));
  if (secret.length === 0) return value;
  if (secret.some((schema) => isHidden(views, schema) || splitsSecretly(views, schema))) return word;
  const below = (key: string): readonly JsonSchema[] =>
    secret.flatMap((schema) => schemasBelow(views, schema, key));
  if (isJsonArray(value)) return value.map((item, index) => masked(views, below(String(index)), item, word));
  if (!isJsonObject(value)) return value;
  return objectOf(
    Object.entries(value).map(([key, member]) => [key, masked(views, below(key), member, word)] as const),
  );
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
    const below = new Set([...all].flatMap((schema) => schemasBelow(views, schema, key)));
    return masksBelow(views, [...below], member, pointerTo(path, key));
  });
}

/**
 * What is said of a value beside what holds in any case: branches of a union, what stands on a condition and the condition
 * itself, and what is said of its keys, or of what its text holds.
 */
function partsOf(views: SchemaViews, schema: JsonSchema): readonly JsonSchema[] {
  const { branches, conditional } = views.of(schema);
  return [
    ...branches,
    ...conditional,
    ...togetherWith(views, schema).flatMap((part) => schemasUnder(part, keywordsOfParts)),
  ];
}

const keywordsOfParts = ['if', 'not', 'propertyNames', 'contentSchema'];

/** Nobody here knows which part holds for a value. */
const splitsSecretly = (views: SchemaViews, schema: JsonSchema): boolean =>
  views.of(schema).branches.length > 0 || partsOf(views, schema).some((part) => holdsSecret(views, part));

/** With the parts of its parts: a condition may stand on a condition. */
function withParts(views: SchemaViews, schema: JsonSchema): readonly JsonSchema[] {
  const found = new Set([schema]);
  for (const one of found) for (const part of partsOf(views, one)) found.add(part);
  return [...found];
}

/** What stands in a branch that nobody looks into may be the secret. */
function isHidden(views: SchemaViews, schema: JsonSchema): boolean {
  const { isSecret, isOpaque } = views.of(schema);
  return isSecret || (isOpaque && holdsSecret(views, schema));
}

const namesSecrets = (views: SchemaViews, schema: JsonSchema): boolean =>
  togetherWith(views, schema).some((part) =>
    schemasUnder(part, ['propertyNames']).some((names) => holdsSecret(views, names)),
  );

/** The schemas that hold together with one, itself the first. */
const togetherWith = ({ root }: SchemaViews, schema: JsonSchema): readonly SchemaObject[] =>
  typeof schema === 'boolean' ? [] : schemasTogether(schema, root);

/** All that may be said of a member, or of an element: a key that is an index may be either. */
const schemasBelow = (views: SchemaViews, schema: JsonSchema, key: string): readonly JsonSchema[] =>
  togetherWith(views, schema).flatMap((part) => [
    ...schemasOfMember(part, key),
    ...(/^\d+$/.test(key) ? schemasOfElement(part, Number(key)) : []),
  ]);

function schemasOfMember(part: SchemaObject, key: string): readonly JsonSchema[] {
  const { properties = {}, patternProperties = {} } = part;
  const declared = Object.hasOwn(properties, key) ? [properties[key]] : [];
  const matching = Object.entries(patternProperties)
    .filter(([pattern]) => readPattern(pattern).matcher.test(key))
    .map(([, below]) => below);
  const said = [...declared, ...matching].filter((below) => below !== undefined);
  return said.length > 0 ? said : schemasUnder(part, ['additionalProperties', 'unevaluatedProperties']);
}

function schemasOfElement(part: SchemaObject, index: number): readonly JsonSchema[] {
  const first = part.prefixItems?.[index];
  const said = first === undefined ? schemasUnder(part, ['items', 'unevaluatedItems']) : [first];
  return [...said, ...schemasUnder(part, ['contains'])];
}

const schemasUnder = (part: SchemaObject, keywords: readonly string[]): readonly SchemaObject[] =>
  keywords.map((keyword) => part[keyword]).filter(isSchemaObject);

const isSchemaObject = (held: unknown): held is SchemaObject =>
  typeof held === 'object' && held !== null && !Array.isArray(held);
