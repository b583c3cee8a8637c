// Which outcome is an ending, and what does the model read of it? Never what an exception said, unless its author meant it to.
import { signalTextOf } from '../errors/tool-signals.ts';
import type { ToolContract } from '../contract/tool-contract.ts';
import type { Accepted } from '../interpret/interpretation.ts';
import { newErrorId } from '../errors/error-id.ts';
import { internalErrorMessage } from '../issues/internal-error.ts';
import { checkOutput } from './results/check-output.ts';
import { resultContent } from './results/result-content.ts';
import { partsOf } from './results/tool-result.ts';
import type { Ending } from './run-until-ended.ts';
import type { Cancelled, ExecutedOutcome, Failed } from './tool-outcome.ts';

/** What all outcomes of an accepted call say. */
export interface CallFacts {
  readonly call: ExecutedOutcome['call'];
  readonly tool: string;
  readonly interpretation: Accepted;
  readonly duration: number;
  /** Present: nothing was executed. */
  readonly when?: 'before';
}

/** How a call ended whose tool was to run. */
export function outcomeOf(ending: Ending, facts: CallFacts, contract: ToolContract): ExecutedOutcome {
  if (ending.kind === 'returned') return outcomeOfResult(ending.value, facts, contract);
  if (ending.kind === 'threw') return outcomeOfError(ending.error, facts);
  if (ending.kind === 'timed-out') {
    const { milliseconds: timeLimit, setBy } = ending.limit;
    const asked = setBy === 'model' ? ' that its call asked for' : '';
    const message = `${facts.tool} did not end within its time limit of ${timeLimit} ms${asked} and was told to stop. ${partlyDone}`;
    return Object.freeze({ ...facts, outcome: 'timed-out', timeLimit, setBy, message });
  }
  const { when, reason } = ending;
  const message = `${facts.tool} was cancelled ${whenCancelled[when]}`;
  return hidingCause({ ...facts, outcome: 'cancelled', when, message, cause: reason });
}

const partlyDone = 'Part of its work may be done.';
const whenCancelled = {
  before: 'before it started. Nothing was executed.',
  during: `while it was running. ${partlyDone}`,
};

const subjectOf = ({ tool, when }: CallFacts): string =>
  when === undefined
    ? `${tool} was executed, but its result`
    : `${tool} was not executed, and what stands for its result`;

function outcomeOfResult(returned: unknown, facts: CallFacts, contract: ToolContract): ExecutedOutcome {
  try {
    const parts = partsOf(returned);
    const { value: result, returns = contract.execution?.returns ?? 'to-model' } = parts;
    const content = Object.freeze(resultContent(parts));
    checkOutput(contract, content.structured);
    const artifact = 'artifact' in parts ? { artifact: parts.artifact } : {};
    return Object.freeze({ ...facts, outcome: 'completed', result, content, returns, ...artifact });
  } catch (cause) {
    const errorId = newErrorId();
    const message = `${subjectOf(facts)} can't be shown (error ${errorId}).`;
    return hidingCause({ ...facts, outcome: 'failed', reason: 'result', message, errorId, cause });
  }
}

function outcomeOfError(cause: unknown, facts: CallFacts): ExecutedOutcome {
  const signal = signalTextOf(cause);
  if (signal === undefined) {
    const errorId = newErrorId();
    const message =
      facts.when === undefined
        ? `${facts.tool} failed with an internal error (error ${errorId}).`
        : internalErrorMessage(facts.tool, errorId);
    return hidingCause({ ...facts, outcome: 'failed', reason: 'exception', message, errorId, cause });
  }
  const message = signal.text;
  return signal.kind === 'retry'
    ? Object.freeze({ ...facts, outcome: 'retry', message })
    : hidingCause({ ...facts, outcome: 'failed', reason: 'declared', message, cause });
}

/** Frozen, and with a cause that only who asks for it gets. */
const hidingCause = (outcome: Failed | Cancelled): ExecutedOutcome =>
  Object.freeze(Object.defineProperty(outcome, 'cause', { enumerable: false }));
