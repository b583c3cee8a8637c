// What is a mistake? One thing that models get wrong at one place, where what was meant can be read in one way only.
import { isJsonArray, type JsonArray, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { objectOf, withKey, withoutKey } from '../../json/own-key.ts';
import type { Random } from '../random.ts';
import type { CallPlace } from './call-place.ts';

export interface Mistake {
  /** snake_case; what a test asks for it by. */
  readonly kind: string;
  /** undefined where it can't be made at this place, or would leave a second reading. */
  readonly make: (place: CallPlace, random: Random) => Change | undefined;
}

export interface Change {
  /** The key in the container, where it isn't the place's own. */
  readonly key?: string;
  /** What of the place is taken: no other mistake is made with it. */
  readonly takes: 'value' | 'key' | 'both';
  /** `untouched`: no other mistake may stand below. */
  readonly below: 'anything' | 'untouched';
  /** The container with the mistake in it. */
  apply(container: JsonObject | JsonArray, key: string): JsonObject | JsonArray;
}

/** The value became another one; `make` gets it with the mistakes that were made below. */
export const replaced = (
  make: (value: JsonValue) => JsonValue,
  below: Change['below'] = 'untouched',
): Change => ({
  takes: 'value',
  below,
  apply: (container, key) => withMember(container, key, make(memberOf(container, key))),
});

/** A key that was absent came. */
export const added = (value: JsonValue, key?: string): Change => ({
  ...(key === undefined ? {} : { key }),
  takes: 'both',
  below: 'untouched',
  apply: (container, name) => withMember(container, name, value),
});

/** A key was left out. */
export const removed: Change = {
  takes: 'both',
  below: 'untouched',
  apply: (container, key) => (isJsonArray(container) ? container : withoutKey(container, key)),
};

/** A key became these members. */
export const spread = (
  members: (value: JsonValue) => readonly (readonly [string, JsonValue])[],
  takes: 'key' | 'both',
  below: Change['below'],
): Change => ({
  takes,
  below,
  apply: (container, key) =>
    isJsonArray(container)
      ? container
      : objectOf(
          Object.entries(container).flatMap(([name, value]) =>
            name === key ? members(value) : [[name, value] as const],
          ),
        ),
});

const memberOf = (container: JsonObject | JsonArray, key: string): JsonValue =>
  (isJsonArray(container) ? container[Number(key)] : container[key]) ?? null;

export const withMember = (
  container: JsonObject | JsonArray,
  key: string,
  value: JsonValue,
): JsonObject | JsonArray =>
  isJsonArray(container) ? container.with(Number(key), value) : withKey(container, key, value);
