// What becomes of a call whose arguments were accepted and which was not executed all the same?
import type { Accepted } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { Issue } from '../issues/issue.ts';
import type { PendingApproval } from './approval/pending-approval.ts';

/** Nothing was executed: somebody said no, or hasn't said yes. */
export type WithheldOutcome = Denied | Waiting;

interface WithheldCall {
  readonly call: ToolCall;
  /** The tool's own name, whatever the model wrote. */
  readonly tool: string;
  readonly interpretation: Accepted;
  /** For the model. */
  readonly message: string;
  readonly notes?: readonly string[];
}

/** An interceptor or an approver said no; `used`: somebody has decided on this approval before. */
export interface Denied extends WithheldCall {
  readonly outcome: 'denied';
  readonly by: 'interceptor' | 'approver' | 'used';
}

/**
 * Somebody has to be asked first. `asked`: for the first time. The others say why an approval was not enough, and ask
 * again: it had `expired`, is `unknown` to this registry, what would run has `changed` since; or the approver's own
 * arguments were `refused`, and the same approval is still open.
 */
export interface Waiting extends WithheldCall {
  readonly outcome: 'waiting';
  readonly why: 'asked' | 'expired' | 'unknown' | 'changed' | 'refused';
  /** What to hand to `ToolRegistry.decide`; plain JSON. */
  readonly approval: PendingApproval;
  /** What is wrong with the approver's arguments, where they were refused. */
  readonly issues: readonly Issue[];
}
