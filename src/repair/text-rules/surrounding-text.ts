import { endOfBlanks, readJsonPrefix } from '../../json/lenient-parser.ts';
import { isJsonObject } from '../../json/value.ts';
import { skip } from '../repair-rule.ts';
import type { TextRule } from '../text-rule.ts';

/** A bracket, a quote or a key beside the object: it is inside a container or a string, or is one value of several. */
const opensContainer = /(?:["'[,\\]|\[\s*\]|["']\s*:|^[a-z_$][\w$]*\s*:)$/;
const goesOn = /^(?:["'\]},:\\]|\[\s*["\]{[\d-])/;

export const surroundingText: TextRule = {
  id: 'surrounding_text',
  keeps: 'lossy',
  sends:
    'words, reasoning tags, control tokens or a closing tag around exactly one complete object, or an array of it; control tokens alone around what another rule may know',
  becomes: 'the object; what the tokens are around',
  notWhen: 'the object is commented out; markup that names another tool; another `{` outside',
  propose({ text, maxDepth }) {
    const inside = insideTokens(text);
    if (inside?.startsWith('[') === true) return { kind: 'text', text: inside };
    const start = text.indexOf('{');
    const reading = start === -1 ? undefined : readPrefix(text, start, maxDepth);
    // Another rule may complete the object.
    if (!isJsonObject(reading?.value)) return inside === undefined ? skip : { kind: 'text', text: inside };
    const [before, behind] = withoutBrackets(text.slice(0, start).trim(), text.slice(reading.end).trim());
    const after = behind.replace(surplusClosers, '');
    const isPart = opensContainer.test(before) || goesOn.test(after) || /[{}]/.test(after);
    return isPart || isCommentedOut(text.slice(0, start))
      ? skip
      : { ...reading, kind: 'object', value: reading.value };
  },
};

/** Surplus closers, at the end or before a tag or a fence. */
const surplusClosers = /^[\]}\s]{1,8}(?=$|<[/|｜]|```)/u;

/** Without the brackets of a list of one. */
function withoutBrackets(before: string, after: string): readonly [string, string] {
  const closing = before.endsWith('[') ? /^,?\s*\]\s*/.exec(after)?.[0] : undefined;
  return closing === undefined
    ? [before, after]
    : [before.slice(0, -1).trimEnd(), after.slice(closing.length)];
}

/** Control tokens and tags. Mistral writes them in brackets. */
const token = '(?:\\[/?[A-Z_]{3,40}\\]|<[|｜][^|｜<>]{1,40}[|｜]>|</?[\\w:-]{1,40}>)';
const tokenAt = new RegExp(token, 'uy');
const tokenAtEnd = new RegExp(`${token}$`, 'u');
/** Characters that a token has at most. */
const longestToken = 44;

/** Text that starts like an object or a list of objects, without the tokens around it; undefined if there are none. */
function insideTokens(text: string): string | undefined {
  let inside = text.slice(endOfTokens(text)).trimEnd();
  if (!startsObjects(inside)) return undefined;
  for (let last = lastToken(inside); last !== undefined; last = lastToken(inside))
    inside = inside.slice(0, -last.length).trimEnd();
  return inside.length < text.trim().length ? inside : undefined;
}

/** The offset behind the tokens and blanks at the start. */
function endOfTokens(text: string): number {
  let at = endOfBlanks(text, 0);
  for (tokenAt.lastIndex = at; tokenAt.test(text); tokenAt.lastIndex = at)
    at = endOfBlanks(text, tokenAt.lastIndex);
  return at;
}

const startsObjects = (text: string): boolean =>
  text.startsWith('{') || (text.startsWith('[') && text.charAt(endOfBlanks(text, 1)) === '{');

const lastToken = (text: string): string | undefined => tokenAtEnd.exec(text.slice(-longestToken))?.[0];

/** As JSON, else as models write it. */
const readPrefix = (text: string, start: number, maxDepth: number): ReturnType<typeof readJsonPrefix> =>
  readJsonPrefix(text, start, maxDepth) ?? readJsonPrefix(text, start, maxDepth, 'loose');

/** Whether a comment is open at the end of a text: of HTML, or one that began at the start of a line. */
function isCommentedOut(before: string): boolean {
  const lineOf = (at: number): string => before.slice(before.lastIndexOf('\n', at) + 1).trimStart();
  if (before.lastIndexOf('<!--') > before.lastIndexOf('-->')) return true;
  const block = before.lastIndexOf('/*');
  const isInBlock = block > before.lastIndexOf('*/') && lineOf(block).startsWith('/*');
  return isInBlock || /^(?:\/\/|#)/.test(lineOf(before.length));
}
