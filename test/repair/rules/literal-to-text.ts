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
    { title: 'text', argument: 'id', schema: text, value: '5' },
    {
      title: 'a number in a type list',
      argument: 'id',
      schema: { type: ['string', 'number'] },
      value: 5,
    },
    { title: 'a number in a union', argument: 'id', schema: anyOf(text, number), value: 5 },
  ],
  repaired: [
    {
      title: 'by its description',
      schema: mapOf(json),
      sent: { a: { b: 1 } },
      becomes: { a: '{"b":1}' },
      repairs: '/a',
    },
    { title: 'a whole number', argument: 'id', schema: text, sent: 5, becomes: '5' },
    { title: 'a fraction', argument: 'version', schema: text, sent: -1.5, becomes: '-1.5' },
    {
      title: 'a number in a list',
      argument: 'ids',
      schema: texts,
      sent: ['a', 7],
      becomes: ['a', '7'],
      repairs: '/ids/1',
    },
    ...[
      ...'requestBody data payload json fields params parameters'.split(' '),
      ...'arguments args attributes properties config configuration metadata schema spec'.split(
        ' ',
      ),
      ...'values HEADERS'.split(' '),
    ].map((name) => ({
      title: `an object in ${name}`,
      argument: name,
      schema: text,
      sent: { a: 1 },
      becomes: '{"a":1}',
    })),
    ...[
      { title: 'JSON to send' },
      { description: 'The filter, as a JSON string.' },
      { contentMediaType: 'application/json' },
      { format: 'json' },
    ].map((more) => ({
      title: `with ${JSON.stringify(more)}`,
      argument: 'filter',
      schema: { ...text, ...more },
      sent: { a: 1 },
      becomes: '{"a":1}',
    })),
    {
      title: 'an object with the field’s name and more',
      argument: 'data',
      schema: text,
      sent: { data: 'x', n: 1 },
      becomes: '{"data":"x","n":1}',
    },
    ...'content file_contents document text'.split(' ').map((name) => ({
      title: `an object in ${name}`,
      argument: name,
      schema: text,
      sent: { mode: 'append', limit: 3 },
      becomes: '{"mode":"append","limit":3}',
    })),
    ...['.prettierrc', 'data.json', 'src/tsconfig.jsonc', 'a.geojson'].map((file) => ({
      title: `an object in content for ${file}`,
      schema: closedOf({ file: text, content: text }),
      sent: { file, content: { semi: true } },
      becomes: { file, content: '{"semi":true}' },
      repairs: '/content',
    })),
    ...[
      { name: 'payload', sent: { text: 'x' } },
      { name: 'content', sent: { text: 5 } },
      { name: 'content', sent: { text: 'x', n: 1 } },
      { name: 'content', sent: { type: 'a', name: 'x' } },
    ].map(({ name, sent }) => ({
      title: `${JSON.stringify(sent)} in ${name}`,
      argument: name,
      schema: text,
      sent,
      becomes: JSON.stringify(sent),
    })),
    {
      title: 'a text in an object where JSON is asked for',
      argument: 'content',
      schema: json,
      sent: { text: 'x' },
      becomes: '{"text":"x"}',
    },
    ...['a1', '1a', 'size'].map((key) => ({
      title: `an object whose one key is ${key}`,
      argument: 'payload',
      schema: text,
      sent: { [key]: 'x' },
      becomes: `{"${key}":"x"}`,
    })),
  ],
  refused: [
    {
      title: 'an object for text of a form',
      argument: 'body',
      schema: { ...text, format: 'custom' },
      sent: { a: 1 },
    },
    {
      title: 'a number where the text is verbatim',
      argument: 'pin',
      schema: { ...text, 'x-toolmend': { verbatim: true } },
      sent: 7,
    },
    {
      title: 'an object for verbatim text',
      argument: 'content',
      schema: { ...text, 'x-toolmend': { verbatim: true } },
      sent: { a: 1 },
    },
    {
      title: 'an object where the text is secret',
      argument: 'body',
      schema: { ...text, writeOnly: true },
      sent: { a: 1 },
    },
    ...['command', 'milestone_id', 'city', 'dataset', 'body_id'].map((name) => ({
      title: `an object where no document is asked for: ${name}`,
      argument: name,
      schema: text,
      sent: { a: 1 },
    })),
    {
      title: 'an object in a map, whose keys are no names',
      schema: mapOf(text),
      sent: { body: { a: 'x' } },
      issues: 'type /body',
    },
    {
      title: 'an object of schema words in another case',
      argument: 'payload',
      schema: text,
      sent: { Type: 'string', VALUE: 'x' },
    },
    ...['item', 'Items', 'element', '0', '12'].map((key) => ({
      title: `an object with the one key ${key}`,
      argument: 'payload',
      schema: text,
      sent: { [key]: 'x' },
    })),
    ...[{ type: 'text', text: 'x' }, { Text: 'x' }, { content: 'x' }].map((sent) => ({
      title: `the form in which messages hold a text: ${JSON.stringify(sent)}`,
      argument: 'new_text',
      schema: text,
      sent,
    })),
    {
      title: 'a number for text of a form that nobody knows',
      argument: 'name',
      schema: { ...text, format: 'custom' },
      sent: 5,
    },
    {
      title: 'an object with the field’s name as its one key',
      argument: 'search_params',
      schema: text,
      sent: { search_params: 'x' },
    },
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
