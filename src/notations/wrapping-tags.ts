import { matchAt } from '../json/tokens.ts';
import { afterBlanks } from './json-body.ts';
import { type CallSource, longestTag, namePattern } from './notation.ts';

/** The token that MiniMax-M3 writes before each of its tags. */
export const tagToken = '(?:\\]<\\]minimax\\[>\\[)?';
/**
 * Anthropic, MiniMax-M2, Seed-OSS, LongCat and DeepSeek put a word before the names of their tags.
 */
export const tagPrefix =
  '(?:[A-Za-z]\\w{0,19}:|longcat_|\\s?[|｜]{1,2}\\s?DSML\\s?[|｜]{1,2}\\s?)?';
/** The same in markup that may be broken. */
export const anyPrefix = '(?:[\\w-]+:|\\s?[|｜]{1,2}\\s?DSML\\s?[|｜]{1,2}\\s?)?';

/** Tags around calls in JSON. Prompts of agents spell them as they like. */
export const jsonWrapper =
  '(?:tool[_-]?calls?|ToolCalls?|TOOL_?CALLS?|function_calls?|function(?:-call)?|tool_uses?|use_tool|tools?)';
/** What they say beside that: which call it is, and that it is one. */
export const wrapperAttributes =
  '(?:\\s{1,8}(?:(?:id|call_id|index)=["\'][^"\'<>\\n]{0,64}|type=["\'](?:tool|function|tool_use|(?:tool|function)_call|json|application/json))["\']){0,3}';

export const nameTag = '(?:tool_|function_)?name';
/** The element with the tool's name, in prompts of agents such as Cherry Studio's. */
export const nameElement = `<${nameTag}>\\s{0,8}(?<name>${namePattern})\\s{0,8}</${nameTag}>\\s{0,64}`;

const wrapper = `(?:${jsonWrapper}|tool_code|functions|invoke|call)`;
/** Results, reasoning and examples are not calls. */
const foreign = /respon|result|output|observ|example|think|thought|reason|analys|user|system/i;
/** Tokens in brackets: of Mistral's templates, and of LM Studio's prompt. */
export const bracketToken =
  '\\[(?:/[A-Z_]{3,40}|(?:END_)?TOOL_(?:CALL|REQUEST)S?(?:_END)?|ARGS|CALL_ID)\\]';
/** Prompts of proxies set calls apart in angle brackets. */
const angleToken = '<{2,3}(?:/|END_)?TOOL_CALLS?>{2,3}';
const token =
  '<\\|message_sep\\|>\\s{0,8}function call<\\|role_sep\\|>|<functioncall(?=\\s)|<[|｜](?!open[|｜]|close[|｜])[^<>|｜]{1,64}(?:[|｜]>|>)|<[A-Za-z_]{1,40}\\|>|functools(?=\\s*\\[)|</?s>|<(?:start|end)_function_call>|' +
  `${angleToken}|${bracketToken}`;
const comment = '<!--[^]*?-->';

const opening = `${tagToken}<${tagPrefix}(${wrapper})${wrapperAttributes}>|${token}`;
/** In running text, a comment may say what the call after it is. */
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
  /tools?_?call|tools_prefix|invoke_tool|funct|python_(?:tag|start)|START_ACTION|TOOL_CALLS?|TOOL_REQUEST|ARGS|tool▁call|plugin/;

/** An opening tag of a parameter, in any of the notations. */
const anyParameter = new RegExp(`<${tagPrefix}(?:param(?:eter)?[=\\s]|arg_(?:key|value)>)`);

/** Whether a text opens a parameter, or the argument of a call in control tokens. */
export const opensParameter = (text: string): boolean =>
  anyParameter.test(text) || text.includes(']<]minimax[>[') || /<\|open\|>argument\s/.test(text);

export interface OpenedTags {
  /** Offset after the tags, tokens and blanks. */
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
    const start = afterBlanks(text, end);
    const match = count < mostTags ? matchAt(openingTag, text, start) : null;
    if (match === null || isForeign(match[0])) return { end: start, tags };
    end = openingTag.lastIndex;
    const tag = match[1] ?? callToken.exec(match[0])?.[0];
    if (tag !== undefined) tags.push(tag);
  }
}

export interface ClosedTags {
  /** Offset after the last tag or token; the given offset if there is none. */
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
    const tagText = matchAt(closing, text, afterBlanks(text, end))?.[0];
    if (tagText === undefined || !isOfCall(tagText, isTool) || opensCall(tagText))
      return { end, isClosed };
    end = closing.lastIndex;
    isClosed ||= tagText.includes('</');
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
    const tail = text.slice(Math.max(0, end - longestTag), end);
    const isComment = tail.endsWith('-->');
    const start = isComment
      ? text.lastIndexOf('<!--', end)
      : end - (closingAtEnd.exec(tail)?.[0].length ?? 0);
    if (start === -1 || start === end || isForeignTag(text.slice(start, end))) return end;
    end = endOfWords(text, start);
  }
}

/**
 * Whether a text ends as no tag and no token does: with a brace, or `]` that no capital precedes.
 */
function endsLikeJson(text: string, end: number): boolean {
  const last = text.charAt(end - 1);
  return last === '}' || (last === ']' && !/[A-Z_]/.test(text.charAt(end - 2)));
}

/** The offset after the last character before `end` that is not a blank. */
function endOfWords(text: string, end: number): number {
  let at = end;
  while (at > 0 && /\s/.test(text.charAt(at - 1))) at -= 1;
  return at;
}

/** Whether a closing tag is that of a call. A parameter's would mean that its value goes on. */
function isOfCall(tagText: string, isTool: (name: string) => boolean): boolean {
  const name = closedName.exec(tagText)?.[1];
  return name === undefined || callName.test(name) || isTool(name);
}

const closedName = new RegExp(`</${tagPrefix}([\\w.-]{1,128})>?$`);
const callName = new RegExp(`^(?:${wrapper}|tool|args|arguments|parameters|input|s)$`);

/** Whether a token begins another call, or harmony's next message. */
const opensCall = (tagText: string): boolean =>
  tagText === '<|start|>' || (callToken.test(tagText) && !/end|[[<]END_|\/|^<\w+\|>/.test(tagText));

/** The closing tag of another element. Tokens that end a turn may have such names. */
const isForeignTag = (tagText: string): boolean =>
  tagText.startsWith('</') && foreign.test(tagText);
const isForeign = (tagText: string): boolean =>
  !tagText.startsWith('<!--') && foreign.test(tagText);
