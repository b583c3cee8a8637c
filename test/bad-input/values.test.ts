import { interpretArguments } from 'toolmend';
import { deepFrozen } from '../repair/deep-frozen.ts';
import {
  type Schema,
  anyOf,
  closedOf,
  flag,
  listOf,
  mapOf,
  number,
  objectOf,
  text,
  texts,
  whole,
} from '../schemas.ts';
import { thrower } from '../tools.ts';
import {
  messageOf,
  read,
  readValue,
  rejectedFor,
  repairedTo,
  unchanged,
  valueOf,
} from '../read.ts';

const never = thrower(new Error('code of the value was run'));

describe('lone surrogates', () => {
  const lone = '\ud800';

  test('stay in arguments', () => {
    const string = objectOf({ a: text });
    expect(readValue(string, { a: lone, [lone]: 1 })).toMatchObject(unchanged({ a: lone }));
    expect(read(string, '{"a": "\\ud800"}')).toMatchObject(unchanged({ a: lone }));
    expect(read(objectOf({ a: texts }), `{"a": "${lone}"}`)).toMatchObject(
      repairedTo({ a: [lone] }),
    );
  });

  test.each([{ a: lone }, { [lone]: 1 }, { a: 1, [`x${lone}y`.repeat(100)]: lone }])(
    'are never in a message: %#',
    (sent) => {
      const result = readValue(closedOf({ a: whole }), sent);
      expect(result.status).toBe('rejected');
      expect(messageOf(result).isWellFormed()).toBe(true);
    },
  );
});

describe('values that are not data', () => {
  const cycle: { a: unknown } = { a: [] };
  cycle.a = [cycle];
  const huge: unknown[] = [];
  huge.length = 4_000_000_000;
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const traps = {
    get: never,
    ownKeys: never,
    getOwnPropertyDescriptor: never,
    getPrototypeOf: never,
  };
  class Arguments {
    a = 'x';
  }

  test.each<[string, unknown, string]>([
    ['a proxy', new Proxy({ a: 'x' }, traps), ''],
    ['a proxy of a list', { a: new Proxy([], traps) }, '/a'],
    ['a revoked proxy', revoked.proxy, ''],
    ['a getter', Object.defineProperty({}, 'a', { get: never, enumerable: true }), '/a'],
    [
      'a getter in a list',
      { a: Object.defineProperty([1], 0, { get: never, enumerable: true }) },
      '/a/0',
    ],
    ['toJSON as a function', { a: 'x', toJSON: never }, '/toJSON'],
    ['a BigInt', { a: { b: 1n } }, '/a/b'],
    ['a symbol', { a: [Symbol('a')] }, '/a/0'],
    ['a function', { a: never }, '/a'],
    ['a member that is undefined', { a: undefined }, '/a'],
    ['NaN', { a: [1, Number.NaN] }, '/a/1'],
    ['Infinity', { a: [Infinity] }, '/a/0'],
    ['a date', { a: new Date(0) }, '/a'],
    ['a map', new Map([['a', 'x']]), ''],
    ['an instance', new Arguments(), ''],
    ['an error', new Error('a'), ''],
    ['a regular expression', { a: /a/ }, '/a'],
    ['bytes', { a: new Uint8Array(2) }, '/a'],
    ['a boxed number', { a: Object(1) }, '/a'],
    ['a list with a hole', { a: [1, , 3] }, '/a'], // eslint-disable-line no-sparse-arrays
    ['a list with a key', { a: Object.assign([1], { a: 1 }) }, '/a'],
    ['a list of four thousand million', { a: huge }, '/a'],
    ['a path that a pointer escapes', { 'a/b~c': { d: 1n } }, '/a~1b~0c/d'],
  ])('are rejected without running their code: %s', (_title, value, path) => {
    const { status, issues } = readValue(objectOf({ a: {} }), value);
    expect([status, issues]).toMatchObject(['rejected', [{ keyword: 'not_plain', path }]]);
  });

  test('a cycle is too deep', () => {
    expect(readValue(objectOf({ a: {} }), cycle)).toMatchObject(rejectedFor('too_deep'));
  });

  test('an object that claims a length is an object', () => {
    const value = { 0: 'x', length: 4_000_000_000 };
    expect(readValue(objectOf({ a: texts }), { a: value })).toMatchObject({ status: 'rejected' });
    expect(readValue(mapOf({}), value)).toMatchObject(unchanged(value));
  });
});

test.each<[string, Schema, object]>([
  ['a string that spells a number', objectOf({ a: anyOf(text, number) }), { a: '5' }],
  ['blank strings', objectOf({ a: text, b: text }), { a: '', b: ' ' }],
  ['an open object', objectOf({ a: text }), { a: 'x', Zed: 1, '': null }],
  ['a map', mapOf(text), { filePath: 'a', file_path: 'b' }],
  ['entities and escapes', objectOf({ a: text }), { a: '&lt;b&gt; \\n \\u0041' }],
  ['code in a fence', objectOf({ body: text }), { body: '```json\n{}\n```' }],
  [
    'an object without a prototype',
    objectOf({ a: text }),
    Object.assign(Object.create(null), { a: 'x' }),
  ],
  ['a key called __proto__', objectOf({ a: text }), JSON.parse('{"__proto__":1}')],
  [
    'keys of Object.prototype',
    objectOf({ a: text }),
    { toString: 1, hasOwnProperty: 2, constructor: 3 },
  ],
  ['a key called toJSON that is data', objectOf({ a: text }), { toJSON: 'a' }],
  [
    'the same object twice',
    objectOf({ a: {} }),
    ((shared) => ({ a: shared, b: shared }))({ x: 1 }),
  ],
  ['empty containers', objectOf({ a: texts, b: objectOf({}) }), { a: [], b: {} }],
])('valid arguments come back as they are: %s', (_title, schema, value) => {
  const sent = JSON.stringify(value);
  const result = readValue(schema, deepFrozen(value));
  expect(result).toStrictEqual({
    status: 'unchanged',
    value,
    meta: {},
    repairs: [],
    notes: [],
    issues: [],
  });
  expect(valueOf(result)).toBe(value);
  expect(JSON.stringify(valueOf(read(schema, sent)))).toBe(sent);
});

test('only what a record names has changed', () => {
  const keep = { list: ['["x"]', 'null'], text: '5' };
  const fine = { a: 'x', b: [1] };
  const sent = deepFrozen({ keep, limit: '5', rows: [fine, { a: 'x', b: '[2]' }], names: 'a' });
  const row = closedOf({ a: text, b: listOf(whole) });
  const kept = objectOf({ list: texts, text });
  const result = readValue(
    objectOf({ keep: kept, limit: whole, rows: listOf(row), names: texts }),
    sent,
  );
  const value = Object(valueOf(result));
  expect(value).toStrictEqual({ keep, limit: 5, rows: [fine, { a: 'x', b: [2] }], names: ['a'] });
  expect(value.keep).toBe(sent.keep);
  expect(value.rows[0]).toBe(sent.rows[0]);
  expect(result.repairs.map(({ path }) => path)).toEqual(['/limit', '/rows/1/b', '/names']);
});

describe('the same text', () => {
  const edit = closedOf({ from: text, to: text }, ['from', 'to']);
  const busy = closedOf({ paths: texts, limit: whole, all: flag, edits: listOf(edit) }, ['paths']);
  const sloppy = `{"Paths": "a.ts", "limit": "5", "all": "True", "edits": "[{'from': 'x', 'to': 'y'}]",}`;
  const first = read(busy, sloppy);

  test('gives the same result each time, and in whichever order properties are declared', () => {
    expect(first.status).toBe('repaired');
    const expected = JSON.stringify(first);
    for (let count = 0; count < 100; count += 1)
      expect(JSON.stringify(read(busy, sloppy))).toBe(expected);
    const properties = Object.fromEntries(Object.entries(busy.properties ?? {}).toReversed());
    expect(valueOf(read({ ...busy, properties }, sloppy))).toEqual(valueOf(first));
  });
});

const fiveOf = { properties: { a: { const: 5 } }, required: ['a'] };
// oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's own keyword
const conditional = { if: fiveOf, then: { required: ['b'] } };

test.each<[string, Schema, object]>([
  ['not', objectOf({ a: texts }, [], { not: { required: ['a'] } }), { a: 'x' }],
  ['if and then', objectOf({ a: whole, b: text }, [], conditional), { a: '5' }],
  [
    'dependentRequired',
    objectOf({ a: whole, b: text }, [], { dependentRequired: { a: ['b'] } }),
    { a: '5' },
  ],
  ['minProperties', objectOf({ a: text, b: text }, [], { minProperties: 2 }), { a: 'x', b: null }],
  ['uniqueItems', objectOf({ a: listOf(whole, { uniqueItems: true }) }), { a: [1, '1'] }],
  ['contains', objectOf({ a: listOf(whole, { contains: { const: 9 } }) }), { a: ['1'] }],
])('a repair is dropped if the whole is still invalid: %s', (_title, schema, value) => {
  expect(readValue(schema, deepFrozen(value))).toMatchObject({ status: 'rejected', repairs: [] });
});

test('a default is copied for each call', () => {
  const relational = [{ requires: ['o', 'p'], defaults: { p: { q: [1] } } }];
  const o: Schema = { type: 'object', default: { list: ['a'] } };
  const schema = objectOf({ o }, ['o'], { 'x-toolmend': { relational } });
  const filled = (): { o: { list: string[] }; p: { q: number[] } } =>
    Reflect.get(interpretArguments(schema, { value: {} }), 'value');
  const first = filled();
  first.o.list.push('b');
  first.p.q.push(2);
  expect(filled()).toEqual({ o: { list: ['a'] }, p: { q: [1] } });
});

test.each<[string, Schema, unknown]>([
  ['an enum', { ...text, enum: ['A'] }, 'a'],
  ['null beside it', { type: ['string', 'null'], minLength: 9 }, 'None'],
  ['blank text', { ...text, minLength: 9 }, ''],
  ['a link for a path', { ...text, pattern: '^/' }, '[a](http://a)'],
])('verbatim text is not repaired even if it is invalid: %s', (_title, schema, sent) => {
  const verbatim = objectOf({
    body: { ...schema, 'x-toolmend': { verbatim: true, semantic: 'path' } },
  });
  expect(readValue(verbatim, { body: sent })).toMatchObject({ status: 'rejected' });
});
