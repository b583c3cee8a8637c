// May text stand for the member it spells? Models change case and separators of enum members, and quote numbers.
// Leaves alone: text that spells two members, and synonyms.
import { foldMember } from '../reading/fold-member.ts';
import { refused, replaceBy, silent, type ValueRule } from '../repair-rule.ts';

export const enumSpelling: ValueRule = {
  id: 'enum_spelling',
  level: 'value',
  answers: ['type', 'value'],
  keeps: 'lossy',
  sends:
    'text that equals exactly one member but for case, blanks, underscores, hyphens, or quotes around it; a number or boolean member as text',
  becomes: 'the member',
  notWhen:
    'two members fit; synonyms; beside a digit separators are exchanged, never left out: `1-0` is not `10`',
  propose({ value, view: { members } }) {
    if (typeof value !== 'string' || members === undefined) return silent;
    const folded = foldMember(value);
    // Text of separators alone spells nothing.
    if (folded === '' || folded === '-') return silent;
    const fitting = members.filter((member) =>
      typeof member === 'string' ? foldMember(member) === folded : JSON.stringify(member) === value.trim(),
    );
    const [only, ...others] = fitting;
    if (only === undefined || typeof only === 'object') return silent;
    return others.length === 0 ? replaceBy(only) : refused;
  },
};
