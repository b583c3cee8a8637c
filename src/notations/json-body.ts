import type { CallSource } from './notation.ts';
import { readJsonPrefix } from '../json/lenient-parser.ts';
import { endOfBody } from '../json/strings.ts';
import { matchAt } from '../json/tokens.ts';
import { maxTextDepth } from '../json/value.ts';

/** JSON of arguments or calls, as text. `open`: it has no end yet. */
export type JsonBody =
  | { readonly kind: 'skip' | 'open' | 'refused' }
  | { readonly kind: 'body'; readonly text: string; readonly end: number };

/**
 * The JSON at `at`. In a text of its own, all that is before the closing tags is argument text,
 * however broken; in running text, the JSON ends where its first bracket is closed, or, if its
 * brackets don't match, before the tag that closes the call.
 */
export function jsonBody(
  { text, extent, until }: Pick<CallSource, 'text' | 'extent' | 'until'>,
  at: number,
): JsonBody {
  const start = afterBlanks(text, at);
  if (start >= until) return { kind: 'open' };
  const isContainer = /[[{]/.test(text.charAt(start));
  if (extent === 'whole') {
    const end = isContainer ? endOfContainer(text, start) : undefined;
    const isSecond = end !== undefined && anotherCall.test(text.slice(end, until));
    return isSecond
      ? { kind: 'refused' }
      : { kind: 'body', text: text.slice(start, until), end: until };
  }
  if (!isContainer) return { kind: 'skip' };
  // Brackets in strings tell nothing if a quote is lost that can still be read.
  const read = readJsonPrefix(text, start, 'loose', maxTextDepth);
  const end = read.kind === 'read' ? read.end : endOfContainer(text, start);
  const isMatched = end !== undefined && text.charAt(end - 1) === closerOf(text.charAt(start));
  const surplusEnd = isMatched ? endOfSurplus(text, end) : undefined;
  if (end !== undefined && surplusEnd !== undefined)
    return { kind: 'body', text: text.slice(start, end), end: surplusEnd };
  const endingStart = startOfEnding(text, start);
  if (endingStart === undefined) return { kind: 'open' };
  const body = text.slice(start, endingStart);
  return anotherCall.test(body) ? { kind: 'open' } : { kind: 'body', text: body, end: endingStart };
}

/**
 * The offset after closers that are too many after a value, with which the text or the call ends;
 * undefined if something else follows them.
 */
function endOfSurplus(text: string, end: number): number | undefined {
  const [surplus = ''] = matchAt(surplusClosers, text, end) ?? [];
  if (surplus.trim() === '') return end;
  const next = afterBlanks(text, end + surplus.length);
  const isLast = next >= text.length || text.charAt(next) === '<' || text.startsWith('```', next);
  return surplus.trim().length <= 3 && isLast ? end + surplus.length : undefined;
}

const closerOf = (opener: string): string => (opener === '{' ? '}' : ']');

const surplusClosers = /(?:\s*[\]}])*/y;

/** The offset of the tag or token that closes a call, from an offset on. */
function startOfEnding(text: string, from: number): number | undefined {
  ending.lastIndex = from;
  return ending.exec(text)?.index;
}

const ending =
  /<\/(?:[\w-]{1,16}:|longcat_)?(?:tool[_-]?calls?|ToolCalls?|TOOL_?CALLS?|function(?:s|[_-]calls?)?|tools?|use_tool|invoke)>|<[|｜]\/?tool[_▁]calls?(?:[_▁]end)?[|｜]>|<tool_call\|>|<\|call\|>|<{2,3}(?:\/|END_)TOOL_CALLS?>/g;

/** The beginning of another call after the arguments. */
const anotherCall =
  /<(?:[\w-]+:|[|｜]DSML[|｜])?(?:tool_call|function|invoke)[\s=>s_]|<[|｜](?:tool_call(?:_begin)?[|｜]?>|tool▁call▁begin|python_tag|start)|<<TOOL_CALL|\[TOOL_CALLS\]|\[ARGS\]|to=functions\.|functions\.[\w.-]+:\d/;

/** The offset after blanks. */
export function afterBlanks(text: string, at: number): number {
  blanks.lastIndex = at;
  blanks.test(text);
  return blanks.lastIndex;
}

const blanks = /[\s\uFEFF]*/y;

/**
 * The offset after the array or object at `start`, by its brackets outside strings; undefined if
 * the text ends first. Strings are in double or single quotes, or between the quote tokens of Gemma
 * and FunctionGemma.
 */
export function endOfContainer(text: string, start: number): number | undefined {
  let depth = 0;
  for (
    let match = matchAt(significant, text, start);
    match !== null;
    match = significant.exec(text)
  ) {
    const [mark] = match;
    if (mark === '{' || mark === '[') depth += 1;
    else if (mark === '}' || mark === ']') {
      depth -= 1;
      if (depth === 0) return significant.lastIndex;
    } else {
      const end = endOfString(text, significant.lastIndex, mark);
      if (end === undefined) return undefined;
      significant.lastIndex = end;
    }
  }
  return undefined;
}

const significant = /[[\]{}"']|<\|"\|>|<escape>/g;

/** After the end of a string that a mark opened, from inside it. */
function endOfString(text: string, from: number, mark: string): number | undefined {
  const end = mark.length === 1 ? (endOfBody(text, from, mark) ?? -1) : text.indexOf(mark, from);
  return end === -1 ? undefined : end + mark.length;
}
