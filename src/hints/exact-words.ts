// What exactly must a value be? Its kind with format, pattern, bounds and keys in words, for where the kind alone says
// too little, as in a union of two formats.
import { partsOf } from '../contract/merge-schemas.ts';
import type { SchemaView, SchemaViews } from '../contract/schema-view.ts';
import { harmless, quote } from '../issues/excerpt.ts';
import type { JsonSchema, SchemaObject } from '../json/json-schema.ts';
import type { JsonType } from '../json/json-value.ts';
import { listWords, membersWords, shapeOf, typeNames, typeWords } from './describe-schema.ts';

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
    .replace('%', () => harmless(String(limit), longestLimit))
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
