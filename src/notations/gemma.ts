import { matchAt } from '../json/tokens.ts';
import { readJsonPrefix } from '../json/lenient-parser.ts';
import { exactJson } from '../json/parse.ts';
import { type JsonValue, isJsonArray, isJsonObject, maxTextDepth } from '../json/value.ts';
import { endOfContainer } from './json-body.ts';
import {
  type Notation,
  type NotationForm,
  isPlainKey,
  oneCall,
  skipped,
  unfinished,
} from './notation.ts';

const quote = '<|"|>';
/** A string between two quote tokens. FunctionGemma has a token of its own. */
const quoted = /(<\|"\|>|<escape>)([^]*?)\1/g;
const head = /call:\s{0,8}([\w.:/-]{1,128})?\s{0,8}(?=\{)/y;

/**
 * Gemma 4 (`chat_template.jinja`, macro `format_argument`): bare keys, and strings between quote
 * tokens without any escapes. FunctionGemma writes `<escape>` for the quote token, in
 * `<start_function_call>…<end_function_call>`.
 */
export const gemma: Notation = {
  id: 'gemma',
  begins: '(?:<\\|tool_call>|<start_function_call>)\\s{0,8}call:',
  tokens: [
    [/<start_function_call>/, /<end_function_call>/],
    [/<\|tool_call>/, /<tool_call\|>/],
  ],
  readAt({ text, at }) {
    const found = matchAt(head, text, at);
    if (found === null) return skipped;
    const start = head.lastIndex;
    const end = endOfContainer(text, start);
    return end === undefined ? unfinished : oneCall(end, found[1], jsonOf(text.slice(start, end)));
  },
};

export const gemmaForm: NotationForm = {
  models: 'Gemma 4, FunctionGemma',
  form: '`<|tool_call>call:NAME{key:<|"|>text<|"|>,n:3}<tool_call|>`, `call:{"name": "NAME", …}`',
  notExpressed: 'a string with `<|"|>` in it; a key that is not a name',
  write({ name, arguments: sent }) {
    const body = writeValue(sent);
    return body === undefined ? undefined : `<|tool_call>call:${name}${body}<tool_call|>`;
  },
};

/** The body as JSON. Text that can't be read is left to the readers of argument text. */
function jsonOf(body: string): string {
  const json = body.replaceAll(quoted, (_whole, _token, content: string) =>
    JSON.stringify(content),
  );
  const read = readJsonPrefix(json, 0, 'loose', maxTextDepth);
  const isWhole =
    read.kind === 'read' && read.end === json.length && read.repeatedKeys.length === 0;
  return isWhole ? exactJson(read.value, read.numbers) : json;
}

function writeValue(value: JsonValue): string | undefined {
  if (typeof value === 'string')
    return value.includes(quote) ? undefined : `${quote}${value}${quote}`;
  if (isJsonArray(value)) {
    const items = value.map(writeValue);
    return items.includes(undefined) ? undefined : `[${items.join(',')}]`;
  }
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => {
    const written = isPlainKey(key) && /^[A-Za-z_$]/.test(key) ? writeValue(member) : undefined;
    return written === undefined ? undefined : `${key}:${written}`;
  });
  return members.includes(undefined) ? undefined : `{${members.join(',')}}`;
}
