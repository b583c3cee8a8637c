// How is an accepted call executed? With the limits and the context of the registry and of whoever calls.
import { executeTool } from '../../execute/execute-tool.ts';
import type { Execution } from '../../execute/execution.ts';
import { timeLimitOf } from '../../execute/limits/time-limit.ts';
import type { ExecutedOutcome, RefusedCall } from '../../execute/tool-outcome.ts';
import { tellEvent } from '../../telemetry/tool-listener.ts';
import type { CallOptions, CallSetting } from './call-options.ts';
import { lateEvent } from './dropped-events.ts';
import type { AcceptedCall } from '../interpret-call.ts';

/** Never rejects. */
export function executeCall(
  accepted: AcceptedCall,
  { values, onStart, signal }: Pick<Execution, 'values' | 'onStart' | 'signal'>,
  options: CallOptions,
  setting: CallSetting,
): Promise<ExecutedOutcome | RefusedCall> {
  const { contract, call, interpretation } = accepted;
  const { progress, within, caller = '', timeLimit } = options;
  const { meta } = interpretation;
  return executeTool({
    contract,
    call,
    interpretation,
    values,
    instances: setting.instances,
    admission: setting.admission,
    caller,
    within,
    progress,
    signal,
    limit: timeLimitOf({ tool: contract.timeLimit, registry: setting.timeLimit, call: timeLimit, meta }),
    onStart,
    onLate: (late) => tellEvent(setting.listeners, lateEvent(accepted, late)),
  });
}

/** What cancels a call: its own signal, and the end of the call whose code makes it. undefined: nothing does. */
export function signalOf({ signal, within }: CallOptions): AbortSignal | undefined {
  if (signal === undefined) return within?.signal;
  return within === undefined ? signal : AbortSignal.any([signal, within.signal]);
}
