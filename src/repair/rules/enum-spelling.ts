import { booleanInText, membersSpelled, numberInText } from '../read-text.ts';
import { type ValueRule, refuse, replaceWith, skip } from '../repair-rule.ts';

export const enumSpelling: ValueRule = {
  id: 'enum_spelling',
  level: 'value',
  answers: ['type', 'value'],
  sent: ['string'],
  keeps: 'lossy',
  propose({ value, view: { members } }) {
    if (typeof value !== 'string' || members === undefined) return skip;
    const others = [numberInText(value), booleanInText(value)].filter(
      (read) => read !== undefined && members.includes(read),
    );
    const [only, second] = [...new Set([...others, ...membersSpelled(value, members)])];
    if (only === undefined) return skip;
    return second === undefined ? replaceWith(only) : refuse;
  },
};
