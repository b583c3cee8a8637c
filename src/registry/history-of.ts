// How does a call of a registry's stand in the history that the model is sent?
import type { ToolContract } from '../contract/tool-contract.ts';
import type { ToolOutcome } from '../execute/tool-outcome.ts';
import { acceptedInHistory, type HistoryCall, refusedInHistory } from '../interpret/records/history-call.ts';
import type { InterpretedCall } from './interpret-call.ts';

/** A call that was accepted as it was interpreted; any other, and those of tools that are gone, as it came. */
export function historyOf(
  tools: ReadonlyMap<string, ToolContract>,
  outcome: ToolOutcome | InterpretedCall,
): HistoryCall {
  const { call } = outcome;
  if (outcome.outcome === 'unknown-tool') return refusedInHistory(call);
  const { tool, interpretation } = outcome;
  const contract = tools.get(tool);
  return contract === undefined || interpretation.outcome === 'rejected'
    ? refusedInHistory(call)
    : acceptedInHistory(contract, { call, tool, interpretation });
}
