// What does the value of a meta argument say? Its own kind of value, or it is wrong; nothing is guessed.
import type { MetaArgument } from '../../contract/tool-contract.ts';
import type { JsonValue } from '../../json/json-value.ts';

/** The value as the meta record has it; null if it is wrong. */
export function metaValueOf({ kind }: MetaArgument, sent: JsonValue): JsonValue {
  if (kind === 'text') return typeof sent === 'string' && sent.trim() !== '' ? sent : null;
  if (kind === 'boolean') return booleanOf(sent);
  const number = typeof sent === 'string' && /^\s*\d+(?:\.0+)?\s*$/.test(sent) ? Number(sent) : sent;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null;
}

/** What would have been right, in words. */
export const expectedOf = ({ kind }: MetaArgument): string => expectation[kind];

const expectation = {
  text: 'text that is not blank',
  'positive-integer': 'a whole number above 0',
  boolean: 'true or false',
} as const;

function booleanOf(sent: JsonValue): boolean | null {
  if (typeof sent === 'boolean') return sent;
  if (typeof sent !== 'string') return null;
  const word = sent.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : null;
}
