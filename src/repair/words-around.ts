import { spellingOf } from '../json/value.ts';
import type { TextContext } from './text-rule.ts';

/** The words before and behind an object. */
export interface WordsAround {
  readonly before: string;
  readonly after: string;
  /** A fence around the object sets it apart from a sentence. */
  readonly isFenced: boolean;
}

const reasoning = 'think|thinking|reasoning|thought|thoughts|analysis|scratchpad';
const results = 'tool_response|tool_result|function_response|result|observation|output|example';
const reasoningTag = new RegExp(`<(${reasoning})>`, 'i');
/** The most characters of words that are examined. */
const maxWords = 256 * 1024;
const quotingTag = new RegExp(`<(/?)(${reasoning}|${results})(?:\\s[^<>]*)?>`, 'gi');

/** Whether the words around an object don't change its meaning, so that they may be left out. */
export function areOnlyAround(words: WordsAround, { declaredKeys }: TextContext): boolean {
  const { after, isFenced } = words;
  if (words.before.length + after.length > maxWords) return false;
  const before = withoutReasoning(words.before);
  if (/[{}]/.test(words.before) || /[{}]/.test(after)) return false;
  if (isInsideQuotingTag(before, after) || isCommentedOut(words.before)) return false;
  if (!isFenced && (opensContainer.test(before) || goesOn.test(after))) return false;
  const all = `${before}\n${after}`;
  if (/\.\.\.|…|omitted/i.test(all)) return false;
  if ([...declaredKeys].some((key) => saysArgument(all, key))) return false;
  return isFenced || !isInSentence(before);
}

/** Leaves out reasoning that was closed, because it doesn't change the meaning of the text behind it. */
function withoutReasoning(words: string): string {
  const name = reasoningTag.exec(words)?.[1];
  const start = name === undefined ? -1 : words.indexOf(`<${name}>`);
  const end = start === -1 ? -1 : words.lastIndexOf(`</${name}>`);
  return name === undefined || end < start
    ? words
    : words.slice(0, start) + words.slice(end + name.length + 3);
}

/** A bracket, a quote or a key beside an object shows that it is in a container or a string, or one of several values. */
const opensContainer = /(?:["'[,\\]|\[\s*\]|["']\s*:|^\s*[a-z_$][\w$]*\s*:)\s*$/;
const goesOn = /^\s*(?:["'\],:\\]|\[\s*["\]{[\d-])/;

/** Whether the object is inside reasoning, a result or an example: such a tag is open before it, or closed behind it. */
export function isInsideQuotingTag(before: string, after: string): boolean {
  const open = new Map<string, number>();
  for (const [, slash, name = ''] of before.matchAll(quotingTag)) {
    const depth = open.get(name.toLowerCase()) ?? 0;
    open.set(name.toLowerCase(), slash === '' ? depth + 1 : Math.max(0, depth - 1));
  }
  if ([...open.values()].some((depth) => depth > 0)) return true;
  const [next] = after.matchAll(quotingTag);
  return next?.[1] === '/';
}

/** Whether the words give an argument a value: `path: `, `"path" =`, `<path>`. */
function saysArgument(words: string, key: string): boolean {
  const name = key.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const quotes = `["'\`“”‘’]?`;
  const isSaid = new RegExp(`(?<![\\w$-])${name}${quotes}\\s*(?::(?!//)|=(?!=))|</?${name}[\\s>]`, 'iu');
  return isSaid.test(words);
}

/** Whether a word and a blank are before the object on its line; markup, call ids and punctuation are not words. */
function isInSentence(before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (line.trim() === '' || !/\s$/.test(line)) return false;
  const said = line.trimEnd();
  return !/[.:!?)\]=>-]$/.test(said) && !callMarkup.test(said);
}

/** `functions.NAME`, `NAME:0`. */
const callMarkup = /(?:functions\.[\w.-]+|(?:^|\s)[\w.-]+:\d+)$/;

/** Whether a comment is open at the end of a text: of HTML, or one that began at the start of a line. */
function isCommentedOut(before: string): boolean {
  const lineOf = (at: number): string => before.slice(before.lastIndexOf('\n', at) + 1).trimStart();
  if (before.lastIndexOf('<!--') > before.lastIndexOf('-->')) return true;
  const block = before.lastIndexOf('/*');
  const isInBlock = block > before.lastIndexOf('*/') && lineOf(block).startsWith('/*');
  return isInBlock || /^(?:\/\/|#)/.test(lineOf(before.length));
}

/** Keys under which an envelope has the arguments. */
const envelopeKeys = new Set([
  'arguments',
  'args',
  'parameters',
  'params',
  'input',
  'kwargs',
  'properties',
  'function',
  'actioninput',
  'toolinput',
]);

/** Whether an object among words is a call of this tool: it is empty, an envelope, or holds a declared key. */
export function isMeantForTool(keys: readonly string[], { declaredKeys }: TextContext): boolean {
  if (keys.length === 0 || declaredKeys.size === 0) return true;
  const declared = new Set([...declaredKeys].map(spellingOf));
  return keys.map(spellingOf).some((key) => declared.has(key) || envelopeKeys.has(key));
}
