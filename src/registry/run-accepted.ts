// How does an accepted call run? Through the interceptors, then past the approval, then within its limits.
import type { AcceptedOutcome } from '../execute/tool-outcome.ts';
import type { ApplicationContext } from '../contract/tool-contract.ts';
import { askFirst } from './approve/ask-first.ts';
import type { ApprovalSetting } from './approve/approval-setting.ts';
import { interceptCall } from './intercept/intercept-call.ts';
import type { Interceptor } from './intercept/interceptor.ts';
import { interceptorFailed } from './intercept/interceptor-failed.ts';
import type { AcceptedCall } from './interpret-call.ts';

/** What stands between an accepted call and its tool. */
export interface Guards {
  readonly interceptors: readonly Interceptor[];
  readonly approval: ApprovalSetting | undefined;
}

export interface GuardedRun {
  readonly values: ApplicationContext;
  readonly signal: AbortSignal | undefined;
  /** The digest of what somebody has approved. */
  readonly approved: string | undefined;
  /** Runs the tool itself. Never rejects. */
  readonly execute: (accepted: AcceptedCall) => Promise<AcceptedOutcome>;
}

/** Never rejects. */
export function runAccepted(
  accepted: AcceptedCall,
  { interceptors, approval }: Guards,
  { values, signal, approved, execute }: GuardedRun,
): Promise<AcceptedOutcome> {
  const innermost =
    approval === undefined
      ? execute
      : async (call: AcceptedCall): Promise<AcceptedOutcome> => {
          try {
            return (await askFirst(approval, call, values, approved)) ?? (await execute(call));
          } catch (error) {
            return interceptorFailed(error, call, undefined);
          }
        };
  const given = approved === undefined ? 'none' : 'given';
  return interceptCall(accepted, { interceptors, values, signal, approval: given, execute: innermost });
}
