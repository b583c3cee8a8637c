import type { JsonValue } from '../../json/value.ts';
import { isMember } from '../../schema/keywords.ts';
import { booleanInText, membersSpelled, numberInText } from '../read-text.ts';
import { type ValueRule, refuse, replaceWith, skip } from '../repair-rule.ts';

/**
 * Models send text that is a member but for blanks or quotes around it; else text that equals
 * exactly one member but for case, and blanks, underscores and hyphens inside; a number or boolean
 * member as text.
 * Becomes the member.
 * Not when: two members fit; synonyms; signs at either end: `-created_at` is not `created_at`;
 * beside a digit separators are exchanged, never left out: `1-0` is not `10`.
 */
export const enumSpelling: ValueRule = {
  id: 'enum_spelling',
  level: 'value',
  answers: ['type', 'value'],
  sentTypes: ['string'],
  keeps: 'lossy',
  plainReading(text, { members = [] }) {
    const [only, second] = meantMembers(text, members);
    return second === undefined ? only : undefined;
  },
  propose({ value, view: { members } }) {
    if (typeof value !== 'string' || members === undefined) return skip;
    const [only, second] = meantMembers(value, members);
    return second === undefined ? replaceWith(only) : refuse;
  },
};

function meantMembers(text: string, members: readonly JsonValue[]): readonly JsonValue[] {
  const read = [numberInText(text), booleanInText(text)].filter((other) => other !== undefined);
  const others = read.filter((other) => isMember(members, other));
  return [...new Set([...others, ...membersSpelled(text, members)])];
}
