// Does exactly one complete object stand among words? Reasoning tags, control tokens, a closing tag, a sentence.
// Leaves alone: text with another brace outside the object.
import { isJsonObject } from '../../json/json-value.ts';
import { readJsonPrefix } from '../../json/reader/read-json.ts';
import { silent, type TextRule } from '../text-rule.ts';

// A bracket, a quote or a key at the seam: the object stands in a container or a string, or is one value of several.
const opensContainer = /(?:["'[,\\]|\[\s*\]|["']\s*:|^[a-z_$][\w$]*\s*:)$/;
const goesOn = /^(?:["'\]},:\\]|\[\s*["\]{[\d-])/;

export const surroundingText: TextRule = {
  id: 'surrounding_text',
  keeps: 'lossy',
  sends: 'words, reasoning tags, control tokens or a closing tag around exactly one complete object',
  becomes: 'the object',
  notWhen: 'the object is commented out; markup that names another tool; another `{` outside',
  propose({ text, maxDepth }) {
    const start = text.indexOf('{');
    const reading = start === -1 ? undefined : readJsonPrefix(text, start, maxDepth);
    if (!isJsonObject(reading?.value)) return silent;
    const before = text.slice(0, start).trim();
    const after = text.slice(reading.end).trim();
    const isPart = opensContainer.test(before) || goesOn.test(after) || after.includes('{');
    return isPart || isCommentedOut(text.slice(0, start))
      ? silent
      : { ...reading, kind: 'object', value: reading.value };
  },
};

/** Whether a comment that began at the start of a line goes on to the end of a text. */
function isCommentedOut(before: string): boolean {
  const lineOf = (at: number): string => before.slice(before.lastIndexOf('\n', at) + 1).trimStart();
  const block = before.lastIndexOf('/*');
  const isInBlock = block > before.lastIndexOf('*/') && lineOf(block).startsWith('/*');
  return isInBlock || /^(?:\/\/|#)/.test(lineOf(before.length));
}
