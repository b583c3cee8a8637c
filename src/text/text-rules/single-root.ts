import { isJsonArray } from '../../json/value.ts';
import { type TextRule, skip } from '../text-rule.ts';

/**
 * Models send an array with exactly one object.
 * Becomes the object.
 * Not when: the array has more elements, or something else.
 */
export const singleRoot: TextRule = {
  id: 'single_root',
  keeps: 'lossless',
  propose({ text, root, loose }) {
    if (!isJsonArray(root) || root.length !== 1) return skip;
    return loose.objectAt(text.indexOf('[') + 1) ?? skip;
  },
};
