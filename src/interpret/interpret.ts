// What did the model mean by its arguments? One call in one straight line: decode, context, meta, judge, repair, pairs.
// Pure and synchronous: nothing is executed here.
import type { ToolContract } from '../contract/tool-contract.ts';
import type { Destination } from '../repair/repair-request.ts';
import { acceptAsSent } from './accept-as-sent.ts';
import { withText } from './arguments-text.ts';
import { type ContractFacts, factsOf } from './contract-facts.ts';
import { decodeCall } from './decoding/decode-call.ts';
import { interpretDecoded } from './interpret-decoded.ts';
import type { Interpretation } from './interpretation.ts';
import { escalated, reject } from './rejection/reject.ts';
import type { ToolCall } from './tool-call.ts';

/** What of a call decides its meaning. */
export type SentArguments = Pick<ToolCall, 'arguments' | 'finishReason'>;

export interface InterpretOptions {
  /** `wire`: the arguments are passed on or stored, so the result has them as exact `text`. Default: `handler`. */
  readonly destination?: Destination;
  /**
   * How often in a row this very call has failed in this very way before; the message of a rejection says so then. Whoever
   * makes the calls counts, as a `CallMemory` does. Default: 0.
   */
  readonly failedBefore?: number;
  /** Failures in a row after which the model is told to stop. Default: 3. */
  readonly failureLimit?: number;
}

export const defaultFailureLimit = 3;

/** The only seam: registry, adapters, replay and tests all interpret here. Never throws for what a model sent. */
export function interpret(
  contract: ToolContract,
  call: SentArguments,
  options?: InterpretOptions,
): Interpretation {
  const facts = factsOf(contract);
  const result = interpretAt('approximate', facts, call, options?.destination ?? 'handler');
  if (result.outcome !== 'rejected') return result;
  const { failedBefore = 0, failureLimit = defaultFailureLimit } = options ?? {};
  return failedBefore < 1
    ? result
    : escalated(facts.judge, result, { times: failedBefore + 1, limit: failureLimit });
}

/** How numbers were spelled is read only for a call that isn't valid as it is. */
function interpretAt(
  precision: 'approximate' | 'exact',
  facts: ContractFacts,
  call: SentArguments,
  destination: Destination,
): Interpretation {
  const decoded = decodeCall(facts, call, precision);
  if (decoded.kind === 'refused') return reject(facts.judge, {}, [decoded.issue]);
  const asSent = acceptAsSent(facts, decoded);
  if (typeof asSent === 'object') return destination === 'wire' ? withText(asSent, decoded, call) : asSent;
  if (destination === 'wire' && decoded.isApproximate) return interpretAt('exact', facts, call, destination);
  // Repair adds the spellings of what it makes.
  const own = { ...decoded, numbers: decoded.numbers.copied(), verdict: asSent };
  const result = interpretDecoded(facts.judge, own, destination);
  if (result === undefined) return interpretAt('exact', facts, call, destination);
  return destination === 'wire' ? withText(result, own, call) : result;
}
