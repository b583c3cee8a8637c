// Only the words themselves, as JSON or Python writes them. Leaves alone: places where text is allowed, yes and no,
// on and off, 1 and 0.
import { booleanInText } from '../read-text.ts';
import { type ValueRule, replaceBy, silent } from '../repair-rule.ts';

export const textToBoolean: ValueRule = {
  id: 'text_to_boolean',
  level: 'value',
  answers: ['type'],
  keeps: 'lossless',
  sends: 'the words true, false, True, False, TRUE or FALSE (trimmed) where a boolean is declared',
  becomes: 'the boolean',
  notWhen: 'yes, no, 1, 0, on, off',
  propose({ value, view }) {
    if (typeof value !== 'string' || !view.types.has('boolean')) return silent;
    const word = booleanInText(value);
    return word === undefined ? silent : replaceBy(word);
  },
};
