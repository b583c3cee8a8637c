// What does a schema ask for, in a few words a model understands? And in which shape, and what would do?
import type { SchemaView, SchemaViews } from '../contract/schema-view.ts';
import { quote } from '../issues/excerpt.ts';
import type { JsonSchema } from '../json/json-schema.ts';
import type { JsonType, JsonValue } from '../json/json-value.ts';

/** Members of an enum that are named, at most. */
const mostMembers = 12;
const deepestShape = 3;
const mostKeys = 16;
/** Unions that are told by the shapes of their branches: no deeper, and no larger. */
const deepestUnion = 2;
const mostShapes = 4;

/** "a list of texts", "one of \"a\", \"b\"", "a whole number". */
export function expectedWords(views: SchemaViews, schema: JsonSchema, depth: number = 0): string {
  const view = views.of(schema);
  if (schema === false) return 'nothing';
  if (view.branches.length > 0) {
    const words = new Set(
      view.branches.slice(0, mostMembers).map((branch) => expectedWords(views, branch, depth)),
    );
    return [...words].join(' or ');
  }
  if (view.members !== undefined) return membersWords(view.members);
  const names = typeNames(view.types).map((type) =>
    type === 'array' ? listWords(views, view, depth) : typeWords[type],
  );
  return names.length === 7 ? 'any value' : names.join(' or ');
}

/** What a value of a type is called. */
export const typeWords: Readonly<Record<JsonType, string>> = {
  null: 'null',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  array: 'a list',
  object: 'an object',
};

/** A number's types are one, and null comes last. */
export function typeNames(types: ReadonlySet<JsonType>): readonly JsonType[] {
  const order: readonly JsonType[] = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
  const isWhole = types.size === 7;
  return order.filter((type) => types.has(type) && (isWhole || type !== 'integer' || !types.has('number')));
}

/** `one of "a", "b"`; the only one alone. */
export function membersWords(members: readonly JsonValue[]): string {
  if (members.length === 0) return 'nothing';
  const shown = members
    .slice(0, mostMembers)
    .map((member) => (typeof member === 'string' ? quote(member) : JSON.stringify(member).slice(0, 64)));
  const more = members.length > mostMembers ? `, … (${members.length} in all)` : '';
  return members.length === 1 ? `${shown[0]}` : `one of ${shown.join(', ')}${more}`;
}

/** "a list of texts"; how many is not said. */
export function listWords(views: SchemaViews, view: SchemaView, depth: number): string {
  if (depth < 2 && view.prefixItems.length > 0) return `a list ${tupleShape(views, view, deepestShape - 1)}`;
  if (depth >= 2 || typeof view.items === 'boolean') return 'a list';
  const items = expectedWords(views, view.items, depth + 1);
  return `a list of ${plurals.get(items) ?? `[${items}]`}`;
}

const plurals: ReadonlyMap<string, string> = new Map([
  ['text', 'texts'],
  ['a number', 'numbers'],
  ['a whole number', 'whole numbers'],
  ['an object', 'objects'],
  ['true or false', 'booleans'],
  ['a list', 'lists'],
]);

/** The compact shape of a value: `{ paths: [text], offset?: whole number }`. */
export function shapeOf(views: SchemaViews, schema: JsonSchema, depth: number = 0): string {
  const view = views.of(schema);
  if (view.branches.length > 0) return unionShape(views, view, schema, depth);
  if (view.types.has('object') && view.types.size < 7 && (view.properties.size > 0 || isMap(view)))
    return objectShape(views, view, depth);
  const isList = view.types.has('array') && view.types.size < 7 && depth < deepestShape;
  if (isList && view.prefixItems.length > 0) return tupleShape(views, view, depth);
  if (isList && typeof view.items !== 'boolean') return `[${shapeOf(views, view.items, depth + 1)}]`;
  return expectedWords(views, schema).replace(/^an? /, '');
}

function objectShape(views: SchemaViews, view: SchemaView, depth: number): string {
  if (depth >= deepestShape) return 'object';
  const entries = [...view.properties].slice(0, mostKeys).map(([key, schema]) => {
    const name = /^[\w$]+$/.test(key) ? key : quote(key);
    return `${name}${view.required.has(key) ? '' : '?'}: ${shapeOf(views, schema, depth + 1)}`;
  });
  const others = entryShapes(views, view, depth);
  const isCut = view.properties.size > mostKeys;
  return `{ ${[...entries, ...others, ...(isCut ? ['…'] : [])].join(', ')} }`;
}

const isMap = ({ patternProperties, additionalProperties }: SchemaView): boolean =>
  patternProperties.length > 0 || typeof additionalProperties !== 'boolean';

/** What stands under other keys than the declared ones, where that is said: `[key]: text`. */
function entryShapes(
  views: SchemaViews,
  { patternProperties, additionalProperties }: SchemaView,
  depth: number,
): readonly string[] {
  const schemas = [...patternProperties.map(([, schema]) => schema), additionalProperties];
  const said = schemas.filter((schema) => typeof schema !== 'boolean');
  return [...new Set(said.map((schema) => `[key]: ${shapeOf(views, schema, depth + 1)}`))];
}

/** `[text, whole number]`. */
function tupleShape(views: SchemaViews, { prefixItems, items }: SchemaView, depth: number): string {
  const shapes = prefixItems.slice(0, mostKeys).map((item) => shapeOf(views, item, depth + 1));
  const isClosed = items === false && prefixItems.length <= mostKeys;
  return `[${[...shapes, ...(isClosed ? [] : ['…'])].join(', ')}]`;
}

/** Branches that look alike are one. Those of a large union, or deep inside, are told by their kinds. */
function unionShape(views: SchemaViews, { branches }: SchemaView, schema: JsonSchema, depth: number): string {
  const shapes = new Set<string>();
  if (depth >= deepestUnion) return expectedWords(views, schema);
  for (const branch of branches) {
    shapes.add(shapeOf(views, branch, depth));
    if (shapes.size > mostShapes) return expectedWords(views, schema);
  }
  return [...shapes].join(' or ');
}
