// Faults in the text of a call as models and servers make them, beyond those of `toolmend/testing`.
import { type JsonObject, type JsonValue, isJsonObject } from '../../src/json/value.ts';
import { wordsInName } from '../../src/json/nearest-name.ts';
import type { Random } from '../../src/testing/sample-value.ts';
import type { ToolContract } from '../../src/tool/tool-contract.ts';
import { validatorOf } from '../../src/validate/validator.ts';

/** A call whose text is about to get a fault: as it would be sent, and as it is meant. */
export interface SentCall {
  readonly contract: ToolContract;
  readonly sent: JsonObject;
  /** `sent` as compact JSON. */
  readonly json: string;
  readonly meant: JsonObject;
}

export interface FaultyText {
  readonly text: string;
  /** `nothing`: the call must be refused. */
  readonly meant: JsonObject | 'nothing';
  /** Default: `tool_calls`. `unknown`: the provider doesn't say how the answer ended. */
  readonly finishReason?: 'length' | 'unknown';
}

/**
 * `one`: by itself, the fault leaves one reading. `several`: the call may be refused, but not
 * accepted with another value.
 */
interface ModelFault {
  readonly readings: 'one' | 'several';
  /** undefined if there is no place for the fault. */
  make(call: SentCall, random: Random): FaultyText | undefined;
}

type MakeText = (call: SentCall, random: Random) => string | undefined;

const withMeant =
  (make: MakeText): ModelFault['make'] =>
  (call, random) => {
    const text = call.json === '{}' ? undefined : make(call, random);
    return text === undefined || text === call.json ? undefined : { text, meant: call.meant };
  };
const one = (make: MakeText): ModelFault => ({ readings: 'one', make: withMeant(make) });
const several = (make: MakeText): ModelFault => ({ readings: 'several', make: withMeant(make) });
const refused = (
  make: MakeText,
  finishReason?: NonNullable<FaultyText['finishReason']>,
): ModelFault => ({
  readings: 'several',
  make(call, random) {
    const text = make(call, random);
    if (text === undefined) return undefined;
    return { text, meant: 'nothing', ...(finishReason === undefined ? {} : { finishReason }) };
  },
});

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The strings, the structure and the scalars of JSON. */
const tokensOf = (json: string): readonly Token[] =>
  [...json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[\w.+-]+/g)].map(({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));

const isString = ({ text }: Token): boolean => text.startsWith('"');
const isStructure = ({ text }: Token): boolean => /^[{}[\],:]$/.test(text);
const isCloser = ({ text }: Token): boolean => text === '}' || text === ']';

/** Replaces what is between two offsets. */
const spliced = (json: string, start: number, end: number, put = ''): string =>
  json.slice(0, start) + put + json.slice(end);

function atToken(
  fits: (token: Token) => boolean,
  change: (json: string, token: Token, random: Random) => string | undefined,
): MakeText {
  return ({ json }, random) => {
    const token = random.pick(tokensOf(json).filter(fits));
    return token && change(json, token, random);
  };
}

/** Content of a string that no schema of the tool refuses, as it is meant and as it is written. */
const inString =
  (meant: string, writtenForm: string, mayBeWritten = /^/): ModelFault['make'] =>
  ({ contract, sent, meant: intendedArguments }, random) => {
    const validator = validatorOf(contract);
    const key = random.pick(
      Object.keys(sent).filter((name) => {
        if (typeof sent[name] !== 'string' || sent[name] !== intendedArguments[name]) return false;
        const changed = { ...intendedArguments, [name]: meant };
        return (
          validator.accepts(changed) &&
          validator.checkFailures(changed).length === 0 &&
          !validator.accepts({ ...intendedArguments, [name]: 5 })
        );
      }),
    );
    if (key === undefined) return undefined;
    const mark = 'QQQQ';
    const json = JSON.stringify({ ...sent, [key]: mark });
    const text = json.replace(`"${mark}"`, () => `"${writtenForm}"`);
    const others = json.replace(mark, '');
    return mayBeWritten.test(others)
      ? { text, meant: { ...intendedArguments, [key]: meant } }
      : undefined;
  };

/** Whether words speak of no argument, so that they only stand around the object. */
const speaksOfNothing = (words: string, { contract, sent }: SentCall): boolean => {
  const { properties } = validatorOf(contract).views.of(contract.inputSchema);
  const said = new Set(words.toLowerCase().match(/\p{L}+/gu));
  const isCall = Object.keys(sent).some((key) => properties.has(key));
  return (
    isCall &&
    [...properties.keys()].every(
      (key) => !wordsInName(key).some((word) => said.has(word.toLowerCase())),
    )
  );
};

const among =
  (choices: readonly string[], write: (json: string, words: string) => string): MakeText =>
  (call, random) => {
    const words = random.pick(choices) ?? '';
    return speaksOfNothing(words, call) ? write(call.json, words) : undefined;
  };

/** The last string, if nothing in it could be the end of the object. */
const hasPlainEnd = (json: string): boolean =>
  /^"[\w ./-]*\w"$/.test(tokensOf(json).findLast(isString)?.text ?? '');

const endsOfTurns = ['<|im_end|>', '</s>', '<|call|>', '<|eot_id|>', '<end_of_turn>', '\n<|end|>'];
const remarks = [
  '\n\nThank you!',
  ' Ok.',
  '\nThat is all.',
  '\n\nI am curious what comes back.',
  ';',
  '\n;',
];
const doubts = [
  '\nNo, wait.',
  ' Actually, never mind.',
  '\nOr perhaps another one?',
  '\n不，别运行',
  ' Nein, lieber nicht.',
];

/** Faults that leave one reading by themselves. */
const certain: Readonly<Record<string, ModelFault>> = {
  words_after: one(among(remarks, (json, words) => json + words)),
  end_of_turn: one(among(endsOfTurns, (json, words) => json + words)),
  backticks: one(among(['`', '**'], (json, marks) => marks + json + marks)),
  end_once_more: one(({ json }, random) =>
    hasPlainEnd(json) ? json + (random.pick(['"}', '"', '\n"}', '"}}']) ?? '') : undefined,
  ),
  started_again: one(({ json }, random) => {
    const start = json.slice(0, random.integer(2, json.length - 1));
    const isInWord = /\w$/.test(start) && start.split('"').length % 2 === 0;
    return isInWord && !start.includes('\\') ? start + json : undefined;
  }),
  encoded_thrice: one(({ json }) => JSON.stringify(JSON.stringify(json))),
  quotes_of_german: {
    readings: 'one',
    make: inString('der „Start" ist da', 'der „Start" ist da'),
  },
  quotes_around_words: {
    readings: 'one',
    make: inString('say "hello there" now', 'say "hello there" now'),
  },
  quote_at_the_end: { readings: 'one', make: inString('say "a b"', 'say "a b"') },
  backslash_in_pattern: {
    readings: 'one',
    make: inString('^\\d+\\w$', '^\\d+\\w$', /^[^\\]*$/),
  },
  backslash_of_tex: {
    readings: 'one',
    make: inString('\\underline{x}', '\\underline{x}', /^[^\\]*$/),
  },
  line_breaks_as_they_are: {
    readings: 'one',
    make: inString('if x:\n\treturn 1\r\n', 'if x:\n\treturn 1\r\n', /^[^\\]*$/),
  },
  escaped_apostrophes: one(({ json }) =>
    /['\\]/.test(json) ? undefined : json.replaceAll('"', "\\'"),
  ),
  key_quote_twice: one(({ json }) => (/^\{"\w+":/.test(json) ? `{"${json.slice(1)}` : undefined)),
  words_of_python: one(({ json }) => {
    const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
    return tokensOf(json).reduceRight(
      (text, { text: word, start, end }) => spliced(text, start, end, words[word] ?? word),
      json,
    );
  }),
  commas_at_all_ends: one(({ json }) =>
    tokensOf(json).reduceRight(
      (text, token) =>
        isCloser(token) && !/[{[]/.test(json.charAt(token.start - 1))
          ? spliced(text, token.start, token.start, ',')
          : text,
      json,
    ),
  ),
  comments_at_all_lines: one(({ sent, json }) =>
    /[#/]/.test(json)
      ? undefined
      : JSON.stringify(sent, null, 2).replaceAll(/,$/gm, ', // as said'),
  ),
  text_for_the_parameter: one(({ contract, sent, meant }) => {
    const { properties, required } = validatorOf(contract).views.of(contract.inputSchema);
    const [name = '', ...others] = Object.keys(sent);
    const value = sent[name];
    const isOnly = others.length === 0 && properties.size === 1 && required.has(name);
    const isPlain =
      typeof value === 'string' && value === meant[name] && /^[\w./-]*\w$/.test(value);
    const isWord =
      typeof value === 'string' && /^(?:null|none|undefined|true|no|\d.*)$/i.test(value);
    const takesOnlyText = !validatorOf(contract).accepts({ [name]: 5 });
    return isOnly && isPlain && !isWord && takesOnlyText ? JSON.stringify(value) : undefined;
  }),
};

/** Tokens beside a string, with the offset inside the string that they are moved to. */
const besideStrings = (json: string) =>
  tokensOf(json).flatMap((token, index, tokens) => {
    if (!isStructure(token)) return [];
    const before = tokens.slice(0, index).findLast((other) => !isCloser(other));
    const after = tokens[index + 1];
    return [
      ...(before !== undefined && isString(before) ? [{ ...token, to: before.end - 1 }] : []),
      ...(after !== undefined && isString(after) ? [{ ...token, to: after.start + 1 }] : []),
    ];
  });

/** Faults after which the call may be refused, but not accepted with another value. */
const uncertain: Readonly<Record<string, ModelFault>> = {
  token_in_string: several(({ json }, random) => {
    const place = random.pick(besideStrings(json));
    if (place === undefined) return undefined;
    const { start, end, text, to } = place;
    // With its partner in the string, it would be the string's own.
    const string = tokensOf(json).find((token) => token.start < to && to < token.end);
    if (/[{[]/.test(string?.text ?? '')) return undefined;
    return to < start
      ? spliced(spliced(json, start, end), to, to, text)
      : spliced(spliced(json, to, to, text), start, end);
  }),
  ends_too_early: several(({ json }, random) => {
    const [closers = ''] = /"?[\]}]+$/.exec(json) ?? [];
    const start = json.length - closers.length;
    const at = start - random.integer(1, 8);
    const isPart = /^[^\s"[\]{}:,\\\p{Lu}\p{Lo}][^"[\]{}:,\\]*$/u.test(json.slice(at, start));
    return isPart && !/["\\]/.test(json.charAt(at - 1))
      ? json.slice(0, at) + closers + json.slice(at, start)
      : undefined;
  }),
  quote_lost: several(
    atToken(isString, (json, { start, end }, random) =>
      random.chance(0.5) ? spliced(json, start, start + 1) : spliced(json, end - 1, end),
    ),
  ),
  quote_too_many: several(
    atToken(isString, (json, { start, end }, random) => {
      const at = random.pick([start, end, random.integer(start + 1, end - 1)]) ?? end;
      return json.charAt(at - 1) === '\\' ? undefined : spliced(json, at, at, '"');
    }),
  ),
  token_lost: several(
    atToken(isStructure, (json, { start, end }) =>
      // Without the comma, it would be another number.
      /^\d,-?\d/.test(json.slice(start - 1)) ? undefined : spliced(json, start, end),
    ),
  ),
  token_twice: several(
    atToken(isStructure, (json, { end, text }) => spliced(json, end, end, text)),
  ),
  tokens_exchanged: several(({ json }, random) => {
    const tokens = tokensOf(json);
    const index = random.integer(0, tokens.length - 2);
    const [first, second] = tokens.slice(index, index + 2);
    if (first === undefined || second === undefined || first.text === second.text) return undefined;
    // Without the comma between them, two numbers would be another one.
    return /^[\w.+-]/.test(first.text) || /^[\w.+-]/.test(second.text)
      ? undefined
      : spliced(json, first.start, second.end, second.text + first.text);
  }),
  token_of_other_kind: several(
    atToken(isStructure, (json, { start, end, text }, random) => {
      const others = ['{[(', '}])', ',:;='].find((kind) => kind.includes(text)) ?? '';
      const other = random.pick([...others].filter((character) => character !== text));
      return spliced(json, start, end, other);
    }),
  ),
  invisible_character: several(
    atToken(
      () => true,
      (json, { start, end }, random) =>
        spliced(
          json,
          ...((at: number): [number, number] => [at, at])(random.pick([start, end]) ?? end),
          random.pick(['\u200b', '\u00a0', '\ufeff', '\u2028', '\u0000', '\ud800', '\r\n']),
        ),
    ),
  ),
  call_in_other_call: several(({ contract, json }, random) =>
    random.pick([
      `{"tool_calls":[{"id":"1","type":"function","function":{"name":${JSON.stringify(contract.name)},"arguments":${JSON.stringify(json)}}}]}`,
      `{"result":${json}}`,
      `{"previous":${json}}`,
      `{"${contract.name}":${json}}`,
      `{"data":${json}}`,
      `{"payload":${JSON.stringify(json)}}`,
      `[${json},"done"]`,
    ]),
  ),
  cut: refused(({ json }, random) => json.slice(0, random.integer(1, json.length - 1)), 'length'),
  cut_unknown: refused(
    ({ json }, random) => json.slice(0, random.integer(1, json.length - 1)),
    'unknown',
  ),
  taken_back: refused(({ json }, random) => json + (random.pick(doubts) ?? '')),
  another_object: refused(({ json, sent }) => {
    const [key] = Object.keys(sent);
    const { [key ?? '']: _first, ...others } = sent;
    return key === undefined || Object.keys(others).length === 0
      ? undefined
      : json + JSON.stringify(others);
  }),
};

/** Values as models write them where another was asked for, which have no certain meaning. */
const valueChanges: Readonly<
  Record<string, (value: JsonValue, random: Random) => JsonValue | undefined>
> = {
  amount_with_unit: (value, random) =>
    typeof value === 'number'
      ? random.pick([
          `${value} kg`,
          `${value}%`,
          `~${value}`,
          `$${value}`,
          `${value},000`,
          `0x${value}`,
        ])
      : undefined,
  yes_or_no: (value, random) =>
    typeof value === 'boolean'
      ? random.pick<JsonValue>(value ? ['yes', 'on', 1, 'Yes'] : ['no', 'off', 0, 'No'])
      : undefined,
  schema_for_value: (value, random) =>
    typeof value === 'string'
      ? random.pick<JsonValue>([
          { type: 'string' },
          { type: 'string', enum: ['a'] },
          { title: 'A', type: 'string' },
        ])
      : undefined,
  value_with_unit: (value) => (typeof value === 'number' ? { value, unit: 'kg' } : undefined),
  two_for_one: (value) =>
    typeof value === 'number' || typeof value === 'boolean' ? [value, value] : undefined,
  words_for_list: (value) =>
    Array.isArray(value) && value.length > 1 ? value.join(' and then ') : undefined,
};

/** One member of the root changed; the call must not be accepted with the changed value as another. */
const changedMember =
  (change: (value: JsonValue, random: Random) => JsonValue | undefined): MakeText =>
  ({ contract, sent, meant }, random) => {
    const key = random.pick(Object.keys(sent).filter((name) => sent[name] === meant[name]));
    const value = key === undefined ? undefined : sent[key];
    const changed = value === undefined ? undefined : change(value, random);
    if (key === undefined || changed === undefined) return undefined;
    const call = { ...sent, [key]: changed };
    // In an array of anything, it would be one element.
    const isTaken = [changed, [changed]].some((member) =>
      validatorOf(contract).accepts({ ...meant, [key]: member }),
    );
    return isTaken ? undefined : JSON.stringify(call);
  };

/** A key with a letter too many, too few or wrong, or with something before it. */
const keyFaults: Readonly<Record<string, (key: string, tool: string, random: Random) => string>> = {
  key_with_typo: (key, _tool, random) => {
    const at = random.integer(0, key.length - 1);
    return (
      random.pick([
        spliced(key, at, at + 1),
        spliced(key, at, at, 'x'),
        spliced(key, at, at + 1, 'x'),
      ]) ?? key
    );
  },
  key_with_prefix: (key, tool, random) =>
    random.pick([
      `${tool}.${key}`,
      `args.${key}`,
      `$${key}`,
      `param_${key}`,
      `--${key}`,
      `${key}_value`,
    ]) ?? key,
};

const changedKey =
  (change: (key: string, tool: string, random: Random) => string): MakeText =>
  ({ contract, sent, meant }, random) => {
    const key = random.pick(Object.keys(sent).filter((name) => name.length > 2 && name in meant));
    const changed = key === undefined ? '' : change(key, contract.name, random);
    if (key === undefined || changed === '' || changed in sent) return undefined;
    // Where the object is open, another key is data.
    const isData = validatorOf(contract).accepts(renamed(meant, key, changed));
    return isData ? undefined : JSON.stringify(renamed(sent, key, changed));
  };

function renamed(call: JsonObject, key: string, newKey: string): JsonObject {
  const { [key]: value = null, ...others } = call;
  return { ...others, [newKey]: value };
}

const mapped = <Value>(
  record: Readonly<Record<string, Value>>,
  make: (value: Value) => ModelFault,
): Readonly<Record<string, ModelFault>> =>
  Object.fromEntries(Object.entries(record).map(([kind, value]) => [kind, make(value)]));

export const modelFaults: Readonly<Record<string, ModelFault>> = {
  ...certain,
  ...uncertain,
  ...mapped(valueChanges, (change) => several(changedMember(change))),
  ...mapped(keyFaults, (change) => several(changedKey(change))),
};

/** The value of a call's text; undefined if it is no JSON of an object. */
export function objectIn(text: string): JsonObject | undefined {
  const value: JsonValue = JSON.parse(text);
  return isJsonObject(value) ? value : undefined;
}
