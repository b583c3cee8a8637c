import { objectOf, ownValue } from '../collections/objects.ts';
import { type JsonValue, isAnyType } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { schemaParts } from '../schema/merge-schemas.ts';
import { type PatternPart, parsePattern } from '../schema/pattern-syntax.ts';
import { readPattern } from '../schema/patterns.ts';
import { type SchemaView, type SchemaViews, memberSchema } from '../schema/schema-view.ts';
import { boundsOf, countsOf, formatOf, isWithin, numbersOf, stringsOf } from './constraints.ts';

const deepest = 6;
/** Elements of an array, at most. */
const maxItems = 8;
/** Characters of a string that is long only because its bounds require it. */
const maxTextLength = 400;

/** Keys from a value to a location that its example must contain. */
export type WantedPath = readonly string[];

/**
 * The author's example, or else a simple value with the required properties and the `wantedPaths`;
 * undefined if there is none. The caller has to validate it.
 */
export function exampleValue(
  views: SchemaViews,
  schema: JsonSchema,
  wantedPaths: readonly WantedPath[] = [],
  depth: number = 0,
): JsonValue | undefined {
  if (typeof schema === 'boolean' || depth > deepest) return undefined;
  const view = views.of(schema);
  if (view.isSecret) return '…';
  const innerPaths = wantedPaths.filter((path) => path.length > 0);
  // The default may not contain the wanted locations.
  const defaultValue = innerPaths.length === 0 ? view.defaultValue : undefined;
  const example = view.examples[0] ?? defaultValue ?? view.members?.[0];
  if (example !== undefined) return example;
  const branch =
    view.branches.find((one) => declaresAll(views.of(one), innerPaths)) ?? view.branches[0];
  if (branch !== undefined) return exampleValue(views, branch, wantedPaths, depth + 1);
  const parts = schemaParts(schema, views.root);
  const context: ExampleContext = {
    views,
    view,
    wantedPaths: innerPaths,
    isWanted: innerPaths.length < wantedPaths.length,
    depth,
  };
  const isTyped = !isAnyType(view.types);
  if (isTyped && view.types.has('object')) return exampleObject(context);
  if (isTyped && view.types.has('array')) return exampleArray(context, parts);
  if (view.types.has('string')) return exampleString(view, parts);
  if (view.types.has('integer') && !view.types.has('number'))
    return exampleNumber(parts, 'integer');
  if (view.types.has('number')) return exampleNumber(parts, 'number');
  return view.types.has('boolean') ? true : null;
}

interface ExampleContext {
  readonly views: SchemaViews;
  readonly view: SchemaView;
  readonly wantedPaths: readonly WantedPath[];
  /** The value itself is wanted, so an example of a map has an entry. */
  readonly isWanted: boolean;
  readonly depth: number;
}

const declaresAll = (view: SchemaView, wantedPaths: readonly WantedPath[]): boolean =>
  wantedPaths.every(([key = '']) =>
    view.types.has('object')
      ? typeof memberSchema(view, key) !== 'boolean'
      : view.types.has('array') && /^\d+$/.test(key),
  );

/** Keys that the model invented are repeated only if they are plain names. */
const isPlainName = (key: string): boolean => /^[\w.-]{1,40}$/.test(key) && key !== '__proto__';

function exampleObject({ views, view, wantedPaths, isWanted, depth }: ExampleContext): JsonValue {
  const requiredKeys = [...view.required].filter((key) => view.properties.has(key));
  const wantedKeys = wantedPaths.flatMap(([key = '']) =>
    view.properties.has(key) || isPlainName(key) ? [key] : [],
  );
  const shownKeys =
    isWanted && wantedKeys.length === 0 && view.properties.size === 0 ? ['key'] : wantedKeys;
  return objectOf(
    [...new Set([...requiredKeys, ...shownKeys])].flatMap((key) => {
      const value = exampleValue(
        views,
        memberSchema(view, key),
        pathsBelow(wantedPaths, key),
        depth + 1,
      );
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}

const pathsBelow = (wantedPaths: readonly WantedPath[], key: string): readonly WantedPath[] =>
  wantedPaths.flatMap(([first, ...rest]) => (first === key ? [rest] : []));

function exampleArray(
  { views, view, wantedPaths, depth }: ExampleContext,
  parts: readonly SchemaObject[],
): JsonValue {
  const tuple = view.prefixItems.flatMap(
    (item, at) => exampleValue(views, item, pathsBelow(wantedPaths, String(at)), depth + 1) ?? [],
  );
  if (tuple.length > 0) return tuple;
  const inAny = wantedPaths.map(([, ...rest]) => rest);
  const item = exampleValue(views, view.items, inAny, depth + 1);
  const { least = 1 } = boundsOf(parts, 'minItems', 'maxItems');
  if (item === undefined) return tuple;
  if (view.semantic === 'line_range') return [10, 20];
  return Array.from({ length: Math.min(Math.max(1, least), maxItems) }, () => item);
}

/** `parts`: all schemas that apply to the string. */
function exampleString(view: SchemaView, parts: readonly SchemaObject[]): string | undefined {
  const length = countsOf(parts, 'minLength', 'maxLength');
  const special = specialString(view, parts);
  if (special !== undefined) return special;
  if (stringsOf(parts, 'pattern').length > 0) return undefined;
  const usual = ownValue<string>(usualTexts, view.semantic ?? '') ?? '…';
  if (isWithin(usual.length, length)) return usual;
  const { least = 1, most = maxTextLength } = length;
  if (least > maxTextLength) return undefined;
  return 'example text '.repeat(maxTextLength).slice(0, Math.min(Math.max(least, 7), most));
}

/** Texts by the annotation `semantic`. */
const usualTexts = {
  path: 'src/index.ts',
  url: 'https://example.com/',
  glob: '**/*.ts',
  line_range: '10-20',
};

/**
 * A string in the format or for the pattern of a schema; undefined if it has neither, or if no
 * string is found.
 */
export function specialString(
  view: SchemaView,
  parts: readonly SchemaObject[],
): string | undefined {
  const patterns = stringsOf(parts, 'pattern');
  const length = countsOf(parts, 'minLength', 'maxLength');
  const authorExamples = view.examples.filter((example) => typeof example === 'string').slice(0, 1);
  const generatedExamples =
    formatOf(parts)?.examples ?? patterns.slice(0, 1).flatMap(patternExamples);
  return [...(view.isSecret ? [] : authorExamples), ...generatedExamples].find(
    (text) =>
      isWithin(text.length, length) &&
      patterns.every((pattern) => readPattern(pattern).matcher.test(text)),
  );
}

/** 1, or the nearest number within the bounds. */
function exampleNumber(parts: readonly SchemaObject[], kind: 'integer' | 'number'): number {
  const [step] = numbersOf(parts, 'multipleOf');
  const { least: exclusiveLeast, most: exclusiveMost } = boundsOf(
    parts,
    'exclusiveMinimum',
    'exclusiveMaximum',
  );
  const { least: low, most: high } = boundsOf(parts, 'minimum', 'maximum');
  const distance = step ?? 1;
  const least = Math.max(
    low ?? -Infinity,
    exclusiveLeast === undefined ? -Infinity : exclusiveLeast + distance,
  );
  const most = Math.min(
    high ?? Infinity,
    exclusiveMost === undefined ? Infinity : exclusiveMost - distance,
  );
  if (kind === 'number' && least > most && exclusiveLeast !== undefined)
    return (exclusiveLeast + (exclusiveMost ?? most)) / 2;
  const nearest = Math.min(Math.max(1, least), most);
  if (kind === 'number' && step === undefined) return nearest;
  return (
    (nearest === most ? Math.floor(nearest / distance) : Math.ceil(nearest / distance)) * distance
  );
}

/** Characters of an example. */
const maxLength = 400;

/** Repetitions of a quantified part that are tried, as far as the pattern allows them. */
const repetitions = [0, 1, 3];

/**
 * A few strings that match a pattern, shortest first; empty if none is found or the pattern is
 * invalid.
 */
function patternExamples(source: string): readonly string[] {
  try {
    const { matcher } = readPattern(source);
    const pattern = parsePattern(source);
    const candidates = repetitions.map((least) => makerOf(pattern, least)(0));
    const texts = candidates.filter((text) => text !== undefined);
    return [...new Set(texts)].filter((text) => text.length <= maxLength && matcher.test(text));
  } catch {
    return [];
  }
}

/** Makes the text for one part; undefined if it can't. `turn`: the index of the repetition. */
type Maker = (turn: number) => string | undefined;

/**
 * Makes the first alternative for which it can. Skips lookarounds; doesn't support backreferences
 * and unknown syntax.
 */
function makerOf(part: PatternPart, repeated: number): Maker {
  if (part.kind === 'character') return part.isLiteral ? () => part.text : charactersOf(part.text);
  if (part.kind === 'repeat') return makerOfRepeat(part, repeated);
  if (part.kind === 'backreference' || part.kind === 'unknown') return () => undefined;
  if (part.kind === 'assertion' || part.kind === 'lookaround') return () => '';
  const makers = part.parts.map((child) => makerOf(child, repeated));
  return part.kind === 'sequence'
    ? (turn) => joinedText(makers.map((make) => make(turn)))
    : (turn) => makers.map((make) => make(turn)).find((text) => text !== undefined);
}

function makerOfRepeat(
  { part, least, most }: Extract<PatternPart, { readonly kind: 'repeat' }>,
  repeated: number,
): Maker {
  const make = makerOf(part, repeated);
  const times = Math.min(Math.max(least, repeated), most, maxLength);
  return () => joinedText(Array.from({ length: times }, (_none, turn) => make(turn)));
}

const joinedText = (texts: readonly (string | undefined)[]): string | undefined =>
  texts.includes(undefined) ? undefined : texts.join('');

/** A different character each turn: three letters become `abc`. */
function charactersOf(source: string): Maker {
  const matcher = new RegExp(`^${source}$`, 'u');
  const fitting = characters.filter((character) => matcher.test(character));
  return (turn) => fitting[turn % Math.max(1, fitting.length)];
}

const characters = Array.from(
  'abcdefghijklmnopqrstuvwxyz1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./:@#+=,;!?*%&$~^|<>()[]{}\'"`\\ \t\néß東😀',
);
