// What is a person asked, and what does a program keep until the answer comes? A plain JSON value.
import type { CallRecord } from '../../interpret/records/call-record.ts';

export const approvalFormat = 'toolmend.approval';
export const approvalVersion = 1;

/**
 * A call that waits for a decision, as it would run. Like the record in it, it holds all arguments in full, secrets too:
 * keep it where they may be kept, and show an approver what an approver may see.
 */
export interface PendingApproval {
  readonly format: typeof approvalFormat;
  readonly version: typeof approvalVersion;
  /** Good for one decision. */
  readonly id: string;
  /** The call as it was interpreted; its `arguments` are what would run. */
  readonly call: CallRecord;
  /** `sha256:…` over call id, tool, its definition and effects, arguments, meta arguments and scope. */
  readonly digest: string;
  /** The registry's `contractDigest` of the tool. */
  readonly contract: string;
  /** Whose call it is, where the registry's `approval.scope` says so. */
  readonly scope?: string;
  /** ISO 8601, in UTC. */
  readonly expiresAt: string;
}
