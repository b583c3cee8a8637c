// Does somebody have to be asked before a call runs?
import type { ApplicationContext } from '../../contract/tool-contract.ts';
import type { Waiting } from '../../execute/withheld-outcome.ts';
import { frozenCall } from '../intercept/passing-call.ts';
import type { AcceptedCall } from '../interpret-call.ts';
import type { ApprovalSetting } from './approval-setting.ts';
import { callDigest } from './call-digest.ts';
import { askedAbout } from './waiting-call.ts';

/**
 * Undefined: go on. `approved` is the digest of what somebody has said yes to; anything else that would run is asked about
 * again. Throws what the application's own functions throw.
 */
export async function askFirst(
  setting: ApprovalSetting,
  accepted: AcceptedCall,
  values: ApplicationContext,
  approved: string | undefined,
): Promise<Waiting | undefined> {
  if (approved !== undefined) {
    const isAsApproved = callDigest(setting, accepted, values) === approved;
    return isAsApproved ? undefined : askedAbout(setting, accepted, values, 'changed');
  }
  return (await isAskedFor(setting, accepted, values))
    ? askedAbout(setting, accepted, values, 'asked')
    : undefined;
}

/** Whether somebody would be asked about a call that nobody has approved. Throws what the application's function throws. */
export const wouldAsk = (
  setting: ApprovalSetting,
  accepted: AcceptedCall,
  values: ApplicationContext,
): Promise<boolean> => isAskedFor(setting, frozenCall(accepted), values);

/** Of a call whose arguments nobody can write to. */
async function isAskedFor(
  { needed }: ApprovalSetting,
  { call, tool, contract, interpretation }: AcceptedCall,
  values: ApplicationContext,
): Promise<boolean> {
  const asked = Object.freeze({ call, tool, contract, interpretation, values });
  const isNeeded: unknown = await needed(asked);
  return isNeeded !== false;
}
