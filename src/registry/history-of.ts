// How does a call of a registry's stand in the history that the model is sent?
import type { ToolContract } from '../contract/tool-contract.ts';
import type { DialectName } from '../dialects/dialect-table.ts';
import { shownForm, shownName } from '../dialects/shown-form.ts';
import type { ToolOutcome } from '../execute/tool-outcome.ts';
import { acceptedInHistory, type HistoryCall, refusedInHistory } from '../interpret/records/history-call.ts';
import type { InterpretedCall } from './interpret-call.ts';
import { knownForm } from './shown/known-dialect.ts';

/** A call that was accepted as it was interpreted; any other, and those of tools that are gone, as it came. */
export function historyOf(
  tools: ReadonlyMap<string, ToolContract>,
  outcome: ToolOutcome | InterpretedCall,
  asked: DialectName | undefined,
): HistoryCall {
  const { call } = outcome;
  const dialect = knownForm(asked ?? call.dialect, 'ToolRegistry.history');
  const shown = (name: string): string =>
    dialect === undefined ? name : shownName(tools.keys(), dialect, name);
  if (outcome.outcome === 'unknown-tool') return refusedInHistory(call);
  const { tool, interpretation } = outcome;
  const contract = tools.get(tool);
  if (contract === undefined || interpretation.outcome === 'rejected')
    return refusedInHistory({ ...call, name: shown(call.name) });
  const form = dialect === undefined ? undefined : shownForm(contract, dialect);
  return acceptedInHistory(contract, { call, tool, interpretation }, { name: shown(tool), form });
}
