// Where in the arguments is the engine, and what holds for everything below?
import { memberSchema, type SchemaView } from '../contract/schema-view.ts';
import { pointerTo } from '../json/json-pointer.ts';
import type { JsonSchema } from '../json/json-schema.ts';
import type { JsonType } from '../json/json-value.ts';

export interface Spot {
  readonly schema: JsonSchema;
  readonly path: string;
  /** The declared key that governs the place; a list's elements have the list's. */
  readonly name: string | undefined;
  /** The list around the place was declared as one of paths. */
  readonly isPath: boolean;
  /** What the place as a whole allows, set where a union is entered; else its own types count. */
  readonly types: ReadonlySet<JsonType> | undefined;
  /** The place is an element of a list. */
  readonly isElement: boolean;
  /** How the model spelled the number that stands here, where JavaScript would print another text. */
  readonly numberText: string | undefined;
  /** Texts decoded on the way here. */
  readonly decodings: number;
}

/** The arguments as a whole. */
export const rootSpot = (schema: JsonSchema): Spot => ({
  schema,
  path: '',
  name: undefined,
  isPath: false,
  types: undefined,
  isElement: false,
  numberText: undefined,
  decodings: 0,
});

/** Where a member or an element stands. */
export interface Below {
  readonly view: SchemaView;
  readonly parent: Spot;
  readonly numberText: string | undefined;
}

/** The spot of an object's member; undefined where nothing is said about its key. */
export function memberSpot({ view, parent, numberText }: Below, key: string): Spot | undefined {
  const schema = memberSchema(view, key);
  if (typeof schema === 'boolean') return undefined;
  const { decodings } = parent;
  // The keys of a map are data: they say nothing of what stands there.
  const name = view.properties.has(key) ? key : undefined;
  return {
    schema,
    path: pointerTo(parent.path, key),
    name,
    isPath: false,
    types: undefined,
    isElement: false,
    numberText,
    decodings,
  };
}

export function elementSpot({ view, parent, numberText }: Below, index: number): Spot {
  const schema = view.prefixItems[index] ?? view.items;
  const isPath = parent.isPath || view.semantic === 'path';
  const path = pointerTo(parent.path, index);
  return { ...parent, schema, path, isPath, types: undefined, isElement: true, numberText };
}
