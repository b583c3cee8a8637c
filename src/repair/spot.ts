// Where in the arguments is the engine, and what holds for everything below?
import type { SchemaView } from '../contract/schema-view.ts';
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
  /** Texts decoded on the way here. */
  readonly decodings: number;
}

/** The spot of an object's member; undefined where nothing is said about its key. */
export function memberSpot(view: SchemaView, parent: Spot, key: string): Spot | undefined {
  const schema = memberSchema(view, key);
  if (typeof schema === 'boolean') return undefined;
  const { decodings } = parent;
  return { schema, path: pointerTo(parent.path, key), name: key, isPath: false, types: undefined, decodings };
}

export function elementSpot(
  view: SchemaView,
  parent: Spot & { readonly isPath: boolean },
  index: number,
): Spot {
  const schema = view.prefixItems[index] ?? view.items;
  const isPath = parent.isPath || view.semantic === 'path';
  return { ...parent, schema, path: pointerTo(parent.path, index), isPath, types: undefined };
}

function memberSchema(view: SchemaView, key: string): JsonSchema {
  const declared = view.properties.get(key);
  if (declared !== undefined) return declared;
  const pattern = view.patternProperties.find(([expression]) => expression.test(key));
  return pattern?.[1] ?? view.additionalProperties;
}
