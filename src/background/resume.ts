// Calls whose process ended while they were running: they run again if they may, or wait for a
// person's decision.
import {
  type OptionKinds,
  any,
  callback,
  checkOptions,
  kindWithHint,
  milliseconds,
  oneOf,
  required,
  string,
} from '../options/check-options.ts';
import { type DefinitionError, definitionError } from '../errors/definition-error.ts';
import type { CallStore, JournalEntry } from '../store/call-store.ts';
import { storeOutcome } from '../outcomes/stored-outcome.ts';
import type { AcceptedOutcome, InBackground, ToolOutcome } from '../outcomes/tool-outcome.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { type JsonObject } from '../json/value.ts';
import { repeatIdly } from '../platform/timers.ts';
import { emitError } from '../telemetry/tool-event.ts';
import type { ApplicationContext, ToolContract } from '../tool/tool-contract.ts';
import type { AcceptedCall } from '../run/interpreted-call.ts';
import {
  areComparable,
  argumentsDigest,
  definitionDigest,
  secretsDigest,
} from '../run/call-digests.ts';
import { outcomeOf } from '../run/outcome-of-ending.ts';
import { argumentsKind } from '../run/interceptor.ts';
import type { CallableTools } from '../run/resolve-approval.ts';
import {
  mayRerun,
  leaveAbandoned,
  storedInterpretation,
  outcomeOfEntry,
  outcomeInDoubt,
} from '../run/entry-outcome.ts';
import type { CallSettings } from '../run/running-call.ts';
import { wasClosed, neverRan } from '../run/entry-end.ts';
import { endExpiredQuestions } from './expired-questions.ts';
import { callOfEntry, runHere } from './run-here.ts';

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

/**
 * `done`: the work was done, with this result for the model. `run`: it was not done. `give_up`: the
 * model reads what is known. `by`: who decides, for the journal.
 */
export type DoubtDecision = { readonly by?: string } & (
  | { readonly decision: 'done'; readonly result?: unknown }
  | { readonly decision: 'run'; readonly arguments?: JsonObject }
  | { readonly decision: 'give_up'; readonly message?: string }
);

/** The options of `ToolRegistry.settle`. */
export interface SettleOptions {
  /** The tenant of the call. Default: the one tenant of all calls. */
  readonly tenant?: string;
  /** The application's values, if the call runs again. */
  readonly context?: ApplicationContext;
  /** Called if another decision was first: the outcome is what became of the call by that one. */
  readonly onLate?: () => void;
}

const decisionKind = required(
  kindWithHint(
    oneOf('done', 'run', 'give_up'),
    "write { decision: 'done', result }, { decision: 'run' } or { decision: 'give_up' }",
  ),
);
const by = kindWithHint(string, 'write the name or id of the person');
const decisionKinds = {
  done: { decision: decisionKind, by, result: any },
  run: { decision: decisionKind, by, arguments: argumentsKind },
  give_up: {
    decision: decisionKind,
    by,
    message: kindWithHint(string, 'write what is known, for the model'),
  },
};

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
    endExpiredQuestions(callable, (entry) => contextOf(entry, options, settings)),
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
        const context = contextOf(entry, options, settings);
        if (
          acceptedCall === undefined ||
          context === undefined ||
          !mayRerun(entry, acceptedCall.contract)
        ) {
          const state = await leaveAbandoned(journal, entry, acceptedCall);
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

/**
 * The application's values for a call. If its function throws, the listeners get the exception, and
 * the result is undefined.
 */
export function contextOf(
  entry: JournalEntry,
  { context }: ResumeOptions,
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

/** A call in the background can be checked and cancelled there. */
function rerun(
  entry: JournalEntry,
  acceptedCall: AcceptedCall,
  settings: CallSettings,
  context: ApplicationContext = {},
): Promise<AcceptedOutcome> {
  // A registry that closes leaves the call to another process.
  const isLeftToOthers = (outcome: AcceptedOutcome): boolean =>
    wasClosed(outcome) && (entry.rerun === 'allowed' || neverRan(outcome));
  const call = callOfEntry(entry, acceptedCall, settings, { context, isLeftToOthers });
  const { background = 'never' } = acceptedCall.contract.execution ?? {};
  return background === 'never'
    ? settings.stepsOf(acceptedCall.contract).execute(call)
    : runHere(call, entry, isLeftToOthers);
}

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

/** Ends a call in doubt by a person's decision, once. */
export async function settleCall(
  registry: CallableTools,
  id: string,
  decision: DoubtDecision,
  { tenant = '', context, onLate }: SettleOptions,
): Promise<ToolOutcome> {
  const word: unknown = Reflect.get(Object(decision), 'decision');
  checkOptions(
    where,
    decision,
    word === 'run' || word === 'give_up' ? decisionKinds[word] : decisionKinds.done,
  );
  const { tools, settings } = registry;
  const journal = requireJournal(settings);
  const entry = await journal.entry(id);
  if (entry?.tenant !== tenant)
    throw refused(
      `knows no call ${JSON.stringify(id)} of this tenant`,
      'pass the id of an entry of journal.list',
    );
  const acceptedCall = acceptedCallOf(entry, tools.get(entry.tool));
  if (acceptedCall === undefined)
    throw refused(`has no tool ${entry.tool}`, 'register it, and then settle the call');
  if (decision.decision === 'run') {
    const again = callToRun(registry, acceptedCall, entry, decision.arguments);
    const startedEntry = await journal.start(id, ['in_doubt'], decision.by);
    if (startedEntry !== undefined) return rerun(startedEntry, again, settings, context);
    onLate?.();
    return outcomeNow(journal, acceptedCall, entry);
  }
  const outcome = settledOutcome(acceptedCall, decision);
  const { maxResultChars } = journal;
  const storedOutcome = storeOutcome(outcome, { contract: acceptedCall.contract, maxResultChars });
  const end = { state: 'ended', outcome: storedOutcome, by: decision.by } as const;
  const isEnded = await journal.end(id, end, ['in_doubt']);
  if (isEnded) return outcome;
  onLate?.();
  return outcomeNow(journal, acceptedCall, entry);
}

const where = 'ToolRegistry.settle';
const refused = (what: string, instead: string): DefinitionError =>
  definitionError(where, what, instead);

/**
 * The outcome of a call that is not in doubt any more: another decision was first, or its process
 * was alive.
 */
async function outcomeNow(
  journal: CallStore,
  acceptedCall: AcceptedCall,
  entry: JournalEntry,
): Promise<ToolOutcome> {
  return outcomeOfEntry(acceptedCall, (await journal.settled(entry.id)) ?? entry);
}

/**
 * The stored call, or the one with secrets that were supplied again: it must be the same but for
 * them.
 */
function callToRun(
  { interpret, settings }: CallableTools,
  acceptedCall: AcceptedCall,
  entry: JournalEntry,
  supplied: JsonObject | undefined,
): AcceptedCall {
  if (entry.contract !== definitionDigest(acceptedCall.contract)) {
    throw refused(
      `has another definition of ${entry.tool} than the call was made for`,
      'give the call up, or settle it as done',
    );
  }
  if (supplied === undefined && !entry.hasSecrets) return acceptedCall;
  const instead =
    "pass all arguments of the call, with their secrets: { decision: 'run', arguments }";
  if (supplied === undefined)
    throw refused(
      'was not given the secrets of the call, which the journal does not have',
      instead,
    );
  const interpretedCall = interpret({ ...acceptedCall.call, arguments: supplied });
  if (interpretedCall.status !== 'accepted' || argumentsDigest(interpretedCall) !== entry.digest)
    throw refused('was given other arguments than those of the call', instead);
  const secrets = secretsDigest(interpretedCall, requireJournal(settings));
  // Those of another process can't be compared, unless all have the same secretsKey.
  const differs = secrets !== entry.secrets && areComparable(secrets, entry.secrets);
  if (entry.hasSecrets && differs)
    throw refused('was given other secrets than those of the call', instead);
  return interpretedCall;
}

function settledOutcome(
  acceptedCall: AcceptedCall,
  decision: Exclude<DoubtDecision, { readonly decision: 'run' }>,
): AcceptedOutcome {
  if (decision.decision === 'done') {
    const outcome = outcomeOf({ kind: 'returned', value: decision.result }, acceptedCall, {
      duration: 0,
    });
    if (outcome.status !== 'failed') return outcome;
    throw refused(
      `was given a result that ${acceptedCall.tool} can't have: ${String(outcome.cause)}`,
      "pass a result as the tool's outputSchema declares it, or settle with give_up and a message",
    );
  }
  return outcomeInDoubt(acceptedCall, undefined, decision.message);
}

function requireJournal({ recording, store }: CallSettings): CallStore {
  if (recording === 'every_call') return store;
  const instead = "construct it with journal: await openJournal(…) of 'toolmend/journal'";
  throw definitionError('ToolRegistry', 'has no journal', instead);
}
