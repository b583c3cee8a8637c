// Questions that nobody has answered in time: their calls go on without an answer.
import { defined } from '../collections/objects.ts';
import type { AcceptedOutcome, InBackground } from '../outcomes/tool-outcome.ts';
import type { PendingQuestion } from '../outcomes/question.ts';
import { expireQuestion } from '../run/answer-question.ts';
import { callEntryOf, definitionHasChanged } from '../run/entry-outcome.ts';
import type { CallableTools } from '../run/resolve-approval.ts';
import type { JournalEntry } from '../store/call-store.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';

/** Calls that go on at a time. */
const batch = 50;

/**
 * Lets the calls go on whose questions have expired, and returns their outcomes. Several processes
 * may do it at once: each call goes on in one of them. `contextOf`: the application's values for a
 * call; without them its question stays open.
 */
export async function endExpiredQuestions(
  callable: CallableTools,
  contextOf: (entry: JournalEntry) => ApplicationContext | undefined,
): Promise<readonly (AcceptedOutcome | InBackground)[]> {
  const { settings, tools } = callable;
  if (settings.openCalls.isClosing) return [];
  const entries = await settings.store.expiredQuestions(batch, [...tools.keys()]);
  const outcomes = await Promise.all(
    entries.flatMap((entry) => {
      const context = contextOf(entry);
      const { question } = entry;
      return question === undefined || context === undefined
        ? []
        : [endExpiredQuestion(entry, question, callable, context)];
    }),
  );
  return outcomes.filter((outcome) => outcome !== undefined);
}

/** Undefined if another process was first, and if the call can't go on. */
async function endExpiredQuestion(
  entry: JournalEntry,
  question: PendingQuestion,
  callable: CallableTools,
  context: ApplicationContext,
): Promise<AcceptedOutcome | InBackground | undefined> {
  const { tenant, conversation, turn } = entry;
  const { settings } = callable;
  const expired = await expireQuestion({ question, entry: callEntryOf(entry) }, callable, {
    ...defined({ tenant, conversation, turn }),
    context,
  });
  if (expired === 'changed') {
    const outcome = definitionHasChanged(entry.tool);
    await settings.store.useApproval(question.id, tenant, { kind: 'end', outcome });
    return undefined;
  }
  if (expired.kind !== 'approved') return undefined;
  const { call } = expired;
  return settings.stepsOf(call.contract).start(call);
}
