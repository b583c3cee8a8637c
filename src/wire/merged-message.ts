// Puts the parts of a streamed message together.
import { ownValue } from '../collections/objects.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';

/**
 * Adds the next part of a streamed message: strings and arrays are continued, and elements with the
 * same `index` are merged.
 */
export function mergedMessage(whole: JsonObject, part: JsonObject): JsonObject {
  const members = new Map(Object.entries(whole));
  for (const [key, value] of Object.entries(part))
    members.set(key, mergedValue(key, members.get(key), value));
  return Object.fromEntries(members);
}

/** Strings that a part repeats whole, and does not continue. */
const wholeStrings: ReadonlySet<string> = new Set([
  'format',
  'id',
  'name',
  'role',
  'signature',
  'thought_signature',
  'type',
]);

function mergedValue(
  key: string,
  earlierValue: JsonValue | undefined,
  value: JsonValue,
): JsonValue {
  if (earlierValue === undefined || earlierValue === null) return value;
  if (value === null) return earlierValue;
  if (typeof earlierValue === 'string' && typeof value === 'string') {
    if (wholeStrings.has(key)) return value === '' ? earlierValue : value;
    return earlierValue + value;
  }
  if (isJsonObject(earlierValue) && isJsonObject(value)) return mergedMessage(earlierValue, value);
  return isJsonArray(earlierValue) && isJsonArray(value)
    ? value.reduce(withElement, earlierValue)
    : value;
}

function withElement(list: readonly JsonValue[], element: JsonValue): readonly JsonValue[] {
  if (!isJsonObject(element)) return [...list, element];
  const at = list.findIndex((other, place) =>
    isSamePart(other, element, place === list.length - 1),
  );
  const earlierPart = list[at];
  return isJsonObject(earlierPart)
    ? list.with(at, mergedMessage(earlierPart, element))
    : [...list, element];
}

/** Parts have the index of what they belong to. Without one, a text continues the text before it. */
function isSamePart(earlierPart: JsonValue, element: JsonObject, isLast: boolean): boolean {
  if (!isJsonObject(earlierPart) || ownValue(earlierPart, 'index') !== ownValue(element, 'index'))
    return false;
  const type = ownValue(element, 'type') ?? '';
  if (type !== '' && (ownValue(earlierPart, 'type') ?? type) !== type) return false;
  // Encrypted reasoning comes whole.
  if (typeof ownValue(element, 'index') === 'number') return !Object.hasOwn(element, 'data');
  return isLast && texts.some((key) => [earlierPart, element].every((part) => isText(part, key)));
}

const texts = ['text', 'summary'];

const isText = (part: JsonObject, key: string): boolean => typeof ownValue(part, key) === 'string';

/** Without members that are null: servers send them, but not all of them take them. */
export const withoutNulls = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
