// The limits of an agent run, and of calls that are repeated although they fail.
import {
  type LimitExceeded,
  type ToolOutcome,
  refuse,
  withNotes,
} from '../../outcomes/tool-outcome.ts';
import { repetitionAdvice, repetitionSentence } from '../../messages/call-messages.ts';
import type { ToolContract } from '../../tool/tool-contract.ts';
import { defined } from '../../collections/objects.ts';
import { repairsOf } from '../call-events.ts';
import type { CallOptions } from '../call-options.ts';
import type { InterpretedCall } from '../interpreted-call.ts';
import { recordRefusal } from '../record-refusal.ts';
import type { ReceivedCall, Step } from '../running-call.ts';
import type { ToolRun } from '../tool-run.ts';
import { announceEnd } from './announce.ts';

type FoundCall = Exclude<InterpretedCall, { readonly status: 'unknown_tool' }>;

/**
 * Counts the call while it runs, remembers how it ended, and adds a note if it was the last one
 * that a limit allows.
 */
export const count: Step<ToolOutcome> = { run: (call, next) => countCall(call, next) };

/** Also for calls that are not accepted: they count as failures. */
export function countCall<Call extends ReceivedCall>(
  call: Call,
  next: (call: Call) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  return call.options.run === undefined
    ? limitCall(call, next)
    : addToRun(call, call.options.run, () => limitCall(call, next));
}

/** The counts of the run have the call when it has ended. */
async function addToRun(
  { interpretedCall, contract, options, settings }: ReceivedCall,
  run: ToolRun,
  answer: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const isRetry = contract !== undefined && run.failuresOf(contract) > 0;
  const outcome = await answer();
  const rules =
    interpretedCall.status === 'accepted' ? repairsOf(interpretedCall).map(({ rule }) => rule) : [];
  const isRejected = outcome.status === 'invalid_arguments' || outcome.status === 'unknown_tool';
  const acceptedInput = rules.length === 0 ? 'unchanged' : 'repaired';
  const input = isRejected ? 'rejected' : acceptedInput;
  const { tenant, conversation } = options;
  run.add(
    { input, outcome: outcome.status, rules: isRejected ? [] : rules, isRetry },
    defined({ tenant, conversation }),
    settings.listeners,
  );
  return outcome;
}

function limitCall<Call extends ReceivedCall>(
  call: Call,
  next: (call: Call) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const { interpretedCall, contract, options } = call;
  const isCounted = options.run !== undefined || options.memory !== undefined;
  if (!isCounted || interpretedCall.status === 'unknown_tool' || contract === undefined)
    return next(call);
  const reason = limitReached(contract, interpretedCall, options);
  if (reason !== undefined) return refuseCounted(call, refuse(interpretedCall, reason));
  const answer = (): Promise<ToolOutcome> => next(call);
  return interpretedCall.status === 'accepted'
    ? countRun(contract, options, answer)
    : rememberEnd(contract, options, answer);
}

async function refuseCounted(call: ReceivedCall, refusal: LimitExceeded): Promise<ToolOutcome> {
  await recordRefusal(call, refusal);
  return announceEnd(call, refusal);
}

function limitReached(
  contract: ToolContract,
  { status, call }: FoundCall,
  { run, memory }: CallOptions,
): LimitExceeded['reason'] | undefined {
  const reason = run?.refusalOf(contract, status);
  if (reason !== undefined || memory === undefined || status === 'invalid_arguments') return reason;
  const failureCount = memory.endedBefore(contract.name, call.arguments);
  return failureCount >= memory.failureLimit ? 'repeated' : undefined;
}

async function countRun(
  contract: ToolContract,
  options: CallOptions,
  answer: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const { run } = options;
  const notes = run?.count(contract) ?? [];
  const outcome = await rememberEnd(contract, options, answer);
  if (neverStarted(outcome)) run?.giveBack(contract);
  return withNotes(outcome, notes);
}

const neverStarted = (outcome: ToolOutcome): boolean =>
  outcome.status === 'limit_exceeded' ||
  (outcome.status === 'cancelled' && outcome.when === 'before');

/** Remembers how a call ended, and adds a note if the model repeats a failing call. */
export async function rememberEnd(
  contract: ToolContract,
  options: CallOptions,
  answer: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const failuresBefore = options.run?.failuresOf(contract) ?? 0;
  const outcome = await answer();
  const { status } = outcome;
  if (status === 'retry' || status === 'invalid_arguments') {
    options.run?.remember(contract, 'failure', failuresBefore);
  } else if (status === 'completed') {
    options.run?.remember(contract, 'result', failuresBefore);
    options.run?.rememberUndo(contract, outcome, options);
  }
  return withNotes(outcome, repetitionNotes(contract, options, outcome));
}

function repetitionNotes(
  contract: ToolContract,
  { memory }: CallOptions,
  outcome: ToolOutcome,
): readonly string[] {
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
