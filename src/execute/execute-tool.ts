// What becomes of an accepted call? It runs once, within its limits, and ends in one outcome.
import type { ApplicationContext, ToolContract } from '../contract/tool-contract.ts';
import type { Accepted } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { CallInstances } from './call-instances.ts';
import { outcomeOf } from './outcome-of-ending.ts';
import { runBinding } from './run-binding.ts';
import { type RunLimits, runUntilEnded } from './run-until-ended.ts';
import type { ToolContext } from './tool-context.ts';
import type { ExecutedOutcome } from './tool-outcome.ts';

/** One call that is ready to run. */
export interface Execution extends RunLimits {
  readonly contract: ToolContract;
  readonly call: ToolCall;
  readonly interpretation: Accepted;
  readonly values: ApplicationContext;
  readonly instances: CallInstances;
  readonly progress?: ((update: unknown) => void) | undefined;
}

/** Runs exactly the arguments that were accepted. Never rejects. */
export async function executeTool(execution: Execution): Promise<ExecutedOutcome> {
  const { contract, call, interpretation, instances } = execution;
  const start = performance.now();
  let hasEnded = false;
  const progress = (update: unknown): void => {
    if (!hasEnded) report(execution, update);
  };
  const ending = await runUntilEnded((signal) => {
    const { values } = execution;
    const context: ToolContext = Object.freeze({ signal, progress, meta: interpretation.meta, call, values });
    return runBinding(contract, interpretation.value, context, instances);
  }, execution);
  hasEnded = true;
  const duration = performance.now() - start;
  return outcomeOf(ending, { call, tool: contract.name, interpretation, duration });
}

const ignore = (): void => undefined;

/** The application's own function: its exceptions are not the tool's, and change nothing. */
function report({ progress }: Execution, update: unknown): void {
  try {
    void Promise.resolve(progress?.(update)).catch(ignore);
  } catch {
    // Progress is told, never waited for.
  }
}
