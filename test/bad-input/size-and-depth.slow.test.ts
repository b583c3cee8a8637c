import { CallReader, type Interpretation } from 'toolmend';
import { closedOf, listOf, objectOf, text, texts, whole } from '../schemas.ts';
import { messageOf, read, readValue, valueOf } from '../read.ts';

const mebibyte = 1024 * 1024;
const schema = objectOf({ a: text, names: texts, o: objectOf({ x: whole }), n: whole });

const keywordOf = (result: Interpretation): string | undefined => result.issues[0]?.keyword;

const filled = (unit: string, before = '', after = ''): string =>
  `${before}${unit.repeat(Math.floor((4 * mebibyte - before.length - after.length) / unit.length))}${after}`;

describe('4 MiB of one thing', () => {
  test.each<[string, string, Interpretation['status']]>([
    ['quotes', filled('"'), 'rejected'],
    ['commas', filled(','), 'rejected'],
    ['backslashes', filled('\\'), 'rejected'],
    ['open brackets', filled('['), 'rejected'],
    ['open objects', filled('{"a":'), 'rejected'],
    ['closers', filled(']'), 'rejected'],
    ['closers behind an object', filled('}', '{"a":"x"'), 'rejected'],
    ['comments that never end', filled('/*'), 'rejected'],
    ['comments', filled('//x\n'), 'rejected'],
    ['fences', filled('```\n'), 'rejected'],
    ['equal objects', filled('{"a":"x"}'), 'repaired'],
    ['empty objects', filled('{}'), 'repaired'],
    ['parameters in markup', filled('<parameter=a>x</parameter>'), 'rejected'],
    ['open parameters', filled('<parameter=a>'), 'rejected'],
    ['wrappers', `${'<tool_call>'.repeat(180_000)}${'</tool_call>'.repeat(180_000)}`, 'rejected'],
    ['blanks', filled(' '), 'repaired'],
    ['blanks behind a fence', filled(' ', '```', 'x y'), 'rejected'],
    ['blanks behind a tag', filled(' ', '<tool_call>', 'x'), 'rejected'],
    ['tags in front of half an object', filled('<tool_call>', '', '{"a":"x"'), 'rejected'],
    ['tags behind half an object', filled('</tool_call>', '{"a":"x"'), 'rejected'],
    ['equal objects as models write them', filled("{'a':'x'}"), 'repaired'],
    ['more than 256 KB of words around an object', filled('\n', 'a', 'b\n{"a":"x"} c'), 'rejected'],
    ['200 KB of words around an object', `a${'\n'.repeat(200_000)}b\n{"a":"x"} c`, 'repaired'],
    ['words', filled('hello '), 'rejected'],
    ['digits', filled('1', '{"n":', '}'), 'rejected'],
    ['an exponent', filled('9', '{"n":1e', '}'), 'rejected'],
    [
      'keys',
      `{${Array.from({ length: 200_000 }, (_key, at) => `"k${at}":1`).join(',')}}`,
      'unchanged',
    ],
    [
      'bare keys',
      `{${Array.from({ length: 200_000 }, (_key, at) => `k${at}:1`).join(',')}}`,
      'repaired',
    ],
    ['equal keys', `{${'"a":"x",'.repeat(300_000)}"a":"x"}`, 'repaired'],
    ['unknown escapes', filled('\\d', '{"a":"', '"}'), 'repaired'],
    ['raw line breaks', filled('x\n', '{"a":"', '"}'), 'repaired'],
    ['unescaped quotes', filled('say "x" ', '{"a":"', '"}'), 'rejected'],
    ['lists in a list', filled('[],', '{"names":[', '[]]}'), 'rejected'],
    [
      'a list in text',
      JSON.stringify({ names: JSON.stringify(Array(300_000).fill('abc')) }),
      'repaired',
    ],
  ])('%s', (_title, sent, outcome) => {
    expect(sent.length).toBeLessThanOrEqual(4 * mebibyte);
    expect(read(schema, sent).status).toBe(outcome);
  });

  test.each([
    ['blanks in a fence', { input: filled(' ', '```') }],
    ['backslashes behind a quote', { input: filled('\\', '"') }],
    ['quotes behind a bracket', { names: filled("'", "'[", 'x') }],
    ['line breaks in a fence', { names: filled('\n', '```', '[') }],
  ])('%s, where another value is declared', (_title, value) => {
    expect(readValue(schema, value).status).toBe('rejected');
  });

  test('many values that must be repaired one by one', () => {
    const edits = objectOf({ edits: listOf(objectOf({ x: whole, y: text }, ['x'])) });
    const value = { edits: Array.from({ length: 5_000 }, () => ({ x: '1', Y: 'b' })) };
    const result = readValue(edits, value);
    expect(result).toMatchObject({ status: 'repaired' });
    expect(result.repairs).toHaveLength(10_000);
  });
});

describe('undeclared keys', () => {
  const closed = closedOf({ title: text, size: whole });
  const many = (count: number): { readonly [key: string]: number } =>
    Object.fromEntries(
      Array.from({ length: count }, (_key, index) => [
        String.fromCodePoint(0x3400 + (index % 20_000), 0x4e00 + Math.floor(index / 20_000)),
        1,
      ]),
    );

  test('a million are too many to look at, and of as many as there may be the message is short', () => {
    const million = Object.fromEntries(
      Array.from({ length: 1_000_000 }, (_key, index) => [`k${index}`, 1]),
    );
    expect(readValue(closed, million).issues).toMatchObject([{ keyword: 'too_large' }]);
    const result = readValue(closed, { size: '5', ...many(100_000) });
    expect(result.status).toBe('rejected');
    expect(result.issues.length).toBeLessThanOrEqual(64);
    expect(messageOf(result).length).toBeLessThan(1000);
    const sent = `{${'"abc":1,'.repeat(600_000)}"title":"a"}`;
    expect(read(closed, sent).issues).toMatchObject([{ keyword: 'too_large' }]);
  });

  test('an open object keeps a hundred thousand beside what is repaired', () => {
    const others = many(100_000);
    const result = readValue(objectOf({ size: whole }), { size: '5', ...others });
    expect(result.status).toBe('repaired');
    expect(result.repairs.map(({ path }) => path)).toEqual(['/size']);
    expect(valueOf(result)).toEqual({ size: 5, ...others });
  });
});

test.each(['`', ' '])('a stream of 500,000 %j ends', (unit) => {
  const reader = new CallReader(['a']);
  reader.add('<tool_call>');
  for (let count = 0; count < 10_000; count += 1) reader.add(unit.repeat(50));
  expect(reader.end().calls).toEqual([]);
});

test('hundreds of thousands of elements end without an overflow', () => {
  const relational = [{ requires: ['a', 'b'], defaults: { b: 0 } }];
  const related = objectOf({ a: whole, b: whole }, [], { 'x-toolmend': { relational } });
  const value = { list: Array.from({ length: 150_000 }, () => ({ a: 1 })) };
  const result = readValue(objectOf({ list: listOf(related) }), value);
  expect(result.repairs).toHaveLength(150_000);
});

describe('depth', () => {
  const deep = (levels: number): string => `${'{"c":'.repeat(levels)}{}${'}'.repeat(levels)}`;
  const node = objectOf({ c: { $ref: '#' }, v: whole });

  test.each<[string, string]>([
    ['brackets', `{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`],
    ['open brackets', '['.repeat(1_000_000)],
    ['objects', deep(500_000)],
    ['open objects', '{"c":'.repeat(800_000)],
    ['65 levels', deep(65)],
  ])('text: %s', (_title, sent) => {
    expect(keywordOf(read(node, sent))).toBe('too_deep');
    expect(read(node, `'x' ${sent}`)).toMatchObject({ status: 'rejected' });
    expect(readValue(node, { v: sent })).toMatchObject({ status: 'rejected' });
    expect(readValue(node, { c: sent })).toMatchObject({ status: 'rejected' });
  });

  test('a value', () => {
    let value: object = {};
    for (let level = 0; level < 1_000_000; level += 1) value = { c: value };
    expect(keywordOf(readValue(node, value))).toBe('too_deep');
    let list: unknown[] = [];
    for (let level = 0; level < 1_000_000; level += 1) list = [list];
    expect(keywordOf(readValue(node, { c: list }))).toBe('too_deep');
  });
});

test('a text that was encoded 21 times is refused', () => {
  const encoded = (value: unknown, times: number): string =>
    times === 0 ? JSON.stringify(value) : JSON.stringify(encoded(value, times - 1));
  const sent = encoded(['x'], 20);
  expect(sent.length).toBeGreaterThan(2 * mebibyte);
  expect(readValue(schema, { names: sent })).toMatchObject({ status: 'rejected' });
  expect(read(schema, sent)).toMatchObject({ status: 'rejected' });
  expect(read(schema, encoded({ a: 'x' }, 20))).toMatchObject({ status: 'rejected' });
});
