// What can somebody say to a waiting call, and what follows from it? What is no decision counts neither as a yes nor as a no.
import { unknownOptions } from '../../contract/unknown-options.ts';
import { DefinitionError } from '../../errors/definition-error.ts';
import { optionComplaints, type OptionKinds } from '../../errors/option-complaints.ts';
import type { RejectedCall, UnknownTool } from '../../execute/tool-outcome.ts';
import type { Denied, WithheldOutcome } from '../../execute/withheld-outcome.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { argumentsKind } from '../intercept/edited-arguments.ts';
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

const where = 'ToolRegistry.decide';

const kinds: OptionKinds = {
  decision: {
    isRequired: true,
    fits: (word) => word === 'approve' || word === 'deny',
    instead: "write { decision: 'approve' } or { decision: 'deny' }",
  },
  arguments: argumentsKind,
  message: { fits: (text) => typeof text === 'string', instead: 'write why, for the model' },
};

const known = {
  approve: { decision: true, arguments: true },
  deny: { decision: true, message: true },
} as const;

/** Throws a DefinitionError with everything that is wrong with it; it may have come from a web page. */
export function requireDecision(decision: ApprovalDecision): void {
  const misfits = optionComplaints(where, decision, kinds);
  const complaints = misfits.length > 0 ? misfits : unknownOptions(where, decision, known[decision.decision]);
  if (complaints.length > 0) throw new DefinitionError(complaints);
}
