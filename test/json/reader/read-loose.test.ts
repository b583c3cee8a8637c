import { type JsonReading, readJson } from '../../../src/json/lenient-parser.ts';

const readLoose = (text: string): JsonReading => readJson(text, 'loose', 64);

test.each<[string, string, unknown]>([
  ['a comment at the end of a line', '{"a": 1, // one\n"b": 2}', { a: 1, b: 2 }],
  ['a comment between stars', '{"a": /* one, two */ 1}', { a: 1 }],
  ['a comment behind a hash', '{"a": 1 # one\n}', { a: 1 }],
  ['a comment that can be no element', '{"a": 1 #one\n, "b": [ ]}', { a: 1, b: [] }],
  ['a comment on a line of its own', '{\n// it isn’t used\n"a": 1}', { a: 1 }],
  ['a comment that touches the opener', '{// one\n"a": 1}', { a: 1 }],
  ['a comment among elements', '[1,\n# two\n2]', [1, 2]],
  ['a comment inside a string is text', '{"a": "x // y # z /* */"}', { a: 'x // y # z /* */' }],
  ['a trailing comma in an object', '{"a": 1,}', { a: 1 }],
  ['single quotes', "{'a': 'b'}", { a: 'b' }],
  ['a double quote inside single ones', `{'a': 'say "b"'}`, { a: 'say "b"' }],
  ['a single quote inside double ones', `{"a": "it's"}`, { a: "it's" }],
  ['curly quotes', '{“a”: “b”}', { a: 'b' }],
  ['escaped quotes', '{\\"a\\": \\"b\\"}', { a: 'b' }],
  ['the words of Python', '{"a": True, "b": False, "c": None}', { a: true, b: false, c: null }],
  ['unquoted keys', '{a: 1, $b_2: 2, c-d: 3}', { a: 1, $b_2: 2, 'c-d': 3 }],
  ['a key that lost its opening quote', '{a": 1}', { a: 1 }],
  ['a quote behind a number', '{"a": 1"}', { a: 1 }],
  ['a raw line break in a string', '{"a": "x\ny"}', { a: 'x\ny' }],
  ['a bare \\n between tokens', '{\\n"a": 1,\\n"b": 2\\n}', { a: 1, b: 2 }],
  ['an unknown escape', '{"a": "\\d+"}', { a: '\\d+' }],
  ['an escaped single quote', `{"a": "it\\'s"}`, { a: "it's" }],
  ['single backslashes of a drive', '{"a": "C:\\new\\Docs"}', { a: 'C:\\new\\Docs' }],
  ['single and double backslashes of a drive', '{"a": "C:\\\\new\\Docs"}', { a: 'C:\\new\\Docs' }],
  ['double backslashes of a drive', '{"a": "C:\\\\new\\\\table"}', { a: 'C:\\new\\table' }],
  ['token quotes', '{a: <|"|>say "x"<|"|>, b: <|">y<|\\"|>}', { a: 'say "x"', b: 'y' }],
  ['three double quotes', '{"a": """say "x",\nthen"""}', { a: 'say "x",\nthen' }],
  ['three single quotes', `{"a": '''it's'''}`, { a: "it's" }],
  ['keys of digits and words', '{1: "a", null: "b"}', { 1: 'a', null: 'b' }],
  ['an escape that Python alone knows in double quotes', '{"a": "\\alpha"}', { a: '\\alpha' }],
  ['a hex escape in a drive path', '{"a": "C:\\xampp\\up"}', { a: 'C:\\xampp\\up' }],
  ['digits and blanks of all kinds', '\ufeff\u00a0[1]\u2003', [1]],
])('one reading: %s', (_title, text, value) => {
  expect(Reflect.get(readLoose(text), 'value')).toStrictEqual(value);
});

test.each([
  ['NaN', '{"a": NaN}'],
  ['arithmetic', '{"a": 1 + 2}'],
  ['a bare word', '{"a": yes}'],
  ['a leading zero', '{"a": 010}'],
  ['an unescaped quote inside content', '{"a": "say "b" to"}'],
  ['an unescaped quote before a comma', '{"a": "say "b", then"}'],
  ['a key that lost its closing quote', '{"a: 1}'],
  ['a missing comma', '{"a": 1 "b": 2}'],
  ['a comma twice', '[1,,2]'],
  ['an unknown escape beside one with two readings', '{"a": "\\d\\n"}'],
  ['an escaped quote in a path with single backslashes', '{"a": "C:\\new\\Docs\\""}'],
  ['words around', 'Here: {"a": 1}'],
  ['two values', '{"a": 1} {"a": 2}'],
  ['a comment that never ends', '[1 /* '],
  ['a word joined by strings', '{"a": "x" "y"}'],
  ['a surplus brace', '{"a": [1]}}'],
  ['a wrong closer', '{"a": [1, 2}, "b": 3}'],
  ['escaped quotes in text with plain ones', '{"a": \\"b\\"}'],
  ['a hex escape', '{"a": "\\x41"}'],
  ['an escape of Python in single quotes', "{'a': '\\alpha'}"],
  ['three quotes around a backslash', '{"a": """\\d"""}'],
  ['a comment whose line has a quote', '{"a": 1, // "b": 2\n"c": 3}'],
  ['a comment that touches a value', '{"a": 1// one\n}'],
  ['a comment before a colon', '{"a" // one\n: 1}'],
  ['a comment behind a colon', '{"a": // one\n1}'],
  ['a comment that may be an element', '[1 #2nd\n, 3]'],
  ['a comment at the end of the text', '{"a": 1 // one'],
  ['an element that looks like a comment', '[1,\n#ff0000\n]'],
  ['a container of nothing but comments', '[\n// one\n]'],
  ['a quote between stars', '{"a": /* "b" */ 1}'],
])('no reading: %s', (_title, text) => {
  expect(readLoose(text)).toMatchObject({ kind: 'unreadable' });
});

test.each([
  '{"a": 1',
  '{"a": [1, 2',
  '{"a": "x',
  '{"a": 1,',
  '{"a":',
  '{"a"',
  '[1,',
  '',
  "{'a': 'x",
])('%j is cut', (text) => {
  expect(readLoose(text)).toMatchObject({ kind: 'unreadable', reason: 'cut' });
});

test('a quote behind a number is noted, since text may be meant', () => {
  expect(readLoose('{"a": 1", "b": [2, 3"]}')).toMatchObject({
    kind: 'read',
    quotedNumbers: [1, 3],
  });
});

test('a key that came twice is found in whatever quotes', () => {
  const repeatedKey = { path: '', key: 'a' };
  expect(readLoose(`{"a": 1, 'a': 2}`)).toMatchObject({
    kind: 'unreadable',
    reason: 'duplicate_key',
    repeatedKey,
  });
  expect(readLoose(`{"a": 1, a: 1}`)).toMatchObject({
    kind: 'read',
    value: { a: 1 },
    repeatedKeys: [repeatedKey],
  });
});
