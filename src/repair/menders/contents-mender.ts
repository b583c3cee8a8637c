// What does the engine make of what stands in an object or a list? Each member and each element on its own.
// Leaves alone: several elements of a list of lists that may each be meant as a list of one, or together as one list.
import type { SchemaView } from '../../contract/schema-view.ts';
import { isJsonArray, type JsonArray, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { type MemberChange, withItems, withMembers } from '../edits/edit-keys.ts';
import type { Fixed, MadeEdits } from '../edits/made-edits.ts';
import type { Inspector } from '../inspector.ts';
import { startsLikeContainer } from '../reading/container-text.ts';
import { elementSpot, memberSpot, type Spot } from '../spot.ts';

/** Where the contents stand, what is made of them, and who mends a value at a place. */
export interface Contents {
  readonly spot: Spot;
  readonly made: MadeEdits;
  readonly fix: (value: JsonValue, spot: Spot) => Fixed;
}

/** The object with those members that fit now. */
export function mendMembers(inspector: Inspector, object: JsonObject, contents: Contents): JsonObject {
  const { spot, made, fix } = contents;
  const view = inspector.view(spot.schema);
  const changes: MemberChange[] = [];
  for (const key of Object.keys(object)) {
    const member = object[key];
    const numberText = inspector.numbers.textAt(object, key);
    const below = memberSpot({ view, parent: spot, numberText }, key);
    if (member === undefined || below === undefined) continue;
    const fixed = fix(member, below);
    made.addBelow(fixed, below.path);
    if (fixed.kind === 'fits' && fixed.value !== member) changes.push([key, fixed]);
  }
  return withMembers(object, changes, inspector.numbers);
}

/** The list with those elements that fit now. */
export function mendElements(inspector: Inspector, list: JsonArray, contents: Contents): JsonArray {
  const { spot, made, fix } = contents;
  const view = inspector.view(spot.schema);
  if (isOneElement(inspector, list, view, contents)) return list;
  const fixes = list.map((item, index) => {
    const numberText = inspector.numbers.textAt(list, String(index));
    const below = elementSpot({ view, parent: spot, numberText }, index);
    const fixed = fix(item, below);
    made.addBelow(fixed, below.path);
    return fixed;
  });
  return withItems(list, fixes, inspector.numbers);
}

/** Whether a list of several that are no lists could as a whole be one element of a list of lists. */
function isOneElement(
  inspector: Inspector,
  list: JsonArray,
  view: SchemaView,
  { spot, fix }: Contents,
): boolean {
  if (list.length < 2 || typeof view.items === 'boolean' || list.some(isSpelledList)) return false;
  if (!inspector.typesOf(view.items).has('array')) return false;
  const below = elementSpot({ view, parent: spot, numberText: undefined }, 0);
  return !list.some((item) => inspector.fits(item, below)) && fix(list, below).kind === 'fits';
}

const isSpelledList = (value: JsonValue): boolean =>
  isJsonArray(value) || (typeof value === 'string' && startsLikeContainer(value));
