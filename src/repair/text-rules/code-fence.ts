import { skip } from '../repair-rule.ts';
import type { TextRule } from '../text-rule.ts';
import { areOnlyAround } from '../asides.ts';

const opening = /(?:^|\n)[ \t]*(`{3,}|~{3,})[ \t]*(?:[\w-]+[ \t]*)?\r?\n/;

/** JSON, markup, or a call in Python's syntax. */
const startsLikeCall = /^\s*(?:[[{"<]|[\w.]{1,128}\()/;

export const codeFence: TextRule = {
  id: 'code_fence',
  keeps: 'lossless',
  propose(context) {
    const { text } = context;
    const found = opening.exec(text);
    const [start = '', fence = ''] = found ?? [];
    if (found === null) return skip;
    const from = found.index + start.length;
    const end = text.lastIndexOf(fence);
    if (end < from) return skip;
    const inside = text.slice(from, end);
    const before = text.slice(0, found.index);
    const after = text.slice(end + fence.length);
    if (`${before}${after}`.trim() === '')
      return startsLikeCall.test(inside) ? { kind: 'text', text: inside } : skip;
    return /^\s*\{/.test(inside) && areOnlyAround({ before, after, isFenced: true }, context)
      ? { kind: 'text', text: inside }
      : skip;
  },
};
