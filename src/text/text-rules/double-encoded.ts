import { type TextRule, readAgain, skip } from '../text-rule.ts';

/**
 * The string may also contain a list of one object or a code fence, which other rules read next.
 */
const startsObject = /^\s*(?:["{]|\[\s*\{|```|~~~)/;

export const doubleEncoded: TextRule = {
  id: 'double_encoded',
  keeps: 'lossless',
  propose({ root }) {
    return typeof root === 'string' && startsObject.test(root) ? readAgain(root) : skip;
  },
};
