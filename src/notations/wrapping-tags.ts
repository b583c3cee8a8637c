import { matchAt } from '../json/tokens.ts';
import { behindBlanks } from './json-body.ts';
import { type CallSource, longestTag } from './notation.ts';

/** The token that MiniMax-M3 writes before each of its tags. */
export const tagToken = '(?:\\]<\\]minimax\\[>\\[)?';
/**
 * Anthropic, MiniMax-M2, Seed-OSS, LongCat and DeepSeek put a word before the names of their tags.
 */
export const tagPrefix = '(?:[A-Za-z]\\w{0,19}:|longcat_|[|｜]{1,2}DSML[|｜]{1,2})?';
/** The same in markup that may be broken. */
export const anyPrefix = '(?:[\\w-]+:|[|｜]DSML[|｜])?';

const wrapper =
  '(?:tool_calls?|function_calls?|function-call|tool_uses?|tools|tool_code|toolcall|TOOLCALL|functions?|invoke|call)';
/** Results, reasoning and examples are not calls. */
const foreign = /respon|result|output|observ|example|think|thought|reason|analys|user|system/i;
const token =
  '<\\|message_sep\\|>\\s{0,8}function call<\\|role_sep\\|>|<functioncall(?=\\s)|<[|｜](?!open[|｜]|close[|｜])[^<>|｜]{1,64}(?:[|｜]>|>)|<[A-Za-z_]{1,40}\\|>|\\[/?[A-Z_]{3,40}\\]|functools(?=\\s*\\[)|</?s>|<(?:start|end)_function_call>';
const comment = '<!--[^]*?-->';

const opening = `${tagToken}<${tagPrefix}(${wrapper})>|${token}`;
/** In running text, a comment may say what the call behind it is. */
const openingAt = {
  whole: new RegExp(`${opening}|${comment}`, 'y'),
  part: new RegExp(opening, 'y'),
};
const closingAt = {
  /** At the end of a text, a tag may have lost its last character. */
  whole: new RegExp(
    `${tagToken}</(?:${tagPrefix}[\\w.-]{1,128})(?:>|$)|${token}|${comment}|[\`]{3}(?=\\s*(?:<|$))`,
    'y',
  ),
  part: new RegExp(`${tagToken}</(?:${tagPrefix}[\\w.-]{1,128})>|${token}`, 'y'),
};
const closingAtEnd = new RegExp(`(?:${tagToken}</(?:${tagPrefix}[\\w-]{1,40})>?|${token})$`);

/** The word in a control token that marks a call. */
const callToken =
  /tools?_?call|tools_prefix|invoke_tool|funct|python_(?:tag|start)|START_ACTION|TOOL_CALLS|ARGS|tool▁call|plugin/;

/** An opening tag of a parameter, in any of the notations. */
const anyParameter = new RegExp(`<${tagPrefix}(?:param(?:eter)?[=\\s]|arg_(?:key|value)>)`);

/** Whether a text opens a parameter, or the argument of a call in control tokens. */
export const opensParameter = (text: string): boolean =>
  anyParameter.test(text) || text.includes(']<]minimax[>[') || /<\|open\|>argument\s/.test(text);

export interface OpenedTags {
  /** Offset behind the tags, tokens and blanks. */
  readonly end: number;
  /** The names of tags, and the words that mark a call in tokens. */
  readonly tags: readonly string[];
}

/** Tags around one call, at most. */
const mostTags = 16;

/** The tags and control tokens at an offset, with the blanks and comments between them. */
export function openingTagsAt(
  { text, extent }: Pick<CallSource, 'text' | 'extent'>,
  at: number,
): OpenedTags {
  const openingTag = openingAt[extent];
  const tags: string[] = [];
  let end = at;
  for (let count = 0; ; count += 1) {
    const start = behindBlanks(text, end);
    const found = count < mostTags ? matchAt(openingTag, text, start) : null;
    if (found === null || isForeign(found[0])) return { end: start, tags };
    end = openingTag.lastIndex;
    const tag = found[1] ?? callToken.exec(found[0])?.[0];
    if (tag !== undefined) tags.push(tag);
  }
}

export interface ClosedTags {
  /** Offset behind the last tag or token; the given offset if there is none. */
  readonly end: number;
  /** Whether any closing tag is among them. */
  readonly isClosed: boolean;
}

/** The closing tags and control tokens at an offset, with the blanks and comments between them. */
export function closingTagsAt(
  { text, extent, isTool }: Pick<CallSource, 'text' | 'extent' | 'isTool'>,
  at: number,
): ClosedTags {
  const closing = closingAt[extent];
  let end = at;
  let isClosed = false;
  for (;;) {
    const found = matchAt(closing, text, behindBlanks(text, end))?.[0];
    if (found === undefined || !isOfCall(found, isTool) || opensCall(found))
      return { end, isClosed };
    end = closing.lastIndex;
    isClosed ||= found.includes('</');
  }
}

/**
 * Where the closing tags and control tokens at the end of a text begin, with the blanks before
 * them.
 */
export function startOfClosingTags(text: string): number {
  let end = endOfWords(text, text.length);
  if (endsLikeJson(text, end)) return end;
  for (;;) {
    const before = text.slice(Math.max(0, end - longestTag), end);
    const isComment = before.endsWith('-->');
    const start = isComment
      ? text.lastIndexOf('<!--', end)
      : end - (closingAtEnd.exec(before)?.[0].length ?? 0);
    if (start === -1 || start === end || isForeignTag(text.slice(start, end))) return end;
    end = endOfWords(text, start);
  }
}

/** Whether a text ends as no tag and no token does: with a brace, or `]` behind no capital. */
function endsLikeJson(text: string, end: number): boolean {
  const last = text.charAt(end - 1);
  return last === '}' || (last === ']' && !/[A-Z_]/.test(text.charAt(end - 2)));
}

/** The offset behind the last character before `end` that is not a blank. */
function endOfWords(text: string, end: number): number {
  let at = end;
  while (at > 0 && /\s/.test(text.charAt(at - 1))) at -= 1;
  return at;
}

/** Whether a closing tag is that of a call. A parameter's would mean that its value goes on. */
function isOfCall(found: string, isTool: (name: string) => boolean): boolean {
  const name = closedName.exec(found)?.[1];
  return name === undefined || callName.test(name) || isTool(name);
}

const closedName = new RegExp(`</${tagPrefix}([\\w.-]{1,128})>?$`);
const callName = new RegExp(`^(?:${wrapper}|tool|args|arguments|parameters|input|s)$`);

/** Whether a token begins another call, or harmony's next message. */
const opensCall = (found: string): boolean =>
  found === '<|start|>' || (callToken.test(found) && !/end|\/|^<\w+\|>/.test(found));

/** The closing tag of another element. Tokens that end a turn may have such names. */
const isForeignTag = (found: string): boolean => found.startsWith('</') && foreign.test(found);
const isForeign = (found: string): boolean => !found.startsWith('<!--') && foreign.test(found);
