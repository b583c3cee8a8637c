/** Sentences that models read about a call as a whole, so that all outcomes speak alike. */

/** The first line of every message about a call whose tool did not run, and what follows it. */
export const notExecuted = (tool: string, why: string): string => `${tool} was not executed.\n${why}`;

/** `errorId`: what the program's log knows the error by; absent if nothing is logged. */
export const internalErrorMessage = (tool: string, errorId?: string): string =>
  notExecuted(tool, `An internal error occurred${errorId === undefined ? '' : ` (error ${errorId})`}.`);

/** A call that has failed in the same way before. */
export interface Repetition {
  /** How often in a row, this time included: 2 or more. */
  readonly times: number;
  /** From this many times on the model is told to stop. */
  readonly limit: number;
}

export const isOver = ({ times, limit }: Repetition): boolean => times >= limit;

export const repetitionSentence = ({ times }: Repetition): string =>
  `This same call has now failed in the same way ${times} times in a row.`;

/** The last line of a message about a repeated call. `issues`: whether the message lists what is wrong. */
export function repetitionAdvice(repetition: Repetition, issues: 'listed' | 'none'): string {
  if (isOver(repetition))
    return 'Stop trying: do not send this call again. Find another way, or say what is missing.';
  return issues === 'listed'
    ? 'Do not send the same arguments again: correct what is listed above, then send the whole call.'
    : 'Do not send the same arguments again: change them, or find another way.';
}
