import { type JsonValue, objectOf } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { patternExamples } from '../schema/patterns.ts';
import { type SchemaView, type SchemaViews, memberSchema, mergeSchemas } from '../schema/schema-view.ts';

// The plainest one within its format, pattern and bounds.
/** Characters of a text without a form of its own, where its bounds don't say otherwise. */
const usualLength = 7;
const longestText = 400;

/** undefined where none can be made. `semantic`: what the text stands for, as `path`. */
function exampleText(facts: SchemaObject, semantic: string | undefined): string | undefined {
  const { format, pattern } = facts;
  const least = numberOf(facts, 'minLength') ?? 0;
  const most = numberOf(facts, 'maxLength') ?? longestText;
  const formatted = formatExample(format ?? '');
  if (formatted !== undefined) return formatted;
  if (typeof pattern === 'string')
    return patternExamples(pattern).find((text) => text.length >= least && text.length <= most);
  const usual = semantic === 'path' ? 'src/index.ts' : '…';
  if (usual.length >= least && usual.length <= most) return usual;
  if (least > longestText) return undefined;
  return 'example text '
    .repeat(longestText / usualLength)
    .slice(0, Math.min(Math.max(least, usualLength), most));
}

/** A text in a format, where it is one that is known here. */
export const formatExample = (format: string): string | undefined => texts.get(format);

/** 1, where that is within the bounds; else the number next to it. */
function exampleNumber(facts: SchemaObject, kind: 'integer' | 'number'): number {
  const step = numberOf(facts, 'multipleOf') ?? 1;
  const above = numberOf(facts, 'exclusiveMinimum');
  const below = numberOf(facts, 'exclusiveMaximum');
  const least = Math.max(
    numberOf(facts, 'minimum') ?? -Infinity,
    above === undefined ? -Infinity : above + step,
  );
  const most = Math.min(
    numberOf(facts, 'maximum') ?? Infinity,
    below === undefined ? Infinity : below - step,
  );
  if (kind === 'number' && least > most && above !== undefined) return (above + (below ?? most)) / 2;
  const near = Math.min(Math.max(1, least), most);
  if (kind === 'number' && facts['multipleOf'] === undefined) return near;
  return (near === most ? Math.floor(near / step) : Math.ceil(near / step)) * step;
}

function numberOf(facts: SchemaObject, keyword: string): number | undefined {
  const value = facts[keyword];
  return typeof value === 'number' ? value : undefined;
}

const texts: ReadonlyMap<string, string> = new Map([
  ['date', '2026-01-31'],
  ['date-time', '2026-01-31T12:00:00Z'],
  ['time', '12:00:00Z'],
  ['duration', 'PT15M'],
  ['email', 'ada@example.com'],
  ['uri', 'https://example.com/'],
  ['uuid', '00000000-0000-4000-8000-000000000000'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['hostname', 'example.com'],
]);

// An example of the author's, or the plainest value of the declared type. Whether it really would do is the validator's
// to say.
const deepest = 6;
/** Elements of a list, at most. */
const mostItems = 8;

/** Keys on the way from a value to what must be in it. */
export type WantedPlace = readonly string[];

/** A candidate for an example: required keys only, and `wanted` ones. undefined where none can be made. */
export function exampleValue(
  views: SchemaViews,
  schema: JsonSchema,
  wanted: readonly WantedPlace[] = [],
  depth: number = 0,
): JsonValue | undefined {
  if (typeof schema === 'boolean' || depth > deepest) return undefined;
  const view = views.of(schema);
  if (view.isSecret) return '…';
  const inside = wanted.filter((place) => place.length > 0);
  // A default that is empty shows nothing of what is wanted in it.
  const declared = inside.length === 0 ? view.defaultValue : undefined;
  const given = view.examples[0] ?? declared ?? view.members?.[0];
  if (given !== undefined) return given;
  const branch = view.branches.find((one) => knowsAll(views.of(one), inside)) ?? view.branches[0];
  if (branch !== undefined) return exampleValue(views, branch, wanted, depth + 1);
  const facts = mergeSchemas(schema, views.root);
  const at: ExamplePlace = { views, view, wanted: inside, isWanted: inside.length < wanted.length, depth };
  if (view.types.has('object') && view.types.size < 7) return exampleObject(at);
  if (view.types.has('array') && view.types.size < 7) return exampleList(at, facts);
  return exampleScalar(view, facts);
}

interface ExamplePlace {
  readonly views: SchemaViews;
  readonly view: SchemaView;
  readonly wanted: readonly WantedPlace[];
  /** The place itself is wanted: a map without an entry would show nothing. */
  readonly isWanted: boolean;
  readonly depth: number;
}

const knowsAll = (view: SchemaView, wanted: readonly WantedPlace[]): boolean =>
  wanted.every(([key = '']) =>
    view.types.has('object')
      ? typeof memberSchema(view, key) !== 'boolean'
      : view.types.has('array') && isIndex(key),
  );

const isIndex = (key: string): boolean => /^\d+$/.test(key);

/** A key that a model made up is shown only if it is a plain name. */
const isPlainName = (key: string): boolean => /^[\w.-]{1,40}$/.test(key) && key !== '__proto__';

function exampleObject({ views, view, wanted, isWanted, depth }: ExamplePlace): JsonValue {
  const required = [...view.required].filter((key) => view.properties.has(key));
  const sent = wanted.flatMap(([key = '']) => (view.properties.has(key) || isPlainName(key) ? [key] : []));
  const heads = isWanted && sent.length === 0 && view.properties.size === 0 ? ['key'] : sent;
  return objectOf(
    [...new Set([...required, ...heads])].flatMap((key) => {
      const value = exampleValue(views, memberSchema(view, key), below(wanted, key), depth + 1);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}

const below = (wanted: readonly WantedPlace[], key: string): readonly WantedPlace[] =>
  wanted.flatMap(([head, ...rest]) => (head === key ? [rest] : []));

function exampleList({ views, view, wanted, depth }: ExamplePlace, facts: SchemaObject): JsonValue {
  const tuple = view.prefixItems.flatMap(
    (item, at) => exampleValue(views, item, below(wanted, String(at)), depth + 1) ?? [],
  );
  const inAny = wanted.map(([, ...rest]) => rest);
  const item = tuple.length > 0 ? undefined : exampleValue(views, view.items, inAny, depth + 1);
  if (item === undefined) return tuple;
  const { minItems: least } = facts;
  return Array.from(
    { length: typeof least === 'number' ? Math.min(Math.max(1, least), mostItems) : 1 },
    () => item,
  );
}

function exampleScalar(view: SchemaView, facts: SchemaObject): JsonValue | undefined {
  if (view.types.has('string')) return exampleText(facts, view.semantic);
  if (view.types.has('integer') && !view.types.has('number')) return exampleNumber(facts, 'integer');
  if (view.types.has('number')) return exampleNumber(facts, 'number');
  return view.types.has('boolean') ? true : null;
}
