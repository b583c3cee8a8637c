// What did the model mean by its arguments? One call in one straight line: decode, context, meta, judge, repair, pairs.
// Pure and synchronous: nothing is executed here.
import type { ToolContract } from '../contract/tool-contract.ts';
import { decodeArguments, type DecodedArguments, defaultDecodeLimits } from '../decode/decode-arguments.ts';
import type { RepairRecord } from '../repair/repair-record.ts';
import { judgeOf } from '../validate/judge.ts';
import { acceptOrRepair } from './accept-or-repair.ts';
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
  const decoded = decodeArguments(call.arguments, call.finishReason, defaultDecodeLimits);
  if (decoded.kind === 'refused') return reject(judge, {}, [decoded.issue]);
  const own = takeContextFields(contract, decoded.value);
  const taken = takeMeta(contract, own.value);
  if (taken.kind === 'refused') return reject(judge, {}, taken.issues);
  const records = [...repeatedKeyRecords(decoded), ...own.records, ...taken.records];
  return acceptOrRepair(judge, decoded, { value: taken.value, meta: taken.meta, records });
}

const repeatedKeyRecords = ({ repeatedKeys }: DecodedArguments): readonly RepairRecord[] =>
  repeatedKeys.map((key) => ({
    rule: 'duplicate_key',
    path: '',
    was: key.slice(0, 64),
    tell: false,
    operations: [],
  }));
