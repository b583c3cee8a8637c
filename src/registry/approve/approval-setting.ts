// Which calls does a program want to be asked about, and for how long is an answer good?
import type { ApplicationContext } from '../../contract/tool-contract.ts';
import { checkTimes } from '../../errors/milliseconds.ts';
import { ApprovalLedger } from '../../execute/approval/approval-ledger.ts';
import type { AcceptedCall } from '../interpret-call.ts';

/** A call as it would run. */
export interface ApprovableCall extends Omit<AcceptedCall, 'outcome'> {
  readonly values: ApplicationContext;
}

export interface ApprovalOptions {
  /**
   * Whether somebody has to be asked about a call; anything but false asks. What it throws keeps the call from being
   * executed. Default: calls to destructive tools.
   */
  readonly needed?: (call: ApprovableCall) => boolean | Promise<boolean>;
  /** Milliseconds for which an approval can be decided. Default: 15 minutes. */
  readonly expiresAfter?: number;
  /**
   * Whose call it is, as the tenant's or the user's id: an approval is good for this one only. Default: nobody's, so that
   * whoever decides answers for it.
   */
  readonly scope?: (values: ApplicationContext) => string;
}

/** The options as a registry uses them. */
export interface ApprovalSetting extends Required<Omit<ApprovalOptions, 'scope'>> {
  readonly scope: ((values: ApplicationContext) => string) | undefined;
  readonly ledger: ApprovalLedger;
}

const quarterOfAnHour = 15 * 60_000;
const isDestructive = ({ contract }: ApprovableCall): boolean => contract.effects === 'destructive';

/** Throws a DefinitionError for a duration that is none. */
export function approvalSetting(options: ApprovalOptions): ApprovalSetting {
  const { needed = isDestructive, expiresAfter = quarterOfAnHour, scope } = options;
  checkTimes('ToolRegistry', { 'approval.expiresAfter': expiresAfter });
  return { needed, expiresAfter, scope, ledger: new ApprovalLedger() };
}
