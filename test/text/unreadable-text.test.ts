import { interpretArguments } from 'toolmend';
import { objectOf, type Schema, text } from '../schemas.ts';

const secret: Schema = { ...text, writeOnly: true };

const whyOf = (sent: string, schema = objectOf({ a: text })): unknown => {
  const [issue, ...others] = interpretArguments(schema, { text: sent }).issues;
  expect(others).toEqual([]);
  expect(issue).toMatchObject({ keyword: 'not_json', path: '' });
  return issue?.advice;
};

const none = 'no object was found';
const several = 'more than one object was found, send only one';
const stopped = (line: number, character: number, before: string): string =>
  `the error is at line ${line}, column ${character}, before ${before}`;
const quote = '; inside a string a quote is written \\"';
const otherValue = '; write a value that JSON has, or leave the member out';
const inQuotes = '; text is written in double quotes';

test.each(['I cannot do that.', 'a: 1', 'path = "a"'])('no object: %s', (sent) => {
  expect(whyOf(sent)).toBe(none);
});

test.each([
  '{"a": "b"} {"a": "c"}',
  'First {"a": "b"}, then {"a": "c"}.',
  '{"a": "b"}{"a": "c"}{"a": "d"}',
])('several objects: %s', (sent) => {
  expect(whyOf(sent)).toBe(several);
});

describe('the place where reading stopped', () => {
  test.each([
    ['words for a value', '{"a": b c}', `${stopped(1, 7, '"b c}"')}${inQuotes}`],
    ['the very first key', '{?: 1}', stopped(1, 2, '"?: 1}"')],
    ['on a later line', '{\n  "a": "b",\n  "c": d\n}', `${stopped(3, 8, '"d }"')}${inQuotes}`],
    ['at the start of a line', '{"a":\nb c}', `${stopped(2, 1, '"b c}"')}${inQuotes}`],
    // Words in front of an object are not what is wrong with it.
    ['inside an object behind words', 'Sure: {"a": b}', `${stopped(1, 13, '"b}"')}${inQuotes}`],
    ['inside an object behind lines', 'Sure:\n\n{"a":\n b}', `${stopped(4, 2, '"b}"')}${inQuotes}`],
    // What stands behind a whole object is.
    ['behind the one object', '{"a": "b"}, "c": 1', stopped(1, 11, '", \\"c\\": 1"')],
    [
      'an object behind it that is none',
      '{"a": "b"} and {c',
      `${stopped(1, 12, '"and {c"')}; send the object alone`,
    ],
    ['in front of a whole object', 'a: {"a": "b"}', stopped(1, 1, '"a: {\\"a\\": \\"b\\"}"')],
    [
      'words in front of a whole object that may deny it',
      'Do not:\n{"a": "b"}',
      `${stopped(1, 1, '"Do not: {\\"a\\": \\"b\\"}"')}; send the object alone`,
    ],
    // What is read all the same is not what is wrong.
    ['behind other quotes', "{'a': 'b', 'c': d}", `${stopped(1, 17, '"d}"')}${inQuotes}`],
    ['behind bare keys', '{a: "b", c: NaN}', `${stopped(1, 13, '"NaN}"')}${otherValue}`],
    [
      'a quote inside a text',
      '{"a": "he said "hi to me"}',
      `${stopped(1, 17, '"hi to me\\"}"')}${quote}`,
    ],
    [
      'a quote inside a text in other quotes',
      "{'a': 'its' own'}",
      `${stopped(1, 13, '"own\'}"')}${quote}`,
    ],
    ['a key that lost its quote', '{"a:"b"}', stopped(1, 6, '"b\\"}"')],
    [
      'escapes with two readings',
      '{"a": "\\d+\\n"}',
      `${stopped(1, 7, '"\\"\\\\d+\\\\n\\"}"')}; inside a string a backslash is written \\\\`,
    ],
    [
      'a code and a command that starts with u',
      '{"a": "\\u00e9 \\underline"}',
      `${stopped(1, 7, '"\\"\\\\u00e9 \\\\underline\\"}"')}; inside a string a backslash is written \\\\`,
    ],
    [
      'escaped quotes of two kinds',
      `{\\'a\\': "b"}`,
      `${stopped(1, 2, `"\\\\'a\\\\': \\"b\\"}"`)}; a string starts with a quote alone, without a backslash`,
    ],
    [
      'words behind an object that may take it back',
      '{"a": "b"} wait, no',
      `${stopped(1, 12, '"wait, no"')}; send the object alone`,
    ],
    [
      'what JavaScript has for no number',
      '{"a": Infinity}',
      `${stopped(1, 7, '"Infinity}"')}${otherValue}`,
    ],
    [
      'a calculation',
      '{"a": 60 * 60}',
      `${stopped(1, 10, '"* 60}"')}; write the result of a calculation`,
    ],
    [
      'a comment that may be a value',
      '{"a": "b",\n// c: 5\n}',
      `${stopped(2, 1, '"// c: 5 }"')}; send the object without comments`,
    ],
    ['before much', `{"a": ${'b'.repeat(300)}}`, stopped(1, 7, `"${'b'.repeat(23)}…"${inQuotes}`)],
  ])('%s', (_title, sent, why) => {
    expect(whyOf(sent)).toBe(why);
  });

  test('nothing of the text is shown where it may hold a secret', () => {
    expect(whyOf('{"key": s3cret!}', objectOf({ key: secret }))).toBe(
      `the error is at line 1, column 9${inQuotes}`,
    );
  });

  test('nothing is shown where the text ends there', () => {
    expect(whyOf('{"a": "b"}\n{\n', objectOf({ a: text }))).toBe(stopped(2, 1, '"{ "'));
    expect(whyOf('Now: {"a": ')).toBe('the error is at line 1, column 12');
  });
});

test('a comment that refuses an object is said to be the reason', () => {
  expect(whyOf('{"a": "b" // or c\n}')).toBe('send the object without comments');
});

test('a call of another tool is not told to be no JSON', () => {
  const sent = '<|channel|>commentary to=functions.remove<|message|>{"a": "b"}';
  const { issues } = interpretArguments(objectOf({ a: text }), { text: sent }, { tool: 'find' });
  expect(issues).toMatchObject([{ keyword: 'not_json', advice: 'they call another tool' }]);
});

test.each(['{"a": -', '{"a": 1.', '{"a": 2e+', '{"a": tru', '{"a": nul'])(
  '%s was cut off inside a word',
  (sent) => {
    const { issues } = interpretArguments(objectOf({}), { text: sent });
    expect(issues).toMatchObject([
      { keyword: 'truncated', advice: 'close every string, array and object' },
    ]);
  },
);
