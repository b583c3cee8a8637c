import { newErrorId, signalTextOf, type ToolmendError } from '../errors/errors.ts';
import { type ExecutedOutcome, hidingCause } from '../outcomes/tool-outcome.ts';
import { checkOutput, partsOf, resultContent } from '../outcomes/tool-result.ts';
import type { AcceptedToolCall } from '../interpret/records.ts';
import {
  commitUnknown,
  internalErrorMessage,
  notExecuted,
  whyNotExecuted,
} from '../messages/call-messages.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import type { Ending } from './run-until-ended.ts';

/** A call and the contract of its tool. */
interface CallOfTool extends AcceptedToolCall {
  readonly contract: ToolContract;
}

interface EndedFacts extends AcceptedToolCall {
  readonly duration: number;
  /** Present: nothing was executed. */
  readonly when?: 'before';
}

const notStarted = { duration: 0, when: 'before' } as const;

/**
 * The outcome of a call by how its run ended. The text of an exception reaches the model only from
 * ToolRetry and ToolFailure.
 */
export function outcomeOf(
  ending: Ending,
  { call, tool, interpretation, contract }: CallOfTool,
  run: Pick<EndedFacts, 'duration' | 'when'> = notStarted,
): ExecutedOutcome {
  const facts = { call, tool, interpretation, ...run };
  if (ending.kind === 'returned') return outcomeOfResult(ending.value, facts, contract);
  if (ending.kind === 'threw') return outcomeOfError(ending.error, facts);
  const isUndone = contract.execution?.transactional === true;
  const stateOfWork = isUndone ? 'Its work was undone.' : 'Part of its work may be done.';
  if (ending.kind === 'timed_out') {
    const { milliseconds: timeoutMs, setBy } = ending.limit;
    const requester = setBy === 'model' ? ', which the call asked for,' : '';
    const message = `${tool} did not finish within its time limit of ${timeoutMs} ms${requester} and was told to stop. ${stateOfWork}`;
    return Object.freeze({ ...facts, status: 'timed_out', timeoutMs, setBy, message });
  }
  const { when, reason } = ending;
  const message =
    when === 'before'
      ? notExecuted(tool, whyNotExecuted.cancelled)
      : `${tool} was cancelled while it was running. ${stateOfWork}`;
  return hidingCause({ ...facts, status: 'cancelled', when, message, cause: reason });
}

export const failedBefore = (acceptedCall: CallOfTool, error: unknown): ExecutedOutcome =>
  outcomeOf({ kind: 'threw', error }, acceptedCall);

export const cancelledBefore = (acceptedCall: CallOfTool, reason: unknown): ExecutedOutcome =>
  outcomeOf({ kind: 'cancelled', when: 'before', reason }, acceptedCall);

function outcomeOfResult(
  returnedValue: unknown,
  facts: EndedFacts,
  contract: ToolContract,
): ExecutedOutcome {
  try {
    const parts = partsOf(returnedValue);
    const { value: result, returnDirect = contract.execution?.returnDirect ?? false } = parts;
    const content = Object.freeze(resultContent(parts));
    checkOutput(contract, content.structured);
    const artifact = 'artifact' in parts ? { artifact: parts.artifact } : {};
    return Object.freeze({
      ...facts,
      status: 'completed',
      result,
      content,
      returnDirect,
      ...artifact,
    });
  } catch (cause) {
    const errorId = newErrorId();
    const { tool, when } = facts;
    const message =
      when === undefined
        ? `${tool} was ${contract.execution?.transactional === true ? 'undone, because' : 'executed, but'} its result cannot be shown (error ${errorId}).`
        : notExecuted(
            tool,
            `The result that was given in its place cannot be shown (error ${errorId}).`,
          );
    return hidingCause({ ...facts, status: 'failed', reason: 'result', message, errorId, cause });
  }
}

function outcomeOfError(cause: unknown, facts: EndedFacts): ExecutedOutcome {
  const signal = signalTextOf(cause);
  if (signal === undefined) {
    const errorId = newErrorId();
    const message =
      facts.when === undefined
        ? `${facts.tool} failed with an internal error (error ${errorId}).`
        : internalErrorMessage(facts.tool, errorId);
    return hidingCause({
      ...facts,
      status: 'failed',
      reason: 'exception',
      message,
      errorId,
      cause,
    });
  }
  const message = signal.text;
  return signal.kind === 'retry'
    ? Object.freeze({ ...facts, status: 'retry', message })
    : hidingCause({ ...facts, status: 'failed', reason: 'declared', message, cause });
}

/** The outcome of a transactional call of which nobody knows whether it was committed. */
export function commitFailed(
  { call, tool, interpretation }: AcceptedToolCall,
  cause: ToolmendError,
): ExecutedOutcome {
  const facts = { call, tool, interpretation, duration: 0, message: commitUnknown(tool), cause };
  return hidingCause({ ...facts, status: 'failed', reason: 'in_doubt' });
}
