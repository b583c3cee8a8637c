// Models write null, None or undefined as text. Leaves alone: places where the text is valid, and where null isn't.
import { isNullWord, spellsMember } from '../read-text.ts';
import { type ValueRule, replaceBy, silent } from '../repair-rule.ts';

export const nullWord: ValueRule = {
  id: 'null_word',
  level: 'value',
  answers: ['type', 'value'],
  keeps: 'lossless',
  sends: 'the words null, None, undefined (trimmed) where null is allowed and the text is not',
  becomes: 'null',
  notWhen: 'the text is valid there, or spells a member',
  propose({ value, view }) {
    return typeof value === 'string' &&
      view.types.has('null') &&
      isNullWord(value) &&
      !spellsMember(value, view.members)
      ? replaceBy(null)
      : silent;
  },
};
