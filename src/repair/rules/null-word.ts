import { isNullWord, spellsMember } from '../read-text.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

export const nullWord: ValueRule = {
  id: 'null_word',
  level: 'value',
  answers: ['type', 'value'],
  sent: ['string'],
  declared: ['null'],
  keeps: 'lossless',
  sends: 'the words null, None, undefined (trimmed), if null is allowed and the string is not',
  becomes: 'null',
  notWhen: 'the string is valid there, or spells a member',
  propose({ value, view }) {
    return typeof value === 'string' && isNullWord(value) && !spellsMember(value, view.members)
      ? replaceWith(null)
      : skip;
  },
};
