import { type AcceptedOutcome, type InBackground, refuse } from '../outcomes/tool-outcome.ts';
import { defined } from '../collections/objects.ts';
import { startLimitOf } from './start-limits.ts';
import { handleOfEntry } from './stored-background.ts';
import { failedBefore } from './outcome-of-ending.ts';
import { wouldRequireApproval } from './open-approval.ts';
import { keepDefinition } from './record-refusal.ts';
import { notifyEnded } from './call-events.ts';
import { outcomeInDoubt, outcomeOfExisting } from './entry-outcome.ts';
import type { RunningCall } from './running-call.ts';
import { entryOf } from './call-entry.ts';

/**
 * Writes a background call and its job in one transaction, for any worker. Returns undefined if the
 * call has to start in this process: without a queue, with secrets, which the journal doesn't keep,
 * and if it needs an approval first. Never rejects.
 */
export async function queueCall(
  call: RunningCall,
): Promise<AcceptedOutcome | InBackground | undefined> {
  const { acceptedCall, settings, tenant, values } = call;
  const { queue, store, approval, background } = settings;
  if (queue === undefined) return undefined;
  const { tool, contract } = acceptedCall;
  try {
    const entry = entryOf(call);
    if (entry.hasSecrets) return undefined;
    if (approval !== undefined && (await wouldRequireApproval(approval, acceptedCall, values)))
      return undefined;
    await queue.prepare(tool);
    await keepDefinition(store, contract);
    const job = { entry: entry.id, tool, tenant: entry.tenant };
    const limit = startLimitOf(acceptedCall, values, tenant, store);
    const begunEntry = await store.begin(entry, {
      state: 'queued',
      // Workers limit how many run.
      limit: limit && { key: limit.key, ...defined({ rate: limit.rate }) },
      isLate: true,
      inTransaction: (database) => queue.send(job, database),
    });
    if (begunEntry.kind === 'limited')
      return notifyEnded(
        call.interpretedCall,
        refuse(acceptedCall, begunEntry.reason),
        call.listeners,
      );
    if (begunEntry.kind === 'unknown') return outcomeInDoubt(acceptedCall, begunEntry.error);
    const existingEntry = begunEntry.kind === 'known' ? begunEntry.entry : undefined;
    const outcome = existingEntry && outcomeOfExisting(acceptedCall, entry, existingEntry);
    return (
      outcome ?? background.inBackground(acceptedCall, handleOfEntry(existingEntry?.id ?? entry.id))
    );
  } catch (error) {
    return failedBefore(acceptedCall, error);
  }
}
