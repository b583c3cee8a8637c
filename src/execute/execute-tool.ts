// What becomes of an accepted call? It waits for its turn, runs once, within its limits, and ends in one outcome.
import { mannerOf } from './admission/entry-request.ts';
import type { EntryRequest } from './admission/ticket.ts';
import type { Execution } from './execution.ts';
import { outcomeOf } from './outcome-of-ending.ts';
import { refuse } from './refuse.ts';
import { runTool } from './run-tool.ts';
import { RunContext } from './tool-context.ts';
import type { ExecutedOutcome, RefusedCall } from './tool-outcome.ts';

/** Runs exactly the arguments that were accepted. Never rejects. */
export async function executeTool(execution: Execution): Promise<ExecutedOutcome | RefusedCall> {
  const { contract, admission, signal } = execution;
  const request = requestOf(execution);
  if ('error' in request) {
    const facts = { ...factsOf(execution, 0), when: 'before' } as const;
    return outcomeOf({ kind: 'threw', error: request.error }, facts, contract);
  }
  const entering = admission.enter(request, signal);
  const entrance = 'kind' in entering ? entering : await entering;
  if (entrance.kind === 'refused') return refuse(execution, entrance.reason);
  if (entrance.kind === 'cancelled') {
    const { reason } = entrance;
    return outcomeOf({ kind: 'cancelled', when: 'before', reason }, factsOf(execution, 0), contract);
  }
  const { ticket } = entrance;
  execution.onStart?.();
  const start = performance.now();
  const ending = await runTool(execution, ticket);
  admission.leave(ticket);
  return outcomeOf(ending, factsOf(execution, performance.now() - start), contract);
}

function requestOf(execution: Execution): EntryRequest | { readonly error: unknown } {
  const { contract, interpretation, values, caller, within } = execution;
  try {
    const outer = within === undefined ? undefined : RunContext.ticketOf(within);
    return { caller, within: outer, ...mannerOf(contract, interpretation.value, values) };
  } catch (error) {
    return { error };
  }
}

const factsOf = ({ contract, call, interpretation }: Execution, duration: number) => ({
  call,
  tool: contract.name,
  interpretation,
  duration,
});
