// What did the model mean by its arguments, once they are decoded? Context, meta, judge, repair, pairs.
import type { Destination } from '../repair/repair-request.ts';
import type { Judge } from '../validate/judge.ts';
import type { JudgedArguments } from './accept-as-sent.ts';
import { acceptOrRepair } from './accept-or-repair.ts';
import { decodeRecords } from './decoding/decode-records.ts';
import type { Interpretation } from './interpretation.ts';
import { standsForUnreadable } from './records/history-call.ts';
import { reject } from './rejection/reject.ts';
import { takeContextFields } from './meta/take-context-fields.ts';
import { takeMeta } from './meta/take-meta.ts';

/** undefined where repair would have to know how the numbers were spelled. */
export function interpretDecoded(
  judge: Judge,
  decoded: JudgedArguments,
  destination: Destination,
): Interpretation | undefined {
  // Text that had to be mended may mean something else, and here nobody could say so.
  if (judge.isUnjudged && decoded.steps.length > 0) return reject(judge, {}, [notJson]);
  const own = takeContextFields(judge, decoded.value);
  const numbers = decoded.numbers.carried(decoded.value, own.value);
  const reading = takeMeta(judge, {
    ...decoded,
    value: own.value,
    numbers,
    destination,
    readAt: decoded.fromShown?.readAt,
  });
  if (reading.kind === 'approximate') return undefined;
  if (reading.kind === 'refused') return reject(judge, {}, reading.issues);
  const { taken } = reading;
  const records = [...decodeRecords(decoded), ...own.records, ...taken.records];
  const result = acceptOrRepair(judge, decoded, { ...taken, records }, destination);
  if (result?.outcome !== 'unchanged' && standsForUnreadable(decoded.value)) {
    return reject(judge, {}, [notJson]);
  }
  return result === undefined || reading.kind === 'taken'
    ? result
    : reject(judge, {}, [...reading.issues, ...result.issues]);
}

const notJson = { keyword: 'not_json', path: '' };
