import { interpretArguments, type Interpretation } from 'toolmend';
import { objectOf, text } from '../schemas.ts';

const anything = objectOf({});
const mebibyte = 1024 * 1024;
const limit = 4 * mebibyte;

const ended = (sent: string, finishReason?: string): Interpretation =>
  interpretArguments(anything, { text: sent }, finishReason === undefined ? {} : { finishReason });
const given = (value: unknown): Interpretation => interpretArguments(anything, { value });

/** JSON of one text, as long as is asked for. */
const ofLength = (length: number, character = 'a'): string =>
  `{"a":"${character.repeat(length - '{"a":""}'.length)}"}`;

describe('size', () => {
  const tooLarge = [{ keyword: 'too_large', path: '', expected: 'at most 4194304 characters' }];

  test('text as long as the limit is read, one character more is not', () => {
    expect(ended(ofLength(limit)).status).toBe('unchanged');
    expect(ended(ofLength(limit + 1)).issues).toEqual(tooLarge);
  });

  test('bytes are counted as the characters that they are', () => {
    const bytesOf = (sent: string): Uint8Array => new TextEncoder().encode(sent);
    expect(given(bytesOf(ofLength(limit, '界'))).status).toBe('unchanged');
    expect(given(bytesOf(ofLength(limit + 1))).issues).toEqual(tooLarge);
    expect(given(new Uint8Array(3 * limit + 1)).issues).toEqual(tooLarge);
    expect(given(new Uint8Array(3 * limit + 1).fill(0xff)).issues).toEqual(tooLarge);
    // As many as may be characters are looked at, and are none.
    expect(given(new Uint8Array(3 * limit).fill(0xff)).issues).toMatchObject([
      { keyword: 'invalid_utf8' },
    ]);
  });

  test('a value counts as its text does', () => {
    expect(given({ a: 'a'.repeat(limit - 2) }).status).toBe('unchanged');
    expect(given({ a: 'a'.repeat(limit - 1) }).issues).toEqual(tooLarge);
  });
});

test('64 levels are read, and no more', () => {
  const nested = (levels: number): string =>
    `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
  const tooDeep = [{ keyword: 'too_deep', path: '' }];
  expect(ended(nested(64)).status).toBe('unchanged');
  expect(ended(nested(65)).issues).toEqual([{ ...tooDeep[0], expected: 'at most 64 levels' }]);
  // Before anything in it is looked at, were it an object among other things.
  expect(ended(`${'['.repeat(70)}${']'.repeat(70)} {"a":1}`).issues).toMatchObject(tooDeep);
  expect(given(JSON.parse(nested(64))).status).toBe('unchanged');
  expect(given(JSON.parse(nested(65))).issues).toMatchObject([{ keyword: 'too_deep' }]);
});

describe('how the text ended', () => {
  const open = '{"a": [1';

  test.each(
    'stop tool_calls tool_use function_call end_turn tool-calls tool_call completed STOP'.split(
      ' ',
    ),
  )('%s: what is missing at the end is only closers', (reason) => {
    expect(ended(open, reason)).toMatchObject({ status: 'repaired', value: { a: [1] } });
  });

  test.each([
    ...'length max_tokens max_output_tokens content_filter content-filter content_filtered'.split(
      ' ',
    ),
    ...'guardrail_intervened refusal safety failed abort model_length'.split(' '),
    ...'model_context_window_exceeded incomplete cancelled error MAX_TOKENS'.split(' '),
  ])('%s: it was cut, whatever the text looks like', (reason) => {
    const truncated = { status: 'rejected', issues: [{ keyword: 'truncated', path: '' }] };
    for (const sent of [
      open,
      '',
      ' ',
      'null',
      'None',
      '{}',
      '[]',
      '[{}]',
      'words',
      '{"a":1} so',
      '{a: 1}',
    ])
      expect([sent, ended(sent, reason)]).toMatchObject([sent, truncated]);
    // What is whole as it stands is what it is.
    expect(ended('{"a": [1]}', reason).status).toBe('unchanged');
  });

  test('a value may be half of what was cut off: whoever parsed it may have completed it', () => {
    const half = { a: [1] };
    expect(
      interpretArguments(anything, { value: half }, { finishReason: 'max_tokens' }),
    ).toMatchObject({
      status: 'rejected',
      issues: [{ keyword: 'truncated', path: '' }],
    });
    expect(interpretArguments(anything, { value: half }, { finishReason: 'stop' }).status).toBe(
      'unchanged',
    );
    expect(interpretArguments(anything, { value: half }).status).toBe('unchanged');
  });

  test.each([undefined, 'something new', ''])('%s says nothing', (reason) => {
    expect(ended(open, reason)).toMatchObject({
      status: 'rejected',
      issues: [{ keyword: 'truncated' }],
    });
    expect(ended('words', reason).issues).toMatchObject([{ keyword: 'not_json', path: '' }]);
  });
});

test.each(['SAFETY', 'guardrail_intervened', 'content_filter'])(
  '%s is named as a content filter, not as a length',
  (reason) => {
    const { issues } = interpretArguments(
      anything,
      { text: '{"a":"hal' },
      { finishReason: reason },
    );
    const advice = "the provider's content filter stopped them, so use other words";
    expect(issues).toEqual([{ keyword: 'truncated', path: '', advice }]);
  },
);

describe('no arguments at all', () => {
  const needed = objectOf({ a: text }, ['a']);
  const sentNothing = (schema: typeof needed, finishReason: string): Interpretation =>
    interpretArguments(schema, { value: undefined }, { finishReason });

  test('are enough where nothing is required', () => {
    expect(sentNothing(anything, 'stop')).toMatchObject({ status: 'repaired', value: {} });
    expect(sentNothing(needed, 'stop').issues).toEqual([{ keyword: 'not_sent', path: '' }]);
  });

  test('are no more than empty text where the stream was cut', () => {
    for (const schema of [anything, needed])
      expect(sentNothing(schema, 'length').issues).toEqual([
        {
          keyword: 'truncated',
          path: '',
          advice: 'if they are too long, split the work into several calls',
        },
      ]);
  });
});

describe('a root that is no object', () => {
  test.each([
    ['5', 'a number'],
    ['true', 'a boolean'],
    ['"words"', 'a string'],
    ['[1, 2]', 'an array of 2'],
  ])('%s is shown by its kind', (sent, received) => {
    const issues = [{ keyword: 'type', path: '', expected: 'an object' }];
    expect(ended(sent).issues).toMatchObject(issues);
    expect(given(JSON.parse(sent)).issues).toEqual(ended(sent).issues);
    expect([sent, Reflect.get(ended(sent).issues[0] ?? {}, 'received')]).toEqual([sent, received]);
  });
});

test('a part of a value that is not JSON is refused at its place', () => {
  expect(given({ a: [() => 1] }).issues).toMatchObject([{ path: '/a/0' }]);
});

test('bytes are text, whole or not at all', () => {
  const bytes = new TextEncoder().encode('{"a": "界"}');
  expect(given(bytes)).toMatchObject({ status: 'unchanged', value: { a: '界' } });
  expect(given(Uint8Array.of(0xef, 0xbb, 0xbf, ...bytes))).toMatchObject({ value: { a: '界' } });
  expect(given(bytes.slice(0, 8)).issues).toEqual([{ keyword: 'truncated', path: '' }]);
  expect(given(Uint8Array.of(...new TextEncoder().encode('{"a":1}'), 0xe7)).issues).toEqual([
    { keyword: 'truncated', path: '' },
  ]);
  expect(given(bytes.map((byte) => (byte === 0xe7 ? 0xff : byte))).issues).toEqual([
    { keyword: 'invalid_utf8', path: '' },
  ]);
});

describe('what was there is told by kind and size alone', () => {
  const secret = objectOf({ a: text });

  test.each([
    ["{'a': 'b'}", 'text of 10 characters'],
    ['"{\\"a\\": \\"b\\"}"', 'text of 16 characters'],
    ['[{"a": "b"}]', 'an array of 1'],
    ['null', 'null'],
  ])('%s', (sent, was) => {
    expect(interpretArguments(secret, { text: sent }).repairs).toMatchObject([{ path: '', was }]);
  });

  test('of a call among words, with the rules that read its arguments', () => {
    const called = (sent: string) =>
      interpretArguments(secret, { text: `Call: ${sent}` }, { tool: 'run' });
    const { repairs } = called(`{"name": "run", "arguments": "{'a': 'b'}"}`);
    expect(repairs.map(({ was }) => was)).toEqual([
      'text of 48 characters',
      'an object',
      'text of 10 characters',
    ]);
    expect(called('{"name": "run", "arguments": "{\\"a\\": }"}').issues).toMatchObject([
      { keyword: 'not_json' },
    ]);
  });
});

describe('text in text in text', () => {
  const fenced = (inside: string): string => `\`\`\`\n${inside}\n\`\`\``;

  test('four rules act on one text, and no more', () => {
    const twice = JSON.stringify(JSON.stringify("{'a': 1}"));
    expect(ended(fenced(twice))).toMatchObject({ status: 'repaired', value: { a: 1 } });
    const rules = ended(fenced(twice)).repairs.map(({ rule }) => rule);
    expect(rules).toEqual(['code_fence', 'double_encoded', 'double_encoded', 'loose_json']);
    expect(ended(fenced(JSON.stringify(twice))).status).toBe('rejected');
    expect(ended(JSON.stringify(fenced(twice))).status).toBe('rejected');
  });

  test('a number inside keeps its digits', () => {
    const sent = fenced(JSON.stringify('{"a": 1.50}'));
    expect(interpretArguments(secretText, { text: sent })).toMatchObject({ value: { a: '1.50' } });
  });

  const secretText = objectOf({ a: text });
});
