// A person decides about a call that may or may not have done its work.
import {
  any,
  checkOptions,
  kindWithHint,
  oneOfWords,
  required,
  string,
} from '../options/check-options.ts';
import { type DefinitionError, definitionError } from '../errors/definition-error.ts';
import type { JsonObject } from '../json/value.ts';
import { storeOutcome } from '../outcomes/stored-outcome.ts';
import type { AcceptedOutcome, ToolOutcome } from '../outcomes/tool-outcome.ts';
import {
  areComparable,
  argumentsDigest,
  definitionDigest,
  secretsDigest,
} from '../run/call-digests.ts';
import { outcomeInDoubt, outcomeOfEntry } from '../run/entry-outcome.ts';
import type { AcceptedCall } from '../run/interpreted-call.ts';
import { argumentsKind } from '../run/interceptor.ts';
import { outcomeOf } from '../run/outcome-of-ending.ts';
import type { CallableTools } from '../run/resolve-approval.ts';
import type { CallStore, JournalEntry } from '../store/call-store.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import { acceptedCallOf } from './entry-call.ts';
import { requireJournal } from './required-journal.ts';
import { rerun } from './run-here.ts';

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
    oneOfWords('done', 'run', 'give_up'),
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
