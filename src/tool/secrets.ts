import { memoize } from '../collections/memoize.ts';
import { isContainer } from '../collections/objects.ts';
import { pointerKeys, pointerTo } from '../json/pointers.ts';
import { type JsonValue, isJsonArray, mapMembers } from '../json/value.ts';
import type { Visibility } from '../json/preview.ts';
import {
  type JsonSchema,
  type SchemaObject,
  isSchemaObject,
  schemasIn,
  subschemasOf,
} from '../schema/json-schema.ts';
import { readPattern } from '../schema/patterns.ts';
import { resolveReference } from '../schema/references.ts';
import { type SchemaViews, saysSecret } from '../schema/schema-view.ts';

/** Replaces a secret in a message: the model has sent it, and can send it again. */
const placeholder = '(as you sent it)';
const secretKey = '(secret)';
const none: readonly string[] = Object.freeze([]);

/** A copy in which a word replaces every declared secret; the same value if it has no secret. */
export const redact = (
  views: SchemaViews,
  value: JsonValue,
  schema: JsonSchema = views.root,
  word = placeholder,
): JsonValue => replaceSecrets(views, schema, value, () => word);

/** JSON Pointers of secrets that are the placeholder, which the model has copied from a message. */
export function placeholdersIn(views: SchemaViews, value: JsonValue): readonly string[] {
  if (!holdsSecret(views, views.root)) return none;
  const pointers: string[] = [];
  replaceSecrets(views, views.root, value, (secret, path) => {
    if (secret === placeholder) pointers.push(path);
    return secret;
  });
  return pointers;
}

/**
 * Hides the declared secrets of arguments wherever a text has them: as they are, inside JSON, and
 * inside a URL. A short secret is hidden only as a whole word, because nearly every text has its
 * characters. Undefined if the arguments have no secret.
 */
export function echoMask(
  views: SchemaViews,
  value: JsonValue,
  word: string,
): ((text: string) => string) | undefined {
  const secrets = new Set<string>();
  replaceSecrets(views, views.root, value, (secret, _path, areKeysSecret) => {
    for (const text of textsIn(secret, areKeysSecret)) secrets.add(text);
    return secret;
  });
  // The longest first: one secret may be the beginning of another.
  const forms = [...new Set([...secrets].flatMap(formsOf))].toSorted(
    (one, other) => other.length - one.length,
  );
  if (forms.length === 0) return undefined;
  const long = forms.filter(({ length }) => length >= longSecret);
  const short = forms.filter(({ length }) => length < longSecret).map(asLiteral);
  const words = wordPatterns(short);
  return (text) => {
    const withoutLong = long.reduce((result, form) => result.replaceAll(form, word), text);
    return words.reduce((result, pattern) => result.replace(pattern, word), withoutLong);
  };
}

/** Patterns of some hundred words each, because a pattern can't have any number of them. */
const wordPatterns = (literals: readonly string[]): readonly RegExp[] =>
  Array.from({ length: Math.ceil(literals.length / wordsInPattern) }, (_, at) => {
    const words = literals.slice(at * wordsInPattern, (at + 1) * wordsInPattern).join('|');
    return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, 'gu');
  });
const wordsInPattern = 500;

/** The strings and numbers inside a secret. */
function textsIn(secret: JsonValue, areKeysSecret: boolean): readonly string[] {
  if (typeof secret === 'string') return secret === '' ? [] : [secret];
  if (typeof secret === 'number') return [String(secret)];
  if (!isContainer(secret)) return [];
  const keys = areKeysSecret && !isJsonArray(secret) ? Object.keys(secret) : [];
  const innerTexts = Object.values(secret).flatMap((part) => textsIn(part, areKeysSecret));
  return [...keys.filter((key) => key !== ''), ...innerTexts];
}

/** How a secret is written in texts, which are well formed. */
function formsOf(secret: string): readonly string[] {
  const text = secret.toWellFormed();
  return [secret, text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)];
}

/** Characters from which on a secret is hidden inside words, too. */
const longSecret = 6;

const asLiteral = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

function replaceSecrets(
  views: SchemaViews,
  schema: JsonSchema,
  value: JsonValue,
  replace: (secret: JsonValue, path: string, areKeysSecret: boolean) => JsonValue,
): JsonValue {
  const withReplacements = (
    schemas: readonly JsonSchema[],
    part: JsonValue,
    path: string,
  ): JsonValue => {
    if (!schemas.some((one) => holdsSecret(views, one))) return part;
    const all = applicable(views, schemas);
    const areKeysSecret = all.some((one) => hidesContent(views, one));
    if (areKeysSecret || all.some(saysSecret)) return replace(part, path, areKeysSecret);
    const replaceMember = (member: JsonValue, key: string | number): JsonValue =>
      withReplacements(schemasBelow(all, String(key)), member, pointerTo(path, key));
    return isContainer(part) ? mapMembers(part, replaceMember) : part;
  };
  return withReplacements([schema], value, '');
}

/** A JSON Pointer in which a word replaces every undeclared key that is part of a secret. */
export function redactPointer(views: SchemaViews, pointer: string): string {
  if (pointer === '' || !holdsSecret(views, views.root)) return pointer;
  const steps = schemasAlong(views, pointer);
  return pointerKeys(pointer).reduce((shownPointer, key, at) => {
    const isInside = steps.slice(0, at + 1).some((all) => all.some(saysSecret));
    const isSecret = isInside || steps[at]?.some((schema) => hidesContent(views, schema)) === true;
    const isDeclared =
      steps[at]?.some(({ properties = {} }) => Object.hasOwn(properties, key)) === true;
    return pointerTo(shownPointer, isSecret && !isDeclared ? secretKey : key);
  }, '');
}

/** `hidden` for a value that is a secret, is inside one, or may contain one. `schema`: of its place. */
export function visibilityAt(views: SchemaViews, pointer: string, schema: JsonSchema): Visibility {
  if (!holdsSecret(views, views.root)) return 'shown';
  if (holdsSecret(views, schema)) return 'hidden';
  const steps = schemasAlong(views, pointer);
  const isInside = steps.some((all) => all.some(saysSecret));
  return isInside || steps.at(-1)?.some((one) => holdsSecret(views, one)) === true
    ? 'hidden'
    : 'shown';
}

/** The schemas that may apply at each step of a pointer, the root first. */
function schemasAlong(views: SchemaViews, pointer: string): readonly (readonly SchemaObject[])[] {
  let all = applicable(views, [views.root]);
  return [
    all,
    ...pointerKeys(pointer).map((key) => (all = applicable(views, schemasBelow(all, key)))),
  ];
}

export const holdsSecret = (views: SchemaViews, schema: JsonSchema): boolean =>
  typeof schema === 'object' && secretsIn(views)(schema);

const secretsIn = memoize(({ root }: SchemaViews) =>
  memoize((schema: SchemaObject): boolean => reachesSecret(schema, root)),
);

function reachesSecret(start: SchemaObject, root: SchemaObject): boolean {
  if (start === root && !schemasIn(root).some(saysSecret)) return false;
  const reachedSchemas = new Set([start]);
  for (const schema of reachedSchemas) {
    if (saysSecret(schema)) return true;
    // Definitions are reached by references.
    const { $defs: _definitions, $ref, ...appliedKeywords } = schema;
    const target = $ref === undefined ? undefined : resolveReference($ref, root);
    if (target !== undefined) reachedSchemas.add(target);
    for (const subschema of subschemasOf(appliedKeywords)) reachedSchemas.add(subschema);
  }
  return false;
}

/**
 * All schemas that may apply to the same value: references, `allOf`, branches and conditions,
 * whether they hold or not.
 */
function applicable({ root }: SchemaViews, schemas: Iterable<JsonSchema>): readonly SchemaObject[] {
  const applicableSchemas = new Set([...schemas].filter(isSchemaObject));
  for (const {
    $ref,
    allOf = [],
    anyOf = [],
    oneOf = [],
    dependentSchemas = {},
    ...others
  } of applicableSchemas) {
    const target = $ref === undefined ? undefined : resolveReference($ref, root);
    const conditions = [others.if, others.then, others.else, others['not']];
    const parts = [
      target,
      ...allOf,
      ...anyOf,
      ...oneOf,
      ...Object.values(dependentSchemas),
      ...conditions,
    ];
    for (const part of parts) if (isSchemaObject(part)) applicableSchemas.add(part);
  }
  return [...applicableSchemas];
}

/** Whether keys, or JSON inside a string, may be secret: then the whole value is hidden. */
const hidesContent = (
  views: SchemaViews,
  { propertyNames, contentSchema }: SchemaObject,
): boolean =>
  [propertyNames, contentSchema].some((part) => isSchemaObject(part) && holdsSecret(views, part));

/** The schemas of a member, and of an element if the key is an index. */
function schemasBelow(schemas: readonly SchemaObject[], key: string): readonly JsonSchema[] {
  return schemas
    .flatMap((schema) => {
      const {
        properties = {},
        patternProperties = {},
        additionalProperties,
        unevaluatedProperties,
      } = schema;
      const declaredMembers = [
        ...(Object.hasOwn(properties, key) ? [properties[key]] : []),
        ...Object.keys(patternProperties)
          .filter((pattern) => readPattern(pattern).matcher.test(key))
          .map((pattern) => patternProperties[pattern]),
      ];
      const members =
        declaredMembers.length > 0
          ? declaredMembers
          : [additionalProperties, unevaluatedProperties];
      return /^\d+$/.test(key) ? [...members, ...elementSchemas(schema, Number(key))] : members;
    })
    .filter(isSchemaObject);
}

const elementSchemas = (
  { prefixItems = [], items, unevaluatedItems, contains }: SchemaObject,
  at: number,
): readonly unknown[] =>
  prefixItems[at] === undefined ? [items, unevaluatedItems, contains] : [prefixItems[at], contains];
