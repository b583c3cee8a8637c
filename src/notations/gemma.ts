import { type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';
import {
  type Notation,
  type NotationForm,
  isPlainKey,
  lineStart,
  namePattern,
} from './notation.ts';

const quote = '<|"|>';

/**
 * Gemma 4 (`chat_template.jinja`, macro `format_argument`): bare keys, and strings between quote
 * tokens without any escapes. FunctionGemma writes `<escape>` for the quote token, in
 * `<start_function_call>…<end_function_call>`.
 */
export const gemma: Notation = {
  id: 'gemma',
  begins: '(?:<\\|tool_call>|<start_function_call>)\\s{0,8}:?call:',
  // Servers may have left out the tokens.
  beginsBare: `${lineStart}call ?: ?[\\w.-]{1,128}(?=\\{)`,
  forms: [
    {
      head: `:?call ?:\\s{0,8}(?<name>${namePattern})?\\s{0,8}(?=\\{)`,
      arguments: 'braces',
      repeats: true,
    },
    // Without "call", only the quote token tells it from configuration.
    {
      head: `(?<name>${namePattern})[ \\t]{0,8}(?=\\{\\s{0,64}[A-Za-z_$][\\w.$-]{0,63}\\s{0,8}:\\s{0,8}<\\|"\\|>)`,
      needs: 'tool',
      isFaulty: true,
      arguments: 'braces',
    },
    // Parentheses, as in Python.
    {
      head: `:?call:\\s{0,8}(?<name>${namePattern})\\s{0,8}(?=\\()`,
      needs: 'tag',
      arguments: 'braces',
      repeats: true,
    },
  ],
};

export const gemmaForm: NotationForm = {
  models: 'Gemma 4, FunctionGemma',
  form: '`<|tool_call>call:NAME{key:<|"|>text<|"|>,n:3}<tool_call|>`, `call:{"name": "NAME", …}`',
  notExpressed: 'a string with `<|"|>` in it; a key that is not a name',
  write({ name, arguments: values }) {
    const body = writeValue(values);
    return body === undefined ? undefined : `<|tool_call>call:${name}${body}<tool_call|>`;
  },
};

function writeValue(value: JsonValue): string | undefined {
  if (typeof value === 'string')
    return value.includes(quote) ? undefined : `${quote}${value}${quote}`;
  if (isJsonArray(value)) {
    const items = value.map(writeValue);
    return items.includes(undefined) ? undefined : `[${items.join(',')}]`;
  }
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => {
    const memberText = isPlainKey(key) && /^[A-Za-z_$]/.test(key) ? writeValue(member) : undefined;
    return memberText === undefined ? undefined : `${key}:${memberText}`;
  });
  return members.includes(undefined) ? undefined : `{${members.join(',')}}`;
}
