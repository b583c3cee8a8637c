import { storeOutcome } from '../execute/stored-outcome.ts';
import type { ToolOutcome } from '../execute/tool-outcome.ts';
import type { Journal } from '../store/journal.ts';
import { emitError } from '../telemetry/tool-event.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { definitionDigest, definitionOf, refusalEntry } from './journal-entry.ts';
import type { ReceivedCall } from './running-call.ts';

/** Writes a call that was not accepted, or that a limit of its run refused. Never rejects. */
export async function recordRefusal(
  { settings: { journal }, interpreted, contract, options, listeners }: ReceivedCall,
  outcome: ToolOutcome,
): Promise<void> {
  if (journal === undefined) return;
  const entry = refusalEntry(interpreted, contract, options);
  try {
    await keepDefinition(journal, contract);
    const stored = storeOutcome(outcome, { contract, maxResultChars: journal.maxResultChars });
    await journal.begin(entry, { state: 'not_run', outcome: stored });
  } catch (error) {
    emitError(listeners, { tool: entry.tool, callId: entry.callId, errorId: entry.id, error });
  }
}

/** Stores the tool's definition for exports, once for each process. */
export async function keepDefinition(
  journal: Journal,
  contract: ToolContract | undefined,
): Promise<void> {
  if (contract !== undefined)
    await journal.define(definitionDigest(contract), definitionOf(contract));
}
