// Is the root a list of exactly one object? Models that may call several tools put the arguments into a list.
// Leaves alone: lists of anything else, and of several.
import { isJsonArray, isJsonObject } from '../../json/json-value.ts';
import { readJsonPrefix } from '../../json/reader/read-json.ts';
import { silent, type TextRule } from '../text-rule.ts';

export const singleRoot: TextRule = {
  id: 'single_root',
  keeps: 'lossless',
  sends: 'a list with exactly one object',
  becomes: 'the object',
  notWhen: 'the list has more, or something else',
  propose({ text, root, maxDepth }) {
    if (!isJsonArray(root) || root.length !== 1 || !isJsonObject(root[0])) return silent;
    const reading = readJsonPrefix(text, text.indexOf('[') + 1, maxDepth);
    return isJsonObject(reading?.value) ? { ...reading, kind: 'object', value: reading.value } : silent;
  },
};
