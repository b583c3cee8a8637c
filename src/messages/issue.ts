// No sentence is made here, and none is ever read to decide.
/** One thing that is wrong with a call's arguments. */
export interface Issue {
  /**
   * JSON Schema's keyword (`type`, `required`, `enum`, …), or one of ours: `path`, `misspelt`, `duplicate_key`,
   * `unsafe_number`, `not_json`, `not_sent`, `truncated`, `too_large`, `too_deep`, `invalid_utf8`, `not_plain`, `budget_exceeded`, `check`,
   * `broken_check` (a check that threw: no mistake of the model's), `meta`.
   */
  readonly keyword: string;
  /** JSON Pointer (RFC 6901) of the value that fails; '' is the arguments as a whole. */
  readonly path: string;
  /** The key that is missing, unknown or double, where the issue is about one. */
  readonly key?: string;
  /** What was expected, in words made from the schema: "a list of strings". */
  readonly expected?: string;
  /** What came: its kind and a short excerpt, safe to show; never a secret. */
  readonly received?: string;
  /** The way out: the nearest declared key, the allowed values, the author's own sentence. */
  readonly advice?: string;
}

// That there was one, and an id to look it up by.
/** The keyword of a check that threw, or that answered with a promise. */
export const brokenCheckKeyword = 'broken_check';

/** Whether nothing but the developer's own code stands between the arguments and the tool. */
export const isInternalError = (issues: readonly Issue[]): boolean =>
  issues.length > 0 && issues.every(({ keyword }) => keyword === brokenCheckKeyword);

/** For a tool that was not executed; without an id where nothing is logged. */
export const internalErrorMessage = (tool: string, errorId?: string): string =>
  `${tool} was not executed because of an internal error${errorId === undefined ? '' : ` (error ${errorId})`}.`;

/** A call that has failed in the same way before. */
export interface Repetition {
  /** How often in a row, this time counted: 2 or more. */
  readonly times: number;
  /** From this many on the model is told to stop. */
  readonly limit: number;
}

/** The sentence that says so. */
export const repetitionSentence = ({ times }: Repetition): string =>
  `This is the same call again: it has failed in the same way ${times} times in a row.`;

/** The sentence that ends the message. `listed`: what of the arguments the model reads to be wrong. */
export function closingOfRepetition({ times, limit }: Repetition, listed: 'issues' | 'nothing'): string {
  if (times >= limit)
    return 'Stop trying: do not send this call again. Do it in another way, or say what is missing.';
  return listed === 'issues'
    ? 'Do not send the same arguments again: correct what is listed, then send the whole call.'
    : 'Do not send it unchanged: send other arguments, or do it in another way.';
}
