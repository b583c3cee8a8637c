// How does a call's code run? With a context of its own, and progress that is told until the call has ended.
import type { Ticket } from './admission/ticket.ts';
import type { Execution } from './execution.ts';
import { runBinding } from './run-binding.ts';
import { type Ending, type Run, runUntilEnded } from './run-until-ended.ts';
import { drainGenerator, isGenerator } from './results/drain-generator.ts';
import { tell } from '../telemetry/tell.ts';
import { RunContext } from './tool-context.ts';

/** Never rejects. */
export function runTool(execution: Execution, ticket: Ticket): Promise<Ending> {
  const { contract, call, interpretation, values, instances, signal, limit, onLate } = execution;
  const { meta } = interpretation;
  const code = async (run: Run): Promise<unknown> => {
    const progress = (update: unknown): void => {
      if (!run.isOver) tell(() => execution.progress?.(update));
    };
    const context = new RunContext({ progress, meta, call, values, run, ticket });
    const returned = await runBinding(contract, interpretation, { context, running: run, instances });
    return isGenerator(returned) ? drainGenerator(returned, run, progress) : returned;
  };
  const onStop = (stop: (reason: unknown) => void): void => ticket.onStop(stop);
  return runUntilEnded(code, { signal, limit, onStop, onLate });
}
