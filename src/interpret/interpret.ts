// What did the model mean by its arguments? One call in one straight line: decode, context, meta, judge, repair, pairs.
// Pure and synchronous: nothing is executed here.
import type { ToolContract } from '../contract/tool-contract.ts';
import type { Destination } from '../repair/repair-request.ts';
import { type Judge, judgeOf } from '../validate/judge.ts';
import { acceptAsSent } from './accept-or-repair.ts';
import { withText } from './arguments-text.ts';
import { decodeCall } from './decode-call.ts';
import { interpretDecoded } from './interpret-decoded.ts';
import type { Interpretation } from './interpretation.ts';
import { reject } from './rejection/reject.ts';
import type { ToolCall } from './tool-call.ts';

/** What of a call decides its meaning. */
export type SentArguments = Pick<ToolCall, 'arguments' | 'finishReason'>;

export interface InterpretOptions {
  /** `wire`: the arguments are passed on or stored, so the result has them as exact `text`. Default: `handler`. */
  readonly destination?: Destination;
}

/** The only seam: registry, adapters, replay and tests all interpret here. Never throws for what a model sent. */
export const interpret = (
  contract: ToolContract,
  call: SentArguments,
  { destination = 'handler' }: InterpretOptions = {},
): Interpretation => interpretAt('approximate', judgeOf(contract), call, destination);

/** How numbers were spelled is read only for a call that isn't valid as it is. */
function interpretAt(
  precision: 'approximate' | 'exact',
  judge: Judge,
  call: SentArguments,
  destination: Destination,
): Interpretation {
  const decoded = decodeCall(judge, call, precision);
  if (decoded.kind === 'refused') return reject(judge, {}, [decoded.issue]);
  const asSent = acceptAsSent(judge, decoded);
  const needsSpelling = asSent === undefined && destination === 'wire' && decoded.isApproximate;
  const result = needsSpelling ? undefined : (asSent ?? interpretDecoded(judge, decoded, destination));
  if (result === undefined) return interpretAt('exact', judge, call, destination);
  return destination === 'wire' ? withText(result, decoded, call) : result;
}
