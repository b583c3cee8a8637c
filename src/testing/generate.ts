import { contractOf } from '../registry/contract-of.ts';
import {
  type OptionKinds,
  checkOptions,
  count as countFrom,
  list as listOf,
  oneOf as oneOfThese,
} from '../errors/check-options.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import {
  type JsonArray,
  type JsonObject,
  type JsonType,
  type JsonValue,
  normalizeKey,
  isJsonArray,
  isJsonObject,
  jsonTypeOf,
  objectOf,
  sameValue,
  withKey,
  withoutKey,
} from '../json/value.ts';
import type { RegisteredTool } from '../registry/register.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { mergeSchemas } from '../schema/merge-schemas.ts';
import { type SchemaView, type SchemaViews, memberSchema } from '../schema/schema-view.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { isMap, isPathName } from '../validate/strict-checks.ts';
import { type ContractValidator, validatorOf } from '../validate/validator.ts';

// At every value, and at every declared key that was left out.
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
function placesOf(views: SchemaViews, value: JsonObject): readonly CallPlace[] {
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

// From mulberry32, one step a choice.
/** A sequence of choices; two with one seed make the same. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** undefined of an empty list. */
  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.whole(0, items.length - 1)];
  }

  /** A copy in another order. */
  shuffled<Item>(items: readonly Item[]): readonly Item[] {
    return items
      .map((item) => [this.next(), item] as const)
      .toSorted(([left], [right]) => left - right)
      .map(([, item]) => item);
  }
}

// One thing that models get wrong at one place, where what was meant can be read in one way only.
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
const replaced = (make: (value: JsonValue) => JsonValue, below: Change['below'] = 'untouched'): Change => ({
  takes: 'value',
  below,
  apply: (container, key) => withMember(container, key, make(memberOf(container, key))),
});

/** A key that was absent came. */
const added = (value: JsonValue, key?: string): Change => ({
  ...(key === undefined ? {} : { key }),
  takes: 'both',
  below: 'untouched',
  apply: (container, name) => withMember(container, name, value),
});

/** A key was left out. */
const removed: Change = {
  takes: 'both',
  below: 'untouched',
  apply: (container, key) => (isJsonArray(container) ? container : withoutKey(container, key)),
};

/** A key became these members. */
const spread = (
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

const withMember = (
  container: JsonObject | JsonArray,
  key: string,
  value: JsonValue,
): JsonObject | JsonArray =>
  isJsonArray(container) ? container.with(Number(key), value) : withKey(container, key, value);

// By several mistakes at places of their own, each of which makes the call invalid.
/** A mistake at its place. */
export interface PlacedMistake {
  readonly kind: string;
  /** Of the place; for a new key, with that key. */
  readonly path: readonly string[];
  readonly change: Change;
}

/** All that can be made of a call, in an order by chance: each alone makes the call invalid. */
function* possibleMistakes(
  validator: ContractValidator,
  value: JsonObject,
  { mistakes, random }: { readonly mistakes: readonly Mistake[]; readonly random: Random },
): Generator<PlacedMistake> {
  const places = placesOf(validator.views satisfies SchemaViews, value);
  // Kinds by chance first: there are far more places for some than for others.
  for (const { kind, make } of random.shuffled(mistakes)) {
    for (const place of random.shuffled(places)) {
      const change = make(place, random);
      if (change === undefined) continue;
      const path = change.key === undefined ? place.path : [...place.path.slice(0, -1), change.key];
      const placed = { kind, path, change };
      if (validator.accepts(withMistakes(value, [placed]))) continue;
      yield placed;
      if (random.chance(0.6)) break;
    }
  }
}

/** Whether a mistake can stand beside those that are made already. */
const isFree = (placed: PlacedMistake, made: readonly PlacedMistake[]): boolean =>
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
function withMistakes(value: JsonObject, mistakes: readonly PlacedMistake[]): JsonObject {
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

// As models write it that have seen more Python than JSON.
/** undefined where a text would need an escape, which Python writes in other ways than JSON. */
function pythonText(value: JsonValue): string | undefined {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return /^[^'\\\p{C}]*$/u.test(value) ? `'${value}'` : undefined;
  if (isJsonArray(value)) return joined('[', value.map(pythonText), ']');
  if (!isJsonObject(value)) return undefined;
  const members = Object.entries(value).map(([key, member]) => {
    const [name, text] = [pythonText(key), pythonText(member)];
    return name === undefined || text === undefined ? undefined : `${name}: ${text}`;
  });
  return joined('{', members, '}');
}

const joined = (open: string, parts: readonly (string | undefined)[], close: string): string | undefined =>
  parts.includes(undefined) ? undefined : `${open}${parts.join(', ')}${close}`;

const containerAsText: Mistake = {
  kind: 'container_as_text',
  make({ value, types }, random) {
    if (typeof value !== 'object' || value === null || types.has('string')) return undefined;
    const way = random.pick(['plain', 'plain', 'indented', 'python', 'twice']);
    return replaced((changed) => textOf(changed, way), 'anything');
  },
};

function textOf(value: JsonValue, way: string | undefined): string {
  const json = JSON.stringify(value);
  if (way === 'indented') return JSON.stringify(value, undefined, 2);
  if (way === 'twice') return JSON.stringify(json);
  return (way === 'python' ? pythonText(value) : undefined) ?? json;
}

/** The one element instead of the list of it. */
const elementForList: Mistake = {
  kind: 'element_for_list',
  make(place) {
    const { value, types } = place;
    const [only, ...others] = isJsonArray(value) ? value : [];
    if (only === undefined || others.length > 0 || types.has(jsonTypeOf(only)) || !isOneElement(only, place))
      return undefined;
    return replaced(() => only);
  },
};

function isOneElement(element: JsonValue, { name, types }: CallPlace): boolean {
  if (typeof element === 'number') return !types.has('number');
  if (typeof element === 'string')
    return /^[^\s,;|"'[{][^,;|\n]*$/.test(element) && !/^(?:null|None|undefined)$/.test(element);
  if (!isJsonObject(element)) return element !== null;
  const [key, ...others] = Object.keys(element);
  return (
    others.length > 0 ||
    (key !== undefined && key !== name && !listWords.has(key) && !(name ?? '').startsWith(key.slice(0, -1)))
  );
}

const listWords: ReadonlySet<string> = new Set(['item', 'items', 'value', 'values', 'element', 'elements']);

/** A list of the one value instead of it. */
const listForOne: Mistake = {
  kind: 'list_for_one',
  make: ({ value, types, around, name }) =>
    value === undefined ||
    value === null ||
    types.has('array') ||
    around === undefined ||
    isPathName(name ?? '')
      ? undefined
      : replaced((one) => [one]),
};

/** The list under its own name, or under a word that says "what is in it". */
const listUnderKey: Mistake = {
  kind: 'list_under_key',
  make({ value, types, view, name }, random) {
    if (!isJsonArray(value) || value.length === 0 || types.has('object') || takesObjects(view.items))
      return undefined;
    const key = random.pick(['items', 'item', 'values', name ?? 'items']) ?? 'items';
    return replaced((list) => ({ [key]: list }), 'anything');
  },
};

const emptyObjectForList: Mistake = {
  kind: 'empty_object_for_list',
  make({ value, types, view, around }) {
    const isEmpty = isJsonArray(value) && value.length === 0;
    const isKept = around === undefined || around.isRequired;
    return isEmpty && isKept && !types.has('object') && !takesObjects(view.items)
      ? replaced(() => ({}))
      : undefined;
  },
};

const takesObjects = (items: unknown): boolean =>
  typeof items !== 'object' ||
  items === null ||
  !('type' in items) ||
  typeof items.type !== 'string' ||
  items.type === 'object';

/** Members of an enum, listed in one text. */
const membersInOneText: Mistake = {
  kind: 'members_in_one_text',
  make({ value, types, view }, random) {
    if (!isJsonArray(value) || value.length < 2 || types.has('string') || typeof view.items === 'boolean')
      return undefined;
    const words = value.filter((item) => typeof item === 'string').filter((item) => /^[^,\s]+$/.test(item));
    const isListed = Array.isArray(view.items.enum) && words.length === value.length;
    const text = words.join(random.pick([',', ', ']));
    return isListed ? replaced(() => text) : undefined;
  },
};

const containerMistakes: readonly Mistake[] = [
  containerAsText,
  elementForList,
  listForOne,
  listUnderKey,
  emptyObjectForList,
  membersInOneText,
];

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
    normalizeKey(key) !== undefined &&
    normalizeKey(text) === normalizeKey(key) &&
    [...others].every((other) => normalizeKey(other) !== normalizeKey(key))
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
      (key) => normalizeKey(key) !== normalizeKey(name),
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

const keyMistakes: readonly Mistake[] = [
  keyInOtherSpelling,
  nullForAbsent,
  placeholderForAbsent,
  emptyUnknownKey,
  defaultLeftOut,
  nullForDefault,
  flatKeys,
];

const numberAsText: Mistake = {
  kind: 'number_as_text',
  make: ({ value, types }, random) =>
    typeof value !== 'number' || types.has('string')
      ? undefined
      : replaced(
          () =>
            random.pick([String(value), ` ${value}`, Number.isInteger(value) ? `${value}.0` : `${value}`]) ??
            '',
        ),
};

const booleanAsText: Mistake = {
  kind: 'boolean_as_text',
  make({ value, types }, random) {
    if (typeof value !== 'boolean' || types.has('string')) return undefined;
    const words = value ? ['true', 'True', 'TRUE'] : ['false', 'False', 'FALSE'];
    return replaced(() => random.pick(words) ?? '');
  },
};

const nullAsWord: Mistake = {
  kind: 'null_as_word',
  make: ({ value, types }, random) =>
    value !== null || types.has('string') ? undefined : replaced(() => random.pick(['null', 'None']) ?? ''),
};

/** Text that is a number is sent as the number that it spells. */
const textAsNumber: Mistake = {
  kind: 'text_as_number',
  make(place) {
    const { value } = place;
    const isNumber =
      typeof value === 'string' && String(Number(value)) === value && Number.isFinite(Number(value));
    return isNumber && takesOnlyText(place) ? replaced(() => Number(value)) : undefined;
  },
};

/** An object where text was asked for: the text is its JSON, two blanks a level. */
const textAsObject: Mistake = {
  kind: 'text_as_object',
  make: (place) =>
    place.value === '{\n  "a": 1\n}' && place.around !== undefined && takesOnlyText(place)
      ? replaced(() => ({ a: 1 }))
      : undefined,
};

const takesOnlyText = ({ types, view, name }: CallPlace): boolean =>
  [...types].join() === 'string' &&
  view.format === undefined &&
  view.members === undefined &&
  view.semantic === undefined &&
  !view.isVerbatim &&
  !isPathName(name ?? '');

/** Letter case, quotes around, and another separator between words. */
const memberInOtherSpelling: Mistake = {
  kind: 'member_in_other_spelling',
  make({ value, view, types }, random) {
    const { members } = view;
    if (typeof value !== 'string' || members === undefined || [...types].join() !== 'string')
      return undefined;
    const spellings = [
      value.toUpperCase(),
      value.toLowerCase(),
      ` ${value} `,
      `"${value}"`,
      value.replace(/(?<=[a-z])[_-](?=[a-z])/gi, ' '),
    ];
    const others = spellings.filter(
      (text) => members.every((member) => !isLike(member, text, value)) && text !== value,
    );
    const spelling = random.pick(others);
    return spelling === undefined ? undefined : replaced(() => spelling);
  },
};

/** A member, other than the one that is meant, that the text could be taken for. */
const isLike = (member: JsonValue, text: string, meant: string): boolean =>
  member !== meant && typeof member === 'string' && bare(member) === bare(text);

const bare = (text: string): string => text.toLowerCase().replace(/[\s_"-]/g, '');

const pathAsLink: Mistake = {
  kind: 'path_as_link',
  make({ value, name, view }, random) {
    const isPath = view.semantic === undefined ? isPathName(name ?? '') : view.semantic === 'path';
    if (!isPath || view.isVerbatim || typeof value !== 'string' || !/^[\w./-]*\w[\w./-]*$/.test(value))
      return undefined;
    return replaced(
      () => random.pick([`[${value}](http://${value})`, `[${value}](https://example.com/${value})`]) ?? '',
    );
  },
};

/** The schema around the value, as JSON Schema or Python name its type, or no more than its frame. */
const echoedSchema: Mistake = {
  kind: 'echoed_schema',
  make({ value, types }, random) {
    if (value === undefined || value === null || types.has('object') || types.has('array')) return undefined;
    const type = random.pick(typeNames.get(typeof value) ?? []) ?? 'string';
    const frames = [
      { type, value },
      { type, description: 'What it is.', value },
    ];
    return replaced(() => random.pick(types.has('string') ? frames : [...frames, { value }]) ?? value);
  },
};

const typeNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['string', ['string', 'str']],
  ['number', ['number', 'integer', 'int', 'float']],
  ['boolean', ['boolean', 'bool']],
]);

const scalarMistakes: readonly Mistake[] = [
  numberAsText,
  booleanAsText,
  nullAsWord,
  textAsNumber,
  textAsObject,
  memberInOtherSpelling,
  pathAsLink,
  echoedSchema,
];

export interface TextMistake {
  readonly kind: string;
  /** The text that came; undefined where it can't be made of this call. */
  readonly make: (call: CallText, random: Random) => string | undefined;
}

export interface CallText {
  readonly value: JsonObject;
  /** What would have been right. */
  readonly json: string;
  /** Arguments that take no text: what is written for them as text can only be their JSON. */
  readonly keysWithoutText: ReadonlySet<string>;
  /** Of these, those that take no list and no object either. */
  readonly keysOfScalars: ReadonlySet<string>;
}

const isEmpty = (json: string): boolean => json === '{}';

const textMistakes: readonly TextMistake[] = [
  { kind: 'fenced', make: ({ json }, random) => `\`\`\`${random.pick(['json', '']) ?? ''}\n${json}\n\`\`\`` },
  { kind: 'trailing_comma', make: ({ json }) => (isEmpty(json) ? undefined : `${json.slice(0, -1)},}`) },
  {
    kind: 'comment',
    make: ({ json }, random) =>
      `{${random.pick([' // the call\n', ' /* the call */ ', ' # the call\n']) ?? ''}${json.slice(1)}`,
  },
  { kind: 'python', make: ({ value, json }) => (isEmpty(json) ? undefined : pythonText(value)) },
  {
    kind: 'unquoted_keys',
    make: ({ value, json }) =>
      isEmpty(json) || !Object.keys(value).every((key) => /^[a-z_][a-z0-9_]*$/i.test(key))
        ? undefined
        : `{${Object.entries(value)
            .map(([key, member]) => `${key}: ${JSON.stringify(member)}`)
            .join(', ')}}`,
  },
  {
    kind: 'raw_line_breaks',
    make: ({ json }) => (/\\n/.test(json) && !/\\\\/.test(json) ? json.replaceAll('\\n', '\n') : undefined),
  },
  {
    kind: 'escaped_quotes',
    make: ({ json }) => (isEmpty(json) || json.includes('\\') ? undefined : json.replaceAll('"', '\\"')),
  },
  {
    kind: 'curly_quotes',
    make: ({ json }) =>
      isEmpty(json) || /[\\\u201c\u201d]/.test(json)
        ? undefined
        : json.replace(/"([^"]*)"/g, '\u201c$1\u201d'),
  },
  {
    kind: 'key_quote_lost',
    make: ({ json }) => (/^\{"[a-z_][a-z0-9_]*":/i.test(json) ? `{${json.slice(2)}` : undefined),
  },
  {
    kind: 'drive_path_unescaped',
    make: ({ json }) => {
      const rest = json.replaceAll(drivePath, '');
      return rest.length < json.length && !rest.includes('\\') ? json.replaceAll('\\\\', '\\') : undefined;
    },
  },
  {
    kind: 'call_markup',
    make: (call, random) => (isEmpty(call.json) ? undefined : markupOf(call, random)),
  },
  { kind: 'encoded_twice', make: ({ json }) => JSON.stringify(json) },
  { kind: 'in_a_list', make: ({ json }) => `[${json}]` },
  { kind: 'closing_tag', make: ({ json }) => `${json}</tool_call>` },
  { kind: 'sentence_before', make: ({ json }) => `I call the tool now:\n${json}` },
  { kind: 'thinking_before', make: ({ json }) => `<think>What next?</think>\n${json}` },
  {
    kind: 'repeated',
    make: ({ json }, random) => (isEmpty(json) ? undefined : `${random.chance(0.5) ? '{}' : json}${json}`),
  },
  { kind: 'closer_missing', make: ({ json }) => (isEmpty(json) ? undefined : json.slice(0, -1)) },
  { kind: 'closer_too_many', make: ({ json }) => `${json}}` },
];

/** A text that begins with a drive letter and has backslashes, as JSON writes it. */
const drivePath = /"[A-Z]:(?:\\\\[\w.]+)+"/g;

/**
 * Named parameters, texts as they are and everything else as JSON; undefined where a text could be taken for markup, or for
 * something else than the list or object that it is.
 */
function markupOf({ value, keysWithoutText, keysOfScalars }: CallText, random: Random): string | undefined {
  const members = Object.entries(value);
  const isPlain = members.every(([key, member]) => {
    if (!/^[\w.-]+$/.test(key)) return false;
    if (typeof member === 'string') return !/[<>]|^\s|\s$/.test(member);
    return typeof member === 'object' && keysOfScalars.has(key) ? member === null : keysWithoutText.has(key);
  });
  if (!isPlain) return undefined;
  const [open, close] = random.pick([
    ['<parameter=', '>\n'],
    ['<parameter name="', '">'],
  ] as const) ?? ['', ''];
  const parameters = members.map(
    ([key, member]) =>
      `${open}${key}${close}${typeof member === 'string' ? member : JSON.stringify(member)}\n</parameter>`,
  );
  return `<tool_call>\n${parameters.join('\n')}\n</tool_call>`;
}

// Those at one place, those of the call as a whole, and those of its text.
const placeMistakes: readonly Mistake[] = [...scalarMistakes, ...containerMistakes, ...keyMistakes];

/** The call around its own arguments. */
const envelopeKind = 'envelope';

/** Every kind of mistake, for choosing among them. */
export const mistakeKinds: readonly string[] = [
  ...placeMistakes.map(({ kind }) => kind),
  envelopeKind,
  ...textMistakes.map(({ kind }) => kind),
];

// Mostly a small one.
/** A number that meets the bounds and the step, if they leave room. */
function sampleNumber(plain: SchemaObject, type: 'integer' | 'number', random: Random): number {
  const step = numberAt(plain, 'multipleOf') ?? (type === 'integer' ? 1 : 0.25);
  const low = lowest(plain, step);
  const high = highest(plain, step) ?? Math.max(low, 0) + 100 * step;
  const from = Math.ceil(low / step);
  const steps = Math.min(Math.floor(high / step) - from, 400);
  const number = (from + random.whole(0, Math.max(steps, 0))) * step;
  return type === 'number' && random.chance(0.5) ? nearestWhole(number, low, high) : number;
}

function lowest(plain: SchemaObject, step: number): number {
  const above = numberAt(plain, 'exclusiveMinimum');
  return Math.max(plain.minimum ?? 0, above === undefined ? -Infinity : above + step, -1_000_000);
}

function highest(plain: SchemaObject, step: number): number | undefined {
  const most = numberAt(plain, 'maximum');
  const below = numberAt(plain, 'exclusiveMaximum');
  return below === undefined ? most : Math.min(most ?? Infinity, below - step);
}

const nearestWhole = (number: number, low: number, high: number): number => {
  const whole = Math.round(number);
  return whole >= low && whole <= high ? whole : number;
};

function numberAt(plain: SchemaObject, keyword: string): number | undefined {
  const value = plain[keyword];
  return typeof value === 'number' ? value : undefined;
}

// By its format, its pattern, its name, or whatever people write.
const byFormat: ReadonlyMap<string, string> = new Map([
  ['uri', 'https://example.com/docs/a'],
  ['url', 'https://example.com/docs/a'],
  ['email', 'ada@example.com'],
  ['date-time', '2026-03-01T12:00:00Z'],
  ['date', '2026-03-01'],
  ['time', '12:00:00Z'],
  ['uuid', '0f8fad5b-d9cb-469f-a165-70867728950e'],
  ['ipv4', '192.0.2.7'],
  ['hostname', 'example.com'],
]);

const paths = ['notes.md', 'src/app.ts', '/tmp/report.txt', 'docs/read me.md', '.'];

/** Among them what repair must leave alone where text is declared: JSON, lists, links, numbers, words. */
const texts = [
  'weekly report',
  'Ada Lovelace',
  'blue',
  'main',
  'Straße – 東京 😀',
  'first line\nsecond line\n',
  'He said "no", it\'s over',
  'a, b, c',
  '["x"]',
  '{"a": 1}',
  '{\n  "a": 1\n}',
  '[notes.md](http://notes.md)',
  '42',
  '1.50',
  'true',
  'None',
  'C:\\Users\\ada',
  '</tool_call> {',
];

/** What patterns usually ask for. */
const shaped = [
  'abc123',
  '0123456789abcdef01234567',
  'abc',
  'a-b',
  'ABC',
  'v1.2.3',
  '1.2.3',
  '12345',
  '2026-03-01',
  '12:30',
  '#ff0000',
  '+15551234567',
  'https://example.com',
  'a/b',
  'PROJ-12',
  'abc_def',
  '0x1f',
  'en-US',
  'USD',
];

/** Text that meets format, pattern and length where they allow what is known here. */
function sampleText(plain: SchemaObject, name: string, random: Random): string {
  const formatted = byFormat.get(plain.format ?? '');
  if (formatted !== undefined) return formatted;
  const pattern = patternOf(plain);
  if (pattern !== undefined)
    return random.pick([...shaped, ...texts].filter((text) => pattern.test(text))) ?? 'abc';
  const pool = isPathName(name) ? paths : random.chance(0.5) ? texts : texts.slice(0, 4);
  return fitted(random.pick(pool) ?? '', plain);
}

function patternOf({ pattern }: SchemaObject): RegExp | undefined {
  try {
    return typeof pattern === 'string' ? new RegExp(pattern, 'u') : undefined;
  } catch {
    return undefined;
  }
}

function fitted(text: string, { minLength, maxLength }: SchemaObject): string {
  const least = typeof minLength === 'number' ? minLength : 0;
  const long = text.length < least ? text + 'x'.repeat(least - text.length) : text;
  return typeof maxLength === 'number' && long.length > maxLength ? 'abcdefgh'.slice(0, maxLength) : long;
}

// One of many, by chance; the validator has the last word on it.
/** What every place of one call shares. */
export interface Sampling {
  readonly root: SchemaObject;
  readonly random: Random;
}

/** Where a value is wanted: the key that names it, and how deep it is. */
export interface SampledPlace {
  readonly name: string;
  readonly depth: number;
}

/** Below this, only what is required is there. */
const deepest = 5;

/** A value that the schema may take; what is beyond types, bounds, formats and members is left to chance. */
function sampleValue(sampling: Sampling, schema: JsonSchema, place: SampledPlace): JsonValue {
  if (typeof schema === 'boolean') return sampleText({}, place.name, sampling.random);
  const { random } = sampling;
  const plain = mergeSchemas(schema, sampling.root);
  const members = plain.const === undefined ? plain.enum : [plain.const];
  if (members !== undefined) return random.pick(members) ?? null;
  if (plain.default !== undefined && random.chance(0.2)) return plain.default;
  const { anyOf, oneOf, ...beside } = plain;
  const branch = random.pick(anyOf ?? oneOf ?? []);
  if (branch !== undefined) return sampleValue(sampling, { allOf: [beside, branch] }, place);
  return sampleOfType(sampling, plain, place);
}

function sampleOfType(sampling: Sampling, plain: SchemaObject, place: SampledPlace): JsonValue {
  const { random } = sampling;
  switch (random.pick([plain.type ?? typeByKeywords(plain)].flat())) {
    case 'object':
      return sampleObject(sampling, plain, place);
    case 'array':
      return sampleList(sampling, plain, place);
    case 'integer':
      return sampleNumber(plain, 'integer', random);
    case 'number':
      return sampleNumber(plain, 'number', random);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return sampleText(plain, place.name, random);
  }
}

function typeByKeywords(plain: SchemaObject): JsonType {
  if (plain.properties !== undefined || plain.required !== undefined) return 'object';
  return plain.items === undefined ? 'string' : 'array';
}

function sampleObject(sampling: Sampling, plain: SchemaObject, { depth }: SampledPlace): JsonValue {
  const { random } = sampling;
  const required = new Set(plain.required);
  const declared = Object.entries(plain.properties ?? {}).filter(
    ([name]) => required.has(name) || (depth < deepest && random.chance(0.45)),
  );
  const entries = declared.map(
    ([name, schema]) => [name, sampleValue(sampling, schema, { name, depth: depth + 1 })] as const,
  );
  return objectOf([...entries, ...sampleMapEntries(sampling, plain, depth)]);
}

const mapKeys = ['first', 'X-Request-Id', 'team a', 'k1'];

/** Keys of a map, whose values have a schema of their own. */
function sampleMapEntries(
  sampling: Sampling,
  plain: SchemaObject,
  depth: number,
): readonly (readonly [string, JsonValue])[] {
  const values = plain.additionalProperties;
  if (typeof values !== 'object' || depth >= deepest) return [];
  const keys = sampling.random.shuffled(mapKeys).slice(0, sampling.random.whole(0, 2));
  return keys.map((name) => [name, sampleValue(sampling, values, { name, depth: depth + 1 })] as const);
}

function sampleList(sampling: Sampling, plain: SchemaObject, { name, depth }: SampledPlace): JsonValue {
  const place = { name, depth: depth + 1 };
  const fixed = (plain.prefixItems ?? []).map((schema) => sampleValue(sampling, schema, place));
  const items = plain.items;
  if (items === false || (fixed.length > 0 && items === undefined)) return fixed;
  const least = typeof plain['minItems'] === 'number' ? plain['minItems'] : 0;
  const most = typeof plain['maxItems'] === 'number' ? plain['maxItems'] : least + 3;
  const wanted = depth >= deepest ? least : sampling.random.whole(least, Math.min(most, least + 3));
  const schema: JsonSchema = isOneSchema(items) ? items : true;
  const more = Array.from({ length: Math.max(wanted - fixed.length, 0) }, () =>
    sampleValue(sampling, schema, place),
  );
  return [...fixed, ...more];
}

const isOneSchema = (items: SchemaObject['items']): items is JsonSchema =>
  items !== undefined && !Array.isArray(items);

// By chance, and the same for the same seed.
/** A call with mistakes in it, and the only thing that it can have meant. */
export interface BrokenCall {
  /** What was sent; the provider said that it ended normally (`tool_calls`). */
  readonly text: string;
  /** What the tool must get. */
  readonly value: JsonObject;
  readonly mistakes: readonly string[];
}

/** Attempts at a value that the validator accepts. */
const mostAttempts = 40;

/** Makes calls of one tool. */
export class CallGenerator {
  readonly #validator: ContractValidator;
  readonly #random: Random;
  readonly #kinds: ReadonlySet<string>;

  /** `kinds`: those of `mistakeKinds` that may be made; default: all. */
  constructor(contract: ToolContract, seed: number, kinds: readonly string[] = mistakeKinds) {
    this.#validator = validatorOf(contract);
    this.#random = new Random(seed);
    this.#kinds = new Set(kinds);
  }

  /** Arguments that the tool accepts as they are; undefined if none were found. */
  valid(): JsonObject | undefined {
    const { root } = this.#validator.views;
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const value = sampleValue({ root, random: this.#random }, root, { name: '', depth: 0 });
      if (isJsonObject(value) && this.#validator.accepts(value)) return value;
    }
    return undefined;
  }

  /** A call with this many mistakes; undefined if the arguments don't have so many places. */
  broken(count: number): BrokenCall | undefined {
    const value = this.valid();
    if (value === undefined) return undefined;
    const isText = this.#random.chance(0.35);
    const isWrapped = this.#random.chance(0.1) && this.#kinds.has(envelopeKind);
    const made = this.#placed(value, count - (isText ? 1 : 0) - (isWrapped ? 1 : 0));
    const kinds = made.map(({ kind }) => kind);
    let sent = withMistakes(value, made);
    const wrapped = isWrapped ? this.#wrapped(sent) : undefined;
    if (wrapped !== undefined) {
      sent = wrapped;
      kinds.push(envelopeKind);
    }
    const json = JSON.stringify(sent);
    const written = isText ? this.#written(sent, json) : undefined;
    if (written !== undefined) kinds.push(written.kind);
    return kinds.length === count ? { text: written?.text ?? json, value, mistakes: kinds } : undefined;
  }

  #placed(value: JsonObject, count: number): readonly PlacedMistake[] {
    const mistakes = placeMistakes.filter(({ kind }) => this.#kinds.has(kind));
    const made: PlacedMistake[] = [];
    if (count <= 0) return made;
    for (const placed of possibleMistakes(this.#validator, value, { mistakes, random: this.#random })) {
      if (isFree(placed, made)) made.push(placed);
      if (made.length === count) break;
    }
    return made;
  }

  /** The call around its own arguments; undefined where the tool would take it as it is. */
  #wrapped(value: JsonObject): JsonObject | undefined {
    const key = this.#random.pick(['arguments', 'args', 'input', 'parameters', 'params']) ?? 'arguments';
    const { name, isUnnamed } = this.#validator.contract;
    const isCall = isUnnamed !== true && this.#random.chance(0.5);
    const wrapped = isCall ? { name, arguments: value } : { [key]: value };
    const { properties } = this.#validator.views.of(this.#validator.views.root);
    const isDeclared = Object.keys(wrapped).some((envelopeKey) => properties.has(envelopeKey));
    return isDeclared || this.#validator.accepts(wrapped) ? undefined : wrapped;
  }

  /** Arguments that take nothing of these types. */
  #keysWithout(...types: readonly JsonType[]): ReadonlySet<string> {
    const places = placesOf(this.#validator.views, {});
    const taking = places.filter((place) => !types.some((type) => place.types.has(type)));
    return new Set(taking.map(({ path: [key = ''] }) => key));
  }

  #written(value: JsonObject, json: string): { readonly text: string; readonly kind: string } | undefined {
    const keysWithoutText = this.#keysWithout('string');
    const keysOfScalars = this.#keysWithout('string', 'array', 'object');
    const call = { value, json, keysWithoutText, keysOfScalars };
    for (const { kind, make } of this.#random.shuffled(textMistakes)) {
      const text = this.#kinds.has(kind) ? make(call, this.#random) : undefined;
      if (text !== undefined && text !== json) return { text, kind };
    }
    return undefined;
  }
}

// Valid ones, and broken ones that each know what they meant.
/** Which calls are made. */
export interface CallChoice {
  /** The same calls for the same seed and tool. Default: 1. */
  readonly seed?: number;
  /** Default: 20. */
  readonly count?: number;
  /** Of `mistakeKinds`, for broken calls; default: all of them. */
  readonly kinds?: readonly string[];
  /** Mistakes in one broken call. Default: 1. */
  readonly mistakes?: number;
}

/** A call, what it means, and the kinds of mistakes in it. */
export interface BrokenToolCall {
  readonly call: ToolCall;
  /** The arguments that the tool must get. */
  readonly meant: JsonObject;
  readonly mistakes: readonly string[];
}

/** Attempts for one call: not every tool has a place for every mistake. */
const mostCallAttempts = 50;

/** Calls that a tool accepts as they are; fewer than asked for where no more were found. Throws as `brokenCalls` does. */
export function validCalls(tool: RegisteredTool, choice: CallChoice = {}): readonly ToolCall[] {
  const { name, generator, count } = prepare(tool, choice);
  return Array.from({ length: count }, (_item, index) => {
    const value = generator.valid();
    return value === undefined ? [] : [callOf(name, index, JSON.stringify(value))];
  }).flat();
}

/**
 * Calls with mistakes as models make them, each with one possible meaning; fewer than asked for where the tool has no
 * place for such mistakes. Throws a DefinitionError for a choice that is none, and a kind that there is not.
 */
export function brokenCalls(tool: RegisteredTool, choice: CallChoice = {}): readonly BrokenToolCall[] {
  const { name, generator, count } = prepare(tool, choice);
  const made: BrokenToolCall[] = [];
  for (let attempt = 0; made.length < count && attempt < count * mostCallAttempts; attempt += 1) {
    const broken = generator.broken(choice.mistakes ?? 1);
    if (broken === undefined) continue;
    const { text, value: meant, mistakes } = broken;
    made.push({ call: callOf(name, made.length, text), meant, mistakes });
  }
  return made;
}

function prepare(
  tool: RegisteredTool,
  choice: CallChoice,
): { readonly name: string; readonly generator: CallGenerator; readonly count: number } {
  checkOptions('toolmend/testing', choice, choiceKinds);
  const { seed = 1, count: wanted = 20, kinds = mistakeKinds } = choice;
  const contract = typeof tool === 'function' ? contractOf(tool) : tool;
  return { name: contract.name, generator: new CallGenerator(contract, seed, kinds), count: wanted };
}

const choiceKinds: OptionKinds<CallChoice> = {
  seed: { accepts: Number.isSafeInteger, instead: 'write a whole number' },
  count: countFrom(0),
  mistakes: countFrom(1),
  kinds: listOf(oneOfThese(...mistakeKinds)),
};

const callOf = (name: string, index: number, text: string): ToolCall => ({
  id: `call_${index + 1}`,
  name,
  arguments: text,
  finishReason: 'tool_calls',
});
