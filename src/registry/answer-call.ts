// What becomes of an interpreted call, and who is told?
import type { AcceptedOutcome, ToolOutcome } from '../execute/tool-outcome.ts';
import { tellError, tellEvent, type ToolListener } from '../telemetry/tool-listener.ts';
import { endedEvent, errorBehind, errorsOfChecks, invalidEvent, repairedEvent } from './call-events.ts';
import type { AcceptedCall, InterpretedCall } from './interpret-call.ts';
import { runAccepted } from './run-accepted.ts';
import type { CallOptions, CallSetting } from './running/call-options.ts';
import { refusedEvent } from './running/dropped-events.ts';
import { firstPart } from './running/paged-result.ts';
import { executeCall, signalOf } from './running/execute-call.ts';
import { mergeContext } from './running/merge-context.ts';

/** Runs a call that was accepted, and tells the listeners what becomes of it in any case. */
export function answerCall(
  interpreted: InterpretedCall,
  options: CallOptions,
  setting: CallSetting,
): Promise<ToolOutcome> {
  tellInterpreted(interpreted, setting.listeners);
  return interpreted.outcome === 'accepted'
    ? answerAccepted(interpreted, options, setting)
    : Promise.resolve(interpreted);
}

function tellInterpreted(interpreted: InterpretedCall, listeners: readonly ToolListener[]): void {
  if (listeners.length === 0) return;
  if (interpreted.outcome === 'accepted') {
    const repaired = repairedEvent(interpreted);
    if (repaired !== undefined) tellEvent(listeners, repaired);
    return;
  }
  for (const error of errorsOfChecks(interpreted)) tellError(listeners, error);
  tellEvent(listeners, invalidEvent(interpreted));
}

/** Runs an accepted call, and tells the listeners how it ended. `approved`: the digest of what somebody has said yes to. */
export async function answerAccepted(
  accepted: AcceptedCall,
  options: CallOptions,
  setting: CallSetting,
  approved?: string,
): Promise<AcceptedOutcome> {
  const values = mergeContext(setting.context, options.context);
  const signal = signalOf(options);
  const ended = await runAccepted(accepted, setting, {
    values,
    signal,
    within: options.within,
    approved,
    execute: (call, onStart) => executeCall(call, { values, onStart, signal }, options, setting),
  });
  tellEnded(accepted, ended, setting.listeners);
  return firstPart(ended, accepted.contract, options, setting);
}

/** Tells of the end of a call whose arguments were accepted. */
export function tellEnded(
  accepted: AcceptedCall,
  outcome: AcceptedOutcome,
  listeners: readonly ToolListener[],
): void {
  if (listeners.length === 0) return;
  if (outcome.outcome === 'refused') {
    tellEvent(listeners, refusedEvent(outcome));
    return;
  }
  const error = errorBehind(outcome);
  if (error !== undefined) tellError(listeners, error);
  tellEvent(listeners, endedEvent(accepted, outcome));
}
