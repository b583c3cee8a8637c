import { isNullWord, mayBeMember } from '../read-text.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

export const nullWord: ValueRule = {
  id: 'null_word',
  level: 'value',
  answers: ['type', 'value'],
  declared: ['null'],
  keeps: 'lossless',
  propose: (context) =>
    isNullWord(context.value) && !mayBeMember(context, context.place, context.value)
      ? replaceWith(null)
      : skip,
};
