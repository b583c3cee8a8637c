// May a list of one stand for the one? Models that know lists elsewhere send one where a single value is declared.
// Leaves alone: lists of two or more, and lists that are allowed.
import { isJsonArray } from '../../json/json-value.ts';
import { refused, replaceBy, silent, type ValueRule } from '../repair-rule.ts';

export const unwrapSingle: ValueRule = {
  id: 'unwrap_single',
  level: 'value',
  answers: ['type'],
  keeps: 'lossless',
  sends: 'a list of one, where one is declared and the element is valid',
  becomes: 'the element',
  notWhen: 'two or more',
  propose({ value, view, types, ask }) {
    if (!isJsonArray(value) || types.has('array')) return silent;
    const [only, ...others] = value;
    return only !== undefined && others.length === 0 && ask.accepts(view.schema, only)
      ? replaceBy(only)
      : refused;
  },
};
