import { booleanInText, membersSpelled, numberInText } from '../read-text.ts';
import { type ValueRule, refuse, replaceWith, skip } from '../repair-rule.ts';

export const enumSpelling: ValueRule = {
  id: 'enum_spelling',
  level: 'value',
  answers: ['type', 'value'],
  sent: ['string'],
  keeps: 'lossy',
  sends:
    'text that is a member but for blanks or quotes around it; else text that equals exactly one member but for case, and blanks, underscores and hyphens inside; a number or boolean member as text',
  becomes: 'the member',
  notWhen:
    'two members fit; synonyms; signs at either end: `-created_at` is not `created_at`; beside a digit separators are exchanged, never left out: `1-0` is not `10`',
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
