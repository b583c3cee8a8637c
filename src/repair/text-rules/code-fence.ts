import { skip } from '../repair-rule.ts';
import type { TextRule } from '../text-rule.ts';

const opening = /^\s*(`{3,}|~{3,})[ \t]*(?:[\w-]+[ \t]*)?\r?\n/;

export const codeFence: TextRule = {
  id: 'code_fence',
  keeps: 'lossless',
  sends: 'one fenced block and nothing else',
  becomes: 'what is inside',
  notWhen: 'a fence inside a value',
  propose({ text }) {
    const [start, fence] = opening.exec(text) ?? [];
    if (start === undefined || fence === undefined) return skip;
    const trimmed = text.trimEnd();
    if (!trimmed.endsWith(fence)) return skip;
    const inside = trimmed.slice(start.length, -fence.length);
    return /^\s*[[{"]/.test(inside) ? { kind: 'text', text: inside } : skip;
  },
};
