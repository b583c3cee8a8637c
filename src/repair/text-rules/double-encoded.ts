import { type TextRule, silent } from '../text-rule.ts';

// Servers encode arguments that the model had encoded already. Leaves alone: strings that hold anything else.
// A list of one, or a fenced block, is looked at by the rule for it.
const startsObject = /^\s*(?:["{]|\[\s*\{|```|~~~)/;

export const doubleEncoded: TextRule = {
  id: 'double_encoded',
  keeps: 'lossless',
  sends: 'a JSON string that holds the object (up to 3 deep)',
  becomes: 'the object',
  notWhen: 'the string holds anything else',
  propose({ root }) {
    return typeof root === 'string' && startsObject.test(root) ? { kind: 'text', text: root } : silent;
  },
};
