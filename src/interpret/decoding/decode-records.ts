// What did decoding change? One record for each text rule that acted, and for each key that came twice.
import type { DecodedArguments } from '../../decode/decode-arguments.ts';
import { recordRepeatedKeys } from '../../repair/edits/record-edit.ts';
import type { RepairRecord } from '../../repair/repair-record.ts';

/** The first record's operation puts the decoded value in the place of the text. */
export function decodeRecords({ steps, value, repeatedKeys }: DecodedArguments): readonly RepairRecord[] {
  const mended = steps.map(({ rule, was }): RepairRecord => ({
    rule,
    path: '',
    was,
    tell: false,
    operations: [{ op: 'replace', path: '', value }],
  }));
  if (repeatedKeys.length === 0) return mended;
  return [...mended, ...recordRepeatedKeys(repeatedKeys, '')];
}
