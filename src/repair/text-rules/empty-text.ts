import { noNumberTexts } from '../../json/exact-numbers.ts';
import { type TextRule, silent } from '../text-rule.ts';

// Models and servers send no text for a call without arguments. Leaves alone: tools that require something, streams
// that were cut.
export const emptyText: TextRule = {
  id: 'empty_text',
  keeps: 'lossless',
  sends:
    'empty text, `null` or `None` for a tool without required arguments; `[]` for one that declares none',
  becomes: '`{}`',
  notWhen: 'something is required; the stream was cut',
  propose({ text, declared }) {
    const trimmed = text.trim();
    const saysNothing = trimmed === '' || trimmed === 'null' || trimmed === 'None';
    const isEmptyList = /^\[\s*\]$/.test(trimmed) && declared === 'none';
    if (declared === 'required' || !(saysNothing || isEmptyList)) return silent;
    return { kind: 'object', value: {}, numbers: noNumberTexts, repeatedKeys: [] };
  },
};
