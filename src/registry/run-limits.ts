// Limits of an agent run, and of calls that are repeated although they fail.
import { type LimitExceeded, type ToolOutcome, withNotes } from '../execute/tool-outcome.ts';
import { repetitionAdvice, repetitionSentence } from '../messages/call-messages.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import type { CallOptions } from './call-options.ts';
import type { InterpretedCall } from './interpret-call.ts';

/** A call of a known tool, with what counts it. */
export interface CountedCall {
  readonly contract: ToolContract;
  readonly interpreted: Exclude<InterpretedCall, { readonly status: 'unknown_tool' }>;
  readonly options: Pick<CallOptions, 'run' | 'memory'>;
}

/** The limit that keeps a call from running; undefined if none does. */
export function limitReached({
  contract,
  interpreted,
  options,
}: CountedCall): LimitExceeded['reason'] | undefined {
  const { run, memory } = options;
  const reason = run?.refusalOf(contract, interpreted.status);
  if (reason !== undefined || memory === undefined || interpreted.status === 'invalid_arguments')
    return reason;
  const before = memory.endedBefore(contract.name, interpreted.call.arguments);
  return before >= memory.failureLimit ? 'repeated' : undefined;
}

/** Counts a call while it runs, remembers how it ended, and adds a note if it was the last one that a limit allows. */
export async function countCall(
  counted: CountedCall,
  answer: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const { contract, interpreted, options } = counted;
  const { run } = options;
  if (interpreted.status !== 'accepted') return rememberEnd(counted, answer);
  const notes = run?.count(contract) ?? [];
  const outcome = await rememberEnd(counted, answer);
  if (neverStarted(outcome)) run?.giveBack(contract);
  return withNotes(outcome, notes);
}

const neverStarted = (outcome: ToolOutcome): boolean =>
  outcome.status === 'limit_exceeded' || (outcome.status === 'cancelled' && outcome.when === 'before');

/** Remembers how a call ended, and adds a note if the model repeats a failing call. */
export async function rememberEnd(
  counted: CountedCall,
  answer: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const { contract, options } = counted;
  const failuresBefore = options.run?.failuresOf(contract) ?? 0;
  const outcome = await answer();
  const { status } = outcome;
  if (status === 'retry' || status === 'invalid_arguments') {
    options.run?.remember(contract, 'failure', failuresBefore);
  } else if (status === 'completed') options.run?.remember(contract, 'result', failuresBefore);
  return withNotes(outcome, repetitionNotes(counted, outcome));
}

function repetitionNotes({ contract, options }: CountedCall, outcome: ToolOutcome): readonly string[] {
  const { memory } = options;
  if (memory === undefined || outcome.status === 'unknown_tool') return [];
  const times = memory.rememberEnding(contract.name, outcome.call.arguments, failureOf(outcome));
  if (times < 2) return [];
  const repetition = { times, limit: memory.failureLimit };
  const issues = outcome.status === 'invalid_arguments' ? 'listed' : 'none';
  return [`${repetitionSentence(repetition)} ${repetitionAdvice(repetition, issues)}`];
}

/** Identifies a failure of the tool; undefined for other outcomes. */
function failureOf(outcome: ToolOutcome): string | undefined {
  if (outcome.status === 'retry') return `retry: ${outcome.message}`;
  if (outcome.status === 'failed')
    return `failed: ${'errorId' in outcome ? outcome.reason : outcome.message}`;
  return outcome.status === 'timed_out' ? 'timed_out' : undefined;
}
