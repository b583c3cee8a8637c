// Does exactly one complete object stand among words? Reasoning tags, control tokens, a closing tag, a sentence. A list among
// tokens alone is handed on.
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
  sends:
    'words, reasoning tags, control tokens or a closing tag around exactly one complete object; tokens alone around a list',
  becomes: 'the object, or the list for the next rule',
  notWhen: 'the object is commented out; markup that names another tool; another `{` outside',
  propose({ text, maxDepth }) {
    const list = listInTokens(text);
    if (list !== undefined) return { kind: 'text', text: list };
    const start = text.indexOf('{');
    const reading = start === -1 ? undefined : readPrefix(text, start, maxDepth);
    if (!isJsonObject(reading?.value)) return silent;
    const before = text.slice(0, start).trim();
    const after = text.slice(reading.end).trim().replace(surplusClosers, '');
    const isPart = opensContainer.test(before) || goesOn.test(after) || /[{}]/.test(after);
    return isPart || isCommentedOut(text.slice(0, start))
      ? silent
      : { ...reading, kind: 'object', value: reading.value };
  },
};

/** One closer too many or two, between the object and a tag. */
const surplusClosers = /^[\]}\s]{1,8}(?=<[/|｜])/u;

/** Control tokens and tags: Mistral's in brackets, those of others in angle brackets. */
const token = '(?:\\[/?[A-Z_]{3,40}\\]|<[|｜][^|｜<>]{1,40}[|｜]>|</?[\\w:-]{1,40}>)';
const tokensBefore = new RegExp(`^(?:\\s*${token})*\\s*(?=\\[\\s*\\{)`, 'u');
const tokenAtEnd = new RegExp(`${token}$`, 'u');
/** Characters that a token has at most. */
const longestToken = 44;

/** A list of objects with tokens and nothing else around it. */
function listInTokens(text: string): string | undefined {
  const before = tokensBefore.exec(text)?.[0];
  if (before === undefined) return undefined;
  let list = text.slice(before.length).trimEnd();
  for (let last = lastToken(list); last !== undefined; last = lastToken(list))
    list = list.slice(0, -last.length).trimEnd();
  return list.length < text.trim().length ? list : undefined;
}

const lastToken = (text: string): string | undefined => tokenAtEnd.exec(text.slice(-longestToken))?.[0];

/** As JSON, else as models write it. */
const readPrefix = (text: string, start: number, maxDepth: number): ReturnType<typeof readJsonPrefix> =>
  readJsonPrefix(text, start, maxDepth) ?? readJsonPrefix(text, start, maxDepth, 'loose');

/** Whether a comment, of HTML or one that began at the start of a line, goes on to the end of a text. */
function isCommentedOut(before: string): boolean {
  const lineOf = (at: number): string => before.slice(before.lastIndexOf('\n', at) + 1).trimStart();
  if (before.lastIndexOf('<!--') > before.lastIndexOf('-->')) return true;
  const block = before.lastIndexOf('/*');
  const isInBlock = block > before.lastIndexOf('*/') && lineOf(block).startsWith('/*');
  return isInBlock || /^(?:\/\/|#)/.test(lineOf(before.length));
}
