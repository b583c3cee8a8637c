import { isNullWord, spellsMember } from '../read-text.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

export const nullWord: ValueRule = {
  id: 'null_word',
  level: 'value',
  answers: ['type', 'value'],
  declared: ['null'],
  keeps: 'lossless',
  propose: ({ value, view }) =>
    isNullWord(value) && !spellsMember(value, view.members) ? replaceWith(null) : skip,
};
