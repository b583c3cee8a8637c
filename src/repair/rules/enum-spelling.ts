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
  keeps: 'lossy',
  propose({ value, view: { members } }) {
    if (typeof value !== 'string' || members === undefined) return skip;
    const read = [numberInText(value), booleanInText(value)];
    const others = read.filter((other) => other !== undefined && isMember(members, other));
    const [only, second] = [...new Set([...others, ...membersSpelled(value, members)])];
    return second === undefined ? replaceWith(only) : refuse;
  },
};
