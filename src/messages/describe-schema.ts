import { type JsonType, type JsonValue, isAnyType } from '../json/value.ts';
import { printable, quote } from '../json/preview.ts';
import { type JsonSchema, type SchemaObject, isSchema } from '../schema/json-schema.ts';
import { readPattern } from '../schema/patterns.ts';
import { schemaParts } from '../schema/merge-schemas.ts';
import type { SchemaView, SchemaViews } from '../schema/schema-view.ts';
import {
  type Bounds,
  boundsOf,
  countText,
  countsOf,
  formatOf,
  numbersOf,
  stringFormat,
  stringsOf,
} from './constraints.ts';
import { specialString } from './example-value.ts';

/** Listed members of an enum, at most. */
const maxMembers = 12;
/** Characters of all alternatives together, at most. The first one is always given. */
const maxAlternativesLength = 130;
/** Characters of a shown pattern. */
const maxPatternLength = 60;
/** Characters of an example inside a description. */
const maxExampleLength = 40;
/** Levels of elements, branches and `not` in a description. */
const deepest = 3;

/**
 * Describes a schema's values: `an integer from 1 to 100`, `one of "a", "b", "c"`,
 * `an array of strings or null`, `an e-mail address like "ada@example.com"`. Gives the shape of
 * objects only to distinguish branches.
 */
export function describeSchema(views: SchemaViews, schema: JsonSchema, depth: number = 0): string {
  if (typeof schema === 'boolean') return schema ? 'any value' : 'nothing';
  const members = membersOf(views, schema);
  if (members !== undefined) return describeMembers(members);
  const { branches, isOpaque } = views.of(schema);
  if (isOpaque) return 'one of the forms that the schema lists';
  if (branches.length === 0) return describeTypes(views, schema, depth);
  const objects = branches.filter((branch) => isOnlyObject(views.of(branch)));
  return alternatives(
    branches.map((branch) =>
      objects.length > 1 && objects.includes(branch) && depth < 2
        ? describeShape(views, branch, { depth: depth + 1 })
        : describeSchema(views, branch, depth),
    ),
  );
}

const isOnlyObject = ({ types, properties }: SchemaView): boolean =>
  types.has('object') && types.size === 1 && properties.size > 0;

/** The only allowed values, also of a union of constants; undefined if others are allowed. */
export function membersOf(
  views: SchemaViews,
  schema: JsonSchema,
): readonly JsonValue[] | undefined {
  const { members, branches } = views.of(schema);
  if (branches.length === 0) return members;
  const lists = branches.map((branch) => views.of(branch).members);
  return lists.includes(undefined) ? undefined : [...new Set(lists.flatMap((list) => list ?? []))];
}

/** `"a"`; `"a" or "b"`; `one of "a", "b", "c"`. */
function describeMembers(members: readonly JsonValue[]): string {
  const texts = members.slice(0, maxMembers).map(memberText);
  if (members.length <= 2) return members.length === 0 ? 'nothing' : texts.join(' or ');
  let length = 0;
  const shownTexts = texts.filter((text, at) => {
    length += text.length;
    return at === 0 || length <= maxAlternativesLength;
  });
  const isCut = shownTexts.length < members.length;
  return `one of ${shownTexts.join(', ')}${isCut ? `, … (${members.length} in all)` : ''}`;
}

const memberText = (member: JsonValue): string =>
  typeof member === 'string' ? quote(member) : printable(JSON.stringify(member), 64);

export function alternatives(all: readonly string[], separator: string = ' or '): string {
  const [first = 'nothing', ...others] = [...new Set(all)];
  let text = first;
  for (const [at, other] of others.entries()) {
    const longer = `${text}${separator}${other}`;
    const rest = others.length - at;
    if (longer.length > maxAlternativesLength)
      return `${text}${separator}${rest === 1 ? 'another form' : `one of ${rest} other forms`}`;
    text = longer;
  }
  return text;
}

/**
 * A schema to describe. `parts`: all schemas that apply to the value, whose bounds are combined.
 */
interface DescriptionContext {
  readonly views: SchemaViews;
  readonly view: SchemaView;
  readonly parts: readonly SchemaObject[];
  readonly depth: number;
}

function describeTypes(views: SchemaViews, schema: SchemaObject, depth: number): string {
  const view = views.of(schema);
  const context = { views, view, parts: schemaParts(schema, views.root), depth };
  const isUntyped = isAnyType(view.types);
  const phrases = typeNames(view.types).flatMap((type) => {
    const plain = nounOf(type);
    const phrase = depth > deepest ? plain : (describers[type]?.(context) ?? plain);
    // A schema without a type allows all seven. Only those with constraints are mentioned.
    return isUntyped && phrase === plain ? [] : [phrase];
  });
  const words = phrases.length === 0 ? 'any value' : [...new Set(phrases)].join(' or ');
  const excludedSchemas =
    depth > deepest ? [] : context.parts.flatMap(({ not }) => (isSchema(not) ? [not] : []));
  const others = [
    ...new Set(excludedSchemas.map((one) => describeSchema(views, one, depth + 1))),
  ].join(' or ');
  if (others === '' || excludedSchemas.includes(true)) return others === '' ? words : 'nothing';
  if (words === 'any value' || words === nounOf('object')) return `anything but ${others}`;
  const isOfMembers = excludedSchemas.every((one) => membersOf(views, one) !== undefined);
  return isOfMembers ? `${words} other than ${others}` : `${words}, but not ${others}`;
}

/** In a fixed order, null last. `number` includes `integer`. */
function typeNames(types: ReadonlySet<JsonType>): readonly JsonType[] {
  const order: readonly JsonType[] = [
    'string',
    'number',
    'integer',
    'boolean',
    'array',
    'object',
    'null',
  ];
  return order.filter((type) => types.has(type) && (type !== 'integer' || !types.has('number')));
}

/** `an integer`, `a string`, `null`. */
export const nounOf = (type: JsonType): string =>
  type === 'null' ? 'null' : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;

const describers: { readonly [type in JsonType]?: (context: DescriptionContext) => string } = {
  string: describeString,
  number: (context) => describeNumber(context, nounOf('number')),
  integer: (context) => describeNumber(context, nounOf('integer')),
  array: describeArray,
  object: describeObject,
};

function describeString({ view, parts }: DescriptionContext): string {
  const names = stringsOf(parts, 'format');
  const patterns = stringsOf(parts, 'pattern');
  const format = formatOf(parts);
  const length = countsOf(parts, 'minLength', 'maxLength');
  const isPlain = names.length === 0 && patterns.length === 0;
  if (isPlain && length.least === 1 && length.most === undefined) return 'a non-empty string';
  const example = isPlain ? undefined : specialString(view, parts);
  const isShown = example !== undefined && example !== '' && example.length <= maxExampleLength;
  const formatPhrases =
    format === undefined ? names.map((name) => ` in the format ${quote(name)}`) : [];
  // A pattern that only repeats the format is left out.
  const others = patterns.filter(
    (pattern) => format?.examples.every((text) => readPattern(pattern).matcher.test(text)) !== true,
  );
  // An example is clearer than a truncated pattern.
  const shownPatterns = others.filter((pattern) => pattern.length <= maxPatternLength || !isShown);
  return [
    format?.one ?? 'a string',
    ...formatPhrases,
    lengthText(length),
    ...shownPatterns.map(
      (pattern, at) =>
        `${at === 0 ? ' that matches' : ' and'} ${printable(pattern, maxPatternLength + 20)}`,
    ),
    isShown ? `${shownPatterns.length > 0 ? ',' : ''} like ${quote(example)}` : '',
  ].join('');
}

function lengthText(length: Bounds): string {
  const text = countText(length);
  return text === ''
    ? ''
    : ` of ${text} character${(length.most ?? length.least) === 1 ? '' : 's'}`;
}

function describeNumber({ parts }: DescriptionContext, noun: string): string {
  const { least, most } = boundsOf(parts, 'minimum', 'maximum');
  const { least: exclusiveLeast, most: exclusiveMost } = boundsOf(
    parts,
    'exclusiveMinimum',
    'exclusiveMaximum',
  );
  const bounds =
    least !== undefined &&
    most !== undefined &&
    exclusiveLeast === undefined &&
    exclusiveMost === undefined
      ? [`from ${least} to ${most}`]
      : [
          ...(exclusiveLeast === undefined ? [] : [`greater than ${exclusiveLeast}`]),
          ...(least === undefined || (exclusiveLeast ?? -Infinity) >= least
            ? []
            : [`of at least ${least}`]),
          ...(exclusiveMost === undefined ? [] : [`less than ${exclusiveMost}`]),
          ...(most === undefined || (exclusiveMost ?? Infinity) <= most
            ? []
            : [`of at most ${most}`]),
        ];
  const steps = [...new Set(numbersOf(parts, 'multipleOf'))].map((step) => `a multiple of ${step}`);
  const multiple = steps.length === 0 ? '' : ` that is ${steps.join(' and ')}`;
  return `${noun}${bounds.length === 0 ? '' : ` ${bounds.join(' and ')}`}${multiple}`;
}

function describeArray(context: DescriptionContext): string {
  const { views, view, parts, depth } = context;
  const clauses = [
    parts.some(({ uniqueItems }) => uniqueItems === true) ? ' without duplicates' : '',
    ...parts.flatMap((part) => containsClause(views, part, depth)),
  ].join('');
  if (view.prefixItems.length > 0 && depth < 2) {
    return `an array of the form ${tupleShape(views, view, maxShapeDepth - 1)}${clauses}`;
  }
  const elements = depth < 2 ? pluralOf(views, view.items) : undefined;
  const count = countsOf(parts, 'minItems', 'maxItems');
  const amount = countText(count);
  if (amount === '') return `an array${elements === undefined ? '' : ` of ${elements}`}${clauses}`;
  const nouns = (count.most ?? count.least) === 1 ? 'element' : (elements ?? 'elements');
  return `an array of ${amount} ${nouns}${clauses}`;
}

/** `strings`, `(strings or integers)`; undefined if anything is allowed. */
function pluralOf(views: SchemaViews, items: JsonSchema): string | undefined {
  const { types, branches } = views.of(items);
  const all = branches.length > 0 ? branches.map((branch) => views.of(branch)) : [views.of(items)];
  if (types.size === 0 || all.some((view) => isAnyType(view.types))) return undefined;
  const words = all.flatMap((view) =>
    typeNames(view.types).map(
      (type) =>
        (type === 'string' ? stringFormat(view.format ?? '')?.several : undefined) ?? `${type}s`,
    ),
  );
  const distinct = [...new Set(words)];
  return distinct.length === 1 ? distinct.join('') : `(${distinct.join(' or ')})`;
}

function containsClause(
  views: SchemaViews,
  schema: SchemaObject,
  depth: number,
): readonly string[] {
  const { contains, minContains, maxContains } = schema;
  if (!isSchema(contains)) return [];
  const element = describeSchema(views, contains, depth + 1);
  const least = typeof minContains === 'number' ? minContains : 1;
  const most = typeof maxContains === 'number' ? maxContains : undefined;
  if (least === 1 && most === undefined) return [` that contains ${element}`];
  const amount = countText({ least: least === 0 ? undefined : least, most });
  return [
    ` in which ${amount} ${(most ?? least) === 1 ? 'element is' : 'elements are each'} ${element}`,
  ];
}

function describeObject({ view, parts }: DescriptionContext): string {
  // Shapes don't have properties that are required but not declared.
  const names = [...new Set(parts.flatMap(({ required = [] }) => required))]
    .filter((key) => !view.properties.has(key))
    .slice(0, 6)
    .map((key) => quote(key, 24));
  const counts = countsOf(parts, 'minProperties', 'maxProperties');
  const amount = countText(counts);
  const noun = (counts.most ?? counts.least) === 1 ? 'property' : 'properties';
  const clauses = [...names, ...(amount === '' ? [] : [`${amount} ${noun}`])];
  return clauses.length === 0 ? 'an object' : `an object with ${clauses.join(' and ')}`;
}

// Shapes: types in TypeScript's notation, which is short and known to models.

const maxShapeDepth = 3;
const maxKeys = 16;
/** Properties that are given by name only. */
const maxNames = 30;
/** Branches of a union. Larger and deeper unions are given by their types. */
const maxBranches = 4;
const maxUnionDepth = 2;

export interface ShapeOptions {
  readonly depth?: number;
  /**
   * The properties of the outermost object that are given with types. `others`: what happens to the
   * other ones.
   */
  readonly focus?: { readonly keys: ReadonlySet<string>; readonly others: 'by name' | 'left out' };
}

/**
 * The shape of a schema's values:
 * `{ paths: string[], mode?: "text" | "binary", offset?: integer }`.
 */
export function describeShape(
  views: SchemaViews,
  schema: JsonSchema,
  options: ShapeOptions = {},
): string {
  const { depth = 0, focus } = options;
  const view = views.of(schema);
  const members = membersOf(views, schema);
  if (members !== undefined) return membersShape(members);
  if (view.branches.length > 0) return unionShape(views, view, depth);
  if (typeof schema === 'boolean' || isAnyType(view.types))
    return schema === false ? 'nothing' : 'any';
  const shapes = typeNames(view.types).map((type) => {
    if (type === 'array') return arrayShape(views, view, depth);
    return type === 'object' ? objectShape(views, view, depth, focus) : type;
  });
  return shapes.join(' | ');
}

function membersShape(members: readonly JsonValue[]): string {
  const shownMembers = members.slice(0, maxMembers).map(memberText);
  return members.length === 0
    ? 'nothing'
    : [...shownMembers, ...(members.length > maxMembers ? ['…'] : [])].join(' | ');
}

function unionShape(views: SchemaViews, { branches }: SchemaView, depth: number): string {
  const shapes = new Set<string>();
  for (const branch of depth < maxUnionDepth ? branches : []) {
    shapes.add(describeShape(views, branch, { depth }));
    if (shapes.size > maxBranches) break;
  }
  if (shapes.size > 0 && shapes.size <= maxBranches) return [...shapes].join(' | ');
  const types = new Set(branches.flatMap((branch) => [...views.of(branch).types]));
  return isAnyType(types) ? 'any' : typeNames(types).join(' | ');
}

function arrayShape(views: SchemaViews, view: SchemaView, depth: number): string {
  if (depth >= maxShapeDepth) return 'array';
  if (view.prefixItems.length > 0) return tupleShape(views, view, depth);
  if (typeof view.items === 'boolean') return 'array';
  const items = describeShape(views, view.items, { depth: depth + 1 });
  const { branches, types } = views.of(view.items);
  const isUnion =
    branches.length > 1 ||
    (!isAnyType(types) && typeNames(types).length > 1) ||
    (membersOf(views, view.items) ?? []).length > 1;
  return isUnion ? `(${items})[]` : `${items}[]`;
}

/** `[string, integer]`. */
function tupleShape(views: SchemaViews, { prefixItems, items }: SchemaView, depth: number): string {
  const shapes = prefixItems
    .slice(0, maxKeys)
    .map((item) => describeShape(views, item, { depth: depth + 1 }));
  const isClosed = items === false && prefixItems.length <= maxKeys;
  return `[${[...shapes, ...(isClosed ? [] : ['…'])].join(', ')}]`;
}

function objectShape(
  views: SchemaViews,
  view: SchemaView,
  depth: number,
  focus: ShapeOptions['focus'],
): string {
  if (depth >= maxShapeDepth) return 'object';
  const others = entryShapes(views, view, depth);
  if (view.properties.size === 0 && others.length === 0) return 'object';
  const properties = [...view.properties];
  const inFocus = properties.filter(([key]) => focus?.keys.has(key) ?? true).slice(0, maxKeys);
  const namedProperties = properties.filter(
    ([key]) => focus?.others === 'by name' && !focus.keys.has(key),
  );
  const shownProperties = [...inFocus, ...namedProperties.slice(0, maxNames)];
  const entries = shownProperties.map(([key, schema]) => {
    const name = `${/^[\w$]+$/.test(key) ? key : quote(key)}${view.required.has(key) ? '' : '?'}`;
    return focus === undefined || focus.keys.has(key)
      ? `${name}: ${describeShape(views, schema, { depth: depth + 1 })}`
      : name;
  });
  return `{ ${[...entries, ...others, ...(properties.length > shownProperties.length ? ['…'] : [])].join(', ')} }`;
}

/** The shapes of undeclared properties: `[key]: string`. */
function entryShapes(
  views: SchemaViews,
  { patternProperties, additionalProperties }: SchemaView,
  depth: number,
): readonly string[] {
  const schemas = [...patternProperties.map(([, schema]) => schema), additionalProperties];
  const shapes = schemas.filter((schema) => typeof schema !== 'boolean');
  return [
    ...new Set(
      shapes.map((schema) => `[key]: ${describeShape(views, schema, { depth: depth + 1 })}`),
    ),
  ];
}
