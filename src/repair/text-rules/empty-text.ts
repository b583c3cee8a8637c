import { noLiterals } from '../../json/number-literals.ts';
import { skip } from '../repair-rule.ts';
import type { TextRule } from '../text-rule.ts';

export const emptyText: TextRule = {
  id: 'empty_text',
  keeps: 'lossless',
  propose({ text, declared }) {
    const trimmed = text.trim();
    const saysNothing = trimmed === '' || trimmed === '""' || trimmed === 'null' || trimmed === 'None';
    const isEmptyList = /^\[\s*\]$/.test(trimmed) && declared === 'none';
    if (declared === 'required' || !(saysNothing || isEmptyList)) return skip;
    return { kind: 'object', value: {}, numbers: noLiterals, repeatedKeys: [] };
  },
};
