import { type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';
import { type Notation, type NotationForm, nameGroup } from './notation.ts';

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
  forms: [
    { head: '(?=\\[\\s*[A-Za-z_][\\w.]{0,127}\\s{0,8}\\()', arguments: 'python', repeats: true },
    {
      head: '(?=(?:print\\(\\s{0,16})?(?<name>[A-Za-z_][\\w.]{0,127})\\s{0,8}\\()',
      needs: 'tag_or_tool',
      arguments: 'python',
      repeats: true,
    },
    // In a tag, a statement with a call.
    {
      head: '(?:[A-Za-z_]\\w{0,63}[ \\t]{0,8}=[ \\t]{0,8})?(?:await[ \\t]{1,8})?(?=(?<name>[A-Za-z_][\\w.]{0,127})\\s{0,8}\\()',
      needs: 'tag',
      isFaulty: true,
      arguments: 'python',
    },
  ],
};

export const pythonicForm: NotationForm = {
  models: 'Llama 3.2 and 4, LFM2, LFM2.5, Olmo 3, Gemma 3',
  form: '`[NAME(key="text", n=3)]`, `NAME({…})`, in list brackets or not',
  notExpressed: 'a key that is not a name of Python',
  write({ name, arguments: values }) {
    const names = [name.replaceAll('.', '_'), ...Object.keys(values)];
    if (!names.every((one) => /^[A-Za-z_]\w{0,63}$/.test(one))) return undefined;
    const keywordArguments = Object.entries(values).map(
      ([key, value]) => `${key}=${writeLiteral(value)}`,
    );
    return `<|tool_call_start|>[${name}(${keywordArguments.join(', ')})]<|tool_call_end|>`;
  },
};

function writeLiteral(value: JsonValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (isJsonArray(value)) return `[${value.map(writeLiteral).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}: ${writeLiteral(member)}`)
    .join(', ')}}`;
}
