import { type JsonValue, jsonTypeOf } from '../json/value.ts';
import { type Notation, type NotationForm, rawText } from './notation.ts';
import { writeParameters } from './written-parameters.ts';

const closingArgument = '<|close|>argument<|sep|>';
const attributes = '[^<>|]{0,64}<\\|sep\\|>';
const callTag = `(?:<\\|open\\|>tools<\\|sep\\|>\\s{0,8})?<\\|open\\|>call\\s{1,8}tool="(?<name>[^"<>\\n]{1,128})"${attributes}`;
const closingTools = '<\\|close\\|>tools<\\|sep\\|>';
const closingCall = '<\\|close\\|>call<\\|sep\\|>';

/**
 * Kimi K3 (`chat_template.jinja`, macro `render_assistant`): tags out of control tokens, and the
 * type of each value.
 */
export const kimiK3: Notation = {
  id: 'kimi_k3',
  begins: '<\\|open\\|>(?:tools<\\|sep\\|>|call\\s)',
  forms: [
    {
      head: `${callTag}\\s{0,8}<\\|open\\|>json(?:\\s[^<>|]{0,64})?<\\|sep\\|>`,
      arguments: 'json',
      end: `<\\|close\\|>json<\\|sep\\|>\\s*${closingCall}(?:\\s*${closingTools})?`,
    },
    {
      head: callTag,
      arguments: {
        parameter: `<\\|open\\|>argument\\s{1,8}key="(?<key>[^"<>\\n]{1,128})"(?<attributes>[^<>|]{0,64})<\\|sep\\|>`,
        parameterEnd: '<\\|close\\|>argument<\\|sep\\|>',
        stray: '<\\|(?:open|close)\\|>',
        end: closingCall,
        wrapperEnd: closingTools,
        call: '<\\|open\\|>call\\s',
        namesAreEscaped: true,
        layout: 'exact',
      },
    },
  ],
};

export const kimiK3Form: NotationForm = {
  models: 'Kimi K3',
  form: '`<|open|>call tool="NAME" index="1"<|sep|><|open|>argument key="KEY" type="string"<|sep|>value<|close|>argument<|sep|><|close|>call<|sep|>`, `<|open|>json<|sep|>{…}` in it',
  notExpressed: 'a string with `<|open|>` or `<|close|>` in it',
  write(call) {
    const write = (key: string, raw: string) =>
      `<|open|>argument key="${key}" type="${typeOf(call.arguments[key] ?? null)}"<|sep|>${raw}${closingArgument}`;
    const isPlain = Object.values(call.arguments).every(
      (value) => !/<\|(?:open|close)\|>/.test(rawText(value)),
    );
    const parameters = isPlain ? writeParameters(call, write, closingArgument) : undefined;
    return (
      parameters &&
      [
        `<|open|>tools<|sep|><|open|>call tool="${call.name}" index="1"<|sep|>`,
        ...parameters,
        '<|close|>call<|sep|><|close|>tools<|sep|>',
      ].join('')
    );
  },
};

const typeOf = (value: JsonValue): string => jsonTypeOf(value).replace('integer', 'number');
