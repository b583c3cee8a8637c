// Did the model send a field that the application sets? It is taken out before anything could use it.
import { pointerTo } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import type { RepairRecord } from '../../repair/repair-record.ts';
import type { Judge } from '../../validate/judge.ts';
import { contextKeysIn } from './meta-keys.ts';

/** The same object if there is nothing to take out. */
export function takeContextFields(
  judge: Judge,
  value: JsonObject,
): { readonly value: JsonObject; readonly records: readonly RepairRecord[] } {
  const { contextFields } = judge.contract;
  if (contextFields.length === 0) return { value, records: [] };
  const sent = new Set(contextFields.flatMap((field) => contextKeysIn(judge, field, value)));
  if (sent.size === 0) return { value, records: [] };
  const kept = Object.entries(value).filter(([key]) => !sent.has(key));
  return { value: objectOf(kept), records: [...sent].map(recordOf) };
}

// What was sent is not shown: a model that guesses at such a field may have got hold of a secret.
const recordOf = (key: string): RepairRecord => ({
  rule: 'context_field',
  path: pointerTo('', key),
  was: 'a value',
  tell: true,
  operations: [{ op: 'remove', path: pointerTo('', key) }],
});
