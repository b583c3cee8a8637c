// The calls that undo a run, from what the journal has of it: also if its process has died.
import { acceptedCallOf } from '../background/entry-call.ts';
import { definitionError } from '../errors/definition-error.ts';
import { ToolmendError } from '../errors/errors.ts';
import { quote } from '../json/preview.ts';
import { outcomeOfEntry } from '../run/entry-outcome.ts';
import type { CallSettings } from '../run/running-call.ts';
import { type UndoOffer, undoOffer } from '../run/tool-run.ts';
import type { CallStore, JournalEntry, JournalQuery } from '../store/call-store.ts';
import type { ToolContract } from '../tool/tool-contract.ts';

/**
 * The calls that undo the completed calls of a run, the last one first. `run`: the id of its
 * `ToolRun`. Rejects with what `undo` of a tool throws.
 */
export async function undoCallsOfRun(
  run: string,
  tools: ReadonlyMap<string, ToolContract>,
  { store, recording }: Pick<CallSettings, 'store' | 'recording'>,
  { tenant = '' }: { readonly tenant?: string },
): Promise<readonly UndoOffer[]> {
  if (recording !== 'every_call') {
    const what = `was given the id of a run, ${quote(run)}, without a journal`;
    throw definitionError('ToolRegistry.undo', what, 'pass the ToolRun');
  }
  const entries = await allEntries(store, { run, tenant, state: 'ended' });
  return entries
    .toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt))
    .flatMap((entry) => undoOfEntry(run, entry, tools.get(entry.tool)) ?? []);
}

function undoOfEntry(
  run: string,
  entry: JournalEntry,
  contract: ToolContract | undefined,
): UndoOffer | undefined {
  if (contract?.execution?.undo === undefined) return undefined;
  const acceptedCall = acceptedCallOf(entry, contract);
  const outcome = acceptedCall && outcomeOfEntry(acceptedCall, entry);
  if (outcome?.status !== 'completed') return undefined;
  if (entry.hasSecrets) {
    const what = `${entry.tool} (call ${quote(entry.callId)}) has secret arguments`;
    throw new ToolmendError(
      'undo-secrets',
      `${what}, which the journal does not have: undo this call yourself, or pass the ToolRun.`,
    );
  }
  const { conversation, turn } = entry;
  return undoOffer(contract, outcome, { run, conversation, turn });
}

/** The newest first. */
async function allEntries(
  store: CallStore,
  query: JournalQuery,
  before: readonly JournalEntry[] = [],
): Promise<readonly JournalEntry[]> {
  const last = before.at(-1);
  const page = await store.list(last === undefined ? query : { ...query, before: last.id });
  return page.length === 0 ? before : allEntries(store, query, [...before, ...page]);
}
