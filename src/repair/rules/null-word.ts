import { isNullWord } from '../../json/null-words.ts';
import { mayBeMember } from '../read-text.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

/**
 * Models send the words null, None, undefined (trimmed), if null is allowed and the string is not.
 * Becomes null.
 * Not when: the string is valid there, or spells a member, also of an array’s elements; the words in
 * another spelling, because `none` may be a value (no limit, or a limit of 0).
 */
export const nullWord: ValueRule = {
  id: 'null_word',
  level: 'value',
  answers: ['type', 'value'],
  declaredTypes: ['null'],
  keeps: 'lossless',
  propose: (context) =>
    isNullWord(context.value) && !mayBeMember(context, context.place, context.value)
      ? replaceWith(null)
      : skip,
};
