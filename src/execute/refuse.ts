// What does a model read whose call was not let in? Why, and whether to send it again.
import type { ToolContract } from '../contract/tool-contract.ts';
import type { Interpretation } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { RefusedCall } from './tool-outcome.ts';

/** A call of a known tool. */
export interface RefusableCall {
  readonly contract: Pick<ToolContract, 'name'>;
  readonly call: ToolCall;
  readonly interpretation: Interpretation;
}

/** Nothing was executed; the sentence is the same every time. */
export function refuse(
  { contract, call, interpretation }: RefusableCall,
  reason: RefusedCall['reason'],
): RefusedCall {
  const { name: tool } = contract;
  const message = `${tool} was not executed: ${sentences[reason]}`;
  return Object.freeze({ outcome: 'refused', reason, call, tool, interpretation, message });
}

const sentences: Readonly<Record<RefusedCall['reason'], string>> = {
  busy: 'too many calls are waiting. Send fewer at once, and this one again later.',
  closed: 'the program is shutting down. Send no more calls.',
  deadlock: 'it would wait for a call that is itself waiting for it. Send it again once that one has ended.',
  'call-limit': 'this run has had all the calls of it that it may make. Go on without it.',
  'run-limit': 'this run has had all the calls that it may make. End with what you have.',
  'retry-limit': 'it has failed too often in a row. Do it in another way, or say what is missing.',
  repeated:
    'this very call has failed in the same way too often. Do it in another way, or say what is missing.',
  continuation: 'that result is not kept any more. Send the whole call again without "_continuation".',
};
