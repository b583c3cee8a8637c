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
  untouched: [{ title: 'JSON', text: '{"path": "say \\"a\\"", "lines": [1]}' }],
  repaired: [
    {
      title: 'a missing comma',
      text: '{"path": "a" "lines": [1]}',
      becomes: { path: 'a', lines: [1] },
    },
    {
      title: 'missing commas in a list',
      text: '{"path": "a", "lines": [1 2 3]}',
      becomes: { path: 'a', lines: [1, 2, 3] },
    },
    { title: 'a missing colon in a list of one', text: '[{"path" "a"}]', becomes: { path: 'a' } },
    { title: 'a missing colon', text: '{"path" "a"}', becomes: { path: 'a' } },
    { title: 'a surplus closer', text: '{"path": "a"}}', becomes: { path: 'a' } },
    {
      title: 'a closer that ends the whole too early',
      text: '{"path": "a"}, "lines": [1]}',
      becomes: { path: 'a', lines: [1] },
    },
    {
      title: 'the same behind an object that does not declare the key',
      text: '{"path": "a", "at": {"x": 1}}, "lines": [1]}',
      becomes: { path: 'a', at: { x: 1 }, lines: [1] },
    },
    {
      title: 'a wrong closer',
      text: '{"path": "a", "lines": [1, 2}}',
      becomes: { path: 'a', lines: [1, 2] },
    },
    { title: 'two braces', text: '{{"path": "a"}}', becomes: { path: 'a' } },
    {
      title: 'quotes inside a text',
      text: '{"path": "say "a" and b"}',
      becomes: { path: 'say "a" and b' },
    },
    {
      title: 'quotes at the end of a text',
      text: '{"path": "say "b""}',
      becomes: { path: 'say "b"' },
    },
    {
      title: 'an apostrophe in single quotes',
      text: "{'path': 'it's'}",
      becomes: { path: "it's" },
    },
    { title: 'inches', text: '{"path": "5" wide"}', becomes: { path: '5" wide' } },
    { title: 'a path without quotes', text: '{"path": src/a.ts}', becomes: { path: 'src/a.ts' } },
    {
      title: 'an object in quotes',
      text: '"{"path": "a", "lines": [1]}"',
      becomes: { path: 'a', lines: [1] },
    },
    {
      title: 'a comma too many',
      text: '{"path": "a", "lines": [1,]}',
      becomes: { path: 'a', lines: [1] },
      rules: 'loose_json',
    },
  ],
  refused: [
    {
      title: 'more ways than are read',
      text: `{"path": "${'"b": 2], "'.repeat(10)}`,
      issue: {
        keyword: 'ambiguous',
        advice: 'write every quote inside a string as \\" and close every container',
      },
    },
    { title: 'a quote that may end the text', text: '{"path": "say "b", c"}' },
    {
      title: 'an object in quotes, with a text that has quotes',
      text: '"{"path": "say \\"a\\""}"',
    },
    { title: 'words in quotes', text: '"say "a" and b"' },
    { title: 'a text that is in quotes twice', text: '{"path": ""a""}' },
    { title: 'elements with a bracket between them', text: '{"path": "a"{,"b"}' },
    { title: 'a quote that was lost', text: '{"path": "say "b and c"}' },
    { title: 'a member that a text would swallow', text: '{"path": "a, "lines": [1]}' },
    { title: 'a key that is not declared behind a missing comma', text: '{"path": "a" "z": "b"}' },
    { title: 'a word without quotes', text: '{"path": a}' },
    { title: 'an element that lost its opening brace', text: '{"path": "a", "lines": [1, }]}' },
    { title: 'an early end, and the key once more', text: '{"path": "a"}, "path": "b"}' },
    { title: 'an early end, and none at the end', text: '{"path": "a"}, "lines": [1]' },
    {
      title: 'missing closers, the end unknown',
      text: '{"path": "a", "lines": [1',
      issue: 'truncated',
    },
    { title: 'an opening brace too many', text: '{{"path": "a"}' },
    { title: 'a comma and a closer too many', text: '{"path": "a", "lines": [1,]], "at": {}}' },
    { title: 'the same at the end', text: '{"path": "a", "at": {"x": 1,}, "lines": [1]}}' },
    {
      title: 'a comma too many, and none behind the closer',
      text: '{"path": "a", "lines": [1,]"at": {}}',
    },
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
  untouched: [{ title: 'JSON', text: '{"path": "a", "at": {"x": 1}, "open": {"a": 1}, "z": 1}' }],
  repaired: [
    {
      title: 'a closer that opens nothing',
      text: '{"path": "a"], "lines": [1]}',
      becomes: { path: 'a', lines: [1] },
    },
    {
      title: 'a list that its object closes',
      text: '{"path": "a", "lines": [1, 2}',
      becomes: { path: 'a', lines: [1, 2] },
    },
    { title: 'closers behind the whole', text: '{"path": "a"}]}', becomes: { path: 'a' } },
    {
      title: 'a closer of the wrong kind',
      text: '{"points": [{"x": 1], {"x": 2}]}',
      becomes: { points: [{ x: 1 }, { x: 2 }] },
    },
    {
      title: 'a closer twice in a list',
      text: '{"points": [{"x": 1}}, {"x": 2}]}',
      becomes: { points: [{ x: 1 }, { x: 2 }] },
    },
    {
      title: 'a closer before the last member',
      text: '{"at": {"x": 1}, "y": 2}, "path": "a"}',
      becomes: { at: { x: 1, y: 2 }, path: 'a' },
    },
    {
      title: 'the same behind any keys',
      text: '{"open": {"a": 1}, "path": "b"}, "note": "c"}',
      becomes: { open: { a: 1 }, path: 'b', note: 'c' },
    },
    {
      title: 'a closer too many behind a key of its own',
      text: '{"path": "a", "z": "b"}}',
      becomes: { path: 'a', z: 'b' },
    },
    {
      title: 'a closer too many behind a map',
      text: '{"env": {"two words": "b"}}}',
      becomes: { env: { 'two words': 'b' } },
    },
    {
      title: 'objects without the brackets of a list',
      text: '{"points": {"x": 1}, {"x": 2}, "path": "a"}',
      becomes: { points: [{ x: 1 }, { x: 2 }], path: 'a' },
    },
    {
      title: 'two braces inside',
      text: '{"at": {{"x": 1}}, "path": "a"}',
      becomes: { at: { x: 1 }, path: 'a' },
    },
    {
      title: 'a missing comma before a line',
      text: '{"path": "a"\nlines: [1]}',
      becomes: { path: 'a', lines: [1] },
    },
    {
      title: 'missing commas between objects',
      text: '{"points": [{"x": 1} {"x": 2}]}',
      becomes: { points: [{ x: 1 }, { x: 2 }] },
    },
    {
      title: 'missing commas between lists',
      text: '{"rows": [[1] [2]]}',
      becomes: { rows: [[1], [2]] },
    },
    {
      title: 'a missing comma in a map',
      text: '{"env": {"a": "b" "c": "d"}}',
      becomes: { env: { a: 'b', c: 'd' } },
    },
    {
      title: 'the same in one that declares a key',
      text: '{"extra": {"x": 1 "z": "a"}}',
      becomes: { extra: { x: 1, z: 'a' } },
    },
    {
      title: 'missing colons',
      text: '{"lines" [1], "at" {"x" 1}, "all" true}',
      becomes: { lines: [1], at: { x: 1 }, all: true },
    },
    {
      title: 'a key that lost a quote, and a missing comma',
      text: '{"at": {x": 1}, "lines": [1 2]}',
      becomes: { at: { x: 1 }, lines: [1, 2] },
    },
    {
      title: 'a path of a drive without quotes',
      text: '{"path": C:\\src\\a.ts}',
      becomes: { path: 'C:\\src\\a.ts' },
    },
    {
      title: 'a path without quotes before a key',
      text: '{"note": src/a, "lines": [1]}',
      becomes: { note: 'src/a', lines: [1] },
    },
    {
      title: 'single quotes',
      text: "{'path': 'a' 'lines': [1]}",
      becomes: { path: 'a', lines: [1] },
    },
    {
      title: 'three quotes',
      text: '{"path": """a "b" c""", "lines": [1 2]}',
      becomes: { path: 'a "b" c', lines: [1, 2] },
    },
    {
      title: 'escaped quotes',
      text: '{\\"path\\": \\"a\\" \\"lines\\": [1]}',
      becomes: { path: 'a', lines: [1] },
    },
    {
      title: 'curly quotes',
      text: '{“path”: “a” “lines”: [1]}',
      becomes: { path: 'a', lines: [1] },
    },
    {
      title: 'quote tokens',
      text: '{"path": <|"|>a<|"|> "lines": [1]}',
      becomes: { path: 'a', lines: [1] },
    },
    {
      title: 'words and numbers',
      text: '{"all": True "size": -1.5e3 "note": None "path": "a"}',
      becomes: { all: true, size: -1500, note: null, path: 'a' },
    },
    {
      title: 'a text that has a key, with backslashes',
      text: '{"note": "say \\"path\\": b" "lines": [1]}',
      becomes: { note: 'say "path": b', lines: [1] },
    },
    {
      title: 'a comment',
      text: '{"path": "a" /* so */ "lines": [1]}',
      becomes: { path: 'a', lines: [1] },
    },
    {
      title: 'a quote behind a number',
      text: '{"size": 5" "path": "a"}',
      becomes: { size: 5, path: 'a' },
    },
    {
      title: 'a closer of the wrong kind inside',
      text: '{"at": {"x": 1], "y": 2}, "path": "a"}',
      becomes: { at: { x: 1, y: 2 }, path: 'a' },
    },
    {
      title: 'a closer behind members',
      text: '{"at": {"x": 1}, "lines": [1, 2], "path": "a"]}',
      becomes: { at: { x: 1 }, lines: [1, 2], path: 'a' },
    },
    {
      title: 'an early end without a comma',
      text: '{"path": "a"} "lines": [1]}',
      becomes: { path: 'a', lines: [1] },
    },
    {
      title: 'a list of one',
      text: '[{"path": "a" "lines": [1]}]',
      becomes: { path: 'a', lines: [1] },
    },
    {
      title: 'a comment at the end of a line',
      text: '{"path": "a" // so\n"lines": [1]}',
      becomes: { path: 'a', lines: [1] },
    },
    {
      title: 'a comment without a blank',
      text: '{"path": "a" #so\n"lines": [1]}',
      becomes: { path: 'a', lines: [1] },
    },
    { title: 'a comment in a list', text: '{"lines": [1 # so\n 2]}', becomes: { lines: [1, 2] } },
    {
      title: 'a key that touches a text',
      text: '{"path": "a""lines": [1]}',
      becomes: { path: 'a', lines: [1] },
    },
    {
      title: 'elements that may be one, without quotes in them',
      text: '{"tags": ["s.join(", ")"] "note": "a"}',
      becomes: { tags: ['s.join(', ')'], note: 'a' },
    },
    {
      title: 'quotes at the start of a text',
      text: '{"path": ""a" b"}',
      becomes: { path: '"a" b' },
    },
    {
      title: 'quotes around blanks',
      text: '{"path": "x = " a " + b"}',
      becomes: { path: 'x = " a " + b' },
    },
    { title: 'inches without a blank', text: '{"path": "5"wide"}', becomes: { path: '5"wide' } },
    {
      title: 'inches before a number',
      text: '{"path": "5" 6 wide"}',
      becomes: { path: '5" 6 wide' },
    },
    {
      title: 'the same before a comma',
      text: '{"size": 5", "path": "a" "lines": [1]}',
      becomes: { size: 5, path: 'a', lines: [1] },
    },
  ],
  refused: [
    { title: 'a quote behind a number that may be text', text: '{"either": 5"}' },
    { title: 'a word where anything is taken', text: '{"any": src/a}' },
    { title: 'a word that is only a spelling', text: '{"note": "x", "mode": SRC/A}' },
    { title: 'a word in a list', text: '{"tags": [src/a]}' },
    { title: 'a word that starts with a digit', text: '{"path": 5/a}' },
    { title: 'a word that may be a key', text: '{"path": src/a:}' },
    { title: 'a word that may be cut', text: '{"path": src/a' },
    {
      title: 'words as a key of a map, behind a missing comma',
      text: '{"env": {"a": "b" "two words": "c"}}',
    },
    { title: 'a key of the whole, inside an object', text: '{"at": {"x": 1, "path": "b"}}}' },
    {
      title: 'a text that has a key of the map',
      text: '{"env": {"a": "say "b : c" d", "b": "e"}}',
    },
    { title: 'the same in quotes', text: '{"env": {"a": "say "b": c d", "b": "e"}}' },
    { title: 'a key that no branch declares', text: '{"maybe": {"x": 1 "z": 2}}' },
    { title: 'a misspelt key behind an early end', text: '{"path": "a"}, "Size": 1}' },
    { title: 'the same behind another key', text: '{"path": "a"}, "size": 1, "Note": "b"}' },
    {
      title: 'an early end, and a key of its own',
      text: '{"open": {"a": 1}, "b": "c"}, "note": "d"}',
    },
    {
      title: 'a text, or a list that lost its bracket',
      text: '{"tags": "a"], "note": "b"}',
      issue: 'ambiguous',
    },
    { title: 'a list that ends too early', text: '{"lines": [1, 2], 3], "path": "a"}' },
    { title: 'an early end, or a key twice', text: '{"at": {"y": 1}, "y": 2}, "path": "a"}' },
    {
      title: 'an element that lost its opener',
      text: '{"todos": [{"title": "a"}, "title": "b"}]}',
    },
    { title: 'an escape that JSON does not know', text: '{"path": "\\x" "lines": [1]}' },
    { title: 'a text before a number in a list', text: '{"tags": ["a" 5]}' },
    {
      title: 'words as a key of a map, behind a missing colon',
      text: '{"env" {"two words": "c"}}',
    },
    { title: 'a key without quotes on its line', text: '{"size": 5 lines: [1]}' },
    { title: 'a word behind a missing comma', text: '{"any": [1 true]}' },
    { title: 'a comma and a closer of the wrong kind', text: '{"path": "a", "lines": [1, }}' },
    { title: 'two closers that end too early', text: '{"path": "a"}}, "lines": [1]}' },
    { title: 'a comment behind a colon', text: '{"path": # so\n"a" "lines": [1]}' },
    {
      title: 'a comma, a closer and a missing comma',
      text: '{"path": "a", "lines": [1,] "at": {}}',
    },
    { title: 'a mark in a list that is no comment', text: '{"tags": ["a" #b\n"c"]}' },
    { title: 'empty quotes inside a text', text: '{"path": "say "" now", "note": "b"}' },
    { title: 'an opener of the wrong kind', text: '{"lines": {1, 2], "path": "a"}' },
    { title: 'a closer for a value', text: '{"path": }' },
    { title: 'quotes around the rest of two texts', text: '{"path": "x" a "b"}' },
    { title: 'inches and quotes', text: '{"path": "5" by "6 and 7" wide"}' },
    { title: 'a quote inside a number', text: '{"path": "12"34"}' },
    { title: 'a quote behind a digit and before a sign', text: '{"path": "5" - wide"}' },
    { title: 'a quote too many behind a key', text: '{"env": {"a"": "b \\"c\\": d"}}' },
    { title: 'a semicolon for a comma, or in quotes', text: '{"tags": ["say {";""]}' },
    { title: 'a bracket and a brace for one object', text: '{"at": [{"x": 1}}, "path": "a"}' },
    {
      title: 'objects with another mark between them',
      text: '{"points": {"x": 1}; {"x": 2}, "path": "a"}',
    },
    { title: 'two commas', text: '{"lines": [1,, 2] "path": "a"}' },
    { title: 'a key twice', text: '{"path": "a" "path": "b"}' },
    {
      title: 'an object that does not end',
      text: '{"path": "a", "at": {"x": 1, "y": 2, "lines": [1]}',
      issue: 'truncated',
    },
  ],
});

testTextRule('broken_json', {
  schema: many,
  options: { finishReason: 'stop' },
  untouched: [{ title: 'JSON', text: '{"path": "a", "tags": ["a"]}' }],
  repaired: [
    {
      title: 'missing closers at the end',
      text: '{"path": "a", "at": {"x": 1, "y": 2',
      becomes: { path: 'a', at: { x: 1, y: 2 } },
    },
    {
      title: 'of objects in a list',
      text: '{"points": [{"x": 1}, {"x": 2}',
      becomes: { points: [{ x: 1 }, { x: 2 }] },
    },
    {
      title: 'before a key',
      text: '{"at": {"x": 1, "path": "a"}',
      becomes: { at: { x: 1 }, path: 'a' },
    },
    {
      title: 'of a list',
      text: '{"path": "a", "lines": [1, 2, "at": {"x": 1}}',
      becomes: { path: 'a', lines: [1, 2], at: { x: 1 } },
    },
  ],
  refused: [
    { title: 'missing closers and a missing comma', text: '{"path": "a" "lines": [1, 2' },
    {
      title: 'a list without an end, or a text with a bracket',
      text: '{"tags": ["a", "note": "b"}',
      issue: 'ambiguous',
    },
    { title: 'an object in a list without an end', text: '{"points": [{"x": 1, {"x": 2}]}' },
    { title: 'a text without an end', text: '{"path": "a', issue: 'truncated' },
    { title: 'an element that is missing', text: '{"path": "a", "lines": [1,', issue: 'truncated' },
    { title: 'a value that is missing', text: '{"path": "a", "lines"', issue: 'truncated' },
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

  test('a closer that was lost in a map may have been lost before any member', () => {
    const element = closedOf({ id: text, labels: mapOf(text), note: text }, ['id']);
    const read = (sent: string) =>
      interpretArguments(closedOf({ rows: listOf(element) }), { text: sent });
    expect(read('{"rows":[{"id":"a","labels":{"x":"b","y":"c"]}').status).toBe('rejected');
    expect(read('{"rows":[{"id":"a","labels":{"x":"b","note":"c"}]}').status).toBe('rejected');
    expect(read('{"rows":[{"id":"a","labels":{"x":"b","y":"c"}]}')).toMatchObject({
      value: { rows: [{ id: 'a', labels: { x: 'b', y: 'c' } }] },
    });
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

test('never merges two objects whose brace was lost, if their members are equal', () => {
  const schemaOfPlan = objectOf({ todos: listOf(closedOf({ id: text, done: text })) });
  const sent = '{"todos": [{"id": "a", "done": ""}, "id": "a", "done": ""}]}';
  expect(interpretArguments(schemaOfPlan, { text: sent }, { finishReason: 'stop' }).status).toBe(
    'rejected',
  );
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
      expect(interpretArguments(schema, { text: start + sent.repeat(2_000) }).status).toBe(
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
    untouched: [{ title: 'typographic ones', text: '{"path": "„a“ «b» “c”"}' }],
    repaired: [
      {
        title: 'after a German opener',
        text: '{"path": "Der „Start" ist da"}',
        becomes: { path: 'Der „Start" ist da' },
      },
      {
        title: 'after an English opener',
        text: '{"path": "the “start" is here"}',
        becomes: { path: 'the “start" is here' },
      },
      {
        title: 'after guillemets',
        text: '{"path": "le «début" ici", "note": "x"}',
        becomes: { path: 'le «début" ici', note: 'x' },
      },
      {
        title: 'two of them',
        text: '{"path": "„a" und „b" da"}',
        becomes: { path: '„a" und „b" da' },
      },
      {
        title: 'beside a whole quotation',
        text: '{"path": "„a“ und „b" da"}',
        becomes: { path: '„a“ und „b" da' },
      },
      {
        title: 'doubled at the end',
        text: '{"path": "say "a"", "note": "x"}',
        becomes: { path: 'say "a"', note: 'x' },
      },
      {
        title: 'doubled at the end of all',
        text: '{"path": "say "a b""}',
        becomes: { path: 'say "a b"' },
      },
      {
        title: 'doubled in a list',
        text: '{"path": "x", "all": ["say "a"", "b"]}',
        becomes: { path: 'x', all: ['say "a"', 'b'] },
      },
    ],
    refused: [
      { title: 'an opener that was closed', text: '{"path": "Der „Start“ ist" da"}' },
      { title: 'an opener behind a letter', text: '{"path": "Der x„Start" ist da"}' },
      { title: 'two quotes for one opener', text: '{"path": "Der „Start" ist" da"}' },
      { title: 'the string could end there', text: '{"path": "Der „Start", ist da"}' },
      { title: 'doubled, and odd', text: '{"path": "say a"", "note": "x"}' },
      { title: 'doubled, and three', text: '{"path": "say "a" b"", "note": "x"}' },
    ],
  });
});
