import type { AcceptedOutcome, InBackground } from '../../outcomes/tool-outcome.ts';
import type { ToolContract } from '../../tool/tool-contract.ts';
import { queueCall } from '../queue-call.ts';
import type { NextStep, RunningCall, ToolSteps } from '../running-call.ts';
import type { StartedCall } from '../started-call.ts';

/**
 * Hands a call over to a worker, or starts it in this process, and answers the caller as soon as it
 * is approved. Other calls pass on to `next`, and so do all calls of tools that never run in the
 * background.
 */
export const startInBackground = (contract: ToolContract, next: NextStep): ToolSteps['start'] =>
  modeOf(contract) === 'never'
    ? next
    : async (call) => {
        // A closed registry refuses the call.
        const isClosed = call.settings.limiter.isClosedTo(undefined);
        if (!isForBackground(call) || isClosed) return next(call);
        const queuedOutcome = call.attempt === 'first' ? await queueCall(call) : undefined;
        return queuedOutcome ?? startHere(call, next);
      };

const modeOf = ({ execution }: ToolContract) => execution?.background ?? 'never';

function isForBackground({ acceptedCall, options }: RunningCall): boolean {
  const { contract, interpretation } = acceptedCall;
  const isWanted = options.background === true || interpretation.meta.background === true;
  return modeOf(contract) === 'always' || isWanted;
}

/**
 * Starts a call and returns its handle as soon as it is approved. A call that needs an approval or
 * was denied doesn't start: its outcome is returned. From then on the signal and the parent of the
 * call no longer end it.
 */
async function startHere(
  call: RunningCall,
  next: NextStep,
): Promise<AcceptedOutcome | InBackground> {
  const { acceptedCall, options, settings } = call;
  const { background, openCalls } = settings;
  const startedCall = background.newCall(acceptedCall, options);
  const { parent: _outer, ...ownOptions } = options;
  const { signal, reports, progress } = startedCall;
  const unlink = linkSignal(options.signal, startedCall);
  const outcome = next({
    ...call,
    options: { ...ownOptions, progress },
    signal,
    background: reports,
    onStart: reports.onStart,
  });
  const first = await Promise.race([startedCall.whenApproved, outcome]);
  unlink();
  if (typeof first !== 'string') return first;
  // A call that the journal knows goes on elsewhere.
  if (first === startedCall.call.handle) background.put(startedCall);
  void openCalls.whileAnswering(async () => {
    const last = await outcome;
    if (last.status === 'input_required') background.suspend(startedCall);
    else if (startedCall.isKnown && last.status === 'limit_exceeded') background.remove(first);
    else startedCall.end(last);
  });
  return background.inBackground(acceptedCall, first);
}

/** Returns a function that removes the listener. */
function linkSignal(signal: AbortSignal | undefined, startedCall: StartedCall): () => void {
  const cancel = (): void => startedCall.abort(signal?.reason);
  if (signal?.aborted === true) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  return () => signal?.removeEventListener('abort', cancel);
}
