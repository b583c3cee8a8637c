// The model's turn in an answer that the client doesn't get. The request that asks again repeats
// it, as agents do.
import { ownValue } from '../collections/objects.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';

/** A call of an answer that is not shown to the client: the model is asked again. */
export interface UnsentCall {
  readonly id: string;
  readonly name: string;
  /** JSON text of an object. */
  readonly arguments: string;
  /** The result that the model reads. */
  readonly message: string;
}

/** Collects what the model said in one answer. */
export interface ModelTurn {
  /** Takes an event of the answer, or the whole of it. */
  add(event: JsonObject): void;
  /**
   * The turn as the API takes it back, with text, thoughts, signatures and calls, and the calls'
   * results. JSON text of each item.
   */
  items(calls: readonly UnsentCall[]): readonly string[];
}

/**
 * The calls in the order of the turn's ids, or as they are if an id is missing; undefined if the
 * turn has more or fewer calls.
 */
export function inTurnOrder(
  ids: readonly (string | undefined)[],
  calls: readonly UnsentCall[],
): readonly UnsentCall[] | undefined {
  if (ids.length !== calls.length) return undefined;
  const byId = new Map(calls.map((call) => [call.id, call]));
  const found = [...new Set(ids)].flatMap((id) => (id === undefined ? [] : (byId.get(id) ?? [])));
  return found.length === calls.length ? found : calls;
}

/**
 * Adds the next part of a streamed message: strings and arrays are continued, and elements with the
 * same `index` are merged.
 */
export function mergedMessage(whole: JsonObject, part: JsonObject): JsonObject {
  const members = new Map(Object.entries(whole));
  for (const [key, value] of Object.entries(part))
    members.set(key, merged(key, members.get(key), value));
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

function merged(key: string, before: JsonValue | undefined, value: JsonValue): JsonValue {
  if (before === undefined || before === null) return value;
  if (value === null) return before;
  if (typeof before === 'string' && typeof value === 'string') {
    if (wholeStrings.has(key)) return value === '' ? before : value;
    return before + value;
  }
  if (isJsonObject(before) && isJsonObject(value)) return mergedMessage(before, value);
  return isJsonArray(before) && isJsonArray(value) ? value.reduce(withElement, before) : value;
}

function withElement(list: readonly JsonValue[], element: JsonValue): readonly JsonValue[] {
  const at = isJsonObject(element) ? list.findIndex((known) => isSamePart(known, element)) : -1;
  const known = list[at];
  if (!isJsonObject(known) || !isJsonObject(element)) return [...list, element];
  return list.with(at, mergedMessage(known, element));
}

function isSamePart(known: JsonValue, element: JsonObject): boolean {
  const index = ownValue(element, 'index');
  if (typeof index !== 'number' || !isJsonObject(known) || ownValue(known, 'index') !== index)
    return false;
  const type = ownValue(element, 'type') ?? '';
  return type === '' || (ownValue(known, 'type') ?? type) === type;
}

/** Without members that are null: servers send them, but not all of them take them. */
export const withoutNulls = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
