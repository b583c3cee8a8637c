// What is said of a call that somebody has to be asked about? What would run, bound to an approval.
import type { ApplicationContext } from '../../contract/tool-contract.ts';
import {
  approvalFormat,
  approvalVersion,
  type PendingApproval,
} from '../../execute/approval/pending-approval.ts';
import type { Waiting } from '../../execute/withheld-outcome.ts';
import { toRecord } from '../../interpret/records/to-record.ts';
import type { Issue } from '../../issues/issue.ts';
import { freezeDeep } from '../../json/freeze-deep.ts';
import type { AcceptedCall } from '../interpret-call.ts';
import type { ApprovalSetting } from './approval-setting.ts';
import { callDigest, definitionDigest } from './call-digest.ts';

/** Opens a new approval for the call as it would run now. */
export function askedAbout(
  setting: ApprovalSetting,
  accepted: AcceptedCall,
  values: ApplicationContext,
  why: Exclude<Waiting['why'], 'refused'>,
): Waiting {
  const now = Date.now();
  const scope = setting.scope?.(values);
  const approval: PendingApproval = freezeDeep({
    format: approvalFormat,
    version: approvalVersion,
    id: crypto.randomUUID(),
    call: toRecord(accepted),
    digest: callDigest(setting, accepted, values),
    contract: definitionDigest(accepted.contract),
    ...(scope === undefined ? {} : { scope }),
    expiresAt: new Date(now + setting.expiresAfter).toISOString(),
  });
  setting.ledger.open(approval, now);
  return waitingFor(accepted, approval, why, []);
}

/** A call that waits for an approval that is there already. */
export function waitingFor(
  { call, tool, interpretation }: AcceptedCall,
  approval: PendingApproval,
  why: Waiting['why'],
  issues: readonly Issue[],
): Waiting {
  const message = `${tool} was not executed yet: somebody has to approve the call first. Don't send it again; its result will come.`;
  return Object.freeze({ outcome: 'waiting', call, tool, interpretation, why, approval, issues, message });
}
