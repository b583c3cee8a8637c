// What can somebody say to a waiting call, and what follows from it?
import type { RejectedCall, UnknownTool } from '../../execute/tool-outcome.ts';
import type { Denied, WithheldOutcome } from '../../execute/withheld-outcome.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { AcceptedCall } from '../interpret-call.ts';

/** `arguments`: what to run instead of what was asked for, without meta arguments. `message`: what the model reads. */
export type ApprovalDecision =
  | { readonly decision: 'approve'; readonly arguments?: JsonObject }
  | { readonly decision: 'deny'; readonly message?: string };

/** `approved`: run exactly this. Anything else is an outcome: nothing is executed. */
export type DecidedCall =
  | { readonly kind: 'approved'; readonly accepted: AcceptedCall; readonly digest: string }
  | { readonly kind: 'withheld'; readonly accepted: AcceptedCall; readonly outcome: WithheldOutcome }
  | { readonly kind: 'refused'; readonly outcome: RejectedCall | UnknownTool };

export const withheld = (accepted: AcceptedCall, outcome: WithheldOutcome): DecidedCall => ({
  kind: 'withheld',
  accepted,
  outcome,
});

export const denied = (accepted: AcceptedCall, by: Denied['by'], why: string): DecidedCall => {
  const { call, tool, interpretation } = accepted;
  const message = `${tool} was not executed: ${why}`;
  return withheld(accepted, Object.freeze({ outcome: 'denied', call, tool, interpretation, by, message }));
};
