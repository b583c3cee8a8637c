import { pointerKeys, pointerTo } from '../json/json-pointer.ts';
import type { Visibility } from '../json/preview.ts';
import { type JsonValue, isJsonArray, isJsonObject, memoize, objectOf } from '../json/value.ts';
import { type JsonSchema, type SchemaObject, isSchemaObject, subschemasOf } from '../schema/json-schema.ts';
import { readPattern } from '../schema/patterns.ts';
import { resolveReference } from '../schema/references.ts';
import { type SchemaViews, saysSecret } from '../schema/schema-view.ts';

/** What a model reads in place of a secret: it has sent it, and sends it again. */
const placeholder = '(as you sent it)';
/** What replaces a key that is part of a secret. */
const secretKey = '(secret)';

export interface RedactOptions {
  /** The schema of the value. Default: the root. */
  readonly schema?: JsonSchema;
  /** What replaces a secret. Default: `(as you sent it)`. */
  readonly word?: string;
}

/** A copy with a word in place of every declared secret; the same value if there is none. */
export const redact = (
  views: SchemaViews,
  value: JsonValue,
  { schema = views.root, word = placeholder }: RedactOptions = {},
): JsonValue => replaceSecrets(views, [schema], value, { path: '', replace: () => word });

/** JSON Pointers of secrets that are the placeholder: the model has copied a call that it was shown. */
export function placeholdersIn(views: SchemaViews, value: JsonValue): readonly string[] {
  const found: string[] = [];
  const replace = (secret: JsonValue, path: string): JsonValue => {
    if (secret === placeholder) found.push(path);
    return secret;
  };
  replaceSecrets(views, [views.root], value, { path: '', replace });
  return found;
}

interface Replacing {
  readonly path: string;
  readonly replace: (secret: JsonValue, path: string) => JsonValue;
}

function replaceSecrets(
  views: SchemaViews,
  schemas: readonly JsonSchema[],
  value: JsonValue,
  { path, replace }: Replacing,
): JsonValue {
  if (!schemas.some((schema) => holdsSecret(views, schema))) return value;
  const all = applicable(views, schemas);
  if (all.some((schema) => saysSecret(schema) || hidesContent(views, schema))) return replace(value, path);
  const below = (member: JsonValue, key: string | number): JsonValue =>
    replaceSecrets(views, schemasBelow(all, String(key)), member, { path: pointerTo(path, key), replace });
  if (isJsonArray(value)) return value.map(below);
  if (!isJsonObject(value)) return value;
  return objectOf(Object.entries(value).map(([key, member]) => [key, below(member, key)] as const));
}

/** A JSON Pointer with a word in place of every undeclared key that is part of a secret. */
export function redactPointer(views: SchemaViews, pointer: string): string {
  if (pointer === '' || !holdsSecret(views, views.root)) return pointer;
  const steps = schemasAlong(views, pointer);
  return pointerKeys(pointer).reduce((shown, key, at) => {
    const isInside = steps.slice(0, at + 1).some((all) => all.some(saysSecret));
    const isSecret = isInside || steps[at]?.some((schema) => hidesContent(views, schema)) === true;
    const isDeclared = steps[at]?.some(({ properties = {} }) => Object.hasOwn(properties, key)) === true;
    return pointerTo(shown, isSecret && !isDeclared ? secretKey : key);
  }, '');
}

/** Whether a preview may show the content of a value: not if the value is secret, is inside a secret, or may hold one. */
export function visibilityAt(views: SchemaViews, pointer: string, schema: JsonSchema): Visibility {
  if (holdsSecret(views, schema)) return 'hidden';
  if (!holdsSecret(views, views.root)) return 'shown';
  const steps = schemasAlong(views, pointer);
  const isInside = steps.some((all) => all.some(saysSecret));
  return isInside || steps.at(-1)?.some((one) => holdsSecret(views, one)) === true ? 'hidden' : 'shown';
}

/** The schemas that may apply at each step of a pointer, the root first. */
function schemasAlong(views: SchemaViews, pointer: string): readonly (readonly SchemaObject[])[] {
  let all = applicable(views, [views.root]);
  return [all, ...pointerKeys(pointer).map((key) => (all = applicable(views, schemasBelow(all, key))))];
}

/** Whether a value of the schema, or anything in it, is secret. */
export const holdsSecret = (views: SchemaViews, schema: JsonSchema): boolean =>
  typeof schema === 'object' && secretsIn(views)(schema);

const secretsIn = memoize(({ root }: SchemaViews) =>
  memoize((schema: SchemaObject): boolean => reachesSecret(schema, root)),
);

function reachesSecret(start: SchemaObject, root: SchemaObject): boolean {
  const reached = new Set([start]);
  for (const schema of reached) {
    if (saysSecret(schema)) return true;
    // Definitions are reached by references.
    const { $defs: _definitions, $ref, ...applied } = schema;
    const target = $ref === undefined ? undefined : resolveReference($ref, root);
    if (target !== undefined) reached.add(target);
    for (const below of subschemasOf(applied)) reached.add(below);
  }
  return false;
}

/**
 * All schemas that may apply to the same value: references, `allOf`, and every branch and condition, whether or not it
 * holds. What any of them declares secret is secret.
 */
function applicable({ root }: SchemaViews, schemas: Iterable<JsonSchema>): readonly SchemaObject[] {
  const found = new Set([...schemas].filter(isSchemaObject));
  for (const { $ref, allOf = [], anyOf = [], oneOf = [], dependentSchemas = {}, ...others } of found) {
    const target = $ref === undefined ? undefined : resolveReference($ref, root);
    const conditions = [others.if, others.then, others.else, others['not']];
    const parts = [target, ...allOf, ...anyOf, ...oneOf, ...Object.values(dependentSchemas), ...conditions];
    for (const part of parts) if (isSchemaObject(part)) found.add(part);
  }
  return [...found];
}

/** Keys, or JSON inside a string, that are secret can only be hidden together with all that is beside them. */
const hidesContent = (views: SchemaViews, { propertyNames, contentSchema }: SchemaObject): boolean =>
  [propertyNames, contentSchema].some((part) => isSchemaObject(part) && holdsSecret(views, part));

/** A key that is an index may be that of a member or of an element. */
function schemasBelow(schemas: readonly SchemaObject[], key: string): readonly JsonSchema[] {
  return schemas
    .flatMap((schema) => {
      const { properties = {}, patternProperties = {}, additionalProperties, unevaluatedProperties } = schema;
      const declared = [
        ...(Object.hasOwn(properties, key) ? [properties[key]] : []),
        ...Object.keys(patternProperties)
          .filter((pattern) => readPattern(pattern).matcher.test(key))
          .map((pattern) => patternProperties[pattern]),
      ];
      const members = declared.length > 0 ? declared : [additionalProperties, unevaluatedProperties];
      return /^\d+$/.test(key) ? [...members, ...elementSchemas(schema, Number(key))] : members;
    })
    .filter(isSchemaObject);
}

const elementSchemas = (
  { prefixItems = [], items, unevaluatedItems, contains }: SchemaObject,
  at: number,
): readonly unknown[] =>
  prefixItems[at] === undefined ? [items, unevaluatedItems, contains] : [prefixItems[at], contains];
