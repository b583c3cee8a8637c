// What did the model mean by its arguments? One call in one straight line: decode, context, meta, judge, repair, pairs.
// Pure and synchronous: nothing is executed here.
import type { ToolContract } from '../contract/tool-contract.ts';
import { type Judge, judgeOf } from '../validate/judge.ts';
import { acceptAsSent, acceptOrRepair } from './accept-or-repair.ts';
import { decodeCall } from './decode-call.ts';
import { decodeRecords } from './decode-records.ts';
import type { Interpretation } from './interpretation.ts';
import { reject } from './reject.ts';
import { takeContextFields } from './take-context-fields.ts';
import { takeMeta } from './take-meta.ts';
import type { ToolCall } from './tool-call.ts';

/** What of a call decides its meaning. */
export type SentArguments = Pick<ToolCall, 'arguments' | 'finishReason'>;

/** The only seam: registry, adapters, replay and tests all interpret here. Never throws for what a model sent. */
export const interpret = (contract: ToolContract, call: SentArguments): Interpretation =>
  interpretAt('approximate', judgeOf(contract), call);

/** How numbers were spelled is read only for a call that isn't valid as it is. */
function interpretAt(precision: 'approximate' | 'exact', judge: Judge, call: SentArguments): Interpretation {
  const decoded = decodeCall(judge, call, precision);
  if (decoded.kind === 'refused') return reject(judge, {}, [decoded.issue]);
  const asSent = acceptAsSent(judge, decoded);
  if (asSent !== undefined) return asSent;
  const own = takeContextFields(judge.contract, decoded.value);
  const taken = takeMeta(judge.contract, own.value);
  if (taken.kind === 'refused') return reject(judge, {}, taken.issues);
  const records = [...decodeRecords(decoded), ...own.records, ...taken.records];
  const found = { value: taken.value, meta: taken.meta, records };
  return acceptOrRepair(judge, decoded, found) ?? interpretAt('exact', judge, call);
}
