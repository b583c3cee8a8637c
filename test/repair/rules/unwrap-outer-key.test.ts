import { testRule, missingAndUnknown } from '../rule-case.ts';
import { closedOf, mapOf, objectOf, orNull, text, texts, whole } from '../../schemas.ts';
import { readValue, rejectedFor, repairedTo } from '../../read.ts';

const search = closedOf({ ids: texts, limit: whole }, ['ids']);
const named = closedOf({ name: text, value: whole });
const call = { ids: ['a'], limit: 10 };

const around = (key: string) => [`in ${key}`, search, { [key]: call }, call] as const;
const about = (key: string) => [`in ${key}`, search, { [key]: call }, missingAndUnknown] as const;

testRule('unwrap_outer_key', {
  untouched: [
    ['an object that passes', objectOf({ name: text }), { config: { name: 'a' } }],
    [
      'a declared key',
      closedOf({ query: objectOf({ ids: texts }), ids: texts }),
      { query: { ids: ['a'] } },
    ],
    ['a map', mapOf(objectOf({})), { config: { ids: ['a'] } }],
  ],
  repaired: [
    ...'data payload request body _ query call config settings options object fields values'
      .split(' ')
      .map(around),
    ...'content message record Payload job task search cats'.split(' ').map(around),
    ['JSON text of the object', search, { query: JSON.stringify(call) }, call],
    [
      'with a value that is repaired',
      search,
      { payload: { ids: 'a', limit: '3' } },
      { ids: ['a'], limit: 3 },
      'unwrap_outer_key, wrap_in_array /ids, text_to_integer /limit',
    ],
    [
      'a tool whose arguments are all optional',
      named,
      { config: { name: 'retries', value: 3 } },
      { name: 'retries', value: 3 },
    ],
    [
      'a known envelope where the name could be a value',
      named,
      { record: { value: 3 } },
      { value: 3 },
    ],
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
    ...['last_request', 'search_files', 'getWeather', 'the call', '1', 'query.ids'].map(about),
    ['the name could be a value', named, { retries: { value: 3 } }],
    [
      'two keys',
      search,
      { config: call, note: 'x' },
      'required, additionalProperties, additionalProperties',
    ],
    ['no key', search, { config: {} }, 'required'],
    ['a key that is not declared', search, { config: { ids: ['a'], more: 1 } }, missingAndUnknown],
    ['a key in another spelling', search, { config: { IDS: ['a'] } }, missingAndUnknown],
    ['a value that does not fit', search, { config: { ids: [{}] } }, missingAndUnknown],
    ['a required key is absent', search, { config: { limit: 1 } }, missingAndUnknown],
    [
      'a null would be left out',
      search,
      { config: { ids: ['a'], limit: null } },
      missingAndUnknown,
    ],
    ['a list', search, { config: [call] }, missingAndUnknown],
    ['in itself', search, { config: { config: call } }, missingAndUnknown],
    [
      'a spelling of a declared key',
      closedOf({ config: objectOf({}), ids: texts }, ['ids']),
      { Config: { ids: ['a'] } },
      'required',
    ],
    [
      'a map',
      { ...mapOf(text), ...objectOf({ ids: texts }, ['ids']) },
      { config: { ids: ['a'] } },
      'required, type /config',
    ],
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
