// Runs a call of the journal in this process.
import type { AcceptedOutcome } from '../outcomes/tool-outcome.ts';
import type { JournalEntry } from '../store/call-store.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import { neverRan, wasClosed } from '../run/entry-end.ts';
import type { AcceptedCall } from '../run/interpreted-call.ts';
import type { CallSettings, RunningCall } from '../run/running-call.ts';
import { runningCallOf } from './entry-call.ts';

/** Runs a call again. A call in the background can be checked and cancelled there. */
export function rerun(
  entry: JournalEntry,
  acceptedCall: AcceptedCall,
  settings: CallSettings,
  context: ApplicationContext = {},
): Promise<AcceptedOutcome> {
  // A registry that closes leaves the call to another process.
  const isLeftToOthers = (outcome: AcceptedOutcome): boolean =>
    wasClosed(outcome) && (entry.rerun === 'allowed' || neverRan(outcome));
  const call = runningCallOf(entry, acceptedCall, settings, { context, isLeftToOthers });
  const { background = 'never' } = acceptedCall.contract.execution ?? {};
  return background === 'never'
    ? settings.stepsOf(acceptedCall.contract).execute(call)
    : runHere(call, entry, isLeftToOthers);
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
