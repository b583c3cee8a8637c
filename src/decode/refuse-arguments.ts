// What is said of arguments that hold no object? One issue, about the call as a whole.
import type { Issue } from '../issues/issue.ts';
import type { RepeatedKey, Unreadable } from '../json/reader/reading.ts';
import type { TextEnd } from './text-rule.ts';
import { type ReadText, whyNoJson } from './why-no-json.ts';

export interface Refused {
  readonly kind: 'refused';
  readonly issue: Issue;
}

export const refuse = (keyword: string, facts: Partial<Issue>): Refused => ({
  kind: 'refused',
  issue: { keyword, path: '', ...facts },
});

/** The provider says that the answer ended too early. */
export const refuseCut = (): Refused =>
  refuse('truncated', { advice: 'send less at once if they are too long' });

export const refuseRepeated = (repeated: RepeatedKey | undefined): Refused =>
  refuse('duplicate_key', repeated === undefined ? {} : { path: repeated.path, key: repeated.key });

/** A number or a word of JSON's that goes on. */
const unfinishedWord = /^(?:-|-?\d+(?:\.|(?:\.\d+)?[eE][+-]?)|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/;

/** `reading`: of the whole text, by the rules of JSON. */
export function refuseReading(
  text: string,
  reading: Unreadable,
  facts: ReadText & { readonly end: TextEnd },
): Refused {
  const { reason, repeated } = reading;
  const { end, limits } = facts;
  if (reason === 'too_deep') return refuse('too_deep', { expected: `at most ${limits.depth} levels` });
  if (reason === 'duplicate_key') return refuseRepeated(repeated);
  // Nothing came, and nobody says that there was more.
  if (end !== 'cut' && text.trim() === '') return refuse('not_sent', {});
  if (end === 'cut') return refuseCut();
  if (reason === 'cut' || unfinishedWord.test(text.slice(reading.at)))
    return refuse('truncated', { advice: 'close every text, list and object' });
  return refuse('not_json', { advice: whyNoJson(text, reading, facts) });
}
