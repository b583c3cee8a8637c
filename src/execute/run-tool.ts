// How does a call's code run? With a context of its own, and progress that is told until the call has ended.
import type { Ticket } from './admission/ticket.ts';
import type { Execution } from './execution.ts';
import { runBinding } from './run-binding.ts';
import { type Ending, type Run, runUntilEnded } from './run-until-ended.ts';
import { drainGenerator } from './results/drain-generator.ts';
import { RunContext } from './tool-context.ts';

/** Never rejects. */
export async function runTool(execution: Execution, ticket: Ticket): Promise<Ending> {
  const { contract, call, interpretation, values, instances, signal, limit, onLate } = execution;
  const { meta } = interpretation;
  let hasEnded = false;
  const progress = (update: unknown): void => {
    if (!hasEnded) report(execution, update);
  };
  const code = (running: Run): unknown => {
    const context = new RunContext({ progress, meta, call, values, run: running, ticket });
    const returned = runBinding(contract, interpretation.value, { context, running, instances });
    return returned.then((value) => drainGenerator(value, running, progress));
  };
  const onStop = (stop: (reason: unknown) => void): void => ticket.onStop(stop);
  const ending = await runUntilEnded(code, { signal, limit, onStop, onLate });
  hasEnded = true;
  return ending;
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
