// What becomes of an interpreted call, and who is told? Limits and context come from the registry and from whoever calls.
import type { ApplicationContext } from '../contract/tool-contract.ts';
import type { CallInstances } from '../execute/call-instances.ts';
import { executeTool } from '../execute/execute-tool.ts';
import type { AcceptedOutcome, ExecutedOutcome, ToolOutcome } from '../execute/tool-outcome.ts';
import type { CallMemory } from '../interpret/repetition/call-memory.ts';
import { tellError, tellEvent, type ToolListener } from '../telemetry/tool-listener.ts';
import { endedEvent, errorBehind, errorsOfChecks, invalidEvent, repairedEvent } from './call-events.ts';
import type { AcceptedCall, InterpretedCall } from './interpret-call.ts';
import { type Guards, runAccepted } from './run-accepted.ts';
import type { TrustedDefinitions } from './trusted-definitions.ts';

/** What whoever makes a call may say of it. */
export interface CallOptions {
  /** Cancels the call: it ends at once, whether its tool obeys or not. */
  readonly signal?: AbortSignal;
  /** Values for this call; they stand before the registry's. */
  readonly context?: ApplicationContext;
  /** Told what the tool reports while it runs. What it throws is dropped. */
  readonly progress?: (update: unknown) => void;
  /** What the conversation remembers of its calls; with it a model that repeats a wrong call is told so. */
  readonly memory?: CallMemory;
}

/** What a registry brings to every call. */
export interface CallSetting extends Guards {
  readonly instances: CallInstances;
  readonly listeners: readonly ToolListener[];
  readonly context: ApplicationContext;
  readonly timeLimit: number | undefined;
  readonly trusted: TrustedDefinitions;
}

/** Runs a call that was accepted, and tells the listeners what becomes of it in any case. */
export async function answerCall(
  interpreted: InterpretedCall,
  options: CallOptions,
  setting: CallSetting,
): Promise<ToolOutcome> {
  const { listeners } = setting;
  if (interpreted.outcome !== 'accepted') {
    for (const error of errorsOfChecks(interpreted)) tellError(listeners, error);
    tellEvent(listeners, invalidEvent(interpreted));
    return interpreted;
  }
  const repaired = repairedEvent(interpreted);
  if (repaired !== undefined) tellEvent(listeners, repaired);
  return answerAccepted(interpreted, options, setting);
}

/** Runs an accepted call, and tells the listeners how it ended. `approved`: the digest of what somebody has said yes to. */
export async function answerAccepted(
  accepted: AcceptedCall,
  options: CallOptions,
  setting: CallSetting,
  approved?: string,
): Promise<AcceptedOutcome> {
  const values = mergeContext(setting.context, options.context);
  const outcome = await runAccepted(accepted, setting, {
    values,
    signal: options.signal,
    approved,
    execute: (call) => run(call, values, options, setting),
  });
  tellEnded(accepted, outcome, setting.listeners);
  return outcome;
}

/** Tells of the end of a call whose arguments were accepted. */
export function tellEnded(
  accepted: AcceptedCall,
  outcome: AcceptedOutcome,
  listeners: readonly ToolListener[],
): void {
  const error = errorBehind(outcome);
  if (error !== undefined) tellError(listeners, error);
  tellEvent(listeners, endedEvent(accepted, outcome));
}

const run = (
  { contract, call, interpretation }: AcceptedCall,
  values: ApplicationContext,
  { progress, signal }: CallOptions,
  setting: CallSetting,
): Promise<ExecutedOutcome> =>
  executeTool({
    contract,
    call,
    interpretation,
    values,
    instances: setting.instances,
    progress,
    signal,
    timeLimit: contract.timeLimit ?? setting.timeLimit,
  });

/** Without a prototype, so that no name is there that nobody set. */
export function mergeContext(
  all: ApplicationContext,
  one: ApplicationContext | undefined,
): ApplicationContext {
  const values: ApplicationContext = { ...all, ...one };
  Reflect.setPrototypeOf(values, null);
  return Object.freeze(values);
}
