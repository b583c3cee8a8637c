import { parseJson } from '../json/parse.ts';
import { spellingOf } from '../json/key-spelling.ts';
import { type JsonValue, isJsonArray, jsonTypeOf, maxTextDepth } from '../json/value.ts';
import type { ListElement } from '../notations/notation.ts';
import { type TextElement, elementsIn } from '../notations/element-text.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type SchemaViews, memberSchema } from '../schema/schema-view.ts';
import type { ContractValidator } from '../validate/validator.ts';
import { objectOf } from '../collections/objects.ts';
import { isNullWord } from '../json/null-words.ts';
import { booleanInText } from './read-text.ts';
import { singularsOf } from './rules/keyed-object-to-array.ts';

/**
 * The JSON in the raw text of a notation, if the schema of the key allows both the text and a value
 * of that type; else undefined. Chat templates write strings as they are and other values as JSON,
 * so the text could be either.
 */
export function otherMeaning(
  validator: ContractValidator,
  key: string,
  raw: string,
): JsonValue | undefined {
  const { views } = validator;
  const value = jsonIn(raw);
  if (value === undefined || typeof value === 'string') return undefined;
  const schemas = schemasOf(views, views.root, key);
  const type = jsonTypeOf(value);
  const isOfType = (schema: JsonSchema): boolean => views.typesOf(schema).has(type);
  const mayBeBoth = (places: readonly JsonSchema[]): boolean =>
    places.some((schema) => validator.acceptsPart(schema, raw)) && places.some(isOfType);
  // Where an array is expected, the text may be its only element.
  const isElement = typeof value !== 'object' && !schemas.some(isOfType);
  const elements = isElement ? schemas.flatMap((schema) => elementsOf(views, schema)) : [];
  return mayBeBoth(schemas) || mayBeBoth(elements) ? value : undefined;
}

/**
 * The value of raw text that can't be text: the bare word `null` where null is allowed, a list of one
 * scalar for a scalar, elements for an object or a list. Undefined: it is text, which the schema
 * accepts or the value rules read.
 */
export function valueOfRawText(
  validator: ContractValidator,
  key: string,
  raw: string,
  token?: string,
): JsonValue | undefined {
  if (raw === 'null') return otherMeaning(validator, key, raw) === null ? null : undefined;
  const { views } = validator;
  const [schema, ...others] = schemasOf(views, views.root, key);
  return schema === undefined || others.length > 0 ? undefined : valueIn(views, schema, raw, token);
}

/**
 * The element of a list whose elements have a key as their name: `<file>` for `files`, or for `file`.
 * Undefined if it is elements in which the list's schema finds no value: they are no text.
 */
export function listElementOf(
  { views }: ContractValidator,
  key: string,
  raw: string,
): ListElement | undefined {
  const lists = [...views.of(views.root).properties].flatMap(([name, schema]) => {
    const items = name === key || isSingularOf(name, key) ? itemsOf(views, schema) : undefined;
    return items === undefined ? [] : [{ list: name, items }];
  });
  const [only, ...others] = lists;
  if (only === undefined || others.length > 0) return undefined;
  const element = valueIn(views, only.items, raw);
  if (element === undefined && elementsIn(raw) !== undefined) return undefined;
  return { list: only.list, element: element ?? raw };
}

/** Whether a key is declared as a list, and as no text. */
export function isListAt({ views }: ContractValidator, key: string): boolean {
  const schema = views.of(views.root).properties.get(key);
  return schema !== undefined && itemsOf(views, schema) !== undefined;
}

/** Whether elements are in the elements of a list of text, as if they were objects. */
export function holdsUnknownElements(
  { views }: ContractValidator,
  key: string,
  raw: string,
): boolean {
  const schema = views.of(views.root).properties.get(key);
  const items = schema === undefined ? undefined : itemsOf(views, schema);
  const types = items === undefined ? undefined : views.typesOf(items);
  if (types === undefined || types.has('object') || types.has('array')) return false;
  return elementsIn(raw)?.some(({ text }) => elementsIn(text) !== undefined) === true;
}

/** The schema of the elements, if a schema takes lists and no text. */
function itemsOf(views: SchemaViews, schema: JsonSchema): JsonSchema | undefined {
  const { branches, types, items } = views.of(schema);
  const isList = branches.length === 0 && types.has('array') && !types.has('string');
  return isList && items !== false ? items : undefined;
}

const isSingularOf = (list: string, key: string): boolean =>
  singularsOf(list).map(spellingOf).includes(spellingOf(key));

function valueIn(
  views: SchemaViews,
  schema: JsonSchema,
  raw: string,
  token?: string,
): JsonValue | undefined {
  const types = views.typesOf(schema);
  if (raw === 'null' && types.has('null')) return null;
  const mayBeElements = types.has('array') || types.has('object');
  const value =
    mayBeElements && !types.has('string') ? elementValue(views, schema, raw, token) : undefined;
  if (value !== undefined) return value;
  if (token !== undefined && raw.includes(token)) return untypedIn(raw);
  if (types.has('string') || mayBeElements) return undefined;
  const read = parseJson(raw, maxTextDepth);
  // Other digits than those that were written would be another number.
  const isExact = read.kind === 'read' && JSON.stringify(read.value) === raw.trim();
  return isExact && isJsonArray(read.value) ? read.value : undefined;
}

/** What elements are by themselves: a list if all have one name, else an object. */
function untypedIn(raw: string): JsonValue | undefined {
  const children = elementsIn(raw);
  if (children === undefined) return undefined;
  const members = children.map(({ name, text }) => [name, untypedIn(text) ?? text] as const);
  const names = new Set(members.map(([name]) => name));
  if (names.size < members.length || names.has('item'))
    return names.size === 1 ? members.map(([, value]) => value) : undefined;
  return objectOf(members);
}

/** The object or the list that elements are; undefined if the text is none, or both. */
function elementValue(
  views: SchemaViews,
  union: JsonSchema,
  raw: string,
  token: string | undefined,
): JsonValue | undefined {
  const children = elementsIn(raw);
  const schema = withoutNull(views, union);
  if (children === undefined || schema === undefined) return undefined;
  const { types, items } = views.of(schema);
  if (types.has('array') === types.has('object')) return undefined;
  if (types.has('object')) return objectIn(views, schema, children, token);
  const names = new Set(children.map(({ name }) => name));
  const elementProperties = items === false ? undefined : views.of(items).properties;
  const isOneElement =
    elementProperties !== undefined && [...names].every((name) => elementProperties.has(name));
  if (isOneElement && items !== false) return objectIn(views, items, children, token);
  if (names.size > 1 || items === false) return undefined;
  return children.map(
    (child) => valueIn(views, items, child.text, token) ?? listIn(child) ?? child.text,
  );
}

/** The list that an element is which is around elements of its own name. */
function listIn({ name, text }: TextElement): JsonValue | undefined {
  const children = elementsIn(text);
  return children?.every((child) => child.name === name) === true
    ? children.map((child) => listIn(child) ?? child.text)
    : undefined;
}

function objectIn(
  views: SchemaViews,
  schema: JsonSchema,
  children: readonly TextElement[],
  token: string | undefined,
): JsonValue | undefined {
  const view = views.of(schema);
  const members = [...Map.groupBy(children, ({ name }) => name)].map(
    ([name, elements]): readonly [string, JsonValue] | undefined => {
      const member = memberSchema(view, name);
      const isOne = elements.length === 1;
      const part = member === false || isOne ? member : (itemsOf(views, member) ?? false);
      // Elements with one name are a list, where one is declared.
      if (part === false && !isOne) return undefined;
      const values = elements.map(
        ({ text }) => (part === false ? undefined : valueIn(views, part, text, token)) ?? text,
      );
      return [name, isOne ? (values[0] ?? null) : values];
    },
  );
  return members.includes(undefined)
    ? undefined
    : objectOf(members.filter((member) => member !== undefined));
}

/** The only branch of a union beside null. */
function withoutNull(views: SchemaViews, schema: JsonSchema): JsonSchema | undefined {
  const { branches } = views.of(schema);
  if (branches.length === 0) return schema;
  const [only, ...others] = branches.filter((branch) =>
    [...views.typesOf(branch)].some((type) => type !== 'null'),
  );
  return others.length === 0 ? only : undefined;
}

function jsonIn(raw: string): JsonValue | undefined {
  const read = parseJson(raw, maxTextDepth);
  if (read.kind === 'read') return read.value;
  return isNullWord(raw) ? null : booleanInText(raw);
}

/** The schemas of a key, in any spelling, in all branches of an object's schema. */
function schemasOf(views: SchemaViews, object: JsonSchema, key: string): readonly JsonSchema[] {
  const view = views.of(object);
  if (view.branches.length > 0)
    return view.branches.flatMap((branch) => schemasOf(views, branch, key));
  const spelledKeys = [...view.properties.keys()].filter(
    (name) => spellingOf(name) === spellingOf(key),
  );
  const names = view.properties.has(key) || spelledKeys.length === 0 ? [key] : spelledKeys;
  return names.map((name) => memberSchema(view, name)).filter((schema) => schema !== false);
}

/** The schemas of the elements, in all branches of a schema that allows arrays. */
function elementsOf(views: SchemaViews, schema: JsonSchema): readonly JsonSchema[] {
  const { branches, types, items } = views.of(schema);
  if (branches.length > 0) return branches.flatMap((branch) => elementsOf(views, branch));
  return types.has('array') && items !== false ? [items] : [];
}
