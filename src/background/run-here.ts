import type { AcceptedOutcome } from '../outcomes/tool-outcome.ts';
import type { JournalEntry } from '../store/call-store.ts';
import { defined } from '../collections/objects.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import { callEntryOf } from '../run/entry-outcome.ts';
import type { AcceptedCall } from '../run/interpreted-call.ts';
import {
  type CallSettings,
  type RunningCall,
  receivedCall,
  runningCall,
} from '../run/running-call.ts';

/** A call of the journal that runs again, or at last, in this process. */
export function callOfEntry(
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

/**
 * Runs a background call of the journal to its end. `goesOn`: whether the call has not ended by
 * this outcome, for example because it is tried again.
 */
export async function runHere(
  call: RunningCall,
  entry: JournalEntry,
  goesOn: (outcome: AcceptedOutcome) => boolean,
): Promise<AcceptedOutcome> {
  const { acceptedCall, options, settings } = call;
  const { background } = settings;
  const startedCall = background.newCall(acceptedCall, options);
  const { signal, reports, progress } = startedCall;
  reports.onApproved(entry.id);
  background.put(startedCall);
  const outcome = await settings.stepsOf(acceptedCall.contract).execute({
    ...call,
    options: { ...options, progress },
    signal,
    background: reports,
    onStart: reports.onStart,
  });
  const isWaiting = outcome.status === 'approval_required' || outcome.status === 'input_required';
  if (isWaiting) background.suspend(startedCall);
  else if (goesOn(outcome)) background.remove(startedCall.call.handle);
  else startedCall.end(outcome);
  return outcome;
}
