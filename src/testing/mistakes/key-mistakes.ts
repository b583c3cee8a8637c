// What do models get wrong about the keys of an object?
import type { SchemaView } from '../../contract/schema-view.ts';
import { foldKey } from '../../json/fold-key.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { sameValue } from '../../json/same-value.ts';
import { isMap } from '../../validate/misspellings.ts';
import type { CallPlace } from './call-place.ts';
import { added, type Mistake, removed, replaced, spread } from './mistake.ts';

/** Another letter case, other separators, stray quotes or blanks. */
const keyInOtherSpelling: Mistake = {
  kind: 'key_in_other_spelling',
  make({ value, path, around, name }, random) {
    const key = path.at(-1) ?? '';
    if (value === undefined || around === undefined || name !== key || around.isInUnion || isMap(around.view))
      return undefined;
    const spellings = [
      snake(key),
      camel(key),
      key.toUpperCase(),
      key.replaceAll('_', '-'),
      `_${key}`,
      `"${key}"`,
      `${key} `,
      capital(key),
    ];
    const spelling = random.pick(spellings.filter((text) => isSpellingOf(text, key, around)));
    return spelling === undefined ? undefined : spread((sent) => [[spelling, sent]], 'key', 'anything');
  },
};

const snake = (key: string): string =>
  key.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
const camel = (key: string): string =>
  key.replace(/[_-]([a-z])/g, (_pair, letter: string) => letter.toUpperCase());
const capital = (key: string): string => key.slice(0, 1).toUpperCase() + key.slice(1);

/** Meant as this key and no other, declared or sent. */
function isSpellingOf(
  text: string,
  key: string,
  { view, object }: NonNullable<CallPlace['around']>,
): boolean {
  const others = new Set([...view.properties.keys(), ...Object.keys(object)]);
  others.delete(key);
  return (
    text !== key &&
    foldKey(key) !== undefined &&
    foldKey(text) === foldKey(key) &&
    [...others].every((other) => foldKey(other) !== foldKey(key))
  );
}

/** A key that was to be left out came with null. */
const nullForAbsent: Mistake = {
  kind: 'null_for_absent',
  make: (place) => (isLeftOut(place) && !place.types.has('null') ? added(null) : undefined),
};

/** A key that was to be left out came with something that says nothing. */
const placeholderForAbsent: Mistake = {
  kind: 'placeholder_for_absent',
  make(place, random) {
    const { types, view } = place;
    if (!isLeftOut(place) || types.has('string') || types.has('null') || view.members !== undefined)
      return undefined;
    const words = ['', 'null', 'None', 'undefined', ' '];
    const isScalar = !types.has('object') && !types.has('array');
    return added(random.pick<JsonValue>(isScalar ? [...words, {}] : words) ?? '');
  },
};

const isLeftOut = ({ value, around, view }: CallPlace): boolean =>
  value === undefined && around !== undefined && !around.isRequired && !around.isInUnion && !view.isVerbatim;

/** A key that isn't declared came with nothing under it. */
const emptyUnknownKey: Mistake = {
  kind: 'empty_unknown_key',
  make({ around }, random) {
    if (
      around === undefined ||
      around.isInUnion ||
      around.view.additionalProperties !== false ||
      isMap(around.view)
    )
      return undefined;
    const name = random.pick(['zz_note', 'zzHint', 'zz']) ?? 'zz';
    const isNew = [...around.view.properties.keys(), ...Object.keys(around.object)].every(
      (key) => foldKey(key) !== foldKey(name),
    );
    return isNew ? added(random.pick<JsonValue>([null, '', {}, []]) ?? '', name) : undefined;
  },
};

/** A required key with a default was left out. */
const defaultLeftOut: Mistake = {
  kind: 'default_left_out',
  make({ value, view, around }) {
    const isDefault =
      value !== undefined && view.defaultValue !== undefined && sameValue(value, view.defaultValue);
    return isDefault && around?.isRequired === true && !around.isInUnion ? removed : undefined;
  },
};

/** null came where a required key has its default. */
const nullForDefault: Mistake = {
  kind: 'null_for_default',
  make: (place, random) =>
    place.types.has('null') || defaultLeftOut.make(place, random) === undefined
      ? undefined
      : replaced(() => null),
};

/** `filter.name` instead of the object under `filter`. */
const flatKeys: Mistake = {
  kind: 'flat_keys',
  make({ value, path, name, around, view, isInUnion }) {
    const key = path.at(-1) ?? '';
    if (!isJsonObject(value) || around === undefined || name !== key || isInUnion) return undefined;
    const isFailing = around.view.additionalProperties === false || around.isRequired;
    return isFailing && !isMap(around.view) && isFlat(key, value, { outer: around.view, inner: view })
      ? spread((sent) => flatMembers(key, sent), 'both', 'untouched')
      : undefined;
  },
};

const isFlat = (key: string, value: JsonObject, views: { outer: SchemaView; inner: SchemaView }): boolean =>
  /^[A-Za-z_$][\w$-]*$/.test(key) &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every(
    (inner) =>
      /^[A-Za-z_$][\w$-]*$/.test(inner) &&
      views.inner.properties.has(inner) &&
      typeof views.inner.properties.get(inner) === 'object' &&
      !views.outer.properties.has(`${key}.${inner}`),
  );

const flatMembers = (key: string, value: JsonValue): readonly (readonly [string, JsonValue])[] =>
  isJsonObject(value)
    ? Object.entries(value).map(([inner, member]) => [`${key}.${inner}`, member] as const)
    : [];

export const keyMistakes: readonly Mistake[] = [
  keyInOtherSpelling,
  nullForAbsent,
  placeholderForAbsent,
  emptyUnknownKey,
  defaultLeftOut,
  nullForDefault,
  flatKeys,
];
