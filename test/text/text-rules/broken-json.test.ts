import { interpretArguments } from 'toolmend';
import {
  anyOf,
  closedOf,
  flag,
  listOf,
  mapOf,
  number,
  objectOf,
  orNull,
  text,
  whole,
} from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

const schema = objectOf(
  { path: text, lines: listOf(whole), at: objectOf({ x: whole, y: whole }) },
  ['path'],
);

testTextRule('broken_json', {
  schema,
  untouched: [['JSON', '{"path": "say \\"a\\"", "lines": [1]}']],
  repaired: [
    ['a missing comma', '{"path": "a" "lines": [1]}', { path: 'a', lines: [1] }],
    [
      'missing commas in a list',
      '{"path": "a", "lines": [1 2 3]}',
      { path: 'a', lines: [1, 2, 3] },
    ],
    ['a missing colon in a list of one', '[{"path" "a"}]', { path: 'a' }],
    ['a missing colon', '{"path" "a"}', { path: 'a' }],
    ['a surplus closer', '{"path": "a"}}', { path: 'a' }],
    [
      'a closer that ends the whole too early',
      '{"path": "a"}, "lines": [1]}',
      { path: 'a', lines: [1] },
    ],
    [
      'the same behind an object that does not declare the key',
      '{"path": "a", "at": {"x": 1}}, "lines": [1]}',
      { path: 'a', at: { x: 1 }, lines: [1] },
    ],
    ['a wrong closer', '{"path": "a", "lines": [1, 2}}', { path: 'a', lines: [1, 2] }],
    ['two braces', '{{"path": "a"}}', { path: 'a' }],
    ['quotes inside a text', '{"path": "say "a" and b"}', { path: 'say "a" and b' }],
    ['quotes at the end of a text', '{"path": "say "b""}', { path: 'say "b"' }],
    ['an apostrophe in single quotes', "{'path': 'it's'}", { path: "it's" }],
    ['inches', '{"path": "5" wide"}', { path: '5" wide' }],
    ['a path without quotes', '{"path": src/a.ts}', { path: 'src/a.ts' }],
    ['an object in quotes', '"{"path": "a", "lines": [1]}"', { path: 'a', lines: [1] }],
    ['a comma too many', '{"path": "a", "lines": [1,]}', { path: 'a', lines: [1] }, 'loose_json'],
  ],
  refused: [
    [
      'more ways than are read',
      `{"path": "${'"b": 2], "'.repeat(10)}`,
      {
        keyword: 'ambiguous',
        advice: 'write every quote inside a string as \\" and close every container',
      },
    ],
    ['a quote that may end the text', '{"path": "say "b", c"}'],
    ['an object in quotes, with a text that has quotes', '"{"path": "say \\"a\\""}"'],
    ['words in quotes', '"say "a" and b"'],
    ['a text that is in quotes twice', '{"path": ""a""}'],
    ['elements with a bracket between them', '{"path": "a"{,"b"}'],
    ['a quote that was lost', '{"path": "say "b and c"}'],
    ['a member that a text would swallow', '{"path": "a, "lines": [1]}'],
    ['a key that is not declared behind a missing comma', '{"path": "a" "z": "b"}'],
    ['a word without quotes', '{"path": a}'],
    ['an element that lost its opening brace', '{"path": "a", "lines": [1, }]}'],
    ['an early end, and the key once more', '{"path": "a"}, "path": "b"}'],
    ['an early end, and none at the end', '{"path": "a"}, "lines": [1]'],
    ['missing closers, the end unknown', '{"path": "a", "lines": [1', 'truncated'],
    ['an opening brace too many', '{{"path": "a"}'],
    ['a comma and a closer too many', '{"path": "a", "lines": [1,]], "at": {}}'],
    ['the same at the end', '{"path": "a", "at": {"x": 1,}, "lines": [1]}}'],
    ['a comma too many, and none behind the closer', '{"path": "a", "lines": [1,]"at": {}}'],
  ],
});

const point = objectOf({ x: whole, y: whole });
const many = objectOf({
  path: text,
  note: orNull(text),
  size: number,
  all: flag,
  lines: listOf(whole),
  at: point,
  points: listOf(point),
  maybe: orNull(point),
  extra: objectOf({ x: whole }, [], { additionalProperties: text }),
  rows: listOf(listOf(whole)),
  either: anyOf(whole, text),
  mode: { enum: ['src/a'] },
  env: mapOf(text),
  open: { type: 'object' },
  any: {},
  tags: anyOf(text, listOf(text)),
  todos: listOf(closedOf({ title: text })),
});

testTextRule('broken_json', {
  schema: many,
  untouched: [['JSON', '{"path": "a", "at": {"x": 1}, "open": {"a": 1}, "z": 1}']],
  repaired: [
    ['a closer that opens nothing', '{"path": "a"], "lines": [1]}', { path: 'a', lines: [1] }],
    [
      'a list that its object closes',
      '{"path": "a", "lines": [1, 2}',
      { path: 'a', lines: [1, 2] },
    ],
    ['closers behind the whole', '{"path": "a"}]}', { path: 'a' }],
    [
      'a closer of the wrong kind',
      '{"points": [{"x": 1], {"x": 2}]}',
      { points: [{ x: 1 }, { x: 2 }] },
    ],
    [
      'a closer twice in a list',
      '{"points": [{"x": 1}}, {"x": 2}]}',
      { points: [{ x: 1 }, { x: 2 }] },
    ],
    [
      'a closer before the last member',
      '{"at": {"x": 1}, "y": 2}, "path": "a"}',
      { at: { x: 1, y: 2 }, path: 'a' },
    ],
    [
      'the same behind any keys',
      '{"open": {"a": 1}, "path": "b"}, "note": "c"}',
      { open: { a: 1 }, path: 'b', note: 'c' },
    ],
    [
      'a closer too many behind a key of its own',
      '{"path": "a", "z": "b"}}',
      { path: 'a', z: 'b' },
    ],
    [
      'a closer too many behind a map',
      '{"env": {"two words": "b"}}}',
      { env: { 'two words': 'b' } },
    ],
    [
      'objects without the brackets of a list',
      '{"points": {"x": 1}, {"x": 2}, "path": "a"}',
      { points: [{ x: 1 }, { x: 2 }], path: 'a' },
    ],
    ['two braces inside', '{"at": {{"x": 1}}, "path": "a"}', { at: { x: 1 }, path: 'a' }],
    ['a missing comma before a line', '{"path": "a"\nlines: [1]}', { path: 'a', lines: [1] }],
    [
      'missing commas between objects',
      '{"points": [{"x": 1} {"x": 2}]}',
      { points: [{ x: 1 }, { x: 2 }] },
    ],
    ['missing commas between lists', '{"rows": [[1] [2]]}', { rows: [[1], [2]] }],
    ['a missing comma in a map', '{"env": {"a": "b" "c": "d"}}', { env: { a: 'b', c: 'd' } }],
    [
      'the same in one that declares a key',
      '{"extra": {"x": 1 "z": "a"}}',
      { extra: { x: 1, z: 'a' } },
    ],
    [
      'missing colons',
      '{"lines" [1], "at" {"x" 1}, "all" true}',
      { lines: [1], at: { x: 1 }, all: true },
    ],
    [
      'a key that lost a quote, and a missing comma',
      '{"at": {x": 1}, "lines": [1 2]}',
      { at: { x: 1 }, lines: [1, 2] },
    ],
    ['a path of a drive without quotes', '{"path": C:\\src\\a.ts}', { path: 'C:\\src\\a.ts' }],
    [
      'a path without quotes before a key',
      '{"note": src/a, "lines": [1]}',
      { note: 'src/a', lines: [1] },
    ],
    ['single quotes', "{'path': 'a' 'lines': [1]}", { path: 'a', lines: [1] }],
    ['three quotes', '{"path": """a "b" c""", "lines": [1 2]}', { path: 'a "b" c', lines: [1, 2] }],
    ['escaped quotes', '{\\"path\\": \\"a\\" \\"lines\\": [1]}', { path: 'a', lines: [1] }],
    ['curly quotes', '{“path”: “a” “lines”: [1]}', { path: 'a', lines: [1] }],
    ['quote tokens', '{"path": <|"|>a<|"|> "lines": [1]}', { path: 'a', lines: [1] }],
    [
      'words and numbers',
      '{"all": True "size": -1.5e3 "note": None "path": "a"}',
      { all: true, size: -1500, note: null, path: 'a' },
    ],
    [
      'a text that has a key, with backslashes',
      '{"note": "say \\"path\\": b" "lines": [1]}',
      { note: 'say "path": b', lines: [1] },
    ],
    ['a comment', '{"path": "a" /* so */ "lines": [1]}', { path: 'a', lines: [1] }],
    ['a quote behind a number', '{"size": 5" "path": "a"}', { size: 5, path: 'a' }],
    [
      'a closer of the wrong kind inside',
      '{"at": {"x": 1], "y": 2}, "path": "a"}',
      { at: { x: 1, y: 2 }, path: 'a' },
    ],
    [
      'a closer behind members',
      '{"at": {"x": 1}, "lines": [1, 2], "path": "a"]}',
      { at: { x: 1 }, lines: [1, 2], path: 'a' },
    ],
    ['an early end without a comma', '{"path": "a"} "lines": [1]}', { path: 'a', lines: [1] }],
    ['a list of one', '[{"path": "a" "lines": [1]}]', { path: 'a', lines: [1] }],
    [
      'a comment at the end of a line',
      '{"path": "a" // so\n"lines": [1]}',
      { path: 'a', lines: [1] },
    ],
    ['a comment without a blank', '{"path": "a" #so\n"lines": [1]}', { path: 'a', lines: [1] }],
    ['a comment in a list', '{"lines": [1 # so\n 2]}', { lines: [1, 2] }],
    ['a key that touches a text', '{"path": "a""lines": [1]}', { path: 'a', lines: [1] }],
    [
      'elements that may be one, without quotes in them',
      '{"tags": ["s.join(", ")"] "note": "a"}',
      { tags: ['s.join(', ')'], note: 'a' },
    ],
    ['quotes at the start of a text', '{"path": ""a" b"}', { path: '"a" b' }],
    ['quotes around blanks', '{"path": "x = " a " + b"}', { path: 'x = " a " + b' }],
    ['inches without a blank', '{"path": "5"wide"}', { path: '5"wide' }],
    ['inches before a number', '{"path": "5" 6 wide"}', { path: '5" 6 wide' }],
    [
      'the same before a comma',
      '{"size": 5", "path": "a" "lines": [1]}',
      { size: 5, path: 'a', lines: [1] },
    ],
  ],
  refused: [
    ['a quote behind a number that may be text', '{"either": 5"}'],
    ['a word where anything is taken', '{"any": src/a}'],
    ['a word that is only a spelling', '{"note": "x", "mode": SRC/A}'],
    ['a word in a list', '{"tags": [src/a]}'],
    ['a word that starts with a digit', '{"path": 5/a}'],
    ['a word that may be a key', '{"path": src/a:}'],
    ['a word that may be cut', '{"path": src/a'],
    ['words as a key of a map, behind a missing comma', '{"env": {"a": "b" "two words": "c"}}'],
    ['a key of the whole, inside an object', '{"at": {"x": 1, "path": "b"}}}'],
    ['a text that has a key of the map', '{"env": {"a": "say "b : c" d", "b": "e"}}'],
    ['the same in quotes', '{"env": {"a": "say "b": c d", "b": "e"}}'],
    ['a key that no branch declares', '{"maybe": {"x": 1 "z": 2}}'],
    ['a misspelt key behind an early end', '{"path": "a"}, "Size": 1}'],
    ['the same behind another key', '{"path": "a"}, "size": 1, "Note": "b"}'],
    ['an early end, and a key of its own', '{"open": {"a": 1}, "b": "c"}, "note": "d"}'],
    ['a text, or a list that lost its bracket', '{"tags": "a"], "note": "b"}', 'ambiguous'],
    ['a list that ends too early', '{"lines": [1, 2], 3], "path": "a"}'],
    ['an early end, or a key twice', '{"at": {"y": 1}, "y": 2}, "path": "a"}'],
    ['an element that lost its opener', '{"todos": [{"title": "a"}, "title": "b"}]}'],
    ['an escape that JSON does not know', '{"path": "\\x" "lines": [1]}'],
    ['a text before a number in a list', '{"tags": ["a" 5]}'],
    ['words as a key of a map, behind a missing colon', '{"env" {"two words": "c"}}'],
    ['a key without quotes on its line', '{"size": 5 lines: [1]}'],
    ['a word behind a missing comma', '{"any": [1 true]}'],
    ['a comma and a closer of the wrong kind', '{"path": "a", "lines": [1, }}'],
    ['two closers that end too early', '{"path": "a"}}, "lines": [1]}'],
    ['a comment behind a colon', '{"path": # so\n"a" "lines": [1]}'],
    ['a comma, a closer and a missing comma', '{"path": "a", "lines": [1,] "at": {}}'],
    ['a mark in a list that is no comment', '{"tags": ["a" #b\n"c"]}'],
    ['empty quotes inside a text', '{"path": "say "" now", "note": "b"}'],
    ['an opener of the wrong kind', '{"lines": {1, 2], "path": "a"}'],
    ['a closer for a value', '{"path": }'],
    ['quotes around the rest of two texts', '{"path": "x" a "b"}'],
    ['inches and quotes', '{"path": "5" by "6 and 7" wide"}'],
    ['a quote behind a digit and before a sign', '{"path": "5" - wide"}'],
    ['a quote too many behind a key', '{"env": {"a"": "b \\"c\\": d"}}'],
    ['a bracket and a brace for one object', '{"at": [{"x": 1}}, "path": "a"}'],
    ['objects with another mark between them', '{"points": {"x": 1}; {"x": 2}, "path": "a"}'],
    ['two commas', '{"lines": [1,, 2] "path": "a"}'],
    ['a key twice', '{"path": "a" "path": "b"}'],
    [
      'an object that does not end',
      '{"path": "a", "at": {"x": 1, "y": 2, "lines": [1]}',
      'truncated',
    ],
  ],
});

testTextRule('broken_json', {
  schema: many,
  options: { finishReason: 'stop' },
  untouched: [['JSON', '{"path": "a", "tags": ["a"]}']],
  repaired: [
    [
      'missing closers at the end',
      '{"path": "a", "at": {"x": 1, "y": 2',
      { path: 'a', at: { x: 1, y: 2 } },
    ],
    ['of objects in a list', '{"points": [{"x": 1}, {"x": 2}', { points: [{ x: 1 }, { x: 2 }] }],
    ['before a key', '{"at": {"x": 1, "path": "a"}', { at: { x: 1 }, path: 'a' }],
    [
      'of a list',
      '{"path": "a", "lines": [1, 2, "at": {"x": 1}}',
      { path: 'a', lines: [1, 2], at: { x: 1 } },
    ],
  ],
  refused: [
    ['missing closers and a missing comma', '{"path": "a" "lines": [1, 2'],
    ['a list without an end, or a text with a bracket', '{"tags": ["a", "note": "b"}', 'ambiguous'],
    ['an object in a list without an end', '{"points": [{"x": 1, {"x": 2}]}'],
    ['a text without an end', '{"path": "a', 'truncated'],
    ['an element that is missing', '{"path": "a", "lines": [1,', 'truncated'],
    ['a value that is missing', '{"path": "a", "lines"', 'truncated'],
  ],
});

describe('two quotes that touch', () => {
  const texts = objectOf({ lines: listOf(text), old: text, new: text });
  const read = (sent: string) => interpretArguments(texts, { text: sent });

  test('are left alone in valid text', () => {
    expect(read('{"lines": ["f(\\"\\")", "", "a"]}').status).toBe('unchanged');
  });

  test('separate no elements, as quotes with a blank between do', () => {
    expect(read('{"lines": ["a" "b"]}')).toMatchObject({ value: { lines: ['a', 'b'] } });
  });

  test.each([
    '{"lines": ["f("")"]}',
    '{"lines": ["rm -rf "" /tmp"]}',
    '{"lines": ["say ""hi"" now"]}',
    '{"lines": ["x = """]}',
    "{'lines': ['it''s']}",
    '{"lines": "[\\"f(\\"\\")\\"]"}',
    '{"old": "x ""new"" y"}',
    '{"old": "a""new""b"}',
  ])('%s is refused', (sent) => {
    expect(read(sent).status).toBe('rejected');
  });

  test('make no member of an object that takes any key', () => {
    for (const additionalProperties of [true, text]) {
      const result = interpretArguments(
        { type: 'object', additionalProperties },
        { text: '{"old": "x ""new"" y"}' },
      );
      expect(result.status).toBe('rejected');
    }
  });
});

describe('quotes that look like the ends of two strings', () => {
  const todo = objectOf({ title: text, note: text });
  const texts = objectOf({ path: text, old: text, lines: listOf(text), todos: listOf(todo) });
  const read = (sent: string) => interpretArguments(texts, { text: sent });

  test('are left alone in valid text', () => {
    expect(read('{"path": "a\\" and \\"b", "lines": ["a\\" // \\"b\\""]}').status).toBe(
      'unchanged',
    );
  });

  test.each([
    ['{"path": "say "hi" and "bye" now"}', 'say "hi" and "bye" now'],
    ['{"path": "print(f"{x}")"}', 'print(f"{x}")'],
    ['{"path": "<a href="/a/" id="b">c</a>"}', '<a href="/a/" id="b">c</a>'],
    ['{"path": "echo "a" # so"}', 'echo "a" # so'],
  ])('%s: quotes that open and close are content', (sent, path) => {
    expect(read(sent)).toMatchObject({ value: { path } });
  });

  test.each([
    '{"path": "a.ts",\n"old": "x" // replaces "y"\n}',
    '{"path": "a.ts" # the "x" and "y"\n}',
    '{"lines": ["a" /*"c"*/,"b"]}',
  ])('%s: a comment is not content', (sent) => {
    expect(read(sent).status).toBe('rejected');
  });

  test.each([
    '{"lines": ["a" and "b"]}',
    '{"lines": ["a" - "b"]}',
    '{"lines": ["a"+"b"]}',
    '{"lines": ["a"-"b","c"]}',
    '{"path": "a.ts" or "b.ts"}',
    '{"path": "x=" + "b"}',
    '{"todos": [{"title": "a" - note: "b"}, {"title": "c"}]}',
  ])('%s: two strings do not become one', (sent) => {
    expect(read(sent).status).toBe('rejected');
  });

  test('a string does not swallow a member that only its own object declares', () => {
    expect(read('{"todos": [{"title": "a "also: b" c"}]}')).toMatchObject({
      value: { todos: [{ title: 'a "also: b" c' }] },
    });
    expect(read('{"todos": [{"title": "a "note: b" c"}]}').status).toBe('rejected');
  });
});

describe('two strings that may be one', () => {
  const texts = objectOf({ lines: listOf(text), note: text });
  const read = (lines: string, note: string) =>
    interpretArguments(texts, { text: `{"lines": ${lines}, "note": ${note}}` });

  test.each([
    '["s.join(", ")"]',
    '["a", "f(x[", "])"]',
    '["s.split(",")", "b"]',
    '["say ", " now"]',
    '["x = ", ";"]',
  ])('%s is left alone in valid text, and refused beside quotes that are not escaped', (lines) => {
    expect(read(lines, '"a"').status).toBe('unchanged');
    expect(read(lines, '"grep -n "x" f"').status).toBe('rejected');
  });

  test('elements that are whole by themselves are read', () => {
    expect(read('["f()", "(b)", "c: d", "", ")", ""]', '"grep -n "x" f"')).toMatchObject({
      value: { lines: ['f()', '(b)', 'c: d', '', ')', ''], note: 'grep -n "x" f' },
    });
  });
});

describe('an empty object without a comma behind it', () => {
  const inner = objectOf({ a: text, d: text });

  test('is left alone if the comma is there', () => {
    const schemaOfBoth = objectOf({ c: inner, d: text });
    expect(interpretArguments(schemaOfBoth, { text: '{"c": {}, "d": "z"}' }).status).toBe(
      'unchanged',
    );
  });

  test.each([
    ['may have held the next member, which it declares', inner, 'rejected'],
    ['may have held the next member, because it takes any', { type: 'object' }, 'rejected'],
    ['can’t have held a member that it does not declare', objectOf({ a: text }), 'repaired'],
  ])('%s', (_title, declared, outcome) => {
    const result = interpretArguments(
      { type: 'object', properties: { c: declared, d: text }, additionalProperties: false },
      { text: '{"c": {}"d": "z"}' },
    );
    expect(result.status).toBe(outcome);
    if (result.status !== 'rejected') expect(result.value).toEqual({ c: {}, d: 'z' });
  });

  test('in a list, it may have held the next element', () => {
    const lists = objectOf({ rows: listOf(listOf(text)) });
    expect(interpretArguments(lists, { text: '{"rows": [[] "b"]}' }).status).toBe('rejected');
  });
});

test.each([
  ['the argument text', { text: '{"lines": ["grep "x" f"]}' }],
  ['text inside a value', { value: { lines: '["grep "x" f"]' } }],
])('a destructive tool is shown what %s with quotes in it would be', (_title, sent) => {
  const texts = objectOf({ lines: listOf(text) });
  const run = (input: Parameters<typeof interpretArguments>[1]) =>
    interpretArguments(texts, input, { tool: { name: 'run', effects: 'destructive' } });
  const result = run(sent);
  expect(result).toMatchObject({
    status: 'rejected',
    issues: [{ keyword: 'not_confirmed' }],
    wouldBe: { lines: ['grep "x" f'] },
  });
  expect(run({ value: { lines: '["a" "b"]' } })).toMatchObject({ status: 'repaired' });
  expect(Reflect.get(result, 'message')).toContain('send exactly: {"lines":["grep \\"x\\" f"]}');
});

test('a tab behind a drive letter, far from the fault, may be a folder', () => {
  const paths = objectOf({ paths: listOf(text), note: text });
  const numbers = Array.from({ length: 30 }, (_, index) => `${index}`);
  const others = numbers.map((one) => `"${one}"`).join(', ');
  const read = (first: string) =>
    interpretArguments(paths, { text: `{"paths": [${first}, ${others}] "note": "a"}` });
  expect(read('"C:\\\\temp"')).toMatchObject({
    value: { paths: ['C:\\temp', ...numbers], note: 'a' },
  });
  expect(read('"C:\\temp"').status).toBe('rejected');
});

test('an empty list that would be left out does not make a reading fit', () => {
  const sent = '{"path": "a", "lines": [1}, "at": null}';
  expect(interpretArguments(schema, { text: sent }).status).toBe('rejected');
});

test('of several readings that fit, the message shows two; one with a key twice is refused', () => {
  const points = objectOf({ a: objectOf({ x: whole, y: whole }), y: whole, z: whole });
  expect(interpretArguments(points, { text: '{"a": {"y": 1}, "y": 2}, "z": 3}' }).status).toBe(
    'rejected',
  );
  const { issues } = interpretArguments(points, { text: '{"a": {"x": 1}, "y": 2}, "z": 3}' });
  expect(issues).toEqual([
    {
      keyword: 'ambiguous',
      path: '',
      advice: expect.stringMatching(/^did you mean .*"y".* or .*"y".*\?$/),
    },
  ]);
});

describe('text inside a value', () => {
  const edits = objectOf({ edits: listOf(objectOf({ from: text, to: text }, ['from', 'to'])) }, [
    'edits',
  ]);
  const read = (inside: string) => interpretArguments(edits, { value: { edits: inside } });

  test('is read in the same ways', () => {
    expect(read('[{"from": "a" "to": "b"}]')).toMatchObject({
      value: { edits: [{ from: 'a', to: 'b' }] },
    });
    expect(read('[{"from": "a", "to": "b"}}, {"from": "c", "to": "d"}]')).toMatchObject({
      value: {
        edits: [
          { from: 'a', to: 'b' },
          { from: 'c', to: 'd' },
        ],
      },
    });
  });

  test('goes with a null that is dropped only if no closer was moved', () => {
    const both = { type: 'object', properties: { ...edits.properties, at: whole } } as const;
    const statusOf = (inside: string) =>
      interpretArguments(both, { value: { edits: inside, at: null } }).status;
    expect(statusOf('[{"from": "a" "to": "b"}]')).toBe('repaired');
    expect(statusOf('[{"from": "a", "to": "b"}}, {"from": "c", "to": "d"}]')).toBe('rejected');
  });

  test('is refused if a closer is missing, whatever the finish reason', () => {
    const sent = { value: { edits: '[{"from": "a", "to": "b"}' } };
    expect(interpretArguments(edits, sent, { finishReason: 'stop' }).status).toBe('rejected');
  });
});

test('text with too many choices is refused, and soon', () => {
  for (const sent of [
    '"',
    '}',
    ']',
    ',',
    '{',
    '[',
    '":',
    '"}',
    '",',
    ']}',
    "'",
    '"\n',
    '{"a":',
    '"a" ',
  ])
    for (const start of ['', '{"path": "', '{"path": ['])
      expect(interpretArguments(schema, { text: start + sent.repeat(5_000) }).status).toBe(
        'rejected',
      );
});

describe('missing closers', () => {
  test('every beginning of a valid text is refused unless the end is known to be one', () => {
    const entire = '{"path": "a \\"b\\" c", "lines": [1, 22, 333]}';
    for (let length = 1; length < entire.length; length += 1) {
      expect(interpretArguments(schema, { text: entire.slice(0, length) }).status).toBe('rejected');
      expect(
        interpretArguments(schema, { text: entire.slice(0, length) }, { finishReason: 'length' })
          .status,
      ).toBe('rejected');
    }
  });
});

describe('quotes that close a quotation', () => {
  testTextRule('broken_json', {
    schema: objectOf({ path: text, note: text, all: listOf(text) }, ['path']),
    untouched: [['typographic ones', '{"path": "„a“ «b» “c”"}']],
    repaired: [
      ['after a German opener', '{"path": "Der „Start" ist da"}', { path: 'Der „Start" ist da' }],
      [
        'after an English opener',
        '{"path": "the “start" is here"}',
        { path: 'the “start" is here' },
      ],
      [
        'after guillemets',
        '{"path": "le «début" ici", "note": "x"}',
        { path: 'le «début" ici', note: 'x' },
      ],
      ['two of them', '{"path": "„a" und „b" da"}', { path: '„a" und „b" da' }],
      ['beside a whole quotation', '{"path": "„a“ und „b" da"}', { path: '„a“ und „b" da' }],
      ['doubled at the end', '{"path": "say "a"", "note": "x"}', { path: 'say "a"', note: 'x' }],
      ['doubled at the end of all', '{"path": "say "a b""}', { path: 'say "a b"' }],
      [
        'doubled in a list',
        '{"path": "x", "all": ["say "a"", "b"]}',
        { path: 'x', all: ['say "a"', 'b'] },
      ],
    ],
    refused: [
      ['an opener that was closed', '{"path": "Der „Start“ ist" da"}'],
      ['an opener behind a letter', '{"path": "Der x„Start" ist da"}'],
      ['two quotes for one opener', '{"path": "Der „Start" ist" da"}'],
      ['the string could end there', '{"path": "Der „Start", ist da"}'],
      ['doubled, and odd', '{"path": "say a"", "note": "x"}'],
      ['doubled, and three', '{"path": "say "a" b"", "note": "x"}'],
    ],
  });
});
