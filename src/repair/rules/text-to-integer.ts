// Models quote numbers; "5.0" is 5. Leaves alone: places where text or any number is allowed, fractions, numbers too
// large to be exact.
import { numberInText } from '../read-text.ts';
import { type ValueRule, replaceBy, silent } from '../repair-rule.ts';

export const textToInteger: ValueRule = {
  id: 'text_to_integer',
  level: 'value',
  answers: ['type'],
  keeps: 'lossless',
  sends: 'text that is, trimmed, a JSON number, where a whole number is declared',
  becomes: 'the number, if it is whole and safe (`"5.0"` is 5)',
  notWhen: 'fractions; empty text, hex, units, words, `1_000`, thousands separators, leading zeros',
  propose({ value, view }) {
    if (typeof value !== 'string' || !view.types.has('integer') || view.types.has('number')) return silent;
    const number = numberInText(value);
    return number !== undefined && Number.isSafeInteger(number) ? replaceBy(number) : silent;
  },
};
