import {
  type Schema,
  anyOf,
  closedOf,
  listOf,
  mapOf,
  number,
  objectOf,
  text,
  texts,
  whole,
} from '../schemas.ts';
import { read, readValue, rejectedFor, repairedTo, unchanged, valueOf } from '../read.ts';

const mark = '\uFEFF';
const big = '12345678901234567890';
const note = closedOf({ title: text, size: whole, tags: texts });

describe('a duplicate key', () => {
  const row = objectOf({ id: whole, name: text });
  const rows = objectOf({ title: text, rows: listOf(row), at: mapOf(whole) });
  const inText = (list: string) => JSON.stringify({ rows: list });
  const inRow = 'duplicate_key /rows/0';

  test.each<[string, string, unknown, readonly string[]]>([
    ['at the root', '{"title": "a", "title": "a"}', { title: 'a' }, ['duplicate_key ']],
    ['below', '{"at": {"x/y": 1, "x/y": 1}}', { at: { 'x/y': 1 } }, ['duplicate_key /at']],
    ['three times', '{"b": 1, "b": 1.0, "b": 1}', { b: 1 }, ['duplicate_key ', 'duplicate_key ']],
    ['with an escape', '{"b": 1, "\\u0062": 1}', { b: 1 }, ['duplicate_key ']],
    [
      'in text',
      inText('[{"id": 1, "id": 1}]'),
      { rows: [{ id: 1 }] },
      ['json_text_to_array /rows', inRow],
    ],
  ])('%s with equal values is one key, and recorded', (_title, sent, value, records) => {
    const result = read(rows, sent);
    expect(result).toMatchObject(repairedTo(value));
    expect(result.repairs.map(({ rule, path }) => `${rule} ${path}`)).toEqual(records);
  });

  const issue = (path: string, key: string) => ({ keyword: 'duplicate_key', path, key });
  test.each<[string, string, object]>([
    ['at the root', '{"title": "a", "title": "b"}', issue('', 'title')],
    ['below', '{"rows": [{"id": 1}, {"id": 1, "id": 2}]}', issue('/rows/1', 'id')],
    ['in a stringified object', JSON.stringify('{"title": "a", "title": "b"}'), issue('', 'title')],
    [
      'in JSON that would say the same, read loosely',
      '{"a": "C:\\\\new", "a": "C:\\new"}',
      issue('', 'a'),
    ],
    ['in a stringified array', inText('[{"id": 1, "id": 2}]'), { path: '/rows' }],
    ['in a stringified array that is not JSON', inText("[{'id': 1, 'id': 2}]"), { path: '/rows' }],
    ['in text that is not JSON', "{'rows': [{'id': 1, 'id': 2}],}", issue('/rows/0', 'id')],
    ['of two types', '{"b": 1, "b": "1"}', issue('', 'b')],
    ['null and an object', '{"b": null, "b": {}}', issue('', 'b')],
    ['in lists', '{"b": [[{"x": [1], "x": [1, 2]}]]}', issue('/b/0/0', 'x')],
    [
      'whose digits differ in a list',
      `{"b": [${big}], "b": [12345678901234567891]}`,
      issue('', 'b'),
    ],
    [
      'whose digits differ',
      '{"at": {"x": 9007199254740993, "x": 9007199254740992}}',
      issue('/at', 'x'),
    ],
  ])('%s with two values is rejected', (_title, sent, expected) => {
    expect(read(rows, sent)).toMatchObject({ status: 'rejected' });
    expect(read(rows, sent).issues[0]).toMatchObject(expected);
  });

  test.each<[string, object]>([
    ['{"filePath": "a", "file_path": "a"}', repairedTo({ filePath: 'a' })],
    ['{"filePath": "a", "file_path": "b"}', { status: 'rejected' }],
    ['{"file_path": "a", "file_path": "b"}', rejectedFor('duplicate_key')],
  ])('can be another spelling: %s', (sent, expected) => {
    expect(read(closedOf({ filePath: text }), sent)).toMatchObject(expected);
  });
});

describe('numbers that JavaScript can’t hold', () => {
  const mixed = objectOf({
    n: number,
    s: text,
    any: {},
    either: anyOf(whole, text),
    list: listOf(whole),
  });

  test.each(['9007199254740993', big, '1e400', '-1e400', '0.1000000000000000055511151231257827'])(
    '%s is not a number',
    (literal) => {
      for (const sent of [
        `{"n": "${literal}"}`,
        `{'n': ${literal}}`,
        `{"list": "[1, ${literal}]"}`,
      ])
        expect(read(mixed, sent)).toMatchObject({ status: 'rejected' });
      expect(read(mixed, `{"n": ${literal}}`)).toMatchObject(rejectedFor('unsafe_number'));
    },
  );

  test.each(['9007199254740993', big, '1e400'])(
    '%s keeps its digits if text is allowed',
    (literal) => {
      for (const key of ['s', 'either', 'any'])
        expect(read(mixed, `{"${key}": ${literal}}`)).toMatchObject(repairedTo({ [key]: literal }));
    },
  );

  test.each(['9007199254740992', '1e2', '1.50', '5e-324', '1.7976931348623157e308', '0.1', '-0'])(
    '%s stays the number it is',
    (literal) => {
      const result = read(mixed, `{"n": ${literal}}`);
      expect(result).toMatchObject(unchanged({ n: Number(literal) }));
      expect(Object.is(Reflect.get(Object(valueOf(result)), 'n'), Number(literal))).toBe(true);
    },
  );

  test.each<[string, Schema, string, string]>([
    ['wrapped', closedOf({ x: listOf(number) }), `{"x": ${big}}`, 'type'],
    ['taken out of an object', closedOf({ x: listOf(number) }), `{"x": {"item": ${big}}}`, 'type'],
    ['taken out of an envelope', closedOf({ x: number }), `{"x": {"value": ${big}}}`, 'type'],
    ['in a text', closedOf({ x: listOf(number) }), `{"x": "[${big}]"}`, 'type'],
    [
      'under another name',
      closedOf({ maxSize: number }),
      `{"max_size": ${big}}`,
      'additionalProperties',
    ],
  ])('are rejected if a repair would lose their digits: %s', (_title, schema, sent, keyword) => {
    expect(read(schema, sent)).toMatchObject(rejectedFor('unsafe_number', keyword));
  });

  test.each<[string, Schema, string, unknown]>([
    ['wrapped', closedOf({ x: texts }), '{"x": 1.50}', { x: ['1.50'] }],
    ['wrapped, and too long', closedOf({ x: texts }), `{"x": ${big}}`, { x: [big] }],
    ['taken out of an object', closedOf({ x: texts }), '{"x": {"item": 1.50}}', { x: ['1.50'] }],
    ['under another name', closedOf({ maxSize: text }), '{"max_size": 1.50}', { maxSize: '1.50' }],
  ])('become text with the model’s digits: %s', (_title, schema, sent, value) => {
    expect(read(schema, sent)).toMatchObject(repairedTo(value));
  });
});

test.each(['NaN', 'Infinity', '-Infinity', 'nan', 'inf', 'undefined', 'Decimal("1")'])(
  '%s is not a number, a string or anything else',
  (word) => {
    const schema = objectOf({ n: number, s: text, any: {}, list: listOf(number) });
    const templates = ['{"n": ?}', '{"s": ?}', '{"any": ?}', '{"list": [1, ?]}', "{'n': ?,}"];
    for (const sent of templates.map((template) => template.replace('?', word)))
      expect(read(schema, sent)).toMatchObject(rejectedFor('not_json'));
    for (const value of [{ list: `[1, ${word}]` }, { list: [word] }])
      expect(readValue(schema, value)).toMatchObject({ status: 'rejected' });
    expect(readValue(objectOf({ n: number }, ['n']), { n: word })).toMatchObject({
      status: 'rejected',
    });
    expect(readValue(schema, { s: word })).toMatchObject({ status: 'unchanged' });
  },
);

describe('byte order marks and line ends', () => {
  test.each<[string, string]>([
    ['inside an encoded one', JSON.stringify(`${mark}{"title": "a"}`)],
    ['before a fence', `${mark}\`\`\`json\n${mark}{"title": "a"}\n\`\`\``],
    ['between tokens', `{${mark}"title"${mark}: "a"}`],
  ])('a mark %s is dropped', (_title, sent) => {
    expect(read(note, sent)).toMatchObject(repairedTo({ title: 'a' }));
  });

  const lines = 'one\r\ntwo\rthree\nfour\u2028five';
  const said = { title: lines, tags: ['a\r\n'] };
  test.each<[string, string, object]>([
    [
      'a mark inside a string',
      `{"title": "${mark}a${mark}"}`,
      unchanged({ title: `${mark}a${mark}` }),
    ],
    [
      'a mark inside a loose string',
      `${mark}{'title': '${mark}a'}`,
      repairedTo({ title: `${mark}a` }),
    ],
    [
      'line ends outside',
      '\r\n{\r"title"\n:\r\n"a",\n\r"size": 1\r}\n',
      unchanged({ title: 'a', size: 1 }),
    ],
    ['line ends in a string', `{"title": "${lines}", "tags": ["a\r\n"],\r\n}`, repairedTo(said)],
    [
      'line ends around a fence',
      '```json\r\n{"title": "a"}\r\n```\r\n',
      repairedTo({ title: 'a' }),
    ],
    [
      'in markup',
      '<parameter=title>\r\na\r\nb\r\n</parameter>\r\n',
      repairedTo({ title: 'a\r\nb' }),
    ],
  ])('%s', (_title, sent, expected) => {
    expect(read(note, sent)).toMatchObject(expected);
  });
});

describe('a Markdown link', () => {
  const schema = objectOf({ path: text, paths: texts, body: text });
  const urls =
    '/etc/passwd ../../secret https://evil.example/a b/safe.txt.sh file:///x SAFE.txt'.split(' ');
  const names = ['safe.txt', 'src/index.ts', 'a b.md', 'Safe.txt', 'safe.txt '];

  test.each([
    ...names.flatMap((name) => urls.map((url) => `[${name}](${url})`)),
    '[safe.txt](http://safe.txt/etc/passwd)',
    '[safe.txt](http://safe.txt?x=1)',
    '[safe.txt](http://evil@safe.txt)',
    '[safe.txt](https://evil.example/a/unsafe.txt)',
    'see [safe.txt](safe.txt)',
    '[safe.txt](safe.txt) and more',
    '[safe.txt](safe.txt)[x](x)',
    '![safe.txt](safe.txt)',
  ])('whose name and target differ is left alone in a path: %s', (link) => {
    for (const value of [{ path: link }, { paths: [link] }])
      expect(readValue(schema, value)).toMatchObject({ status: 'unchanged' });
  });
});
