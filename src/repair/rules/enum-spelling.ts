import { booleanInText, normalizeMember, numberInText } from '../read-text.ts';
import { type ValueRule, refuse, replaceWith, skip } from '../repair-rule.ts';

export const enumSpelling: ValueRule = {
  id: 'enum_spelling',
  level: 'value',
  answers: ['type', 'value'],
  sent: ['string'],
  keeps: 'lossy',
  sends:
    'text that equals exactly one member but for case, blanks, underscores, hyphens, or quotes around it; a number or boolean member as text',
  becomes: 'the member',
  notWhen:
    'two members fit; synonyms; beside a digit separators are exchanged, never left out: `1-0` is not `10`',
  propose({ value, view: { members } }) {
    if (typeof value !== 'string' || members === undefined) return skip;
    const normalized = normalizeMember(value);
    // Separators alone spell nothing.
    if (normalized === '') return skip;
    const number = numberInText(value);
    const boolean = booleanInText(value);
    const [only, ...others] = members.filter(
      (member) =>
        member === number ||
        member === boolean ||
        (typeof member === 'string' && normalizeMember(member) === normalized),
    );
    if (only === undefined) return skip;
    return others.length === 0 ? replaceWith(only) : refuse;
  },
};
