// Faults in the markup of a call, each of which leaves one reading.
import { readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import type { Random } from '../../src/testing/sample-value.ts';
import { textFaults } from '../../src/testing/text-faults.ts';
import {
  type ChatTemplate,
  type Piece,
  chatTemplates,
} from '../../test/notations/chat-templates.ts';

/** A call in the pieces of a template. */
export interface WrittenCall {
  readonly template: ChatTemplate;
  readonly name: string;
  readonly pieces: readonly Piece[];
}

/** The pieces with a fault; undefined if there is no place for it. */
type MarkupFault = (call: WrittenCall, random: Random) => readonly Piece[] | undefined;

type Part = Piece['part'];

const isIn =
  (...parts: readonly Part[]) =>
  ({ part }: Piece): boolean =>
    parts.includes(part);

const without = (pieces: readonly Piece[], ...parts: readonly Part[]) =>
  pieces.some(isIn(...parts)) ? pieces.filter((one) => !isIn(...parts)(one)) : undefined;

/** Changes one of the pieces that are of a part. */
function changeOne(
  pieces: readonly Piece[],
  part: Part,
  random: Random,
  change: (text: string, index: number) => string | undefined,
): readonly Piece[] | undefined {
  const index = random.pick(pieces.flatMap((one, at) => (one.part === part ? [at] : [])));
  const text = index === undefined ? undefined : pieces[index]?.text;
  const changed = text === undefined || index === undefined ? undefined : change(text, index);
  return changed === undefined || changed === text
    ? undefined
    : pieces.map((one, at) => (at === index ? { part, text: changed } : one));
}

const isTagged = ({ template: { kind } }: WrittenCall): boolean =>
  kind === 'tags' || kind === 'typed';

/** A value that doesn't end in a blank, which could be the template's, and holds no markup. */
const isPlainValue = (text: string): boolean => !/\s$|[<>]/.test(text);

/** Garbled closing tags that say which tag they are. */
const garbled = (tag: string): readonly string[] => [
  tag.replace(/>(\s*)$/, '$1'),
  tag.replace(/>(\s*)$/, '/>$1'),
];

/** Faults of the tags around a call and of its parameters. */
const faultsOfTags: Readonly<Record<string, MarkupFault>> = {
  wrapper_lost: ({ pieces }) =>
    pieces.some(isIn('head', 'parameter')) ? without(pieces, 'wrapper') : undefined,
  closing_wrapper_lost: (call) =>
    call.template.isBare === true ||
    call.pieces.some(({ part, text }) => part === 'wrapperEnd' && text.includes('```')) ||
    (isTagged(call) && !call.pieces.some(isIn('end')))
      ? undefined
      : without(call.pieces, 'wrapperEnd'),
  wrappers_lost: ({ pieces }) =>
    pieces.some(isIn('head')) && pieces.some(isIn('end'))
      ? without(pieces, 'wrapper', 'wrapperEnd')
      : undefined,
  end_lost: ({ pieces }) =>
    pieces.some(isIn('wrapperEnd')) && pieces.some(isIn('parameter'))
      ? without(pieces, 'end')
      : undefined,
  end_twice: ({ pieces }, random) => changeOne(pieces, 'end', random, (text) => text + text),
  closing_wrapper_twice: ({ pieces }, random) =>
    changeOne(pieces, 'wrapperEnd', random, (text) => `${text}${text}`),
  // A string could hold the next parameter.
  parameter_end_lost: ({ pieces }, random) =>
    changeOne(pieces, 'parameterEnd', random, (_text, index) => {
      const value = pieces[index - 1];
      const isLast = index === pieces.findLastIndex(isIn('parameterEnd'));
      const isCertain = value?.isString === false || (isLast && pieces.some(isIn('end')));
      return isCertain && isPlainValue(value?.text ?? ' ') ? '' : undefined;
    }),
  parameter_end_garbled: ({ pieces }, random) =>
    changeOne(pieces, 'parameterEnd', random, (text, index) =>
      /<\/(?:parameter|arg_value)>/.test(text) && isPlainValue(pieces[index - 1]?.text ?? ' ')
        ? random.pick(garbled(text))
        : undefined,
    ),
  // A string could end in the first of two closing tags.
  parameter_end_twice: ({ pieces }, random) =>
    changeOne(pieces, 'parameterEnd', random, (text, index) =>
      pieces[index - 1]?.isString === false ? text + text.trim() : undefined,
    ),
  blanks_between_tags: ({ pieces }, random) => {
    const blank = random.pick(['', '\r\n', '\n\n', ' ', '\n  ']) ?? '';
    return pieces.some(({ part, text }) => part === 'space' && text !== blank)
      ? pieces.map((one) => (one.part === 'space' ? { ...one, text: blank } : one))
      : undefined;
  },
};

/** Applies a fault of text to the JSON of a call. */
function inJson(kind: string): MarkupFault {
  return ({ template, pieces }, random) => {
    if (template.kind !== 'json') return undefined;
    return changeOne(pieces, 'arguments', random, (text) => {
      const value: JsonValue = JSON.parse(text);
      // Compact JSON, as the faults expect it.
      const object = Array.isArray(value) ? value[0] : value;
      if (typeof object !== 'object' || object === null || Array.isArray(object)) return undefined;
      const json = JSON.stringify(object);
      if (json === '{}') return undefined;
      const broken = textFaults[kind]?.(
        {
          tool: undefined,
          value: object,
          isValid: true,
          json,
          isClosed: false,
          types: new Map(),
        },
        random,
      );
      if (broken === undefined || broken === json) return undefined;
      return Array.isArray(value) ? `[${broken}]` : broken;
    });
  };
}

const jsonFaults = [
  'trailing_comma',
  'python',
  'unquoted_keys',
  'raw_line_breaks',
  'curly_quotes',
  'key_quote_lost',
  'comma_missing',
  'colon_missing',
  'comment_inside',
];

const objectIn = (text: string): JsonObject | undefined => {
  const value: JsonValue = JSON.parse(text);
  const object = Array.isArray(value) ? value[0] : value;
  return typeof object === 'object' && object !== null && !Array.isArray(object)
    ? object
    : undefined;
};

/** Changes the call object of templates that have one. */
const inCallObject =
  (change: (call: JsonObject, random: Random) => JsonObject | undefined): MarkupFault =>
  ({ template, pieces }, random) =>
    template.kind !== 'json' || pieces.some(isIn('head'))
      ? undefined
      : changeOne(pieces, 'arguments', random, (text) => {
          const call = objectIn(text);
          const changed = call && change(call, random);
          if (changed === undefined) return undefined;
          const json = JSON.stringify(changed);
          return text.startsWith('[') ? `[${json}]` : json;
        });

const renamed = (call: JsonObject, from: RegExp, to: string): JsonObject =>
  Object.fromEntries(
    Object.entries(call).map(([key, value]) => [from.test(key) ? to : key, value]),
  );

const argumentsKey = /^(?:arguments|parameters)$/;
const nameKey = /^(?:name|tool_name)$/;

const outsideStrings = (text: string, change: (part: string) => string): string =>
  text.replaceAll(
    /("(?:[^"\\]|\\[^])*")|([^"]+)/g,
    (_match, string: string | undefined, rest: string | undefined) => string ?? change(rest ?? ''),
  );

/** Faults of JSON, of Python's literals and of Gemma's. */
const faultsOfLiterals: Readonly<Record<string, MarkupFault>> = {
  ...Object.fromEntries(jsonFaults.map((kind) => [kind, inJson(kind)])),
  closer_too_many: ({ template, pieces }, random) =>
    template.kind === 'json' && pieces.some(isIn('wrapperEnd'))
      ? changeOne(pieces, 'arguments', random, (text) => `${text}}`)
      : undefined,
  arguments_as_text: inCallObject((call) =>
    Object.fromEntries(
      Object.entries(call).map(([key, value]) => [
        key,
        argumentsKey.test(key) ? JSON.stringify(value) : value,
      ]),
    ),
  ),
  other_arguments_key: inCallObject((call, random) =>
    renamed(call, argumentsKey, random.pick(['arguments', 'parameters', 'args', 'input']) ?? ''),
  ),
  other_name_key: inCallObject((call, random) =>
    renamed(call, nameKey, random.pick(['name', 'tool', 'tool_name', 'function']) ?? ''),
  ),
  namespaced_name: inCallObject((call) => {
    const key = Object.keys(call).find((one) => nameKey.test(one));
    const name = key === undefined ? undefined : call[key];
    return key === undefined || typeof name !== 'string'
      ? undefined
      : { ...call, [key]: `functions.${name}` };
  }),
  other_call_id: ({ name, pieces }, random) =>
    changeOne(pieces, 'head', random, (text) =>
      text.includes('tool_call_argument_begin')
        ? text.replace(
            `functions.${name}:0`,
            () => random.pick([`${name}:0`, `functions_${name}_0`, `functions.${name}:12`]) ?? '',
          )
        : undefined,
    ),
  single_quotes: ({ template, pieces }, random) =>
    template.kind === 'python'
      ? changeOne(pieces, 'arguments', random, (text) =>
          /['\\]/.test(text) ? undefined : text.replaceAll('"', "'"),
        )
      : undefined,
  json_words: ({ template, pieces }, random) =>
    template.kind === 'python'
      ? changeOne(pieces, 'arguments', random, (text) =>
          outsideStrings(text, (part) =>
            part
              .replaceAll(/\bTrue\b/g, 'true')
              .replaceAll(/\bFalse\b/g, 'false')
              .replaceAll(/\bNone\b/g, 'null'),
          ),
        )
      : undefined,
  comma_before_closer: ({ template, pieces }, random) =>
    template.kind === 'python'
      ? changeOne(pieces, 'arguments', random, (text) =>
          text.includes('()') ? undefined : text.replace(/\)(\]?\s*(?:`{3})?)$/, ',)$1'),
        )
      : undefined,
  plain_quotes: ({ template, pieces }, random) =>
    template.kind === 'braces'
      ? changeOne(pieces, 'arguments', random, (text) =>
          /["\\](?!\|>)/.test(text) ? undefined : text.replaceAll(/<\|"\|>|<escape>/g, '"'),
        )
      : undefined,
  comma_lost_before_key: ({ template, pieces }, random) =>
    template.kind === 'braces'
      ? changeOne(pieces, 'arguments', random, (text) => {
          const match = random.pick([
            ...text.matchAll(/(?<=(?:<\|"\|>|<escape>)),(?=[A-Za-z_]\w*:)/g),
          ]);
          return match === undefined || !isStringEnd(text, match.index)
            ? undefined
            : text.slice(0, match.index) + text.slice(match.index + 1);
        })
      : undefined,
  colon_too_many: ({ template, pieces }, random) =>
    template.kind === 'braces'
      ? changeOne(pieces, 'head', random, (text) => `:${text}`)
      : undefined,
};

/** Whether a token at the end of the text before an offset closes a string. */
const isStringEnd = (text: string, at: number): boolean =>
  (text.slice(0, at).match(/<\|"\|>|<escape>/g) ?? []).length % 2 === 0;

export const markupFaults: Readonly<Record<string, MarkupFault>> = {
  ...faultsOfTags,
  ...faultsOfLiterals,
};

/** Strings with markup in them, which are the value all the same. */
export function markupText(name: string, random: Random): string {
  const other = random.pick(chatTemplates);
  const inner = other?.write({ name, arguments: { path: '/srv', query: 'x "y"' } }) ?? [];
  const call = inner.map(({ text }) => text).join('');
  const tag = random.pick(specialTokens) ?? '';
  return (
    random.pick([
      call,
      `See:\n${call}\nand so on`,
      `print("${tag}")`,
      `a ${tag} b`,
      `"${tag}"`,
      tag,
      `{"name": ${JSON.stringify(name)}, "arguments": {"path": "/etc"}}`,
      random.pick(documentation) ?? '',
    ]) ?? ''
  );
}

/** The paragraphs and rows of the page about notations, which hold all of them. */
const documentation = readFileSync(
  new URL('../../docs/reference/notations.md', import.meta.url),
  'utf8',
)
  .split(/\n\n|(?<=\|)\n(?=\|)/)
  .filter((text) => /[<`[]/.test(text));

const specialTokens = [
  '</parameter>',
  '</tool_call>',
  '<parameter=path>',
  '</function>',
  '</arg_value>',
  '</invoke>',
  '<invoke name="x">',
  '<|im_end|>',
  '<|eot_id|>',
  '</s>',
  '</think>',
  '<think>',
  '<|"|>',
  '<escape>',
  '<|close|>',
  '<|call|>',
  '<|python_tag|>',
  '<|tool_call_end|>',
  '<tool_call|>',
  '<｜tool▁call▁end｜>',
  ']<]minimax[>[</invoke>',
  '[ARGS]',
  '[TOOL_CALLS]',
  '[/TOOL_CALLS]',
  '```',
  '-->',
  '\u200b\ufeff',
  'a\r\nb\r\n',
  '\ud83d',
];
