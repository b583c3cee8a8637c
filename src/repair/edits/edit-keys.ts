// How are the keys of an object changed, and what stands under them? On a copy, once for all edits of a rule.
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { NumberTexts } from '../../json/reader/number-texts.ts';
import { defineKey } from '../../json/own-key.ts';
import { followSpellings, type Spelled } from '../digits/follow-spellings.ts';
import type { KeyEdit } from '../repair-rule.ts';

export type MemberChange = readonly [string, Spelled];

/** A copy with the edits made; a renamed key comes last, as a move does. */
export function editKeys(object: JsonObject, edits: readonly KeyEdit[], numbers: NumberTexts): JsonObject {
  const gone = new Set<string>();
  const added = new Map<string, JsonValue>();
  const renamed = new Map<string, string>();
  for (const edit of edits) {
    gone.add(edit.key);
    if (edit.op === 'set') {
      added.set(edit.key, edit.value);
      followSpellings(numbers, { value: object, numberText: undefined }, edit.value);
    }
    if (edit.op === 'rename') {
      renamed.set(edit.key, edit.to);
      added.set(edit.to, object[edit.key] ?? null);
    }
  }
  const copy: { [key: string]: JsonValue } = {};
  for (const key of Object.keys(object)) if (!gone.has(key)) defineKey(copy, key, object[key]);
  for (const [key, value] of added) defineKey(copy, key, value);
  numbers.carry(object, copy, (key) => renamed.get(key) ?? (gone.has(key) ? undefined : key));
  return copy;
}

/** A copy with changed members; the same object if there are none. */
export function withMembers(
  object: JsonObject,
  changes: readonly MemberChange[],
  numbers: NumberTexts,
): JsonObject {
  if (changes.length === 0) return object;
  const copy = { ...object };
  for (const [key, { value }] of changes) defineKey(copy, key, value);
  const changed = new Set(changes.map(([key]) => key));
  numbers.carry(object, copy, (key) => (changed.has(key) ? undefined : key));
  for (const [key, { numberText }] of changes)
    if (numberText !== undefined) numbers.spell(copy, key, numberText);
  return copy;
}

/** A copy with what became of the elements; the same list if nothing did. */
export function withItems(
  list: readonly JsonValue[],
  items: readonly (Pick<Spelled, 'value'> & Partial<Spelled>)[],
  numbers: NumberTexts,
): readonly JsonValue[] {
  if (items.every(({ value }, index) => value === list[index])) return list;
  const copy = items.map(({ value }) => value);
  numbers.carry(list, copy, (key) => (copy[Number(key)] === list[Number(key)] ? key : undefined));
  for (const [index, { numberText }] of items.entries())
    if (numberText !== undefined) numbers.spell(copy, String(index), numberText);
  return copy;
}
