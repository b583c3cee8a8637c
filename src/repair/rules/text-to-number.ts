// Models quote numbers. Only what JSON itself would read as one. Leaves alone: places where text is allowed, units,
// words, thousands separators, hex, leading zeros.
import { numberInText } from '../read-text.ts';
import { type ValueRule, replaceBy, silent } from '../repair-rule.ts';

export const textToNumber: ValueRule = {
  id: 'text_to_number',
  level: 'value',
  answers: ['type'],
  keeps: 'lossless',
  sends: 'text that is, trimmed, a JSON number, where a number is declared',
  becomes: 'the number',
  notWhen:
    'empty text, hex, units, words, `1_000`, thousands separators, leading zeros; digits would be lost',
  propose({ value, view }) {
    if (typeof value !== 'string' || !view.types.has('number')) return silent;
    const number = numberInText(value);
    return number === undefined ? silent : replaceBy(number);
  },
};
