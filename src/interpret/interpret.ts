// What did the model mean by its arguments? One call in one straight line: decode, context, meta, judge, repair, pairs.
// Pure and synchronous: nothing is executed here.
import type { ToolContract } from '../contract/tool-contract.ts';
import { judgeOf } from '../validate/judge.ts';
import { acceptOrRepair } from './accept-or-repair.ts';
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
export function interpret(contract: ToolContract, call: SentArguments): Interpretation {
  const judge = judgeOf(contract);
  const decoded = decodeCall(judge, call);
  if (decoded.kind === 'refused') return reject(judge, {}, [decoded.issue]);
  const own = takeContextFields(contract, decoded.value);
  const taken = takeMeta(contract, own.value);
  if (taken.kind === 'refused') return reject(judge, {}, taken.issues);
  const records = [...decodeRecords(decoded), ...own.records, ...taken.records];
  return acceptOrRepair(judge, decoded, { value: taken.value, meta: taken.meta, records });
}
