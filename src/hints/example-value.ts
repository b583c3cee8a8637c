// What would do at a place? An example of the author's, or the plainest value of the declared type.
// Whether it really would do is the judge's to say.
import { mergeSchemas } from '../contract/merge-schemas.ts';
import { memberSchema, type SchemaView, type SchemaViews } from '../contract/schema-view.ts';
import type { JsonSchema, SchemaObject } from '../json/json-schema.ts';
import type { JsonValue } from '../json/json-value.ts';
import { objectOf } from '../json/own-key.ts';
import { exampleNumber, exampleText } from './example-scalar.ts';

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
