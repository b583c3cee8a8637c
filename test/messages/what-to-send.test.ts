// Messages about what a model can't see say what is wrong, and what to send.
import { interpretArguments, parseAs } from 'toolmend';
import { costOf } from '../cost.ts';
import { countingValidator } from '../repair/counting-validator.ts';
import { closedOf, listOf, text, whole } from '../schemas.ts';

const schema = closedOf({ path: text, limit: whole });
const settings = { tool: { name: 'read' }, finishReason: 'stop', meta: true } as const;

const linesOf = (argumentsText: string): readonly string[] => {
  const result = interpretArguments(schema, { text: argumentsText }, settings);
  return result.status === 'rejected' ? result.message.split('\n') : [];
};

const call = (path: string): string =>
  `<invoke name="read"><parameter name="path">${path}</parameter></invoke>`;

test.each([
  [
    'a number beyond all numbers',
    '{"limit": 1e999}',
    'limit cannot be held as a number; it is too large, send one below 1.8e308.',
  ],
  [
    'digits beyond a number',
    '{"limit": 12345678901234567890}',
    'limit cannot be held as a number; it has too many digits, send at most 15.',
  ],
  [
    'two calls in markup',
    call('a') + call('b'),
    "The arguments are not valid JSON; they hold more than one call; send one call's arguments, as JSON.",
  ],
  [
    'a call in markup that was cut',
    call('a').slice(0, -21),
    'The arguments are not valid JSON; they are a call in markup whose end is missing; send the arguments alone, as JSON.',
  ],
  [
    'markup with a parameter twice',
    call('a').replace('</invoke>', '<parameter name="path">b</parameter></invoke>'),
    'The arguments are not valid JSON; they are not one whole call in markup, with each parameter once and nothing between; send the arguments alone, as JSON.',
  ],
  [
    'a zero-width blank between tokens',
    '{"path": "a"\u200b}',
    'The arguments are not valid JSON; the invisible character U+200B is at line 1, column 13, leave it out.',
  ],
  [
    'a zero-width blank in a number',
    '{"limit": "5\u200b"}',
    'limit: expected an integer, got the string "5 "; leave out the invisible character U+200B in it.',
  ],
  [
    'a misspelt meta argument',
    '{"path": "a", "TimeoutSecnds": 5}',
    'TimeoutSecnds is not a known property; did you mean "_timeout_seconds"?',
  ],
  [
    'another one',
    '{"path": "a", "Rational": "b"}',
    'Rational is not a known property; did you mean "_rationale"?',
  ],
  [
    'two spellings of a meta argument',
    '{"path": "a", "timeout": 5, "_timeout_seconds": 6}',
    '_timeout_seconds is a second spelling of one argument; "timeout" was sent, too; send _timeout_seconds once.',
  ],
])('%s', (_title, sent, line) => {
  expect(linesOf(sent)[1]).toBe(`- ${line}`);
});

test('beside an unknown key, the meta arguments are expected, too', () => {
  expect(linesOf('{"path": "a", "TimeoutSecnds": 5}')[2]).toBe(
    'Expected: { path?: string, limit?: integer, _rationale?: string, _timeout_seconds?: integer, _background?: boolean }',
  );
  expect(linesOf('{"path": "a", "limit": "x"}')[2]).toBe(
    'Expected: { path?: string, limit?: integer }',
  );
});

test('of arguments with too many errors, fewer are asked for', () => {
  const { validator } = countingValidator(2_000_000);
  const result = interpretArguments(schema, { text: '{"limit": "x"}' }, { validator });
  expect(result.status === 'rejected' ? result.message.split('\n')[1] : '').toBe(
    '- The arguments have too many errors to list; send fewer elements and keys in one call, written as in the shape below.',
  );
});

describe('many names', () => {
  const members = Array.from({ length: 10_000 }, (_member, at) => `value ${at}`);
  const many = closedOf({ list: listOf({ enum: members }) });
  const textWith = (spell: (at: number) => string) => ({
    list: Array.from({ length: 2000 }, (_element, at) => spell(at * 3)),
  });

  test.each([
    ['right', textWith((at) => `value ${at}`), 'unchanged'],
    ['in other spellings', textWith((at) => `VALUE_${at}`), 'repaired'],
    ['wrong', textWith((at) => `valu${at}x`), 'rejected'],
  ])('2,000 elements of 10,000 members, %s', (_title, value, status) => {
    interpretArguments(many, { value });
    const { result, cost } = costOf(() => interpretArguments(many, { value }));
    expect(result.status).toBe(status);
    expect(cost).toBeLessThan(30);
  });

  test('300 unknown keys beside 2,000 properties', () => {
    const properties = Object.fromEntries(members.slice(0, 2000).map((name) => [name, text]));
    const value = Object.fromEntries(members.slice(0, 300).map((name) => [`${name}9x`, 1]));
    const wide = closedOf(properties);
    interpretArguments(wide, { value });
    const { result, cost } = costOf(() => interpretArguments(wide, { value }));
    expect(result.status).toBe('rejected');
    expect(cost).toBeLessThan(15);
  });
});

test.each([
  [{ type: 'array', items: text }, 'an answer of another type with parseAs'],
  [{ type: 'string' }, 'an answer of another type with parseAs'],
  [class Note {}, 'an answer by a class with parseAs'],
])('interpretArguments says what reads other types: %j', (type, instead) => {
  expect(() => interpretArguments(type, { text: '[]' })).toThrow(instead);
});

describe('parseAs', () => {
  const list = { type: 'array', items: text } as const;

  test.each([
    [1, 'The answer has now failed 2 times in a row.', 'Send the whole answer again, corrected.'],
    [
      2,
      'The answer has now failed 3 times in a row.',
      'Stop trying: do not send this answer again. Say what is missing.',
    ],
  ])('says that an answer has failed %d times before', (failedBefore, repeated, lastLine) => {
    const answer = parseAs(list, '{"a": 1}', { failedBefore });
    const lines = answer.status === 'rejected' ? answer.message.split('\n') : [];
    expect([lines[1], lines.at(-1)]).toEqual([repeated, lastLine]);
  });

  test('takes a listener, a validator and what to do about unusable schemas', () => {
    const reports: unknown[] = [];
    const { validator } = countingValidator(1);
    const answer = parseAs(list, '["a",]', {
      validator,
      onInterpretation: (result) => reports.push(result),
    });
    expect(answer).toMatchObject({ status: 'repaired', value: ['a'] });
    expect(reports).toEqual([answer]);
    const dangling = { type: 'array', items: { $ref: '#/$defs/none' } } as const;
    const warnings: unknown[] = [];
    const warn = (warning: unknown): unknown => warnings.push(warning);
    expect(parseAs(dangling, '[1]', { onUnusableSchema: 'warn', warn })).toMatchObject({
      status: 'unchanged',
      value: [1],
    });
    expect(warnings).toHaveLength(1);
    expect(() => parseAs({ ...dangling }, '[1]', { onUnusableSchema: 'refuse' })).toThrow('none');
  });
});

describe('a call under the tool’s own name that is refused', () => {
  const needed = closedOf({ title: text, limit: whole }, ['title', 'limit']);
  const unknown = (key: string) => `- ${key} is not a known property`;
  const inside = `${unknown('read')}; send the properties inside it directly.`;
  const limit = '- limit: expected an integer, got the string "x".';
  const lines = (value: object, name = 'read'): readonly string[] => {
    const result = interpretArguments(needed, { value }, { tool: { name } });
    return result.status === 'rejected'
      ? result.message.split('\n').filter((line) => line.startsWith('- '))
      : [];
  };

  test.each<[string, object, readonly string[]]>([
    ['a value that does not fit', { title: 'a', limit: 'x' }, [inside, limit]],
    ['a key that is missing', { title: 'a' }, [inside, '- limit is missing: expected an integer.']],
    ['a value that is repaired beside it', { title: 5, limit: 'x' }, [inside, limit]],
  ])('says what is wrong inside: %s', (_title, inner, expected) => {
    expect(lines({ read: inner })).toEqual(expected);
  });

  test('also in an envelope with the name', () => {
    expect(lines({ name: 'read', arguments: { title: 'a', limit: 'x' } })).toEqual([
      `${unknown('name')}.`,
      `${unknown('arguments')}; send the properties inside it directly.`,
      limit,
    ]);
  });

  test('another key is no call, so its inside is not judged', () => {
    const sent = { read: { title: 'a', limit: 'x' } };
    const missing = [
      '- title is missing: expected a string.',
      '- limit is missing: expected an integer.',
    ];
    expect(lines(sent, 'write').filter((line) => !line.startsWith(unknown('read')))).toEqual(
      missing,
    );
  });
});
