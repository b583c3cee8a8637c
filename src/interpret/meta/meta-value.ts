// What does the value of a standard meta argument say? Its own kind of value, or it is wrong; nothing is guessed.
import type { MetaArgument } from '../../contract/tool-contract.ts';
import { excerptOf } from '../../issues/excerpt.ts';
import type { Issue } from '../../issues/issue.ts';
import type { JsonValue } from '../../json/json-value.ts';

export type StandardKind = Exclude<MetaArgument['kind'], 'schema'>;

/** The value as the meta record has it; null if it is wrong. */
export function metaValueOf(kind: StandardKind, sent: JsonValue): JsonValue {
  if (kind === 'text') return typeof sent === 'string' && sent.trim() !== '' ? sent : null;
  if (kind === 'boolean') return booleanOf(sent);
  const number = typeof sent === 'string' && /^\s*\d+(?:\.0+)?\s*$/.test(sent) ? Number(sent) : sent;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null;
}

/** What would be right, in words. */
export const expectedOf = (kind: StandardKind): string => expectation[kind];

/** The same, and what came. */
export const expectedInstead = (
  kind: StandardKind,
  value: JsonValue,
): Pick<Issue, 'expected' | 'received'> => ({
  expected: expectedOf(kind),
  received: excerptOf(value),
});

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
