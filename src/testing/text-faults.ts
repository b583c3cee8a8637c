import { spellingOf } from '../json/key-spelling.ts';
import {
  type JsonObject,
  type JsonType,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  jsonTypeOf,
} from '../json/value.ts';
import type { NotationForm } from '../notations/notation.ts';
import { notationForms } from '../notations/notation-forms.ts';
import type { Random } from './sample-value.ts';

/** Arguments that are about to be sent as text. */
export interface CallText {
  readonly tool: string | undefined;
  readonly value: JsonObject;
  /** The value has no fault. */
  readonly isValid: boolean;
  /** The value without faults in its text. */
  readonly json: string;
  /** The tool takes no undeclared arguments. */
  readonly isClosed: boolean;
  /** The types that each declared argument may have. */
  readonly types: ReadonlyMap<string, ReadonlySet<JsonType>>;
}

/** The text that is sent; undefined if the fault can't be made, or would leave a second reading. */
type TextFault = (call: CallText, random: Random) => string | undefined;

/** Calls without arguments have no text in which these faults could be made. */
const unlessEmpty =
  (make: TextFault): TextFault =>
  (call, random) =>
    call.json === '{}' ? undefined : make(call, random);

/** Among words, an object must show that it is a call of this tool. */
function amongWords(write: (json: string) => string): TextFault {
  return ({ value, json, types }) => {
    const keys = Object.keys(value);
    const isCall =
      keys.length === 0 || types.size === 0 || keys.some((key) => isDeclared(key, types));
    return isCall ? write(json) : undefined;
  };
}

const isDeclared = (key: string, types: CallText['types']): boolean =>
  [...types.keys()].some((name) => spellingOf(name) === spellingOf(key));

/** Faults of JSON text, and of what surrounds it. */
const writtenFaults: Readonly<Record<string, TextFault>> = {
  fenced: ({ json }, random) => `\`\`\`${random.pick(['json', '']) ?? ''}\n${json}\n\`\`\``,
  trailing_comma: unlessEmpty(({ json }) => `${json.slice(0, -1)},}`),
  comment: ({ json }, random) =>
    `{${random.pick([' // the call\n', ' /* the call */ ', ' # the call\n']) ?? ''}${json.slice(1)}`,
  python: unlessEmpty(({ value }) => pythonText(value)),
  unquoted_keys: unlessEmpty(({ value }) => {
    const members = Object.entries(value).map(
      ([key, member]) => `${key}: ${JSON.stringify(member)}`,
    );
    return Object.keys(value).every((key) => /^[a-z_]\w*$/i.test(key))
      ? `{${members.join(', ')}}`
      : undefined;
  }),
  raw_line_breaks: ({ json }) =>
    json.includes('\\n') && !json.includes('\\\\') ? json.replaceAll('\\n', '\n') : undefined,
  escaped_quotes: unlessEmpty(({ json }) =>
    json.includes('\\') ? undefined : json.replaceAll('"', '\\"'),
  ),
  curly_quotes: unlessEmpty(({ json }) =>
    /[\\\u201c\u201d]/.test(json) ? undefined : json.replace(/"([^"]*)"/g, '\u201c$1\u201d'),
  ),
  key_quote_lost: ({ json }) => (/^\{"[a-z_]\w*":/i.test(json) ? `{${json.slice(2)}` : undefined),
  drive_path_unescaped: ({ json }) => {
    const rest = json.replaceAll(/"[A-Z]:(?:\\\\[\w.]+)+"/g, '');
    return rest.length < json.length && !rest.includes('\\')
      ? json.replaceAll('\\\\', '\\')
      : undefined;
  },
  call_object: ({ tool, value, types }) =>
    tool === undefined || types.has('name') || types.has('arguments')
      ? undefined
      : JSON.stringify({ name: tool, arguments: value }),
  tool_name_among_arguments: ({ tool, value, types, isClosed }, random) => {
    const key =
      random.pick(['name', 'function', 'tool', 'tool_name', 'function_name', 'action', 'method']) ??
      'name';
    const isNew = [...types.keys(), ...Object.keys(value)].every(
      (other) => spellingOf(other) !== spellingOf(key),
    );
    const isEnvelope = Object.keys(value).some((other) =>
      /^(?:arg|kwarg|param|input|action|tool)/i.test(other),
    );
    return tool === undefined || !isClosed || !isNew || isEnvelope
      ? undefined
      : JSON.stringify({ [key]: tool, ...value });
  },
  encoded_twice: ({ json }) => JSON.stringify(json),
  in_a_list: ({ json }) => `[${json}]`,
  closing_tag: ({ json }) => `${json}</tool_call>`,
  sentence_before: amongWords((json) => `I call the tool now:\n${json}`),
  thinking_before: amongWords((json) => `<think>What next?</think>\n${json}`),
  repeated: unlessEmpty(({ json }, random) => `${random.chance(0.5) ? '{}' : json}${json}`),
  byte_order_mark: ({ json }) => `\u{feff}${json}`,
  // Closers are faulty only by themselves: beside other faults, they could have moved.
  closer_missing: unlessEmpty(({ json, isValid }) => (isValid ? json.slice(0, -1) : undefined)),
  closer_too_many: ({ json }) => `${json}}`,
  closer_twice: ({ json, isValid }, random) =>
    isValid ? editAt(json, /[\]}](?!$)/g, random, (closer) => closer + closer) : undefined,
  closer_of_other_kind: ({ json, isValid }, random) =>
    isValid
      ? editAt(json, /[\]}](?!$)/g, random, (closer) => (closer === ']' ? '}' : ']'))
      : undefined,
  // Without its comma, `[1,2]` would have another number, `{}"a":1` could have the key in its
  // braces, and in `["a""b"]` the quotes could be content.
  comma_missing: ({ json }, random) =>
    editAt(json, /(?<![[{]\s*[\]}]),(?![\d-])/g, random, (_comma, at) =>
      touchingStrings.test(json.slice(at - 1)) || random.chance(0.3) ? ' ' : '',
    ),
  colon_missing: ({ json }, random) => editAt(json, /:/g, random, () => ''),
  comment_inside: ({ json }, random) => editAt(json, /,/g, random, () => ', /* and */ '),
};

/** Two strings of a list with only a comma between them. */
const touchingStrings = /^","(?:[^"\\]|\\.)*"(?!:)/;

/** Replaces one match outside strings; undefined if there is none. */
function editAt(
  json: string,
  pattern: RegExp,
  random: Random,
  replace: (match: string, at: number) => string,
): string | undefined {
  const blankedText = json.replace(/"(?:[^"\\]|\\.)*"/g, (text) => ' '.repeat(text.length));
  const match = random.pick([...blankedText.matchAll(pattern)]);
  if (match === undefined) return undefined;
  return (
    json.slice(0, match.index) +
    replace(match[0], match.index) +
    json.slice(match.index + match[0].length)
  );
}

/** Notations of models in place of JSON, as `notation_qwen_xml`. */
const notationFaults: Readonly<Record<string, TextFault>> = Object.fromEntries(
  [...notationForms].map(([id, { write }]) => [`notation_${id}`, unlessEmpty(inNotation(write))]),
);

function inNotation(write: NotationForm['write']): TextFault {
  return ({ tool, value, json, types }) => {
    // An object with a `name` could be the arguments.
    const text =
      tool === undefined || types.has('name') ? undefined : write({ name: tool, arguments: value });
    const isJson = text?.includes(json) === true;
    // A key that the tool doesn't declare could be part of a value.
    if (!isJson && types.size > 0 && !Object.keys(value).every((key) => isDeclared(key, types)))
      return undefined;
    return isJson || canBeUntyped(value, types) ? text : undefined;
  };
}

/** Whether the schema tells strings from other values in a notation that doesn't. */
const canBeUntyped = (value: JsonObject, types: CallText['types']): boolean =>
  Object.entries(value).every(([key, member]) => {
    const typesOfKey = types.get(key);
    if (typeof member === 'string') {
      // Where another type is taken, too, its JSON would have a second meaning.
      const isPlain =
        typesOfKey?.size === 1 || !/^(?:[-\d[{]|true$|false$|null$|none$)/i.test(member);
      return isPlain && !/[<>]|^\s|\s$/.test(member) && (typesOfKey !== undefined || member !== '');
    }
    // JSON of another type than the declared one would be a fault inside a string.
    const isTaken =
      typeof member !== 'object' || member === null || typesOfKey?.has(jsonTypeOf(member)) === true;
    return typesOfKey !== undefined && !typesOfKey.has('string') && isTaken;
  });

export const textFaults = { ...writtenFaults, ...notationFaults };

/**
 * The value as Python prints it; undefined for a string whose escapes Python writes in another way.
 */
export function pythonText(value: JsonValue): string | undefined {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return /^[^'\\\p{C}]*$/u.test(value) ? `'${value}'` : undefined;
  const parts = isJsonArray(value)
    ? value.map(pythonText)
    : Object.entries(value).map(([key, member]) => {
        const [name, text] = [pythonText(key), pythonText(member)];
        return name === undefined || text === undefined ? undefined : `${name}: ${text}`;
      });
  const [open, close] = isJsonObject(value) ? '{}' : '[]';
  return parts.includes(undefined) ? undefined : `${open}${parts.join(', ')}${close}`;
}
