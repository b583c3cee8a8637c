// Calls whose process ended while they were running: they run again if they may, or wait for a
// person's decision.
import {
  type OptionKinds,
  callback,
  checkOptions,
  milliseconds,
} from '../options/check-options.ts';
import type { JournalEntry } from '../store/call-store.ts';
import type { AcceptedOutcome, InBackground } from '../outcomes/tool-outcome.ts';
import { repeatIdly } from '../platform/timers.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import { definitionDigest } from '../run/call-digests.ts';
import type { CallableTools } from '../run/resolve-approval.ts';
import { mayRerun, settleAbandoned } from '../run/entry-outcome.ts';
import { acceptedCallOf, contextOf } from './entry-call.ts';
import { endExpiredQuestions } from './expired-questions.ts';
import { requireJournal } from './required-journal.ts';
import { rerun } from './run-here.ts';

/** The options of `ToolRegistry.resume`. */
export interface ResumeOptions {
  /**
   * The application's values for a call that runs again: the journal doesn't have them. Default:
   * those of the registry.
   */
  readonly context?: (entry: JournalEntry) => ApplicationContext;
}

const resumeKinds: OptionKinds<ResumeOptions> = {
  context: callback('write a function that returns the values of a call, (entry) => …'),
};

/** The options of `ToolRegistry.resumeRegularly`. */
export interface RegularResumeOptions extends ResumeOptions {
  /** Milliseconds between looks. Default: 15,000. */
  readonly everyMs?: number;
}

const regularKinds: OptionKinds<RegularResumeOptions> = {
  ...resumeKinds,
  everyMs: milliseconds,
};

/** What became of the calls that their processes had left. */
export interface ResumeReport {
  /** The outcomes of the calls that ran again, and of those whose questions have expired. */
  readonly outcomes: readonly (AcceptedOutcome | InBackground)[];
  /** Calls that a person must decide about, with `ToolRegistry.settle`. */
  readonly inDoubt: readonly JournalEntry[];
}

/** Calls that are taken over at a time. */
const batch = 50;

export async function resumeCalls(
  callable: CallableTools,
  options: ResumeOptions,
): Promise<ResumeReport> {
  checkOptions('ToolRegistry.resume', options, resumeKinds);
  const { settings } = callable;
  requireJournal(settings);
  const [abandoned, expired] = await Promise.all([
    resumeAbandoned(callable, options),
    endExpiredQuestions(callable, (entry) => contextOf(entry, options.context, settings)),
  ]);
  return Object.freeze({ ...abandoned, outcomes: [...abandoned.outcomes, ...expired] });
}

async function resumeAbandoned(
  { tools, settings }: CallableTools,
  options: ResumeOptions,
): Promise<ResumeReport> {
  const journal = settings.store;
  const outcomes: AcceptedOutcome[] = [];
  const inDoubt: JournalEntry[] = [];
  const definitions = [...tools.values()].map(definitionDigest);
  const which = { definitions, tools: [...tools.keys()] };
  for (;;) {
    // A closed registry would refuse them.
    const isClosed = settings.limiter.isClosedTo(undefined);
    const entries = isClosed ? [] : await journal.takeAbandoned(batch, which);
    if (entries.length === 0) return { outcomes, inDoubt };
    const resumed = await Promise.all(
      entries.map(async (entry) => {
        const acceptedCall = acceptedCallOf(entry, tools.get(entry.tool));
        const context = contextOf(entry, options.context, settings);
        if (
          acceptedCall === undefined ||
          context === undefined ||
          !mayRerun(entry, acceptedCall.contract)
        ) {
          const state = await settleAbandoned(journal, entry, acceptedCall);
          if (state === 'in_doubt' && entry.outcome === undefined)
            inDoubt.push(Object.freeze({ ...entry, state }));
          return undefined;
        }
        await journal.start(entry.id, ['running']);
        return rerun(entry, acceptedCall, settings, context);
      }),
    );
    outcomes.push(...resumed.filter((outcome) => outcome !== undefined));
  }
}

/**
 * Returns a function that ends the looks. An error is that of the database; the next look follows.
 */
export function resumeRegularly(tools: CallableTools, options: RegularResumeOptions): () => void {
  checkOptions('ToolRegistry.resumeRegularly', options, regularKinds);
  requireJournal(tools.settings);
  const { everyMs = 15_000, ...again } = options;
  const { openCalls } = tools.settings;
  const look = (): void =>
    void openCalls.whileAnswering(() => resumeCalls(tools, again)).catch(() => undefined);
  look();
  return repeatIdly(look, everyMs);
}
