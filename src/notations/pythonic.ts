import { matchAt } from '../json/tokens.ts';
import { readJsonPrefix } from '../json/lenient-parser.ts';
import { exactJson } from '../json/parse.ts';
import { type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';
import { behindBlanks } from './json-body.ts';
import {
  type CallSource,
  type Notation,
  type NotationForm,
  type NotationReading,
  type ReadCall,
  refusedCall,
  skipped,
  unfinished,
  nameGroup,
} from './notation.ts';

const head = /([A-Za-z_][\w.]{0,127})\(/y;
const keyword = /([A-Za-z_]\w{0,127})\s{0,8}=(?!=)\s{0,8}/y;
const maxDepth = 62;

/**
 * Calls as in Python: Llama 3.2 and 4 (`[NAME(key=value)]`, also in
 * `<|python_start|>…<|python_end|>`), LFM2 and LFM2.5 (`chat_template.jinja`, macro
 * `render_tool_calls`, in `<|tool_call_start|>[…]<|tool_call_end|>`), Olmo 3, Gemini's and Gemma
 * 3's `print(default_api.NAME(…))`, also in `<tool_code>`.
 */
export const pythonic: Notation = {
  id: 'pythonic',
  begins: '<\\|(?:tool_call|python)_start\\|>|<tool_code>',
  names: [`${nameGroup}\\(\\s*$`],
  tokens: [
    [/<\|tool_call_start\|>/, /<\|tool_call_end\|>/],
    [/<\|python_start\|>/, /<\|python_end\|>/],
  ],
  readAt(source) {
    const { text, at } = source;
    const isList = text.charAt(at) === '[';
    const first = isList ? behindBlanks(text, at + 1) : at;
    if (matchAt(head, text, first) === null) return skipped;
    // Words before a parenthesis are not a call: `Note (see below)`.
    const calls: ReadCall[] = [];
    for (let from = first; ;) {
      const read = callAt(source, from);
      if (read.kind !== 'call') return read;
      calls.push(read.call);
      from = behindBlanks(text, read.end);
      if (!isList) return { kind: 'calls', calls, end: read.end };
      const next = text.charAt(from);
      if (next === ']') return { kind: 'calls', calls, end: from + 1 };
      if (next !== ',') return otherwiseAt(text, from);
      from = behindBlanks(text, from + 1);
    }
  },
};

export const pythonicForm: NotationForm = {
  models: 'Llama 3.2 and 4, LFM2, LFM2.5, Olmo 3',
  form: '`[NAME(key="text", n=3)]`, `NAME({…})`, in list brackets or not',
  notExpressed: 'a key that is not a name of Python',
  write({ name, arguments: sent }) {
    const names = [name.replaceAll('.', '_'), ...Object.keys(sent)];
    if (!names.every((one) => /^[A-Za-z_]\w{0,63}$/.test(one))) return undefined;
    const written = Object.entries(sent).map(([key, value]) => `${key}=${writeLiteral(value)}`);
    return `<|tool_call_start|>[${name}(${written.join(', ')})]<|tool_call_end|>`;
  },
};

type OneCall = { readonly kind: 'call'; readonly call: ReadCall; readonly end: number };

/** `NAME(…)` with keywords, with one object, or with nothing. */
function callAt(source: CallSource, from: number): OneCall | NotationReading {
  const { text, isTool } = source;
  const name = matchAt(head, text, from)?.[1];
  if (name === undefined) return otherwiseAt(text, from);
  const start = behindBlanks(text, head.lastIndex);
  if (name === 'print') {
    const inner = callAt(source, start);
    return inner.kind === 'call' ? closedAt(text, inner) : inner;
  }
  const found = text.charAt(start) === '{' ? literalAt(text, start) : keywordsAt(text, start);
  const read = found.kind === 'found' ? closedAt(text, found) : found;
  if (read.kind === 'found') {
    const { json, keywords, end } = read;
    return { kind: 'call', call: { name, arguments: json, keywords, state: 'closed' }, end };
  }
  // Any word can come before a parenthesis: outside a list, only a tool's name makes it a call.
  const isCall = isTool(name) || source.at !== from;
  return isCall || read.kind === 'open' ? read : skipped;
}

/** What was read, with the parenthesis behind it. */
function closedAt<Read extends { readonly end: number }>(
  text: string,
  read: Read,
): Read | NotationReading {
  const end = behindBlanks(text, read.end);
  return text.charAt(end) === ')' ? { ...read, end: end + 1 } : otherwiseAt(text, end);
}

/** Text that is not what is expected at an offset: the rest may be the beginning of a name. */
const otherwiseAt = (text: string, at: number): NotationReading =>
  /^(?:[A-Za-z_][\w.]{0,127}\s{0,8})?$/.test(text.slice(at)) ? unfinished : refusedCall;

interface Found {
  readonly kind: 'found';
  readonly json: string;
  readonly end: number;
  readonly keywords: readonly string[];
}

function keywordsAt(text: string, start: number): Found | NotationReading {
  const members: string[] = [];
  const keys = new Set<string>();
  for (let at = start; ;) {
    if (text.charAt(at) === ')')
      return { kind: 'found', json: `{${members.join(',')}}`, end: at, keywords: [...keys] };
    const key = matchAt(keyword, text, at)?.[1];
    if (key === undefined || keys.has(key)) return otherwiseAt(text, at);
    const read = literalAt(text, keyword.lastIndex);
    if (read.kind !== 'found') return read;
    keys.add(key);
    members.push(`${JSON.stringify(key)}:${read.json}`);
    at = behindBlanks(text, read.end);
    if (text.charAt(at) === ',') at = behindBlanks(text, at + 1);
    else if (text.charAt(at) !== ')') return otherwiseAt(text, at);
  }
}

/** Escapes that mean a character in Python, and in JSON nothing; a line break is left out. */
const pythonEscape = /(?<!\\)(?:\\\\)*\\(?:[\n\r0-7avU]|N\{)/;

/** A literal of Python or JSON, as JSON. */
function literalAt(text: string, start: number): Found | NotationReading {
  const read = readJsonPrefix(text, start, 'loose', maxDepth);
  // Unreadable text may be a string, a container, a word or a number that isn't complete yet.
  if (read.kind === 'unreadable')
    return /^(?:["'[{]|[\w.+-]*$)/.test(text.slice(start)) ? unfinished : refusedCall;
  const { value, numbers, end } = read;
  const isChanged = read.repeatedKeys.length > 0 || read.quotedNumbers.length > 0;
  const literal = text.slice(start, end);
  if (isChanged || pythonEscape.test(literal)) return refusedCall;
  const json = typeof value === 'number' ? literal : exactJson(value, numbers);
  return { kind: 'found', json, end, keywords: [] };
}

function writeLiteral(value: JsonValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (isJsonArray(value)) return `[${value.map(writeLiteral).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}: ${writeLiteral(member)}`)
    .join(', ')}}`;
}
