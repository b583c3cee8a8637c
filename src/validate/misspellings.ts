// Which undeclared keys of an object are a declared, absent key in another spelling?
import type { SchemaView } from '../contract/schema-view.ts';
import { foldKey } from '../json/fold-key.ts';
import type { JsonObject } from '../json/json-value.ts';

const foldedNames = new WeakMap<SchemaView, ReadonlyMap<string, string | undefined>>();

/**
 * Pairs of a sent key and the declared one it stands for, also where the declared one is there under its
 * own name: then it is a second spelling. None in a map, whose keys are data.
 */
export function misspellings(view: SchemaView, value: JsonObject): readonly (readonly [string, string])[] {
  if (isMap(view)) return [];
  const found: (readonly [string, string])[] = [];
  for (const key of Object.keys(value)) {
    if (view.properties.has(key)) continue;
    const folded = foldKey(key);
    const declared = folded === undefined ? undefined : declaredByFold(view).get(folded);
    if (declared !== undefined) found.push([key, declared]);
  }
  return found;
}

/** Whether other keys than the declared ones have a schema: then they are data. */
export const isMap = (view: SchemaView): boolean =>
  view.patternProperties.length > 0 || typeof view.additionalProperties !== 'boolean';

/** Declared names by their folded form; undefined where two declared names fold to the same. */
function declaredByFold(view: SchemaView): ReadonlyMap<string, string | undefined> {
  const known = foldedNames.get(view);
  if (known !== undefined) return known;
  const names = new Map<string, string | undefined>();
  for (const name of view.properties.keys()) {
    const folded = foldKey(name);
    if (folded !== undefined) names.set(folded, names.has(folded) ? undefined : name);
  }
  foldedNames.set(view, names);
  return names;
}
