import { isOfKind } from '../../validate/value-kinds.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

/**
 * Models send a glob pattern in quotes or backticks, or with blanks around it.
 * Becomes the pattern.
 * Not when: the same quotes are inside, because that may be several patterns.
 */
export const globInQuotes: ValueRule = {
  id: 'glob_in_quotes',
  level: 'value',
  answers: ['value'],
  kind: 'glob',
  sentTypes: ['string'],
  keeps: 'lossless',
  propose({ value }) {
    if (typeof value !== 'string') return skip;
    const text = value.trim();
    const [, , inner] = /^(["'`])([^]*)\1$/.exec(text) ?? [];
    if (inner === undefined) return replaceWith(text);
    const isOne = inner.trim() !== '' && !inner.includes(text.charAt(0)) && isOfKind('glob', inner);
    return isOne ? replaceWith(inner) : skip;
  },
};
