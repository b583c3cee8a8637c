import { type TextRule, readAgain, skip } from '../text-rule.ts';
import { areOnlyAround } from '../../notations/asides.ts';

const opening = /(?:^|\n)[ \t]*(`{3,}|~{3,})[ \t]*(?:[\w-]+[ \t]*)?\r?\n/;

/** JSON, markup, or a call in Python's syntax. */
const startsLikeCall = /^\s*(?:[[{"<]|[\w.]{1,128}\()/;

/**
 * Models send one fenced block and nothing else, or one that starts with `{` among words.
 * Becomes what is inside.
 * Not when: a fence inside a value; words that surrounding_text refuses.
 */
export const codeFence: TextRule = {
  id: 'code_fence',
  keeps: 'lossless',
  propose(context) {
    const { text } = context;
    const found = opening.exec(text);
    if (found === null) return skip;
    const [start, fence = ''] = found;
    // Nothing is inside if the fence isn't closed.
    const end = text.lastIndexOf(fence);
    const inside = text.slice(found.index + start.length, end);
    const before = text.slice(0, found.index);
    const after = text.slice(end + fence.length);
    const isRead =
      `${before}${after}`.trim() === ''
        ? startsLikeCall.test(inside)
        : /^\s*\{/.test(inside) && areOnlyAround({ before, after, isFenced: true }, context);
    return isRead ? readAgain(inside) : skip;
  },
};
