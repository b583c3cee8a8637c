import { spellingOf } from '../json/value.ts';
import { isInsideAside, reasoningNames } from './asides.ts';
import { isSameName } from './notations/read-notation.ts';
import type { TextContext } from './text-rule.ts';

/** The words before and behind an object. */
export interface WordsAround {
  readonly before: string;
  readonly after: string;
  /** A fence around the object sets it apart from a sentence. */
  readonly isFenced: boolean;
}

const reasoningTag = new RegExp(`<(${reasoningNames})>`, 'i');
/** The most characters of words that are examined. */
const maxWords = 256 * 1024;

/** Whether the words around an object don't change its meaning, so that they may be left out. */
export function areOnlyAround(words: WordsAround, context: TextContext): boolean {
  const { declaredKeys } = context;
  const { after, isFenced } = words;
  if (words.before.length + after.length > maxWords) return false;
  const before = withoutReasoning(words.before);
  if (/[{}]/.test(words.before) || /[{}]/.test(after)) return false;
  if (isInsideAside(before, after) || isInForeignTag(before, context) || isCommentedOut(words.before))
    return false;
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

/** HTML that is not closed, and markup of calls. */
const knownTag =
  /^(?:br|hr|s|name|json|input|answer|final(?:_answer)?|(?:\w+:)?(?:tool|function|call|invoke|arg|param|action)\w*)$/i;

/** Whether a tag is open that is neither call markup nor the tool's name, or is a parameter's. */
export function isInForeignTag(before: string, { toolName, declaredKeys }: TextContext): boolean {
  const open = new Set<string>();
  for (const [, slash, name = ''] of before.matchAll(anyTag)) {
    if (slash === '') open.add(name.toLowerCase());
    else open.delete(name.toLowerCase());
  }
  const declared = new Set([...declaredKeys].map((key) => key.toLowerCase()));
  return [...open].some((name) => {
    const isOfTool = toolName !== undefined && isSameName(name, toolName);
    return !isOfTool && (declared.has(name) || !knownTag.test(name));
  });
}

const anyTag = /<(\/?)([\p{L}_][\w.:-]{0,127})(?:\s[^<>]{0,256})?>/gu;

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
