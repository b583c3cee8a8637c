import { type TextRule, readAgain, skip } from '../text-rule.ts';
import { areOnlyAround } from '../../notations/asides.ts';

/** On a line of its own, or with the object behind it; then also at the end of a sentence. */
const opening =
  /(?:^|\n)[ \t]*(`{3,}|~{3,})[ \t]*(?:[\w-]+[ \t]*)?(?:\r?\n|(?=\{))|[.:!?][ \t](`{3,})(?:[\w-]+[ \t]*)?(?=\{)/;

/** JSON, markup, or a call in Python's syntax. */
const startsLikeCall = /^\s*(?:[[{"<]|[\w.]{1,128}\()/;

/**
 * Models send one fenced block and nothing else, or one that starts with `{` among words, on lines
 * of its own, behind a sentence or on one line.
 * Becomes what is inside.
 * Not when: a fence inside a value; words that surrounding_text refuses.
 */
export const codeFence: TextRule = {
  id: 'code_fence',
  keeps: 'lossless',
  propose(context) {
    const { text } = context;
    const fenceStart = opening.exec(text);
    if (fenceStart === null) return skip;
    const [start, fence = fenceStart[2] ?? ''] = fenceStart;
    // Nothing is inside if the fence isn't closed.
    const end = text.lastIndexOf(fence);
    const innerText = text.slice(fenceStart.index + start.length, end);
    const textBefore = text.slice(0, fenceStart.index);
    const textAfter = text.slice(end + fence.length);
    const isRead =
      `${textBefore}${textAfter}`.trim() === ''
        ? startsLikeCall.test(innerText)
        : /^\s*\{/.test(innerText) &&
          areOnlyAround({ textBefore, textAfter, isFenced: true }, context);
    return isRead ? readAgain(innerText) : skip;
  },
};
