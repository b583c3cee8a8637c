import { interpretArguments } from 'toolmend';
import { testRule } from '../rule-case.ts';
import {
  anyOf,
  closedOf,
  listOf,
  mapOf,
  number,
  objectOf,
  text,
  texts,
  type Schema,
} from '../../schemas.ts';
import { read, readValue, rejectedFor, repairedTo } from '../../read.ts';

const json = { ...text, description: 'JSON' };
testRule('literal_to_text', {
  untouched: [
    ['text', 'id', text, '5'],
    ['a number in a type list', 'id', { type: ['string', 'number'] }, 5],
    ['a number in a union', 'id', anyOf(text, number), 5],
  ],
  repaired: [
    ['by its description', mapOf(json), { a: { b: 1 } }, { a: '{"b":1}' }, '/a'],
    ['a whole number', 'id', text, 5, '5'],
    ['a fraction', 'version', text, -1.5, '-1.5'],
    ['a number in a list', 'ids', texts, ['a', 7], ['a', '7'], '/ids/1'],
    ...[
      ...'file_contents requestBody data payload json document text fields params parameters'.split(
        ' ',
      ),
      ...'arguments args attributes properties config configuration metadata schema spec'.split(
        ' ',
      ),
      ...'values HEADERS'.split(' '),
    ].map((name) => [`an object in ${name}`, name, text, { a: 1 }, '{"a":1}'] as const),
    ...[
      { title: 'JSON to send' },
      { description: 'The filter, as a JSON string.' },
      { contentMediaType: 'application/json' },
      { format: 'json' },
    ].map(
      (more) =>
        [
          `with ${JSON.stringify(more)}`,
          'filter',
          { ...text, ...more },
          { a: 1 },
          '{"a":1}',
        ] as const,
    ),
    [
      'an object with the field’s name and more',
      'data',
      text,
      { data: 'x', n: 1 },
      '{"data":"x","n":1}',
    ],
    ...['a1', '1a', 'size'].map(
      (key) =>
        [
          `an object whose one key is ${key}`,
          'payload',
          text,
          { [key]: 'x' },
          `{"${key}":"x"}`,
        ] as const,
    ),
  ],
  refused: [
    ['an object for text of a form', 'body', { ...text, format: 'custom' }, { a: 1 }],
    [
      'a number where the text is verbatim',
      'pin',
      { ...text, 'x-toolmend': { verbatim: true } },
      7,
    ],
    [
      'an object for verbatim text',
      'content',
      { ...text, 'x-toolmend': { verbatim: true } },
      { a: 1 },
    ],
    ['an object where the text is secret', 'body', { ...text, writeOnly: true }, { a: 1 }],
    ...['command', 'milestone_id', 'city', 'dataset', 'body_id'].map(
      (name) =>
        [`an object where no document is asked for: ${name}`, name, text, { a: 1 }] as const,
    ),
    [
      'an object in a map, whose keys are no names',
      mapOf(text),
      { body: { a: 'x' } },
      'type /body',
    ],
    ['an object of schema words in another case', 'payload', text, { Type: 'string', VALUE: 'x' }],
    ...['item', 'Items', 'element', '0', '12'].map(
      (key) => [`an object with the one key ${key}`, 'payload', text, { [key]: 'x' }] as const,
    ),
    ['a number for text of a form that nobody knows', 'name', { ...text, format: 'custom' }, 5],
    [
      'an object with the field’s name as its one key',
      'search_params',
      text,
      { search_params: 'x' },
    ],
  ],
});

describe('digits as the model wrote them', () => {
  test.each([
    ['{"id": 1.50}', '1.50'],
    ['{"id": 12345678901234567890}', '12345678901234567890'],
    ['{"id": -0}', '-0'],
    ['{"ID": 1.0}', '1.0'],
  ])('%s', (sent, id) => {
    const result = read(closedOf({ id: text }), sent);
    expect(result).toMatchObject(repairedTo({ id }));
  });

  test('in text that spells the list', () => {
    const result = readValue(objectOf({ ids: texts }), { ids: '[1.10, 12345678901234567890]' });
    expect(result).toMatchObject(repairedTo({ ids: ['1.10', '12345678901234567890'] }));
  });
});

describe('an object as it was written', () => {
  const body = closedOf({ body: text, id: text });
  const escaped = '{\n "a\\"{": "\\u0041}" , "b":[]\n}';

  test.each([
    ['with its digits', '{"body": {"n": 12345678901234567890}}', '{"n": 12345678901234567890}'],
    ['with its blanks and escapes', `{"id": "}", "body" : ${escaped}}`, escaped],
    ['under another key', '{"Body": { "a": 1 }}', '{ "a": 1 }'],
    ['in an envelope', '{"arguments": {"body": { "a": 1 }}}', '{ "a": 1 }'],
  ])('%s', (_title, sent, written) => {
    expect(read(body, sent)).toMatchObject(repairedTo({ body: written }));
  });

  test.each([
    ['text that is no strict JSON', '{"body": { "a": 1.50, }}', '{"a":1.50}'],
    ['text inside a value', JSON.stringify({ arguments: '{"body": { "a": 1 }}' }), '{"a":1}'],
  ])('is compact JSON in %s', (_title, sent, compact) => {
    expect(read(body, sent)).toMatchObject(repairedTo({ body: compact }));
  });

  test('needs confirmation for a destructive tool, and a number does not', () => {
    const tool = { name: 'send', effects: 'destructive' } as const;
    const rejected = readValue(body, { body: { a: 1 } }, { tool });
    expect(rejected).toMatchObject(rejectedFor('not_confirmed'));
    expect(readValue(body, { id: 7 }, { tool })).toMatchObject(repairedTo({ id: '7' }));
  });
});

test.each([
  ['a number', { n: 1e25, m: 1 }],
  ['one of several', { m: 1, n: { o: 1e25 } }],
])('%s that a provider has parsed and lost digits of is no text', (_title, body) => {
  expect(readValue(objectOf({ body: text }), { body })).toMatchObject({ status: 'rejected' });
});

test.each([
  ['in a list', '{"a": [12345678901234567890, 1.50, "x"]}', ['12345678901234567890', '1.50', 'x']],
  ['two that look the same as numbers', '{"a": {"item": [1.50, 1.5]}}', ['1.50', '1.5']],
])('numbers for texts keep their spelling: %s', (_title, sent, a) => {
  expect(read(objectOf({ a: texts }), sent)).toMatchObject(repairedTo({ a }));
});

test('a number that lost digits is text where text may stand, and no member', () => {
  const huge = '12345678901234567890';
  const sent = { text: `{"a": ${huge}}` };
  expect(interpretArguments(objectOf({ a: {} }), sent)).toMatchObject(repairedTo({ a: huge }));
  const inList = read(
    objectOf({ a: listOf({ type: ['string', 'number'] }) }),
    `{"a": [${huge}, 12345678901234567000]}`,
  );
  expect(inList).toMatchObject(repairedTo({ a: [huge, Number(huge)] }));
  const beside = { text: `{"a": ${huge}, "b": 12345678901234567000}` };
  expect(interpretArguments(objectOf({ a: text, b: number }), beside)).toMatchObject({
    value: { a: huge },
  });
  const { issues } = interpretArguments(objectOf({ a: text, b: number }), {
    text: `{"a": ${huge}, "b": "x"}`,
  });
  expect(issues).toMatchObject([{ keyword: 'type', path: '/b' }]);
  const inText = readValue(objectOf({ b: listOf(number) }), { b: `[${huge}]` });
  expect(inText.issues).toMatchObject([{ keyword: 'unsafe_number', path: '' }, { path: '/b' }]);
  expect(interpretArguments(objectOf({ a: { type: ['string', 'number'] } }), sent)).toMatchObject(
    repairedTo({ a: huge }),
  );
  expect(interpretArguments(objectOf({ a: { ...text, enum: [huge] } }), sent).status).toBe(
    'rejected',
  );
});

describe('a number that came twice', () => {
  const schema = objectOf({ a: text, n: number });

  test('is text if it is spelled in one way', () => {
    expect(read(schema, '{"a":1.0,"a":1.0}')).toMatchObject(repairedTo({ a: '1.0' }));
  });

  test.each(['{"a":1,"a":1.0}', '{"a":1.0,"a":1}', '{"a":1e2,"a":100}'])(
    'is no text in %s',
    (sent) => {
      expect(read(schema, sent)).toMatchObject({ issues: [{ keyword: 'type', path: '/a' }] });
    },
  );
});

describe('a number where text or null may stand', () => {
  const label: Schema = { type: ['string', 'null'] };

  test.each<[string, Schema]>([
    ['a type list', label],
    ['a union', anyOf(text, { type: 'null' })],
  ])('is text: %s', (_title, schema) => {
    const result = read(objectOf({ label: schema }), '{"label": 1.50}');
    expect(result).toMatchObject(repairedTo({ label: '1.50' }));
    expect(result.notes).toMatchObject([{ rule: 'literal_to_text', path: '/label' }]);
  });

  test.each<[string, Schema, unknown]>([
    ['a list may stand there', anyOf(text, texts), 5],
    ['an object may stand there', anyOf(text, closedOf({ a: text })), 5],
    ['a boolean may stand there', { type: ['string', 'boolean'] }, 5],
    ['members', { type: ['string', 'null'], enum: ['a', null] }, 5],
    ['a form', { type: ['string', 'null'], format: 'date' }, 5],
    ['a path', { ...label, 'x-toolmend': { semantic: 'path' } }, 5],
    ['a boolean', label, true],
    ['an object', label, { a: 1 }],
  ])('is refused: %s', (_title, schema, sent) => {
    const result = readValue(objectOf({ label: schema }), { label: sent });
    expect(result).toMatchObject({ status: 'rejected', repairs: [] });
  });

  test('is confirmed for a destructive tool', () => {
    const tool = { name: 'remove', effects: 'destructive' } as const;
    const result = readValue(objectOf({ label }), { label: 5 }, { tool });
    expect(result).toMatchObject(rejectedFor('not_confirmed'));
  });
});
