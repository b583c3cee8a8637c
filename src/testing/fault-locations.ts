import { pointerTo } from '../json/pointers.ts';
import {
  type JsonObject,
  type JsonType,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonTypeOf,
} from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { type SchemaView, type SchemaViews, memberSchema } from '../schema/schema-view.ts';

/** A value of a valid call, or a declared property that it leaves out. */
export interface FaultLocation {
  /** JSON Pointer from the root of the arguments. */
  readonly path: string;
  /** The last key of the path. */
  readonly key: string;
  /** undefined: the property is left out. */
  readonly value: JsonValue | undefined;
  readonly view: SchemaView;
  /** The view of a schema in the same tool. */
  readonly viewOf: (schema: JsonSchema) => SchemaView;
  /** All types that are allowed, in every branch of a union. */
  readonly types: ReadonlySet<JsonType>;
  /** The value, or one around it, is declared as a union. */
  readonly isInUnion: boolean;
  /** The nearest declared property: for the elements of an array, the array's. */
  readonly name: string;
  /** undefined at the root and for elements of an array. */
  readonly parent: FaultParent | undefined;
}

export interface FaultParent {
  readonly path: string;
  readonly object: JsonObject;
  readonly view: SchemaView;
  readonly isRequired: boolean;
  readonly isInUnion: boolean;
}

/**
 * The root, every value below it and every property left out. Of unions, those with one branch of
 * the value's type.
 */
export function faultLocations(views: SchemaViews, value: JsonObject): readonly FaultLocation[] {
  const root = { path: '', key: '', name: '', isInUnion: false, parent: undefined };
  return locationsFrom(views, { ...root, value }, views.root);
}

type Location = Omit<FaultLocation, 'view' | 'viewOf' | 'types'>;

function locationsFrom(
  views: SchemaViews,
  at: Location,
  schema: JsonSchema,
): readonly FaultLocation[] {
  const chosenBranch =
    typeof schema === 'boolean' ? undefined : chosenView(views, schema, at.value);
  if (chosenBranch === undefined) return [];
  const { view, types } = chosenBranch;
  const { path, value } = at;
  const isInUnion = at.isInUnion || chosenBranch.isUnion;
  const viewOf = (subschema: JsonSchema): SchemaView => views.of(subschema);
  const faultLocation = { ...at, view, viewOf, types, isInUnion };
  const memberFacts = (
    key: string,
    member: JsonValue | undefined,
  ): Omit<Location, 'parent' | 'name'> => ({
    path: pointerTo(path, key),
    key,
    value: member,
    isInUnion,
  });
  if (isJsonArray(value)) {
    const itemLocations = value.flatMap((item, index) => {
      const element = { ...memberFacts(String(index), item), name: at.name, parent: undefined };
      return locationsFrom(views, element, view.prefixItems[index] ?? view.items);
    });
    return [faultLocation, ...itemLocations];
  }
  if (!isJsonObject(value)) return [faultLocation];
  const keys = new Set([...Object.keys(value), ...view.properties.keys()]);
  const memberLocations = [...keys].flatMap((key) => {
    const member = Object.hasOwn(value, key) ? value[key] : undefined;
    const parent = { path, object: value, view, isRequired: view.required.has(key), isInUnion };
    const name = view.properties.has(key) ? key : '';
    return locationsFrom(
      views,
      { ...memberFacts(key, member), name, parent },
      memberSchema(view, key),
    );
  });
  return [faultLocation, ...memberLocations];
}

interface ChosenView extends Pick<FaultLocation, 'view' | 'types'> {
  readonly isUnion: boolean;
}

/** undefined: it is not certain which branch of a union the value belongs to. */
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
  if (value === undefined) return { view, types, isUnion: true };
  const [only, ...others] = branches.filter((branch) => branch.types.has(jsonTypeOf(value)));
  return only === undefined || others.length > 0
    ? undefined
    : { view: only.view, types, isUnion: true };
}
