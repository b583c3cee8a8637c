import type { AcceptedOutcome } from '../execute/tool-outcome.ts';
import type { JournalEntry } from '../store/call-store.ts';
import { defined } from '../collections/objects.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import { keyed } from '../run/entry-outcome.ts';
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
  accepted: AcceptedCall,
  settings: CallSettings,
  {
    context,
    ...decided
  }: { readonly context: ApplicationContext } & Pick<
    RunningCall,
    'approved' | 'isLeft' | 'isRetried'
  >,
): RunningCall {
  const { tenant, conversation } = entry;
  const options = { ...defined({ tenant, conversation }), context };
  const received = receivedCall(settings, accepted, accepted.contract, options);
  return runningCall(received, accepted, { ...decided, entry: keyed(entry) });
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
  const { accepted, options, settings } = call;
  const { background } = settings;
  const started = background.newCall(accepted, options);
  const { signal, reports, progress } = started;
  reports.onApproved(entry.id);
  background.put(started);
  const outcome = await settings.stepsOf(accepted.contract).execute({
    ...call,
    options: { ...options, progress },
    signal,
    background: reports,
    onStart: reports.onStart,
  });
  if (goesOn(outcome) || outcome.status === 'approval_required')
    background.remove(started.call.handle);
  else started.end(outcome);
  return outcome;
}
