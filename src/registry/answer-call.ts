// What becomes of an interpreted call, and who is told? Limits and context come from the registry and from whoever calls.
import type { ApplicationContext } from '../contract/tool-contract.ts';
import type { CallInstances } from '../execute/call-instances.ts';
import { executeTool } from '../execute/execute-tool.ts';
import type { ExecutedOutcome, ToolOutcome } from '../execute/tool-outcome.ts';
import type { CallMemory } from '../interpret/repetition/call-memory.ts';
import { tellError, tellEvent, type ToolListener } from '../telemetry/tool-listener.ts';
import { errorBehind, errorsOfChecks, executedEvent, invalidEvent, repairedEvent } from './call-events.ts';
import type { AcceptedCall, InterpretedCall } from './interpret-call.ts';

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
export interface CallSetting {
  readonly instances: CallInstances;
  readonly listeners: readonly ToolListener[];
  readonly context: ApplicationContext;
  readonly timeLimit: number | undefined;
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
  const outcome = await run(interpreted, options, setting);
  const error = errorBehind(outcome);
  if (error !== undefined) tellError(listeners, error);
  tellEvent(listeners, executedEvent(interpreted, outcome));
  return outcome;
}

const run = (
  { contract, call, interpretation }: AcceptedCall,
  { progress, signal, context }: CallOptions,
  setting: CallSetting,
): Promise<ExecutedOutcome> =>
  executeTool({
    contract,
    call,
    interpretation,
    values: mergeContext(setting.context, context),
    instances: setting.instances,
    progress,
    signal,
    timeLimit: contract.timeLimit ?? setting.timeLimit,
  });

/** Without a prototype, so that no name is there that nobody set. */
function mergeContext(all: ApplicationContext, one: ApplicationContext | undefined): ApplicationContext {
  const values: ApplicationContext = { ...all, ...one };
  Reflect.setPrototypeOf(values, null);
  return Object.freeze(values);
}
