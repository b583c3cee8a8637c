import type { JsonObject } from '../json/value.ts';
import {
  type GivenPending,
  type PendingCall,
  hasPendingMembers,
  readPending,
} from './pending-call.ts';

export const approvalFormat = 'toolmend.approval';
export const approvalVersion = 1;

/**
 * A call that waits for a decision; plain JSON. An approval holds all arguments in full, secrets
 * included: store approvals where secrets may be stored, and show an approver only what the
 * approver may see.
 */
export interface PendingApproval extends PendingCall {
  readonly format: typeof approvalFormat;
  readonly version: typeof approvalVersion;
  /**
   * `sha256:…` over call id, tool, its definition and effects, arguments, meta arguments and scope.
   */
  readonly digest: string;
  /** The registry's `contractDigest` of the tool. */
  readonly contract: string;
}

const texts = ['id', 'digest', 'contract', 'expiresAt'];

/** Whether data has the members of an approval. Its call is not checked. */
export const isApproval = (data: JsonObject): data is JsonObject & PendingApproval =>
  hasPendingMembers(data, approvalFormat, approvalVersion, texts);

/** Throws a RecordError for data that is not an approval. */
export const readApproval = (data: unknown): GivenPending<PendingApproval> =>
  readPending(data, {
    format: approvalFormat,
    noun: 'approval',
    oneOf: 'an approval',
    instead:
      'pass the approval of an outcome approval_required, as it was or parsed from JSON, or its id',
    isPending: isApproval,
  });
