// Did the model send a field that the application sets? It is taken out before anything could use it.
import type { ToolContract } from '../../contract/tool-contract.ts';
import { pointerTo } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { objectOf } from '../../json/own-key.ts';
import type { RepairRecord } from '../../repair/repair-record.ts';

/** The same object if there is nothing to take out. */
export function takeContextFields(
  { contextFields }: ToolContract,
  value: JsonObject,
): { readonly value: JsonObject; readonly records: readonly RepairRecord[] } {
  if (contextFields.length === 0) return { value, records: [] };
  const sent = contextFields.filter((key) => Object.hasOwn(value, key));
  if (sent.length === 0) return { value, records: [] };
  const kept = Object.entries(value).filter(([key]) => !sent.includes(key));
  return { value: objectOf(kept), records: sent.map(recordOf) };
}

// What was sent is not shown: a model that guesses at such a field may have got hold of a secret.
const recordOf = (key: string): RepairRecord => ({
  rule: 'context_field',
  path: pointerTo('', key),
  was: 'a value',
  tell: true,
  operations: [{ op: 'remove', path: pointerTo('', key) }],
});
