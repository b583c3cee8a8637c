import { isNullWord, spellsMember } from '../read-text.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

export const nullWord: ValueRule = {
  id: 'null_word',
  level: 'value',
  answers: ['type', 'value'],
  sent: ['string'],
  declared: ['null'],
  keeps: 'lossless',
  propose({ value, view }) {
    return typeof value === 'string' && isNullWord(value) && !spellsMember(value, view.members)
      ? replaceWith(null)
      : skip;
  },
};
