// What do models and servers get wrong about the text of a call as a whole?
import type { JsonObject } from '../../json/json-value.ts';
import type { Random } from '../random.ts';
import { pythonText } from './python-text.ts';

export interface TextMistake {
  readonly kind: string;
  /** The text that came; undefined where it can't be made of this call. */
  readonly make: (call: CallText, random: Random) => string | undefined;
}

export interface CallText {
  readonly value: JsonObject;
  /** What would have been right. */
  readonly json: string;
  /** Arguments that take no text: what is written for them as text can only be their JSON. */
  readonly keysWithoutText: ReadonlySet<string>;
  /** Of these, those that take no list and no object either. */
  readonly keysOfScalars: ReadonlySet<string>;
}

const isEmpty = (json: string): boolean => json === '{}';

export const textMistakes: readonly TextMistake[] = [
  { kind: 'fenced', make: ({ json }, random) => `\`\`\`${random.pick(['json', '']) ?? ''}\n${json}\n\`\`\`` },
  { kind: 'trailing_comma', make: ({ json }) => (isEmpty(json) ? undefined : `${json.slice(0, -1)},}`) },
  {
    kind: 'comment',
    make: ({ json }, random) =>
      `{${random.pick([' // the call\n', ' /* the call */ ', ' # the call\n']) ?? ''}${json.slice(1)}`,
  },
  { kind: 'python', make: ({ value, json }) => (isEmpty(json) ? undefined : pythonText(value)) },
  {
    kind: 'unquoted_keys',
    make: ({ value, json }) =>
      isEmpty(json) || !Object.keys(value).every((key) => /^[a-z_][a-z0-9_]*$/i.test(key))
        ? undefined
        : `{${Object.entries(value)
            .map(([key, member]) => `${key}: ${JSON.stringify(member)}`)
            .join(', ')}}`,
  },
  {
    kind: 'raw_line_breaks',
    make: ({ json }) => (/\\n/.test(json) && !/\\\\/.test(json) ? json.replaceAll('\\n', '\n') : undefined),
  },
  {
    kind: 'escaped_quotes',
    make: ({ json }) => (isEmpty(json) || json.includes('\\') ? undefined : json.replaceAll('"', '\\"')),
  },
  {
    kind: 'curly_quotes',
    make: ({ json }) =>
      isEmpty(json) || /[\\\u201c\u201d]/.test(json)
        ? undefined
        : json.replace(/"([^"]*)"/g, '\u201c$1\u201d'),
  },
  {
    kind: 'key_quote_lost',
    make: ({ json }) => (/^\{"[a-z_][a-z0-9_]*":/i.test(json) ? `{${json.slice(2)}` : undefined),
  },
  {
    kind: 'drive_path_unescaped',
    make: ({ json }) => {
      const rest = json.replaceAll(drivePath, '');
      return rest.length < json.length && !rest.includes('\\') ? json.replaceAll('\\\\', '\\') : undefined;
    },
  },
  {
    kind: 'call_markup',
    make: (call, random) => (isEmpty(call.json) ? undefined : markupOf(call, random)),
  },
  { kind: 'encoded_twice', make: ({ json }) => JSON.stringify(json) },
  { kind: 'in_a_list', make: ({ json }) => `[${json}]` },
  { kind: 'closing_tag', make: ({ json }) => `${json}</tool_call>` },
  { kind: 'sentence_before', make: ({ json }) => `I call the tool now:\n${json}` },
  { kind: 'thinking_before', make: ({ json }) => `<think>What next?</think>\n${json}` },
  {
    kind: 'repeated',
    make: ({ json }, random) => (isEmpty(json) ? undefined : `${random.chance(0.5) ? '{}' : json}${json}`),
  },
  { kind: 'closer_missing', make: ({ json }) => (isEmpty(json) ? undefined : json.slice(0, -1)) },
  { kind: 'closer_too_many', make: ({ json }) => `${json}}` },
];

/** A text that begins with a drive letter and has backslashes, as JSON writes it. */
const drivePath = /"[A-Z]:(?:\\\\[\w.]+)+"/g;

/**
 * Named parameters, texts as they are and everything else as JSON; undefined where a text could be taken for markup, or for
 * something else than the list or object that it is.
 */
function markupOf({ value, keysWithoutText, keysOfScalars }: CallText, random: Random): string | undefined {
  const members = Object.entries(value);
  const isPlain = members.every(([key, member]) => {
    if (!/^[\w.-]+$/.test(key)) return false;
    if (typeof member === 'string') return !/[<>]|^\s|\s$/.test(member);
    return typeof member === 'object' && keysOfScalars.has(key) ? member === null : keysWithoutText.has(key);
  });
  if (!isPlain) return undefined;
  const [open, close] = random.pick([
    ['<parameter=', '>\n'],
    ['<parameter name="', '">'],
  ] as const) ?? ['', ''];
  const parameters = members.map(
    ([key, member]) =>
      `${open}${key}${close}${typeof member === 'string' ? member : JSON.stringify(member)}\n</parameter>`,
  );
  return `<tool_call>\n${parameters.join('\n')}\n</tool_call>`;
}
