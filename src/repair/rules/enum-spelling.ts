import { isMember } from '../../schema/keywords.ts';
import { booleanInText, membersSpelled, numberInText } from '../read-text.ts';
import { type ValueRule, refuse, replaceWith, skip } from '../repair-rule.ts';

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
