import { type JsonValue, pointerKeys, pointerTo, isContainer, mapMembers, memoize } from '../json/value.ts';
import type { Visibility } from '../json/preview.ts';
import { type JsonSchema, type SchemaObject, isSchemaObject, subschemasOf } from '../schema/json-schema.ts';
import { readPattern } from '../schema/patterns.ts';
import { resolveReference } from '../schema/references.ts';
import { type SchemaViews, saysSecret } from '../schema/schema-view.ts';

/** Replaces a secret in a message: the model has sent it, and can send it again. */
const placeholder = '(as you sent it)';
const secretKey = '(secret)';

/** A copy in which a word replaces every declared secret; the same value if it has no secret. */
export const redact = (
  views: SchemaViews,
  value: JsonValue,
  schema: JsonSchema = views.root,
  word = placeholder,
): JsonValue => replaceSecrets(views, schema, value, () => word);

/** JSON Pointers of secrets that are the placeholder, which the model has copied from a message. */
export function placeholdersIn(views: SchemaViews, value: JsonValue): readonly string[] {
  const found: string[] = [];
  replaceSecrets(views, views.root, value, (secret, path) => {
    if (secret === placeholder) found.push(path);
    return secret;
  });
  return found;
}

function replaceSecrets(
  views: SchemaViews,
  schema: JsonSchema,
  value: JsonValue,
  replace: (secret: JsonValue, path: string) => JsonValue,
): JsonValue {
  const replaced = (schemas: readonly JsonSchema[], part: JsonValue, path: string): JsonValue => {
    if (!schemas.some((one) => holdsSecret(views, one))) return part;
    const all = applicable(views, schemas);
    if (all.some((one) => saysSecret(one) || hidesContent(views, one))) return replace(part, path);
    const below = (member: JsonValue, key: string | number): JsonValue =>
      replaced(schemasBelow(all, String(key)), member, pointerTo(path, key));
    return isContainer(part) ? mapMembers(part, below) : part;
  };
  return replaced([schema], value, '');
}

/** A JSON Pointer in which a word replaces every undeclared key that is part of a secret. */
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

/** `hidden` for a value that is a secret, is inside one, or may contain one. */
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

/** All schemas that may apply to the same value: references, `allOf`, branches and conditions, whether they hold or not. */
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

/** Whether keys, or JSON inside a string, may be secret: then the whole value is hidden. */
const hidesContent = (views: SchemaViews, { propertyNames, contentSchema }: SchemaObject): boolean =>
  [propertyNames, contentSchema].some((part) => isSchemaObject(part) && holdsSecret(views, part));

/** The schemas of a member, and of an element if the key is an index. */
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
