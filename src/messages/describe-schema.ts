import { pointerKeys, pointerTo } from '../json/json-pointer.ts';
import type { JsonType, JsonValue } from '../json/value.ts';
import { type JsonSchema, type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import {
  type SchemaView,
  type SchemaViews,
  memberSchema,
  mergeSchemas,
  partsOf,
} from '../schema/schema-view.ts';
import type { HintedPlace } from './describe-tool.ts';
import { printable, quote } from '../json/preview.ts';

// As JSON, with as much of what is said about it as there is room for.
/** Characters of a description that is shortened. */
const longestDescription = 60;

/** JSON text of a schema, and what was left out of it; never half of a schema. */
export interface CompactSchema {
  readonly text: string;
  readonly leftOut: 'nothing' | 'long descriptions' | 'descriptions';
}

/**
 * The schema as it is; if that is too long, without titles and examples and with short descriptions; if that is too long,
 * without descriptions. undefined if even that is too long: then its shape says more than a piece of it.
 */
export function compactSchema(schema: SchemaObject, longest: number): CompactSchema | undefined {
  const forms: readonly CompactSchema[] = [
    { text: JSON.stringify(schema), leftOut: 'nothing' },
    { text: JSON.stringify(withDescriptions(schema, longestDescription)), leftOut: 'long descriptions' },
    { text: JSON.stringify(withDescriptions(schema, 0)), leftOut: 'descriptions' },
  ];
  return forms.find(({ text }) => text.length <= longest);
}

const told: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  'title',
  'examples',
  'example',
  'deprecated',
  'markdownDescription',
]);

/** Only keywords are left out: a property of such a name is data. */
function withDescriptions(schema: SchemaObject, longest: number): SchemaObject {
  const kept = Object.entries(schema).flatMap(([keyword, value]): readonly (readonly [string, unknown])[] => {
    if (told.has(keyword)) return [];
    if (keyword !== 'description' || typeof value !== 'string') return [[keyword, value]];
    return longest === 0 ? [] : [[keyword, shortened(value, longest)]];
  });
  return mapSubschemas(Object.fromEntries(kept), (below) => withDescriptions(below, longest));
}

const shortened = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;

/** In the singular and in the plural, with the article: "a JSON list of strings, at most 20". */
export interface ContainerWords {
  readonly one: string;
  readonly several: string;
}

/** undefined for a place where something else may stand too. */
export function containerWords(
  { view, schema }: HintedPlace,
  views: SchemaViews,
): ContainerWords | undefined {
  if (view.branches.length > 0 || view.members !== undefined) return undefined;
  const kind = onlyType(view);
  if (kind === 'object') return { one: 'a JSON object', several: 'JSON objects' };
  if (kind !== 'array') return undefined;
  const elements = elementWords.get(onlyType(views.of(view.items)) ?? 'null');
  const of = elements === undefined || view.prefixItems.length > 0 ? '' : ` of ${elements}`;
  const bounds = typeof schema === 'object' ? boundWords(mergeSchemas(schema, views.root)) : '';
  return { one: `a JSON list${of}${bounds}`, several: `JSON lists${of}${bounds}` };
}

const elementWords: ReadonlyMap<JsonType, string> = new Map([
  ['string', 'strings'],
  ['number', 'numbers'],
  ['integer', 'integers'],
  ['boolean', 'booleans'],
  ['object', 'objects'],
  ['array', 'lists'],
]);

/** Null may stand beside it; a number's integers are numbers. */
function onlyType({ types, branches }: SchemaView): JsonType | undefined {
  if (branches.length > 0) return undefined;
  const others = [...types].filter((type) => type !== 'null' && !(type === 'integer' && types.has('number')));
  return others.length === 1 ? others[0] : undefined;
}

function boundWords({ minItems, maxItems }: { readonly [keyword: string]: unknown }): string {
  const least = typeof minItems === 'number' && minItems > 0 ? minItems : undefined;
  if (typeof maxItems !== 'number') return least === undefined ? '' : `, at least ${least}`;
  if (least === undefined) return `, at most ${maxItems}`;
  return least === maxItems ? `, exactly ${least}` : `, ${least} to ${maxItems}`;
}

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
const typeWords: Readonly<Record<JsonType, string>> = {
  null: 'null',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  array: 'a list',
  object: 'an object',
};

/** A number's types are one, and null comes last. */
function typeNames(types: ReadonlySet<JsonType>): readonly JsonType[] {
  const order: readonly JsonType[] = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
  const isWhole = types.size === 7;
  return order.filter((type) => types.has(type) && (isWhole || type !== 'integer' || !types.has('number')));
}

/** `one of "a", "b"`; the only one alone. */
function membersWords(members: readonly JsonValue[]): string {
  if (members.length === 0) return 'nothing';
  const shown = members
    .slice(0, mostMembers)
    .map((member) => (typeof member === 'string' ? quote(member) : JSON.stringify(member).slice(0, 64)));
  const more = members.length > mostMembers ? `, … (${members.length} in all)` : '';
  return members.length === 1 ? `${shown[0]}` : `one of ${shown.join(', ')}${more}`;
}

/** "a list of texts"; how many is not said. */
function listWords(views: SchemaViews, view: SchemaView, depth: number): string {
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

// Its kind with format, pattern, bounds and keys in words, for where the kind alone says too little, as in a union of
// two formats.
/** Characters of one keyword's value, as a pattern's. */
const longestLimit = 80;
/** Characters of all branches; at least one is told. */
const longestUnion = 130;
const deepest = 3;

/** "text in the format ipv4 or text in the format ipv6", "a number of at least 5", "{ a: text, b?: text }". */
export function exactWords(views: SchemaViews, schema: JsonSchema, depth: number = 0): string {
  if (typeof schema === 'boolean') return schema ? 'any value' : 'nothing';
  const view = views.of(schema);
  if (view.branches.length > 0) return branchesWords(view.branches.map((at) => wordsOf(views, at, depth)));
  if (view.isOpaque) return 'a value in one of the forms that the schema lists';
  return wordsOf(views, schema, depth);
}

/** As many as there is room for. */
export function branchesWords(all: readonly string[], between: string = ' or '): string {
  const words = [...new Set(all)];
  let shown = words.slice(0, 1).join('');
  for (const [at, word] of words.entries()) {
    if (at === 0) continue;
    const longer = `${shown}${between}${word}`;
    if (longer.length > longestUnion) return `${shown}${between}one of ${words.length - at} other forms`;
    shown = longer;
  }
  return shown;
}

/** What the elements of a list must hold: `with "x" in it`. */
export function containsClause(views: SchemaViews, schema: SchemaObject, depth: number): readonly string[] {
  const { contains, minContains, maxContains } = schema;
  if (!isSchema(contains)) return [];
  const element = exactWords(views, contains, depth + 1);
  const least = typeof minContains === 'number' ? minContains : 1;
  const most = typeof maxContains === 'number' ? maxContains : Infinity;
  if (least === 1 && most === Infinity) return [`with ${element} in it`];
  const are = least === 1 && most === 1 ? 'element is' : 'elements are';
  return [`in which ${rangeWords(least, most)} ${are} ${element}`];
}

function rangeWords(least: number, most: number): string {
  if (least === most) return `exactly ${least}`;
  if (most === Infinity) return `at least ${least}`;
  return least === 0 ? `at most ${most}` : `${least} to ${most}`;
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'boolean' || (typeof value === 'object' && value !== null);

function wordsOf(views: SchemaViews, schema: JsonSchema, depth: number): string {
  if (typeof schema === 'boolean') return exactWords(views, schema);
  const view = views.of(schema);
  if (view.members !== undefined) return membersWords(view.members);
  const parts = partsOf(schema, views.root);
  const of = (type: JsonType): readonly string[] =>
    depth > deepest ? [] : unique(parts.flatMap((part) => clausesOf(views, { part, view, type }, depth)));
  const isUntyped = view.types.size === 7;
  const types = typeNames(view.types).filter((type) => !isUntyped || type === 'number' || type !== 'integer');
  // Where no type is said, the keywords speak of one.
  const spoken = isUntyped ? types.filter((type) => of(type).length > 0 || hasShape(view, type)) : types;
  const other = unique(parts.flatMap(({ not }) => (isSchema(not) && depth <= deepest ? [not] : [])));
  const not = other.map((refused) => `other than ${exactWords(views, refused, depth + 1)}`);
  const kinds = spoken.map((type) => [kindWords(views, schema, type, depth), of(type).join(', ')]);
  const words = kinds.map((parted) => parted.filter((part) => part !== '').join(' '));
  return [words.length === 0 ? 'any value' : words.join(' or '), ...not].join(', ');
}

const unique = <Item>(items: readonly Item[]): readonly Item[] => [...new Set(items)];

const hasShape = ({ properties }: SchemaView, type: JsonType): boolean =>
  type === 'object' && properties.size > 0;

function kindWords(views: SchemaViews, schema: JsonSchema, type: JsonType, depth: number): string {
  const view = views.of(schema);
  if (type === 'array') return listWords(views, view, depth);
  return hasShape(view, type) && depth <= 1 ? shapeOf(views, schema, depth + 1) : typeWords[type];
}

/** One of the schemas that hold together, what all of them say, and the type that is spoken of. */
interface SpokenPart {
  readonly part: SchemaObject;
  readonly view: SchemaView;
  readonly type: JsonType;
}

function clausesOf(views: SchemaViews, { part, view, type }: SpokenPart, depth: number): readonly string[] {
  const said = clauses[type === 'integer' ? 'number' : type] ?? [];
  const ofKeywords = said.flatMap(([keyword, words]) => {
    const limit = part[keyword];
    return limit === undefined || limit === false ? [] : [limitWords(words, limit)];
  });
  if (type === 'array') return [...ofKeywords, ...containsClause(views, part, depth)];
  return type === 'object' ? [...requiredWithoutShape(part, view), ...ofKeywords] : ofKeywords;
}

/** Keys that no shape has. */
function requiredWithoutShape(part: SchemaObject, { properties }: SchemaView): readonly string[] {
  const keys = (part.required ?? []).filter((key) => !properties.has(key)).map((key) => quote(key, 24));
  return keys.length === 0 ? [] : [`with ${keys.join(' and ')}`];
}

/** Words with the limit at `%`; "1 characters" is "1 character". */
export const limitWords = (words: string, limit: unknown): string =>
  words
    .replace('%', () => printable(String(limit), longestLimit))
    .replace(/\b1 (character|element|key)s\b/, '1 $1');

const clauses: { readonly [type in JsonType]?: readonly (readonly [keyword: string, words: string])[] } = {
  string: [
    ['format', 'in the format %'],
    ['pattern', 'that matches %'],
    ['minLength', 'of at least % characters'],
    ['maxLength', 'of at most % characters'],
  ],
  number: [
    ['minimum', 'of at least %'],
    ['maximum', 'of at most %'],
    ['exclusiveMinimum', 'above %'],
    ['exclusiveMaximum', 'below %'],
    ['multipleOf', 'that is a multiple of %'],
  ],
  array: [
    ['minItems', 'with at least % elements'],
    ['maxItems', 'with at most % elements'],
    ['uniqueItems', 'without repetitions'],
  ],
  object: [
    ['minProperties', 'with at least % keys'],
    ['maxProperties', 'with at most % keys'],
  ],
};

// Its shape is what the model must get right.
export interface FailingPlace {
  readonly schema: JsonSchema;
  /** JSON Pointer; '' is the root. */
  readonly path: string;
}

/** What is declared of a place; `true` where nothing is. */
export function declaredSchema(views: SchemaViews, path: string): JsonSchema {
  return pointerKeys(path).reduce((schema: JsonSchema, key) => schemaBelow(views, schema, key), views.root);
}

function schemaBelow(views: SchemaViews, schema: JsonSchema, key: string): JsonSchema {
  const view = views.of(schema);
  const member = memberSchema(view, key);
  if (view.properties.has(key) || typeof member !== 'boolean') return member;
  const isElement = /^\d+$/.test(key) && view.types.has('array');
  const element = isElement ? (view.prefixItems[Number(key)] ?? view.items) : true;
  return typeof element === 'boolean' ? true : element;
}

/** The innermost declared object around a path; the root where there is none. */
export function failingPlace(views: SchemaViews, path: string): FailingPlace {
  let schema: JsonSchema = views.root;
  let at = '';
  let place: FailingPlace = { schema, path: at };
  for (const key of pointerKeys(path)) {
    schema = schemaBelow(views, schema, key);
    if (typeof schema === 'boolean') break;
    at = pointerTo(at, key);
    if (views.of(schema).properties.size > 0) place = { schema, path: at };
  }
  return place;
}
