import { matchAt } from '../json/tokens.ts';
import { type JsonValue, jsonTypeOf } from '../json/value.ts';
import { behindBlanks, endOfContainer } from './json-body.ts';
import {
  type CallSource,
  type Notation,
  type NotationForm,
  type NotationReading,
  type ReadCall,
  oneCall,
  rawText,
  refusedCall,
  skipped,
  unfinished,
} from './notation.ts';
import { type ParameterTag, parametersAt, writeVerbatim } from './tagged-parameters.ts';

const callTag =
  /(?:<\|open\|>tools<\|sep\|>\s{0,8})?<\|open\|>call\s{1,8}tool="([^"<>\n]{1,128})"[^<>|]{0,64}<\|sep\|>/y;
const argumentTag = /<\|open\|>argument\s{1,8}key="([^"<>\n]{1,128})"[^<>|]{0,64}<\|sep\|>/y;
const jsonTag = /<\|open\|>json(?:\s[^<>|]{0,64})?<\|sep\|>/y;
const closingArgument = '<|close|>argument<|sep|>';
const closingJson = '<|close|>json<|sep|>';
const closingCall = /\s*<\|close\|>call<\|sep\|>(?:\s*<\|close\|>tools<\|sep\|>)?/y;

/**
 * Kimi K3 (`chat_template.jinja`, macro `render_assistant`): tags out of control tokens, and the
 * type of each value.
 */
export const kimiK3: Notation = {
  id: 'kimi_k3',
  begins: '<\\|open\\|>(?:tools<\\|sep\\|>|call\\s)',
  readAt(source) {
    const { text, at } = source;
    const name = matchAt(callTag, text, at)?.[1];
    if (name === undefined) return skipped;
    const start = behindBlanks(text, callTag.lastIndex);
    if (matchAt(jsonTag, text, start) !== null)
      return readJson(source, jsonTag.lastIndex, unescaped(name));
    const found = parametersAt(source, start, argumentTagAt);
    if (found.kind !== 'read') return found;
    if (found.pairs.some(([, raw]) => /<\|(?:open|close)\|>/.test(raw))) return refusedCall;
    return callUpTo(text, found.end, unescaped(name), found.pairs);
  },
};

export const kimiK3Form: NotationForm = {
  models: 'Kimi K3',
  form: '`<|open|>call tool="NAME" index="1"<|sep|><|open|>argument key="KEY" type="string"<|sep|>value<|close|>argument<|sep|><|close|>call<|sep|>`, `<|open|>json<|sep|>{…}` in it',
  notExpressed:
    'a string with `<|open|>` or `<|close|>` in it, and one that begins and ends with a line break',
  write(call) {
    const write = (key: string, raw: string) =>
      `<|open|>argument key="${key}" type="${typeOf(call.arguments[key] ?? null)}"<|sep|>${raw}${closingArgument}`;
    const isPlain = Object.values(call.arguments).every(
      (value) => !/<\|(?:open|close)\|>/.test(rawText(value)),
    );
    const parameters = isPlain ? writeVerbatim(call, write, closingArgument) : undefined;
    return (
      parameters &&
      `<|open|>tools<|sep|><|open|>call tool="${call.name}" index="1"<|sep|>${parameters.join('')}<|close|>call<|sep|><|close|>tools<|sep|>`
    );
  },
};

/** Arguments as JSON. */
function readJson({ text }: CallSource, at: number, name: string): NotationReading {
  const start = behindBlanks(text, at);
  const end = text.charAt(start) === '{' ? endOfContainer(text, start) : undefined;
  if (end === undefined) return unfinished;
  const behind = behindBlanks(text, end);
  if (!text.startsWith(closingJson, behind))
    return closingJson.startsWith(text.slice(behind)) ? unfinished : refusedCall;
  return callUpTo(text, behind + closingJson.length, name, text.slice(start, end));
}

/** The call, with the tags at an offset that close it and the list of calls. */
function callUpTo(
  text: string,
  at: number,
  name: string,
  found: ReadCall['arguments'],
): NotationReading {
  const isClosed = matchAt(closingCall, text, at) !== null;
  return oneCall(isClosed ? closingCall.lastIndex : at, name, found, isClosed);
}

function argumentTagAt(text: string, at: number): ParameterTag | undefined {
  const [tag = '', key] = matchAt(argumentTag, text, at) ?? [];
  return key === undefined
    ? undefined
    : {
        key: unescaped(key),
        end: argumentTag.lastIndex,
        closing: closingArgument,
        isString: /\stype="string"/.test(tag),
      };
}

const unescaped = (text: string): string => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

const typeOf = (value: JsonValue): string => jsonTypeOf(value).replace('integer', 'number');
