// Where in a valid call can a mistake be made? At every value, and at every declared key that was left out.
import type { SchemaView, SchemaViews } from '../../contract/schema-view.ts';
import { memberSchema } from '../../contract/schema-view.ts';
import type { JsonSchema } from '../../json/json-schema.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonType,
  type JsonValue,
  jsonTypeOf,
} from '../../json/json-value.ts';

export interface CallPlace {
  /** Keys on the way from the root. */
  readonly path: readonly string[];
  /** undefined: a declared key that is absent. */
  readonly value: JsonValue | undefined;
  readonly view: SchemaView;
  /** Every type that the place allows, whichever branch of a union the value belongs to. */
  readonly types: ReadonlySet<JsonType>;
  /** The place is the branch of a union. */
  readonly isInUnion: boolean;
  /** The declared key that governs the place, a list's elements included. */
  readonly name: string | undefined;
  /** The object around a member; undefined for an element of a list. */
  readonly around:
    | {
        readonly object: JsonObject;
        readonly view: SchemaView;
        readonly isRequired: boolean;
        readonly isInUnion: boolean;
      }
    | undefined;
}

/** All places below the root whose schema says something. Of unions, those where one branch alone has the value's type. */
export function placesOf(views: SchemaViews, value: JsonObject): readonly CallPlace[] {
  const root: Around = { views, path: [], name: undefined, isInUnion: false };
  return placesInObject(value, views.of(views.root), root);
}

interface Around {
  readonly views: SchemaViews;
  readonly path: readonly string[];
  readonly name: string | undefined;
  readonly isInUnion: boolean;
}

function placesInObject(object: JsonObject, view: SchemaView, around: Around): readonly CallPlace[] {
  const keys = new Set([...Object.keys(object), ...view.properties.keys()]);
  return [...keys].flatMap((key) => {
    const name = view.properties.has(key) ? key : undefined;
    const inside = { ...around, path: [...around.path, key], name };
    const member = Object.hasOwn(object, key) ? object[key] : undefined;
    const isRequired = view.required.has(key);
    const facts = { object, view, isRequired, isInUnion: around.isInUnion };
    return placesAt(member, memberSchema(view, key), inside, facts);
  });
}

function placesAt(
  value: JsonValue | undefined,
  schema: JsonSchema,
  at: Around,
  around: CallPlace['around'],
): readonly CallPlace[] {
  if (typeof schema === 'boolean') return [];
  const chosen = chosenView(at.views, schema, value);
  if (chosen === undefined) return [];
  const { view, types, isUnion } = chosen;
  const isInUnion = at.isInUnion || isUnion;
  const place: CallPlace = { path: at.path, value, view, types, isInUnion, name: at.name, around };
  if (isJsonObject(value)) return [place, ...placesInObject(value, view, { ...at, isInUnion })];
  if (!isJsonArray(value)) return [place];
  const below = value.flatMap((item, index) =>
    placesAt(
      item,
      view.prefixItems[index] ?? view.items,
      { ...at, path: [...at.path, String(index)], isInUnion },
      undefined,
    ),
  );
  return [place, ...below];
}

interface ChosenView {
  readonly view: SchemaView;
  readonly types: ReadonlySet<JsonType>;
  readonly isUnion: boolean;
}

function chosenView(
  views: SchemaViews,
  schema: JsonSchema,
  value: JsonValue | undefined,
): ChosenView | undefined {
  const view = views.of(schema);
  if (view.branches.length === 0) return { view, types: view.types, isUnion: false };
  const branches = view.branches.flatMap((branch) => chosenView(views, branch, value) ?? []);
  if (branches.length < view.branches.length) return undefined;
  const types = new Set(branches.flatMap((branch) => [...branch.types]));
  const taking = branches.filter((branch) => value === undefined || branch.types.has(jsonTypeOf(value)));
  const [only, ...others] = taking;
  // What is absent belongs to no branch: only its types count.
  if (value === undefined) return { view, types, isUnion: true };
  return only === undefined || others.length > 0 ? undefined : { view: only.view, types, isUnion: true };
}
