// How are the keys of an object changed? On a copy, once for all edits of a rule.
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { NumberTexts } from '../json/reader/number-texts.ts';
import { defineKey } from '../json/own-key.ts';
import type { KeyEdit } from './repair-rule.ts';

export type MemberChange = readonly [string, JsonValue];

/** A copy with the edits made; a renamed key comes last, as a move does. */
export function editKeys(object: JsonObject, edits: readonly KeyEdit[], numbers: NumberTexts): JsonObject {
  const gone = new Set<string>();
  const added = new Map<string, JsonValue>();
  const renamed = new Map<string, string>();
  for (const edit of edits) {
    if (edit.op !== 'set') gone.add(edit.key);
    if (edit.op === 'set') added.set(edit.key, edit.value);
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

/** A copy with changed members; the same object if there are none. What changed is spelled anew. */
export function withMembers(
  object: JsonObject,
  changes: readonly MemberChange[],
  numbers: NumberTexts,
): JsonObject {
  if (changes.length === 0) return object;
  const copy = { ...object };
  for (const [key, value] of changes) defineKey(copy, key, value);
  const changed = new Set(changes.map(([key]) => key));
  numbers.carry(object, copy, (key) => (changed.has(key) ? undefined : key));
  return copy;
}
