// What runs after a yes? What was asked about, or the approver's own arguments if they are right as they are.
import type { ApplicationContext } from '../../contract/tool-contract.ts';
import type { PendingApproval } from '../../execute/approval/pending-approval.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { interpretEdit } from '../intercept/interpret-edit.ts';
import type { AcceptedCall } from '../interpret-call.ts';
import { type DecidedCall, withheld } from './approval-decision.ts';
import type { ApprovalSetting } from './approval-setting.ts';
import { callDigest } from './call-digest.ts';
import { askedAbout, waitingFor } from './waiting-call.ts';

interface ApprovingPlace {
  readonly setting: ApprovalSetting;
  readonly values: ApplicationContext;
}

/** Uses the approval up, unless the approver's arguments are refused. */
export function approvedCall(
  accepted: AcceptedCall,
  approval: PendingApproval,
  edited: JsonObject | undefined,
  { setting, values }: ApprovingPlace,
): DecidedCall {
  if (callDigest(setting, accepted, values) !== approval.digest)
    return withheld(accepted, askedAbout(setting, accepted, values, 'changed'));
  const interpretation = edited === undefined ? accepted.interpretation : interpretEdit(accepted, edited);
  if (interpretation.outcome === 'rejected')
    return withheld(accepted, waitingFor(accepted, approval, 'refused', interpretation.issues));
  setting.ledger.use(approval);
  const approved: AcceptedCall = Object.freeze({ ...accepted, interpretation });
  // Arguments that had to be repaired are not the ones that were approved.
  const isRepaired = interpretation.repairs.length > accepted.interpretation.repairs.length;
  return isRepaired
    ? withheld(approved, askedAbout(setting, approved, values, 'changed'))
    : { kind: 'approved', accepted: approved, digest: callDigest(setting, approved, values) };
}
