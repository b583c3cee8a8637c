// Is text that could be read in two ways, or that ended too early, refused, and everything else read to the digit?
import { interpretArguments, type Interpretation } from 'toolmend';
import {
  anyOf,
  closedOf,
  listOf,
  number,
  objectOf,
  recordOf,
  type Schema,
  text,
  texts,
  whole,
} from '../repair/sample-schemas.ts';

const mark = '\uFEFF';
const note = closedOf({ title: text, size: whole, tags: texts });

const valueOf = (result: Interpretation): unknown => Reflect.get(result, 'value');
const rulesOf = ({ repairs }: Interpretation): readonly string[] => repairs.map(({ rule }) => rule);

describe('a key that comes twice', () => {
  const rows = objectOf({
    title: text,
    rows: listOf(objectOf({ id: whole, name: text })),
    at: recordOf(whole),
  });

  test.each<[string, string, unknown, readonly (readonly [string, string])[]]>([
    ['at the root', '{"title": "a", "title": "a"}', { title: 'a' }, [['duplicate_key', '']]],
    ['below', '{"at": {"x/y": 1, "x/y": 1}}', { at: { 'x/y': 1 } }, [['duplicate_key', '/at']]],
    [
      'in two elements',
      '{"rows": [{"id": 1, "id": 1}, {"id": 2, "name": "b", "name": "b"}]}',
      { rows: [{ id: 1 }, { id: 2, name: 'b' }] },
      [
        ['duplicate_key', '/rows/0'],
        ['duplicate_key', '/rows/1'],
      ],
    ],
    [
      'in a list that is text',
      JSON.stringify({ rows: '[{"id": 1, "id": 1}]' }),
      { rows: [{ id: 1 }] },
      [
        ['json_text_to_array', '/rows'],
        ['duplicate_key', '/rows/0'],
      ],
    ],
    [
      'in text that is no JSON',
      "{'rows': [{'id': 1, 'id': 1}],}",
      { rows: [{ id: 1 }] },
      [
        ['loose_json', ''],
        ['duplicate_key', '/rows/0'],
      ],
    ],
  ])('%s, with one value: it is one, and recorded where it stood', (_title, sent, value, records) => {
    const result = interpretArguments(rows, { text: sent });
    expect(result).toMatchObject({ status: 'repaired', value });
    expect(result.repairs.map(({ rule, path }) => [rule, path])).toEqual(records);
  });

  test.each<[string, string, object]>([
    ['at the root', '{"title": "a", "title": "b"}', { keyword: 'duplicate_key', path: '', key: 'title' }],
    [
      'below',
      '{"rows": [{"id": 1}, {"id": 1, "id": 2}]}',
      { keyword: 'duplicate_key', path: '/rows/1', key: 'id' },
    ],
    [
      'in text that is no JSON',
      "{'rows': [{'id': 1, 'id': 2}],}",
      { keyword: 'duplicate_key', path: '/rows/0', key: 'id' },
    ],
    [
      'in what a text holds',
      JSON.stringify('{"title": "a", "title": "b"}'),
      { keyword: 'duplicate_key', path: '', key: 'title' },
    ],
    ['in a list that is text', JSON.stringify({ rows: '[{"id": 1, "id": 2}]' }), { path: '/rows' }],
    [
      'in a list that is text, and no JSON',
      JSON.stringify({ rows: "[{'id': 1, 'id': 2}]" }),
      { path: '/rows' },
    ],
    [
      'by digits that a number would lose',
      '{"at": {"x": 9007199254740993, "x": 9007199254740992}}',
      { keyword: 'duplicate_key', path: '/at', key: 'x' },
    ],
  ])('%s, with two values: refused', (_title, sent, issue) => {
    const result = interpretArguments(rows, { text: sent });
    expect(result).toMatchObject({ status: 'rejected' });
    expect(result.issues[0]).toMatchObject(issue);
  });

  test('a second spelling is a second key, once its name is mended', () => {
    const schema = closedOf({ filePath: text });
    expect(interpretArguments(schema, { text: '{"filePath": "a", "file_path": "a"}' })).toMatchObject({
      status: 'repaired',
      value: { filePath: 'a' },
    });
    expect(interpretArguments(schema, { text: '{"filePath": "a", "file_path": "b"}' })).toMatchObject({
      status: 'rejected',
    });
    expect(interpretArguments(schema, { text: '{"file_path": "a", "file_path": "b"}' })).toMatchObject({
      status: 'rejected',
      issues: [{ keyword: 'duplicate_key' }],
    });
  });
});

describe('numbers that JavaScript can’t hold', () => {
  const mixed = objectOf({ n: number, s: text, any: {}, either: anyOf(whole, text), list: listOf(whole) });

  test.each([
    '9007199254740993',
    '12345678901234567890',
    '1e400',
    '-1e400',
    '0.1000000000000000055511151231257827',
  ])('%s is no number', (literal) => {
    for (const sent of [`{"n": ${literal}}`, `{"n": "${literal}"}`, `{'n': ${literal}}`]) {
      expect(interpretArguments(mixed, { text: sent })).toMatchObject({ status: 'rejected' });
    }
    expect(interpretArguments(mixed, { text: `{"n": ${literal}}` }).issues).toMatchObject([
      { keyword: 'unsafe_number', path: '/n' },
    ]);
    expect(interpretArguments(mixed, { text: JSON.stringify({ list: `[1, ${literal}]` }) })).toMatchObject({
      status: 'rejected',
    });
  });

  test.each(['9007199254740993', '12345678901234567890', '1e400'])(
    '%s keeps its digits where text is allowed',
    (literal) => {
      for (const key of ['s', 'either', 'any']) {
        expect(interpretArguments(mixed, { text: `{"${key}": ${literal}}` })).toMatchObject({
          status: 'repaired',
          value: { [key]: literal },
        });
      }
    },
  );

  test.each(['9007199254740992', '1e2', '1.50', '5e-324', '1.7976931348623157e308', '0.1'])(
    '%s stays the number it is',
    (literal) => {
      const result = interpretArguments(mixed, { text: `{"n": ${literal}}` });
      expect(result).toMatchObject({ status: 'unchanged', value: { n: Number(literal) } });
    },
  );

  const big = '12345678901234567890';

  test.each<[string, Schema, string]>([
    ['wrapped', listOf(number), big],
    ['wrapped twice', listOf(listOf(number)), `[${big}]`],
    ['taken out of an object', listOf(number), `{"item": ${big}}`],
    ['taken out of a list', number, `[${big}]`],
    ['taken out of its schema', number, `{"type": "number", "value": ${big}}`],
    ['taken out of an envelope of its own', number, `{"value": ${big}}`],
    ['in a text', listOf(number), JSON.stringify(`[${big}]`)],
  ])('a number that is %s loses no digit on the way', (_title, declared, sent) => {
    expect(interpretArguments(closedOf({ x: declared }), { text: `{"x": ${sent}}` })).toMatchObject({
      status: 'rejected',
      issues: [{ keyword: 'unsafe_number' }, { keyword: 'type' }],
    });
  });

  test.each<[string, Schema, string, unknown]>([
    ['wrapped', closedOf({ x: texts }), '{"x": 1.50}', { x: ['1.50'] }],
    ['wrapped, and too long', closedOf({ x: texts }), `{"x": ${big}}`, { x: [big] }],
    ['taken out of an object', closedOf({ x: texts }), '{"x": {"item": 1.50}}', { x: ['1.50'] }],
    [
      'taken out of its schema',
      closedOf({ x: text }),
      `{"x": {"type": "string", "value": ${big}}}`,
      { x: big },
    ],
    ['moved into an object', closedOf({ o: closedOf({ x: text }) }), '{"o.x": 1.50}', { o: { x: '1.50' } }],
    [
      'moved into a list',
      closedOf({ rows: listOf(closedOf({ x: text, y: text })) }),
      `{"rows[0].x": 1.50, "rows[0].y": 2.5, "rows[1].x": ${big}}`,
      { rows: [{ x: '1.50', y: '2.5' }, { x: big }] },
    ],
    ['under another name', closedOf({ maxSize: text }), '{"max_size": 1.50}', { maxSize: '1.50' }],
    ['in an envelope', closedOf({ x: text }), '{"arguments": {"x": 1.50}}', { x: '1.50' }],
  ])('text that a number becomes has the model’s digits: %s', (_title, schema, sent, value) => {
    expect(interpretArguments(schema, { text: sent })).toMatchObject({ status: 'repaired', value });
  });

  test.each<[string, Schema, string]>([
    ['moved into an object', closedOf({ o: closedOf({ x: number }) }), `{"o.x": ${big}}`],
    ['moved into a new element', closedOf({ rows: listOf(closedOf({ x: number }, ['x'])) }), `{"x": ${big}}`],
    ['under another name', closedOf({ maxSize: number }), `{"max_size": ${big}}`],
  ])('a number that is %s is none if digits are lost', (_title, schema, sent) => {
    expect(interpretArguments(schema, { text: sent })).toMatchObject({
      status: 'rejected',
      issues: [{ keyword: 'unsafe_number' }, { keyword: 'additionalProperties' }],
    });
  });

  test('minus zero stays what it is', () => {
    const result = interpretArguments(mixed, { text: '{"n": -0}' });
    expect(result.status).toBe('unchanged');
    expect(Object.is(Reflect.get(Object(valueOf(result)), 'n'), -0)).toBe(true);
  });
});

describe('words that are no numbers in JSON', () => {
  const schema = objectOf({ n: number, s: text, any: {}, list: listOf(number), numbers: listOf(number) });

  test.each(['NaN', 'Infinity', '-Infinity', 'nan', 'inf', 'undefined', 'Decimal("1")'])(
    '%s is no number, no text and nothing else',
    (word) => {
      for (const sent of [
        `{"n": ${word}}`,
        `{"s": ${word}}`,
        `{"any": ${word}}`,
        `{"list": [1, ${word}]}`,
        `{'n': ${word},}`,
      ]) {
        expect(interpretArguments(schema, { text: sent })).toMatchObject({
          status: 'rejected',
          issues: [{ keyword: 'not_json' }],
        });
      }
      for (const value of [{ list: `[1, ${word}]` }, { list: [word] }]) {
        expect(interpretArguments(schema, { value })).toMatchObject({ status: 'rejected' });
      }
      expect(interpretArguments(objectOf({ n: number }, ['n']), { value: { n: word } })).toMatchObject({
        status: 'rejected',
      });
      expect(interpretArguments(schema, { value: { s: word } })).toMatchObject({ status: 'unchanged' });
    },
  );
});

describe('byte order marks and line ends', () => {
  test.each<[string, string]>([
    ['a mark before the object', `${mark}{"title": "a"}`],
    ['before an encoded one', `${mark}${JSON.stringify('{"title": "a"}')}`],
    ['inside an encoded one', JSON.stringify(`${mark}{"title": "a"}`)],
    ['before a list of one', `${mark}[{"title": "a"}]`],
    ['before a fence', `${mark}\`\`\`json\n${mark}{"title": "a"}\n\`\`\``],
    ['before text that is no JSON', `${mark}{'title': "a",}`],
    ['between tokens', `{${mark}"title"${mark}: "a"}`],
  ])('%s is dropped', (_title, sent) => {
    expect(interpretArguments(note, { text: sent })).toMatchObject({
      status: 'repaired',
      value: { title: 'a' },
    });
  });

  test('inside a text it is the model’s', () => {
    expect(interpretArguments(note, { text: `{"title": "${mark}a${mark}"}` })).toMatchObject({
      status: 'unchanged',
      value: { title: `${mark}a${mark}` },
    });
    expect(valueOf(interpretArguments(note, { text: `${mark}{'title': '${mark}a'}` }))).toEqual({
      title: `${mark}a`,
    });
  });

  test('mixed line ends are blanks between tokens, and stay in a text', () => {
    expect(interpretArguments(note, { text: '\r\n{\r"title"\n:\r\n"a",\n\r"size": 1\r}\n' })).toMatchObject({
      status: 'unchanged',
      value: { title: 'a', size: 1 },
    });
    expect(
      interpretArguments(note, {
        text: '{"title": "one\r\ntwo\rthree\nfour\u2028five", "tags": ["a\r\n"],\r\n}',
      }),
    ).toMatchObject({
      status: 'repaired',
      value: { title: 'one\r\ntwo\rthree\nfour\u2028five', tags: ['a\r\n'] },
    });
    expect(valueOf(interpretArguments(note, { text: '```json\r\n{"title": "a"}\r\n```\r\n' }))).toEqual({
      title: 'a',
    });
    expect(
      valueOf(interpretArguments(note, { text: '<parameter=title>\r\na\r\nb\r\n</parameter>\r\n' })),
    ).toEqual({ title: 'a\r\nb' });
  });
});

describe('a link is a path only if both say the same', () => {
  const schema = objectOf({ path: text, paths: texts, body: text });
  const targets = [
    '/etc/passwd',
    '../../secret',
    'https://evil.example/a',
    'b/safe.txt.sh',
    'file:///x',
    'SAFE.txt',
  ];
  const names = ['safe.txt', 'src/index.ts', 'a b.md', 'Safe.txt', 'safe.txt '];
  const pairs = names.flatMap((name) => targets.map((target) => [name, target] as const));

  test.each(pairs)('[%s](%s) is left alone', (name, target) => {
    const link = `[${name}](${target})`;
    expect(interpretArguments(schema, { value: { path: link } })).toMatchObject({ status: 'unchanged' });
    expect(interpretArguments(schema, { value: { paths: [link] } })).toMatchObject({ status: 'unchanged' });
  });

  test.each([
    '[safe.txt](http://safe.txt/etc/passwd)',
    '[safe.txt](http://safe.txt?x=1)',
    '[safe.txt](http://evil@safe.txt)',
    '[safe.txt](https://evil.example/a/unsafe.txt)',
    'see [safe.txt](safe.txt)',
    '[safe.txt](safe.txt) and more',
    '[safe.txt](safe.txt)[x](x)',
    '![safe.txt](safe.txt)',
  ])('%s is left alone', (link) => {
    expect(interpretArguments(schema, { value: { path: link } })).toMatchObject({ status: 'unchanged' });
  });

  test('outside a path it is text', () => {
    expect(interpretArguments(schema, { value: { body: '[a.ts](http://a.ts)' } })).toMatchObject({
      status: 'unchanged',
    });
    expect(interpretArguments(schema, { value: { path: '[a.ts](http://a.ts)' } })).toMatchObject({
      status: 'repaired',
      value: { path: 'a.ts' },
    });
  });
});

describe('text that was cut off', () => {
  test.each(['length', 'max_tokens', 'content_filter', 'MAX_TOKENS', undefined, 'something else'])(
    'a cut list looks like a whole one: finish reason %s',
    (finishReason) => {
      const options = finishReason === undefined ? {} : { finishReason };
      for (const sent of ['{"tags": ["a", "b"', '{"tags": ["a", "b"]', '{"size": 12', '{"title": "a"']) {
        expect(interpretArguments(note, { text: sent }, options)).toMatchObject({
          status: 'rejected',
          issues: [{ keyword: 'truncated' }],
        });
        expect(
          interpretArguments(objectOf({ o: note }), { value: { o: sent } }, { finishReason: 'stop' }),
        ).toMatchObject({ status: 'rejected' });
      }
    },
  );

  test.each(['', ' ', 'null', 'None'])(
    '%j from a stream that was cut is no call without arguments',
    (sent) => {
      expect(interpretArguments(note, { text: sent }, { finishReason: 'length' })).toMatchObject({
        status: 'rejected',
        issues: [{ keyword: 'truncated' }],
      });
    },
  );

  test('the end inside a text, behind a comma, a colon or a key is never mended', () => {
    for (const sent of [
      '{"title": "a',
      '{"title": "a",',
      '{"title":',
      '{"title"',
      '{"tit',
      '{',
      '{"title": "a\\',
    ]) {
      const result = interpretArguments(note, { text: sent }, { finishReason: 'stop' });
      expect([sent, result.status]).toEqual([sent, 'rejected']);
    }
  });

  test('what the model reads is the same every time', () => {
    const messages = new Set(
      Array.from({ length: 20 }, () =>
        Reflect.get(interpretArguments(note, { text: `{"title": "${'x'.repeat(5000)}` }), 'message'),
      ),
    );
    expect([...messages]).toEqual([
      'tool was not executed.\n' +
        '- The arguments were cut off before their end; close every string, array and object.\n' +
        'Expected: { title?: string, size?: integer, tags?: string[] }\n' +
        'Example: {}\n' +
        'Send the whole call again with corrected arguments.',
    ]);
  });
});

describe('prose, and more than one object', () => {
  const schema: Schema = closedOf({ title: text }, ['title']);

  test.each([
    'hello',
    'I would call it with the title a.',
    'title: a',
    '{"title": "a"} {"title": "b"}',
    '{"title": "a"}\n{"title": "b"}',
    '{"title": "a"},{"title": "a"}',
    '[{"title": "a"}, {"title": "b"}]',
    'First {"title": "a"} and then {"title": "b"}',
    '```json\n{"title": "a"}\n```\n```json\n{"title": "b"}\n```',
    'Use {"title": "a"} instead of {title}',
    '{"title": "a"} {',
  ])('%j is refused', (sent) => {
    for (const finishReason of ['stop', 'tool_calls']) {
      expect(interpretArguments(schema, { text: sent }, { finishReason })).toMatchObject({
        status: 'rejected',
      });
    }
  });

  test('one fenced block in prose is read, and recorded', () => {
    const result = interpretArguments(schema, {
      text: 'I will use this:\n\n```json\n{"title": "a"}\n```\nThat is all.',
    });
    expect(result).toMatchObject({ status: 'repaired', value: { title: 'a' } });
    expect(rulesOf(result)).toEqual(['surrounding_text']);
  });
});

describe('a filter that is dropped makes an action wider', () => {
  const schema: Schema = closedOf(
    { table: text, filter: text, where: objectOf({ id: whole }), limit: whole },
    ['table'],
  );
  const destructive = { tool: { name: 'delete_rows', effects: 'destructive' as const } };

  test.each<[string, object, string]>([
    ['null', { table: 'a', filter: null }, 'filter'],
    ['a null word', { table: 'a', limit: 'null' }, 'limit'],
    ['an empty object', { table: 'a', filter: {} }, 'filter'],
    ['an unknown empty key', { table: 'a', filters: '' }, 'filters'],
    ['a null below', { table: 'a', where: { id: null } }, 'where'],
  ])('%s: not unasked in a destructive tool', (_title, value, named) => {
    const result = interpretArguments(schema, { value }, destructive);
    expect(result.status).toBe('rejected');
    expect(String(Reflect.get(result, 'message'))).toContain('delete_rows was not executed.');
    expect(interpretArguments(schema, { value })).toMatchObject({ status: 'repaired' });
    expect(JSON.stringify(interpretArguments(schema, { value }).repairs)).toContain(`/${named}`);
  });

  test('a default that is filled is not filled unasked', () => {
    const filled = closedOf({ table: { ...text, default: 'all' } }, ['table']);
    expect(interpretArguments(filled, { value: {} }, destructive)).toMatchObject({ status: 'rejected' });
    expect(interpretArguments(filled, { value: {} })).toMatchObject({ value: { table: 'all' } });
  });
});
