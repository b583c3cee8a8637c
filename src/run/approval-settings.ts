import * as accept from '../options/check-options.ts';
import type { AcceptedCall } from './interpreted-call.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import type { OptionKinds } from '../options/check-options.ts';
import { type ApprovalStore, MemoryApprovals, JournalApprovals } from '../store/approval-store.ts';
import type { Journal } from '../store/journal.ts';
// The registry option `approval`.

/** A call that may require approval. */
export interface ApprovableCall extends Omit<AcceptedCall, 'status'> {
  readonly values: ApplicationContext;
}

/** The registry option `approval`. */
export interface ApprovalOptions {
  /**
   * Whether a call requires approval. Only the result false means that the call requires none: a
   * function without a result makes every call wait. An exception keeps the call from being
   * executed. Default: calls of destructive tools require approval.
   */
  readonly needed?: (call: ApprovableCall) => boolean | Promise<boolean>;
  /** Milliseconds until an approval expires. Default: 15 minutes. */
  readonly expiresAfter?: number;
  /**
   * The scope of an approval, such as a tenant's or user's id; an approval is valid only in the
   * scope of its call. Default: no scope.
   */
  readonly scope?: (values: ApplicationContext) => string;
}

export const approvalOptionKinds: OptionKinds<ApprovalOptions> = {
  needed: accept.callback(
    'write a function that returns whether the call requires approval, (call) => true',
  ),
  expiresAfter: accept.milliseconds,
  scope: accept.callback('write a function that returns the scope of a call, (values) => …'),
};

/** The options as a registry uses them. */
export interface ApprovalSettings extends Required<Omit<ApprovalOptions, 'scope'>> {
  readonly scope: ((values: ApplicationContext) => string) | undefined;
  readonly store: ApprovalStore;
  readonly journal: Journal | undefined;
}

const quarterOfAnHour = 15 * 60_000;
const isDestructive = ({ contract }: ApprovableCall): boolean => contract.effects === 'destructive';

export function approvalSettings(
  options: ApprovalOptions,
  journal: Journal | undefined,
): ApprovalSettings {
  const { needed = isDestructive, expiresAfter = quarterOfAnHour, scope } = options;
  const store = journal === undefined ? new MemoryApprovals() : new JournalApprovals(journal);
  return { needed, expiresAfter, scope, store, journal };
}
