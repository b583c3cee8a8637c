import { isNearName } from '../json/nearest-name.ts';
import { objectOf } from '../collections/objects.ts';
import { spellingOf } from '../json/key-spelling.ts';
import { type JsonValue, isJsonArray, isJsonObject, jsonTypeOf, sameValue } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { isMap, isPathName } from '../validate/strict-checks.ts';
import type { FaultLocation, FaultParent } from './fault-locations.ts';
import type { Random } from './sample-value.ts';
import { pythonText } from './text-faults.ts';

/**
 * What is sent at a location instead of the value. `wrapped` and `renamed` keep the value, and
 * faults inside it.
 */
export type Change =
  | {
      readonly kind: 'wrapped';
      readonly wrap: (sentValue: JsonValue) => JsonValue;
      /** How often the text must be decoded to get the value. Default: 0. */
      readonly decodings?: number;
    }
  | { readonly kind: 'replaced'; readonly value: JsonValue }
  | { readonly kind: 'renamed'; readonly key: string }
  | { readonly kind: 'members'; readonly members: readonly (readonly [string, JsonValue])[] };

/** The change; undefined if the fault can't be made there, or would leave a second reading. */
type ValueFault = (location: FaultLocation, random: Random) => Change | undefined;

const wrapChange = (wrap: (sentValue: JsonValue) => JsonValue): Change => ({
  kind: 'wrapped',
  wrap,
});
const replaceValue = (value: JsonValue | undefined): Change | undefined =>
  value === undefined ? undefined : { kind: 'replaced', value };
const members = (...entries: readonly (readonly [string, JsonValue])[]): Change => ({
  kind: 'members',
  members: entries,
});

export const valueFaults: Readonly<Record<string, ValueFault>> = {
  number_as_text: ({ value, types }, random) =>
    typeof value === 'number' && !types.has('string')
      ? replaceValue(
          random.pick([
            `${value}`,
            ` ${value}`,
            Number.isInteger(value) ? `${value}.0` : `${value}`,
          ]),
        )
      : undefined,

  boolean_as_text: ({ value, types }, random) =>
    typeof value === 'boolean' && !types.has('string')
      ? replaceValue(random.pick(value ? ['true', 'True', 'TRUE'] : ['false', 'False', 'FALSE']))
      : undefined,

  null_as_word: ({ value, types }, random) =>
    value === null && !types.has('string')
      ? replaceValue(random.pick(['null', 'None']))
      : undefined,

  text_as_number: (location) => {
    const number = typeof location.value === 'string' ? Number(location.value) : NaN;
    const isNumber = Number.isFinite(number) && String(number) === location.value;
    return isNumber && takesAnyText(location) ? replaceValue(number) : undefined;
  },

  // Where a document is asked for, its text is the object's compact JSON.
  text_as_object: (location) =>
    location.value === '{"a":1}' && documentWords.test(location.name) && takesAnyText(location)
      ? replaceValue({ a: 1 })
      : undefined,

  member_in_other_spelling: ({ value, view, types }, random) => {
    if (typeof value !== 'string' || view.members === undefined || [...types].join() !== 'string')
      return undefined;
    const others = view.members.filter((member) => member !== value);
    const spellings = [
      value.toUpperCase(),
      value.toLowerCase(),
      ` ${value} `,
      `"${value}"`,
      value.replace(/(?<=[a-z])[_-](?=[a-z])/gi, ' '),
    ];
    const isOnlyOne = others.every(
      (member) => typeof member !== 'string' || bare(member) !== bare(value),
    );
    return isOnlyOne
      ? replaceValue(random.pick(spellings.filter((text) => text !== value)))
      : undefined;
  },

  path_as_link: ({ value, name, view }, random) => {
    const isPath = view.semantic === undefined ? isPathName(name) : view.semantic === 'path';
    if (
      !isPath ||
      view.isVerbatim ||
      typeof value !== 'string' ||
      !/^[\w./-]*\w[\w./-]*$/.test(value)
    )
      return undefined;
    return replaceValue(`[${value}](${random.pick(['http://', 'https://example.com/'])}${value})`);
  },

  echoed_schema: ({ value, types }, random) => {
    const names = typeNames[value === null ? 'null' : typeof value];
    if (value === undefined || names === undefined || types.has('object') || types.has('array'))
      return undefined;
    // Read as another of the types, the text would be another value.
    const isOther = /^\s*(?:-?\d[\d.eE+-]*|true|false|null|none|undefined)?\s*$/i;
    if (typeof value === 'string' && types.size > 1 && isOther.test(value)) return undefined;
    const type = random.pick(names) ?? '';
    const frames = [{ type, value }, { type, description: 'What it is.', value }, { value }];
    return replaceValue(random.pick(frames.slice(0, types.has('string') ? 2 : 3)));
  },

  container_as_text: ({ value, types, path }, random) => {
    if (path === '' || typeof value !== 'object' || value === null || types.has('string'))
      return undefined;
    const writers = [
      (sentValue: JsonValue) => JSON.stringify(sentValue),
      (sentValue: JsonValue) => JSON.stringify(sentValue, undefined, 2),
      (sentValue: JsonValue) => pythonText(sentValue) ?? JSON.stringify(sentValue),
      (sentValue: JsonValue) => JSON.stringify(JSON.stringify(sentValue)),
    ];
    const wrap = random.pick(writers);
    return wrap && { kind: 'wrapped', wrap, decodings: wrap === writers.at(-1) ? 2 : 1 };
  },

  element_for_list: (location) => {
    const [only, ...others] = isJsonArray(location.value) ? location.value : [];
    const isFree =
      only !== undefined && others.length === 0 && !location.types.has(jsonTypeOf(only));
    return isFree && isOneElement(only, location) ? replaceValue(only) : undefined;
  },

  list_for_one: ({ value, types, parent, name }) =>
    value === undefined ||
    value === null ||
    types.has('array') ||
    parent === undefined ||
    isPathName(name)
      ? undefined
      : replaceValue([value]),

  list_under_key: ({ value, types, view, name }, random) => {
    if (
      !isJsonArray(value) ||
      value.length === 0 ||
      types.has('object') ||
      takesObjects(view.items)
    )
      return undefined;
    const key = random.pick(['items', 'item', 'values', name === '' ? 'items' : name]) ?? 'items';
    return wrapChange((list) => ({ [key]: list }));
  },

  // The inner array must be valid, so it keeps no other faults.
  list_in_list: ({ value, types, view }) =>
    isJsonArray(value) && value.length > 0 && !types.has('object') && isOfOneType(view.items)
      ? replaceValue([value])
      : undefined,

  object_with_indices: ({ value, types, view }, random) => {
    if (
      !isJsonArray(value) ||
      value.length === 0 ||
      types.has('object') ||
      !isOfOneType(view.items)
    )
      return undefined;
    const first = random.integer(0, 1);
    return wrapChange((list) =>
      isJsonArray(list) ? objectOf(list.map((item, index) => [String(first + index), item])) : list,
    );
  },

  empty_object_for_list: ({ value, types, view }) =>
    isJsonArray(value) && value.length === 0 && !types.has('object') && !takesObjects(view.items)
      ? replaceValue({})
      : undefined,

  members_in_one_text: ({ value, types, view }, random) => {
    if (
      !isJsonArray(value) ||
      value.length < 2 ||
      types.has('string') ||
      typeof view.items === 'boolean'
    )
      return undefined;
    const words = value
      .filter((item) => typeof item === 'string')
      .filter((item) => /^[^,\s]+$/.test(item));
    const isListed = words.length === value.length && view.items.enum !== undefined;
    return isListed ? replaceValue(words.join(random.pick([',', ', ']))) : undefined;
  },

  key_in_other_spelling: ({ value, key, parent, name }, random) => {
    if (
      value === undefined ||
      parent === undefined ||
      name !== key ||
      parent.isInUnion ||
      isMap(parent.view)
    )
      return undefined;
    const spellings = [
      key.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase(),
      key.replace(/[_-]([a-z])/g, (_pair, letter: string) => letter.toUpperCase()),
      key.slice(0, 1).toUpperCase() + key.slice(1),
      key.toUpperCase(),
      key.replaceAll('_', '-'),
      // In an open object, it is another key.
      ...(parent.view.additionalProperties === false ? [`_${key}`] : []),
      `"${key}"`,
      `${key} `,
    ].filter((text) => text !== key && spellingOf(text) === spellingOf(key));
    const spelling = isNewKey(key, parent) ? random.pick(spellings) : undefined;
    return spelling === undefined ? undefined : { kind: 'renamed', key: spelling };
  },

  null_for_absent: (location) =>
    isLeftOut(location) && !location.types.has('null') ? members([location.key, null]) : undefined,

  placeholder_for_absent: (location, random) => {
    const { types, view, key } = location;
    if (
      !isLeftOut(location) ||
      types.has('string') ||
      types.has('null') ||
      view.members !== undefined
    )
      return undefined;
    const isScalar = !types.has('object') && !types.has('array');
    const words = ['', 'null', 'None', 'undefined', ' ', ...(isScalar ? [{}] : [])];
    return members([key, random.pick(words) ?? '']);
  },

  empty_unknown_key: ({ value, view, isInUnion }, random) => {
    const key = random.pick(['zz_note', 'zzHint', 'zz']) ?? 'zz';
    if (!isJsonObject(value) || isInUnion || view.additionalProperties !== false || isMap(view))
      return undefined;
    const empty = random.pick<JsonValue>([null, '', {}, []]) ?? '';
    // It could stand for a declared key with a name like it.
    const isNear = [...view.properties.keys()].some((name) => isNearName(key, name));
    const isNew = !isNear && isNewKey(key, { object: value, view });
    return isNew
      ? wrapChange((object) => (isJsonObject(object) ? { ...object, [key]: empty } : object))
      : undefined;
  },

  // An object without a key would be a placeholder.
  default_left_out: (location) =>
    isRequiredDefault(location) && (location.parent?.path === '' || hasOtherValue(location))
      ? members()
      : undefined,

  null_for_default: (location) =>
    isRequiredDefault(location) && !location.types.has('null') ? replaceValue(null) : undefined,

  // `filter.name` instead of the object under `filter`.
  flat_keys: ({ value, key, name, parent, view, isInUnion }) => {
    if (
      !isJsonObject(value) ||
      parent === undefined ||
      name !== key ||
      isInUnion ||
      isMap(parent.view)
    )
      return undefined;
    const isFailing = parent.view.additionalProperties === false || parent.isRequired;
    const entries = Object.entries(value).map(
      ([inner, member]) => [`${key}.${inner}`, member] as const,
    );
    const areNames = [key, ...Object.keys(value)].every((text) => /^[A-Za-z_$][\w$-]*$/.test(text));
    const areDeclared = Object.keys(value).every(
      (inner) => typeof view.properties.get(inner) === 'object',
    );
    const areNew = entries.every(([flat]) => !parent.view.properties.has(flat));
    return isFailing && entries.length > 0 && areNames && areDeclared && areNew
      ? members(...entries)
      : undefined;
  },

  // `{"filter": {"filter": {…}}}`
  name_twice: ({ value, key, name, parent, view, isInUnion }) => {
    if (!isJsonObject(value) || parent === undefined || name !== key || isInUnion) return undefined;
    const keys = Object.keys(value);
    const isDeclared = keys.length > 0 && keys.every((inner) => view.properties.has(inner));
    const isFailing = view.additionalProperties === false && isNewKey(key, { object: {}, view });
    // With faults inside, its keys would not be certain to be those of the parameter.
    return isDeclared && isFailing && !isMap(view) && !view.properties.has(key)
      ? replaceValue({ [key]: value })
      : undefined;
  },

  envelope_beside_a_key: ({ path, value, view }, random) => {
    if (path !== '' || !isJsonObject(value) || view.additionalProperties !== false || isMap(view))
      return undefined;
    const keys = Object.keys(value);
    const foreignKey = random.pick(
      keys.filter((key) => !/name|function|tool|action|method/i.test(key)),
    );
    const key = random.pick(['arguments', 'args', 'input', 'parameters', 'params']) ?? 'arguments';
    const isFree =
      keys.length > 1 &&
      keys.every((name) => view.properties.has(name)) &&
      !view.properties.has(key) &&
      isNewKey(key, { object: value, view });
    if (foreignKey === undefined || !isFree) return undefined;
    // A key in another spelling would not be certain to belong there.
    const { [foreignKey]: foreignValue = null, ...others } = value;
    return replaceValue({ [key]: others, [foreignKey]: foreignValue });
  },

  // A required key of the root in the object of one parameter.
  key_one_level_too_deep: ({ path, value, view, viewOf }, random) => {
    if (path !== '' || !isJsonObject(value) || view.branches.length > 0 || isMap(view))
      return undefined;
    const key = random.pick([...view.required].filter((name) => isSaid(value[name])));
    const holds = (member: JsonValue | undefined): boolean =>
      key !== undefined && JSON.stringify(member ?? null).includes(JSON.stringify(key));
    const holder = random.pick(Object.keys(value).filter((name) => isJsonObject(value[name])));
    if (key === undefined || holder === undefined || key === holder) return undefined;
    const { [key]: movedValue = null, [holder]: object = null, ...others } = value;
    const holderView = viewOf(view.properties.get(holder) ?? true);
    const isForeign =
      isJsonObject(object) &&
      Object.keys(object).length > 0 &&
      holderView.branches.length === 0 &&
      holderView.properties.size > 0 &&
      !holderView.isVerbatim &&
      !isMap(holderView) &&
      !holderView.conditionalKeys.has(key) &&
      !holderView.properties.has(key) &&
      isNewKey(key, { object, view: holderView });
    return isForeign && !Object.values(value).some(holds)
      ? replaceValue({ ...others, [holder]: { ...object, [key]: movedValue } })
      : undefined;
  },

  // The keys of the only parameter, directly at the root.
  parameter_left_out: ({ path, value, view, viewOf }) => {
    const [name, ...others] = path === '' && isJsonObject(value) ? Object.keys(value) : [];
    const inner = name === undefined || !isJsonObject(value) ? undefined : value[name];
    const isOnly = view.properties.size === 1 || [...view.required].join() === name;
    if (name === undefined || others.length > 0 || !isOnly || !isJsonObject(inner))
      return undefined;
    const innerView = viewOf(view.properties.get(name) ?? true);
    const keys = Object.keys(inner);
    const areInside =
      keys.length > 0 &&
      [...innerView.types].join() === 'object' &&
      innerView.branches.length === 0 &&
      keys.every((key) => innerView.properties.has(key) && isNewKey(key, { object: {}, view }));
    const isCall = keys.some((key) => envelopeWords.test(key));
    return areInside && !isCall && !isMap(view) ? replaceValue(inner) : undefined;
  },

  envelope: ({ path, value, view }, random) => {
    const key = random.pick(['arguments', 'args', 'input', 'parameters', 'params']) ?? 'arguments';
    const isFree = path === '' && value !== undefined && !view.properties.has(key);
    return isFree ? wrapChange((object) => ({ [key]: object })) : undefined;
  },
};

/** Not a value that could be dropped as empty. */
const isSaid = (value: JsonValue | undefined): boolean =>
  value !== undefined &&
  value !== null &&
  (typeof value !== 'string' ||
    (value.trim() !== '' && !/^\s*(?:null|None|undefined)\s*$/.test(value))) &&
  (typeof value !== 'object' || Object.keys(value).length > 0);

/** Keys that calls have around their arguments. */
const envelopeWords = /^(?:arg|kwarg|param|input|propert|name|func|tool|action|method|recipient)/i;

/** Values of one type, none of which is a list or an object. */
const isOfOneType = (items: JsonSchema): boolean =>
  typeof items !== 'boolean' && typeof items.type === 'string' && !notOne.has(items.type);

const notOne: ReadonlySet<string> = new Set(['array', 'object', 'null']);

const takesAnyText = ({ types, view, name }: FaultLocation): boolean =>
  [...types].join() === 'string' &&
  [view.format, view.members, view.semantic].every((limit) => limit === undefined) &&
  !view.isVerbatim &&
  !isPathName(name);

const documentWords = /(?:^|[a-z_-])(?:content|body|payload|data|text|json|config|metadata)$/i;

const bare = (text: string): string => text.toLowerCase().replace(/[\s_"-]/g, '');

/** As JSON Schema or Python name them. */
const typeNames: Readonly<Record<string, readonly string[]>> = {
  string: ['string', 'str'],
  number: ['number', 'integer', 'int', 'float'],
  boolean: ['boolean', 'bool'],
};

/** Not a string or object that could be read as the whole list. */
function isOneElement(element: JsonValue, { name, types }: FaultLocation): boolean {
  if (typeof element === 'number') return !types.has('number');
  if (typeof element === 'string')
    return /^[^\s,;|"'[{][^,;|\n]*$/.test(element) && !/^(?:null|None|undefined)$/.test(element);
  if (!isJsonObject(element)) return element !== null;
  const [key = '', ...others] = Object.keys(element);
  const isListWord =
    /^(item|value|element)s?$/.test(key) || key === name || name.startsWith(key.slice(0, -1));
  return others.length > 0 || !isListWord;
}

const takesObjects = (items: JsonSchema): boolean =>
  typeof items === 'boolean' || typeof items.type !== 'string' || items.type === 'object';

const isLeftOut = ({ value, parent, view }: FaultLocation): boolean =>
  value === undefined &&
  parent !== undefined &&
  !parent.isRequired &&
  !parent.isInUnion &&
  !view.isVerbatim;

const isRequiredDefault = ({ value, view: { defaultValue }, parent }: FaultLocation): boolean =>
  parent?.isRequired === true &&
  !parent.isInUnion &&
  value !== undefined &&
  defaultValue !== undefined &&
  sameValue(value, defaultValue);

/** Whether another value of the object is not its default, which could be left out, too. */
const hasOtherValue = ({ key, parent, viewOf }: FaultLocation): boolean =>
  Object.entries(parent?.object ?? {}).some(([other, value]) => {
    const { defaultValue } = viewOf(parent?.view.properties.get(other) ?? true);
    return other !== key && (defaultValue === undefined || !sameValue(value, defaultValue));
  });

/** No other key, declared or sent, could be meant. */
const isNewKey = (key: string, { object, view }: Pick<FaultParent, 'object' | 'view'>): boolean =>
  [...view.properties.keys(), ...Object.keys(object)].every(
    (other) => other === key || spellingOf(other) !== spellingOf(key),
  );
