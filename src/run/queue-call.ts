import type { JobQueue } from '../store/job-queue.ts';
import type { Journal } from '../store/journal.ts';
import { type AcceptedOutcome, type InBackground, refuse } from '../execute/tool-outcome.ts';
import { defined } from '../collections/objects.ts';
import type { ToolListener } from '../telemetry/tool-event.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import { type ApprovalSettings, wouldRequireApproval } from './approve.ts';
import type { BackgroundCalls } from './background-calls.ts';
import { notifyEnded } from './call-events.ts';
import { startLimitOf } from './start-limits.ts';
import { type CallOptions, mergeContext } from './call-options.ts';
import type { AcceptedCall } from './interpreted-call.ts';
import { outcomeInDoubt, keepDefinition, outcomeOfKnown } from './journal-call.ts';
import { entryOf } from './journal-entry.ts';
import { handleOfEntry } from './journaled-background.ts';
import { failedBefore } from './outcome-of-ending.ts';

export interface QueueSettings {
  readonly queue: JobQueue | undefined;
  readonly journal: Journal | undefined;
  readonly approval: ApprovalSettings | undefined;
  readonly background: BackgroundCalls;
  readonly context: ApplicationContext;
  readonly listeners: readonly ToolListener[];
}

/**
 * Writes a background call and its job in one transaction, for any worker. Returns undefined if the
 * call has to start in this process: without a queue, with secrets, which the journal doesn't keep,
 * and if it needs an approval first. Never rejects.
 */
export async function queueCall(
  accepted: AcceptedCall,
  options: CallOptions,
  { queue, journal, approval, background, context, listeners }: QueueSettings,
): Promise<AcceptedOutcome | InBackground | undefined> {
  if (queue === undefined || journal === undefined) return undefined;
  const { tool, contract } = accepted;
  try {
    const values = mergeContext(context, options.context);
    const entry = entryOf(accepted, options, { journal, values });
    if (entry.hasSecrets) return undefined;
    if (approval !== undefined && (await wouldRequireApproval(approval, accepted, values)))
      return undefined;
    await queue.prepare(tool);
    await keepDefinition(journal, contract);
    const job = { entry: entry.id, tool, tenant: entry.tenant };
    const limit = startLimitOf(accepted, values, options.tenant, journal);
    const begun = await journal.begin(entry, {
      state: 'queued',
      // Workers limit how many run.
      limit: limit && { key: limit.key, ...defined({ rate: limit.rate }) },
      isLate: true,
      inTransaction: (database) => queue.send(job, database),
    });
    if (begun.kind === 'limited')
      return notifyEnded(accepted, refuse(accepted, begun.reason), listeners);
    if (begun.kind === 'unknown') return outcomeInDoubt(accepted, begun.error);
    const known = begun.kind === 'known' ? begun.entry : undefined;
    const outcome = known && outcomeOfKnown(accepted, entry, known);
    return outcome ?? background.inBackground(accepted, handleOfEntry(known?.id ?? entry.id));
  } catch (error) {
    return failedBefore(accepted, error);
  }
}
