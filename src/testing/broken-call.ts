// How is a valid call broken? By several mistakes at places of their own, each of which makes the call invalid.
import type { SchemaViews } from '../contract/schema-view.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../json/json-value.ts';
import type { Judge } from '../validate/judge.ts';
import { placesOf } from './mistakes/call-place.ts';
import type { Change, Mistake } from './mistakes/mistake.ts';
import { withMember } from './mistakes/mistake.ts';
import type { Random } from './random.ts';

/** A mistake at its place. */
export interface PlacedMistake {
  readonly kind: string;
  /** Of the place; for a new key, with that key. */
  readonly path: readonly string[];
  readonly change: Change;
}

/** All that can be made of a call, in an order by chance: each alone makes the call invalid. */
export function* possibleMistakes(
  judge: Judge,
  value: JsonObject,
  { mistakes, random }: { readonly mistakes: readonly Mistake[]; readonly random: Random },
): Generator<PlacedMistake> {
  const places = placesOf(judge.views satisfies SchemaViews, value);
  // Kinds by chance first: there are far more places for some than for others.
  for (const { kind, make } of random.shuffled(mistakes)) {
    for (const place of random.shuffled(places)) {
      const change = make(place, random);
      if (change === undefined) continue;
      const path = change.key === undefined ? place.path : [...place.path.slice(0, -1), change.key];
      const placed = { kind, path, change };
      if (judge.accepts(withMistakes(value, [placed]))) continue;
      yield placed;
      if (random.chance(0.6)) break;
    }
  }
}

/** Whether a mistake can stand beside those that are made already. */
export const isFree = (placed: PlacedMistake, made: readonly PlacedMistake[]): boolean =>
  made.every((other) => {
    if (samePath(placed.path, other.path)) {
      const taken = [placed.change.takes, other.change.takes];
      return taken.includes('value') && taken.includes('key') && !touches(placed, other);
    }
    return !(isBelow(placed, other) && isSolid(other)) && !(isBelow(other, placed) && isSolid(placed));
  });

// A new name for the key of a value that has to stay as it was is a mistake beside it, not below.
const touches = (left: PlacedMistake, right: PlacedMistake): boolean => left.kind === right.kind;

const isSolid = ({ change }: PlacedMistake): boolean => change.below === 'untouched';
const samePath = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && isPrefix(left, right);
const isBelow = (inner: PlacedMistake, outer: PlacedMistake): boolean =>
  inner.path.length > outer.path.length && isPrefix(outer.path, inner.path);
const isPrefix = (start: readonly string[], path: readonly string[]): boolean =>
  start.every((key, index) => key === path[index]);

/** The call with all mistakes in it: the inner ones first, a value before its key. */
export function withMistakes(value: JsonObject, mistakes: readonly PlacedMistake[]): JsonObject {
  const ordered = mistakes.toSorted(
    (left, right) => right.path.length - left.path.length || rankOf(left) - rankOf(right),
  );
  let call: JsonObject = value;
  for (const { path, change } of ordered) {
    const changed = applyAt(call, path, change);
    call = isJsonObject(changed) ? changed : call;
  }
  return call;
}

const rankOf = ({ change }: PlacedMistake): number => (change.takes === 'value' ? 0 : 1);

function applyAt(container: JsonValue, [key = '', ...rest]: readonly string[], change: Change): JsonValue {
  if (!isJsonArray(container) && !isJsonObject(container)) return container;
  if (rest.length === 0) return change.apply(container, key);
  return withMember(container, key, applyAt(memberOf(container, key), rest, change));
}

const memberOf = (container: JsonObject | JsonArray, key: string): JsonValue =>
  (isJsonArray(container) ? container[Number(key)] : container[key]) ?? null;
