// What did decoding change? One record for each text rule that acted, and for each key that came twice.
import { recordRepeatedKeys } from '../../repair/edits/record-edit.ts';
import type { RepairRecord } from '../../repair/repair-record.ts';
import type { OwnArguments } from '../shown/own-form.ts';

/** The first record's operation puts the decoded value in the place of the text. */
export function decodeRecords({
  steps,
  value,
  repeatedKeys,
  fromShown,
}: OwnArguments): readonly RepairRecord[] {
  const mended = steps.map(({ rule, was }): RepairRecord => ({
    rule,
    path: '',
    was,
    tell: false,
    operations: [{ op: 'replace', path: '', value }],
  }));
  const lone = fromShown === undefined ? [] : fromShown.records;
  if (repeatedKeys.length === 0 && lone.length === 0) return mended;
  return [...mended, ...recordRepeatedKeys(repeatedKeys, ''), ...lone];
}
