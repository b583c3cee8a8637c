import { storeOutcome } from '../outcomes/stored-outcome.ts';
import type { ToolOutcome } from '../outcomes/tool-outcome.ts';
import type { CallStore } from '../store/call-store.ts';
import { emitError } from '../telemetry/tool-event.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { definitionDigest, definitionOf } from './call-digests.ts';
import type { ReceivedCall } from './running-call.ts';
import { refusalEntry } from './call-entry.ts';

/** Writes a call that was not accepted, or that a limit of its run refused. Never rejects. */
export async function recordRefusal(
  receivedCall: ReceivedCall,
  outcome: ToolOutcome,
): Promise<void> {
  const { settings, contract, listeners } = receivedCall;
  const { store, recording } = settings;
  if (recording !== 'every_call') return;
  const entry = refusalEntry(receivedCall);
  try {
    await keepDefinition(store, contract);
    const storedOutcome = storeOutcome(outcome, { contract, maxResultChars: store.maxResultChars });
    await store.begin(entry, { state: 'not_run', outcome: storedOutcome });
  } catch (error) {
    emitError(listeners, { tool: entry.tool, callId: entry.callId, errorId: entry.id, error });
  }
}

/** Stores the tool's definition for exports, once for each process. */
export async function keepDefinition(
  store: CallStore,
  contract: ToolContract | undefined,
): Promise<void> {
  if (contract !== undefined)
    await store.define(definitionDigest(contract), definitionOf(contract));
}
