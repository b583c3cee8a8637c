// What do models get wrong about lists and objects?
import { isJsonArray, isJsonObject, type JsonValue, jsonTypeOf } from '../../json/json-value.ts';
import { isPathName } from '../../validate/path-names.ts';
import type { CallPlace } from './call-place.ts';
import { type Mistake, replaced } from './mistake.ts';
import { pythonText } from './python-text.ts';

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

export const containerMistakes: readonly Mistake[] = [
  containerAsText,
  elementForList,
  listForOne,
  listUnderKey,
  emptyObjectForList,
  membersInOneText,
];
