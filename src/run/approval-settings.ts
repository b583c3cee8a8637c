// The registry option `approval`.
import type { AcceptedCall } from './interpreted-call.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import { type OptionKinds, callback, milliseconds } from '../options/check-options.ts';
import type { Recording } from '../store/call-store.ts';

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
  needed: callback(
    'write a function that returns whether the call requires approval, (call) => true',
  ),
  expiresAfter: milliseconds,
  scope: callback('write a function that returns the scope of a call, (values) => …'),
};

/** The options as a registry uses them. */
export interface ApprovalSettings extends Required<Omit<ApprovalOptions, 'scope'>> {
  readonly scope: ((values: ApplicationContext) => string) | undefined;
  /** What an application can do about an id that is not known. */
  readonly ifUnknown: string;
}

const quarterOfAnHour = 15 * 60_000;
const isDestructive = ({ contract }: ApprovableCall): boolean => contract.effects === 'destructive';

/** `recording`: whether a journal has the approvals. */
export function approvalSettings(options: ApprovalOptions, recording: Recording): ApprovalSettings {
  const { needed = isDestructive, expiresAfter = quarterOfAnHour, scope } = options;
  const ifUnknown =
    recording === 'every_call'
      ? 'the journal has none, or no longer, because calls that are older than its retentionDays are deleted'
      : 'approvals end with their process unless the registry has a journal, and are forgotten some time after they were decided or have expired';
  return { needed, expiresAfter, scope, ifUnknown };
}
