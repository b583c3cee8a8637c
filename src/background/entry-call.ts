// From an entry of the journal to a call that this process runs.
import type { ToolCall } from '../interpret/tool-call.ts';
import type { JournalEntry } from '../store/call-store.ts';
import { defined } from '../collections/objects.ts';
import { emitError } from '../telemetry/tool-event.ts';
import type { ApplicationContext, ToolContract } from '../tool/tool-contract.ts';
import { callEntryOf, storedInterpretation } from '../run/entry-outcome.ts';
import type { AcceptedCall } from '../run/interpreted-call.ts';
import {
  type CallSettings,
  type RunningCall,
  receivedCall,
  runningCall,
} from '../run/running-call.ts';

/**
 * The call as it was interpreted, which passes the interceptors again; undefined if its tool is
 * gone.
 */
export function acceptedCallOf(
  entry: JournalEntry,
  contract: ToolContract | undefined,
): AcceptedCall | undefined {
  const {
    call: edited,
    interpreted: record = edited,
    sent: sentArguments,
    callId: id,
    tool,
  } = entry;
  if (contract === undefined || record === undefined) return undefined;
  const { requested: name = tool, model, finishReason } = record;
  const modelFacts = {
    ...(model === undefined ? {} : { model }),
    ...(finishReason === undefined ? {} : { finishReason }),
  };
  const call: ToolCall = Object.freeze({
    id,
    name,
    arguments: sentArguments ?? record.arguments,
    ...modelFacts,
  });
  return Object.freeze({
    status: 'accepted',
    call,
    tool,
    contract,
    interpretation: storedInterpretation(record, contract),
  });
}

/**
 * The application's values for a call. If its function throws, the listeners get the exception, and
 * the result is undefined.
 */
export function contextOf(
  entry: JournalEntry,
  context: ((entry: JournalEntry) => ApplicationContext) | undefined,
  { listeners }: CallSettings,
): ApplicationContext | undefined {
  try {
    return context?.(entry) ?? {};
  } catch (error) {
    const { id: errorId, tool, callId } = entry;
    emitError(listeners, Object.freeze({ tool, callId, errorId, error }));
    return undefined;
  }
}

/** A call of the journal that runs again, or at last, in this process. */
export function runningCallOf(
  entry: JournalEntry,
  acceptedCall: AcceptedCall,
  settings: CallSettings,
  {
    context,
    ...decision
  }: { readonly context: ApplicationContext } & Pick<
    RunningCall,
    'approvedDigest' | 'isLeftToOthers' | 'isRetried'
  >,
): RunningCall {
  const { tenant, conversation } = entry;
  const options = { ...defined({ tenant, conversation }), context };
  const received = receivedCall(settings, acceptedCall, acceptedCall.contract, options);
  return runningCall(received, acceptedCall, { ...decision, entry: callEntryOf(entry) });
}
