// Has a model sent the same call again, and what should it be told then?

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
