import { isJsonArray } from '../../json/value.ts';
import { type TextRule, skip } from '../text-rule.ts';

export const singleRoot: TextRule = {
  id: 'single_root',
  keeps: 'lossless',
  propose({ text, root, loose }) {
    if (!isJsonArray(root) || root.length !== 1) return skip;
    return loose.objectAt(text.indexOf('[') + 1) ?? skip;
  },
};
