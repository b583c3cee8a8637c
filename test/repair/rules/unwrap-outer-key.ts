import { testRule, missingAndUnknown } from '../rule-case.ts';
import { closedOf, mapOf, objectOf, orNull, text, texts, whole } from '../../schemas.ts';
import { readValue, rejectedFor, repairedTo } from '../../read.ts';

const search = closedOf({ ids: texts, limit: whole }, ['ids']);
const named = closedOf({ name: text, value: whole });
const call = { ids: ['a'], limit: 10 };

const around = (key: string) => ({
  title: `in ${key}`,
  schema: search,
  sent: { [key]: call },
  becomes: call,
});
const about = (key: string) => ({
  title: `in ${key}`,
  schema: search,
  sent: { [key]: call },
  issues: missingAndUnknown,
});

testRule('unwrap_outer_key', {
  untouched: [
    {
      title: 'an object that passes',
      schema: objectOf({ name: text }),
      value: { config: { name: 'a' } },
    },
    {
      title: 'a declared key',
      schema: closedOf({ query: objectOf({ ids: texts }), ids: texts }),
      value: { query: { ids: ['a'] } },
    },
    { title: 'a map', schema: mapOf(objectOf({})), value: { config: { ids: ['a'] } } },
  ],
  repaired: [
    ...'data payload request body _ query call config settings options object fields values'
      .split(' ')
      .map(around),
    ...'content message record Payload job task search cats'.split(' ').map(around),
    {
      title: 'JSON text of the object',
      schema: search,
      sent: { query: JSON.stringify(call) },
      becomes: call,
    },
    {
      title: 'with a value that is repaired',
      schema: search,
      sent: { payload: { ids: 'a', limit: '3' } },
      becomes: { ids: ['a'], limit: 3 },
      repairs: ['unwrap_outer_key', 'wrap_in_array /ids', 'text_to_integer /limit'],
    },
    {
      title: 'a tool whose arguments are all optional',
      schema: named,
      sent: { config: { name: 'retries', value: 3 } },
      becomes: { name: 'retries', value: 3 },
    },
    {
      title: 'a known envelope where the name could be a value',
      schema: named,
      sent: { record: { value: 3 } },
      becomes: { value: 3 },
    },
  ],
  refused: [
    ...'result results response output error errors example examples sample schema previous last old'
      .split(' ')
      .map(about),
    ...'original not never instead expected default template cancel canceled cancelled undo failed'
      .split(' ')
      .map(about),
    ...'failure invalid rejected rejection test tested dry observation history'
      .split(' ')
      .map(about),
    ...'avoid denied forbidden blocked disabled prevented if unless pending suggestion proposed preview'
      .split(' ')
      .map(about),
    ...['last_request', 'search_files', 'getWeather', 'the call', '1', 'query.ids'].map(about),
    { title: 'the name could be a value', schema: named, sent: { retries: { value: 3 } } },
    {
      title: 'two keys',
      schema: search,
      sent: { config: call, note: 'x' },
      issues: ['required', 'additionalProperties', 'additionalProperties'],
    },
    { title: 'no key', schema: search, sent: { config: {} }, issues: 'required' },
    {
      title: 'a key that is not declared',
      schema: search,
      sent: { config: { ids: ['a'], more: 1 } },
      issues: missingAndUnknown,
    },
    {
      title: 'a key in another spelling',
      schema: search,
      sent: { config: { IDS: ['a'] } },
      issues: missingAndUnknown,
    },
    {
      title: 'a value that does not fit',
      schema: search,
      sent: { config: { ids: [{}] } },
      issues: missingAndUnknown,
    },
    {
      title: 'a required key is absent',
      schema: search,
      sent: { config: { limit: 1 } },
      issues: missingAndUnknown,
    },
    {
      title: 'a null would be left out',
      schema: search,
      sent: { config: { ids: ['a'], limit: null } },
      issues: missingAndUnknown,
    },
    { title: 'a list', schema: search, sent: { config: [call] }, issues: missingAndUnknown },
    {
      title: 'in itself',
      schema: search,
      sent: { config: { config: call } },
      issues: missingAndUnknown,
    },
    {
      title: 'a spelling of a declared key',
      schema: closedOf({ config: objectOf({}), ids: texts }, ['ids']),
      sent: { Config: { ids: ['a'] } },
      issues: 'required',
    },
    {
      title: 'a map',
      schema: { ...mapOf(text), ...objectOf({ ids: texts }, ['ids']) },
      sent: { config: { ids: ['a'] } },
      issues: ['required', 'type /config'],
    },
  ],
});

const filled = closedOf({ ids: texts, limit: { ...whole, default: 5 }, page: orNull(whole) }, [
  'ids',
  'limit',
  'page',
]);

test.each([
  ['a default', { ids: ['a'], page: 1 }],
  ['a null', { ids: ['a'], limit: 1 }],
  ['a related name', { id: 'a', limit: 1, page: 1 }],
])('nothing is unwrapped that needs %s', (_title, inner) => {
  expect(readValue(filled, { config: inner })).toMatchObject({ status: 'rejected', repairs: [] });
});

test('the model is told', () => {
  const { notes } = readValue(search, { config: call });
  expect(notes).toMatchObject([{ rule: 'unwrap_outer_key', path: '' }]);
});

test.each(['data', 'payload', 'request', 'body', '_'])('a destructive tool reads %s', (key) => {
  const tool = { name: 'remove', effects: 'destructive' } as const;
  expect(readValue(search, { [key]: call }, { tool })).toMatchObject(repairedTo(call));
});

test.each(['query', 'config', 'job'])('a destructive tool does not read %s', (key) => {
  const tool = { name: 'remove', effects: 'destructive' } as const;
  expect(readValue(search, { [key]: call }, { tool })).toMatchObject({
    ...rejectedFor('not_confirmed'),
    wouldBe: call,
  });
});
