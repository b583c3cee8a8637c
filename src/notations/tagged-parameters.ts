import { matchAt } from '../json/tokens.ts';
import { tagPrefix, tagToken } from './wrapping-tags.ts';
import { behindBlanks } from './json-body.ts';
import {
  type CallSource,
  type CallToWrite,
  type RawArguments,
  isPlainKey,
  longestTag,
  rawText,
} from './notation.ts';

/** The opening tag of one parameter. */
export interface ParameterTag {
  readonly key: string;
  /** Offset behind the tag. */
  readonly end: number;
  readonly closing: string;
  /** The tag says that the value is a string. */
  readonly isString?: boolean;
}

export type Parameters =
  | { readonly kind: 'open' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'read'; readonly pairs: RawArguments; readonly end: number };

/** An opening tag of a parameter, in any of the notations. */
const anyParameter = new RegExp(`<${tagPrefix}(?:param(?:eter)?[=\\s]|arg_(?:key|value)>)`);

/** Whether a text opens a parameter, or the argument of a call in control tokens. */
export const opensParameter = (text: string): boolean =>
  anyParameter.test(text) || text.includes(token) || /<\|open\|>argument\s/.test(text);

const token = ']<]minimax[>[';

/** Parameters from an offset on, each in its tags, with nothing but blanks between them. */
export function parametersAt(
  { text, extent }: CallSource,
  from: number,
  tagAt: (text: string, at: number) => ParameterTag | undefined,
): Parameters {
  const pairs: (readonly [string, string, boolean])[] = [];
  const keys = new Set<string>();
  for (let at = from; ;) {
    at = behindBlanks(text, at);
    const tag = tagAt(text, at);
    if (tag === undefined) return { kind: 'read', pairs, end: at };
    const close = startOfClosing(text, tag, extent === 'whole');
    if (close === -1) return { kind: 'open' };
    const end = text.startsWith(token, close - token.length) ? close - token.length : close;
    const raw = text.slice(tag.end, end);
    // The value contains another parameter, or text about calls.
    if (keys.has(tag.key) || anyParameter.test(raw) || raw.includes(token))
      return { kind: 'refused' };
    keys.add(tag.key);
    const value = withoutLineBreaks(raw, indentationAt(text, at));
    pairs.push([tag.key, value, tag.isString === true]);
    at = Math.min(close + tag.closing.length, text.length);
  }
}

/**
 * The offset of the closing tag, which may have lost its last character at the end of a text; -1 if
 * there is none.
 */
function startOfClosing(text: string, { closing, end }: ParameterTag, isWhole: boolean): number {
  const found = text.indexOf(closing, end);
  if (found !== -1 || !isWhole) return found;
  const trimmed = text.trimEnd();
  return trimmed.endsWith(closing.slice(0, -1))
    ? Math.max(end, trimmed.length - closing.length + 1)
    : -1;
}

/**
 * A line break at the end belongs to the markup if one is at the beginning, too, and so does the
 * tag's indentation behind it.
 */
function withoutLineBreaks(raw: string, indentation: string): string {
  const start = /^\r?\n/.exec(raw)?.[0].length;
  const end = raw.endsWith(`\n${indentation}`) ? raw.length - indentation.length - 1 : undefined;
  if (start === undefined || end === undefined || end < start) return raw;
  return raw.slice(start, raw.charAt(end - 1) === '\r' ? end - 1 : end);
}

/** The blanks before an offset, if they begin a line. */
function indentationAt(text: string, at: number): string {
  let start = at;
  while (start > 0 && /[ \t]/.test(text.charAt(start - 1))) start -= 1;
  return start === 0 || text.charAt(start - 1) === '\n' ? text.slice(start, at) : '';
}

const parameterTag = new RegExp(
  `${tagToken}<(${tagPrefix}param(?:eter)?)(?:=([^<>"\\n]{1,128})|\\s+name=(["'])([^"'<>\\n]{1,128})\\3[^<>]{0,${longestTag}})>`,
  'y',
);

/** DeepSeek's `string="true"`. */
const saysString = /\sstring=["']true["']/;

/** `<parameter=KEY>` and `<parameter name="KEY">`. */
export function parameterTagAt(text: string, at: number): ParameterTag | undefined {
  const [tag = '', element = '', bare, , quoted = ''] = matchAt(parameterTag, text, at) ?? [];
  const key = (bare ?? quoted).trim();
  return key === ''
    ? undefined
    : {
        key,
        end: parameterTag.lastIndex,
        closing: `</${element}>`,
        isString: saysString.test(tag),
      };
}

/**
 * The parameters of a call as markup; undefined if a key or a value would not be read back as it
 * is.
 */
export function writeParameters(
  call: CallToWrite,
  write: (key: string, raw: string) => string,
  closing: string,
): readonly string[] | undefined {
  const entries = Object.entries(call.arguments).map(
    ([key, value]) => [key, rawText(value)] as const,
  );
  const isExpressible = entries.every(
    ([key, raw]) =>
      isPlainKey(key) && !raw.includes(closing) && !anyParameter.test(raw) && !raw.includes(token),
  );
  return isExpressible ? entries.map(([key, raw]) => write(key, raw)) : undefined;
}

/** The same for markup that takes off the line breaks at both ends of a value. */
export const writeVerbatim: typeof writeParameters = (call, write, closing) =>
  Object.values(call.arguments).some((value) => /^\r?\n[^]*\n$/.test(rawText(value)))
    ? undefined
    : writeParameters(call, write, closing);
