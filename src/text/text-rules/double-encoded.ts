import { type TextRule, readAgain, skip } from '../text-rule.ts';

/**
 * The string may also contain a list of one object or a code fence, which other rules read next.
 */
const startsObject = /^\s*(?:["{]|\[\s*\{|```|~~~)/;

/**
 * Models send a JSON string that holds the object (up to 3 deep).
 * Becomes the object.
 * Not when: the string holds anything else.
 */
export const doubleEncoded: TextRule = {
  id: 'double_encoded',
  keeps: 'lossless',
  propose({ root }) {
    return typeof root === 'string' && startsObject.test(root) ? readAgain(root) : skip;
  },
};
