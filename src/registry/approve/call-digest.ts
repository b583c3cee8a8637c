// What does an approval of a call bind? The call as it would run, and the definition that it would run by.
import { contractDigest } from '../../contract/contract-digest.ts';
import type { ApplicationContext } from '../../contract/tool-contract.ts';
import { onceEach } from '../../dialects/once-each.ts';
import { approvalDigest } from '../../execute/approval/approval-digest.ts';
import type { AcceptedCall } from '../interpret-call.ts';
import type { ApprovalSetting } from './approval-setting.ts';

/** Throws what the application's `scope` throws. */
export const callDigest = (
  setting: ApprovalSetting,
  { call, tool, contract, interpretation }: AcceptedCall,
  values: ApplicationContext,
): string =>
  approvalDigest({
    callId: call.id,
    tool,
    contract: definitionDigest(contract),
    effects: contract.effects,
    interpretation,
    scope: setting.scope?.(values),
  });

export const definitionDigest = onceEach(contractDigest);
