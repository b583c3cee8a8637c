// Are strange values refused or kept, valid ones never changed, and results the same however often they are asked for?
import { interpretArguments } from 'toolmend';
import { deepFrozen } from '../repair/deep-frozen.ts';
import {
  anyOf,
  closedOf,
  flag,
  listOf,
  number,
  objectOf,
  recordOf,
  text,
  texts,
  whole,
} from '../repair/sample-schemas.ts';

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const never = (): never => {
  throw new Error('code of the value was run');
};

describe('lone surrogates', () => {
  const lone = '\ud800';

  test('arguments keep them, from text and as values', () => {
    expect(interpretArguments(objectOf({ a: text }), { value: { a: lone, [lone]: 1 } })).toMatchObject({
      status: 'unchanged',
      value: { a: lone },
    });
    expect(interpretArguments(objectOf({ a: text }), { text: '{"a": "\\ud800"}' })).toMatchObject({
      status: 'unchanged',
      value: { a: lone },
    });
    expect(interpretArguments(objectOf({ a: texts }), { text: `{"a": "${lone}"}` })).toMatchObject({
      status: 'repaired',
      value: { a: [lone] },
    });
  });

  test('what goes back to a model is well formed', () => {
    for (const sent of [{ a: lone }, { [lone]: 1 }, { a: 1, [`x${lone}y`.repeat(100)]: lone }]) {
      const result = interpretArguments(closedOf({ a: whole }), { value: sent });
      expect(result.status).toBe('rejected');
      expect(String(Reflect.get(result, 'message')).isWellFormed()).toBe(true);
    }
  });
});

describe('values that are no data', () => {
  const cycle: { a: unknown } = { a: [] };
  cycle.a = [cycle];
  const huge: unknown[] = [];
  huge.length = 4_000_000_000;

  test.each<[string, unknown]>([
    [
      'a proxy',
      new Proxy(
        { a: 'x' },
        { get: never, ownKeys: never, getOwnPropertyDescriptor: never, getPrototypeOf: never },
      ),
    ],
    ['a proxy inside', { a: new Proxy([], { get: never, ownKeys: never, getPrototypeOf: never }) }],
    ['a getter', Object.defineProperty({}, 'a', { get: never, enumerable: true })],
    ['toJSON', { a: 'x', toJSON: never }],
    ['a cycle', cycle],
    ['a BigInt', { a: 1n }],
    ['a symbol', { a: Symbol('a') }],
    ['a function', { a: never }],
    ['a member that is undefined', { a: undefined }],
    ['NaN', { a: Number.NaN }],
    ['Infinity', { a: [Infinity] }],
    ['a date', { a: new Date(0) }],
    ['a map', new Map([['a', 'x']])],
    [
      'an instance',
      new (class Arguments {
        a = 'x';
      })(),
    ],
    ['a list of four thousand million', { a: huge }],
    ['a revoked proxy', revokedProxy()],
  ])('%s is refused without running its code', (_title, value) => {
    const result = interpretArguments(objectOf({ a: {} }), { value });
    expect(result.status).toBe('rejected');
    expect(['not_plain', 'too_deep']).toContain(result.issues[0]?.keyword);
  });

  test('undefined is no arguments: enough where nothing is required, unless the stream was cut', () => {
    const none = { value: undefined };
    expect(interpretArguments(objectOf({ a: {} }), none)).toMatchObject({ status: 'repaired', value: {} });
    expect(interpretArguments(objectOf({ a: {} }, ['a']), none)).toMatchObject({
      status: 'rejected',
      issues: [{ keyword: 'not_sent', path: '' }],
    });
    expect(interpretArguments(objectOf({ a: {} }), none, { finishReason: 'length' })).toMatchObject({
      status: 'rejected',
      issues: [{ keyword: 'truncated' }],
    });
  });

  test('an object that claims a length is an object', () => {
    const value = { 0: 'x', length: 4_000_000_000 };
    expect(interpretArguments(objectOf({ a: texts }), { value: { a: value } })).toMatchObject({
      status: 'rejected',
    });
    expect(interpretArguments(recordOf({}), { value })).toMatchObject({ status: 'unchanged', value });
  });
});

test.each<[string, Parameters<typeof interpretArguments>[0], object]>([
  ['a text that spells a list', objectOf({ a: text }), { a: '["x"]' }],
  ['a text that spells a number', objectOf({ a: anyOf(text, number) }), { a: '5' }],
  ['null among the types', objectOf({ a: { type: ['string', 'null'] } }), { a: null }],
  ['blank texts', objectOf({ a: text, b: text }), { a: '', b: ' ' }],
  ['an open object', objectOf({ a: text }), { a: 'x', Zed: 1, '': null }],
  ['a map', recordOf(text), { filePath: 'a', file_path: 'b' }],
  ['entities and escapes', objectOf({ a: text }), { a: '&lt;b&gt; \\n \\u0041' }],
  ['a markdown link in text', objectOf({ body: text }), { body: '[a.ts](http://a.ts)' }],
  ['code in a fence', objectOf({ body: text }), { body: '```json\n{}\n```' }],
  ['empty containers', objectOf({ a: texts, b: objectOf({}) }), { a: [], b: {} }],
  ['keys in another order', closedOf({ a: text, b: text }, ['a', 'b']), { b: 'x', a: 'y' }],
])('valid arguments come back as they are: %s', (_title, schema, value) => {
  const before = JSON.stringify(value);
  const result = interpretArguments(schema, { value: deepFrozen(value) });
  expect(result).toStrictEqual({ status: 'unchanged', value, meta: {}, repairs: [], notes: [], issues: [] });
  expect(Reflect.get(result, 'value')).toBe(value);
  expect(JSON.stringify(Reflect.get(interpretArguments(schema, { text: before }), 'value'))).toBe(before);
});

test('only what a record names has changed', () => {
  const sent = deepFrozen({
    keep: { list: ['["x"]', 'null'], text: '5' },
    limit: '5',
    rows: [
      { a: 'x', b: [1] },
      { a: 'x', b: '[2]' },
    ],
    names: 'a',
  });
  const schema = objectOf({
    keep: objectOf({ list: texts, text }),
    limit: whole,
    rows: listOf(closedOf({ a: text, b: listOf(whole) })),
    names: texts,
  });
  const result = interpretArguments(schema, { value: sent });
  const value = Object(Reflect.get(result, 'value'));
  expect(value).toStrictEqual({
    keep: sent.keep,
    limit: 5,
    rows: [
      { a: 'x', b: [1] },
      { a: 'x', b: [2] },
    ],
    names: ['a'],
  });
  expect(value.keep).toBe(sent.keep);
  expect(value.rows[0]).toBe(sent.rows[0]);
  expect(result.repairs.map(({ path }) => path)).toEqual(['/limit', '/rows/1/b', '/names']);
});

const busy = closedOf(
  {
    paths: texts,
    limit: whole,
    all: flag,
    edits: listOf(closedOf({ from: text, to: text }, ['from', 'to'])),
  },
  ['paths'],
);
const sloppy =
  '{"Paths": "a.ts", "limit": "5", "all": "True", "edits": "[{\'from\': \'x\', \'to\': \'y\'}]",}';

test('a thousand times the same result and the same records', () => {
  const first = JSON.stringify(interpretArguments(busy, { text: sloppy }));
  expect(first).toContain('"status":"repaired"');
  for (let count = 0; count < 1000; count += 1) {
    expect(JSON.stringify(interpretArguments(busy, { text: sloppy }))).toBe(first);
  }
  // The order in which properties are declared is no part of a call's meaning.
  const reversed = {
    ...busy,
    properties: Object.fromEntries(Object.entries(busy.properties ?? {}).toReversed()),
  };
  expect(Reflect.get(interpretArguments(reversed, { text: sloppy }), 'value')).toEqual(
    JSON.parse(first).value,
  );
});

test('repairing twice changes nothing more', () => {
  const once = interpretArguments(busy, { text: sloppy });
  const value: unknown = Reflect.get(once, 'value');
  const twice = interpretArguments(busy, { value });
  expect(twice).toMatchObject({ status: 'unchanged', repairs: [] });
  expect(Reflect.get(twice, 'value')).toBe(value);
});

test.each<[string, Parameters<typeof interpretArguments>[0], object]>([
  ['not', objectOf({ a: texts }, [], { not: { required: ['a'] } }), { a: 'x' }],
  [
    'if and then',
    objectOf({ a: whole, b: text }, [], {
      if: { properties: { a: { const: 5 } }, required: ['a'] },
      // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's own keyword
      then: { required: ['b'] },
    }),
    { a: '5' },
  ],
  ['dependentRequired', objectOf({ a: whole, b: text }, [], { dependentRequired: { a: ['b'] } }), { a: '5' }],
  ['minProperties', objectOf({ a: text, b: text }, [], { minProperties: 2 }), { a: 'x', b: null }],
  ['uniqueItems', objectOf({ a: listOf(whole, { uniqueItems: true }) }), { a: [1, '1'] }],
  ['contains', objectOf({ a: listOf(whole, { contains: { const: 9 } }) }), { a: ['1'] }],
])('what only the whole shows to be wrong is rejected: %s', (_title, schema, value) => {
  expect(interpretArguments(schema, { value: deepFrozen(value) })).toMatchObject({
    status: 'rejected',
    repairs: [],
  });
});

test.each<[string, Parameters<typeof interpretArguments>[0], object]>([
  ['a number or a list of texts', objectOf({ a: anyOf(whole, texts) }), { a: '5' }],
  [
    'two branches that complete it differently',
    objectOf({ a: anyOf(closedOf({ x: { default: 1 } }, ['x']), closedOf({ y: { default: 1 } }, ['y'])) }, [
      'a',
    ]),
    { a: {} },
  ],
  ['two members that fold to one', objectOf({ a: { enum: ['on-line', 'on_line'] } }), { a: 'ON LINE' }],
  ['two spellings of one key', closedOf({ filePath: text }), { file_path: 'a', FilePath: 'b' }],
  [
    'an empty object for a list of objects that may be empty',
    objectOf({ a: listOf(objectOf({ b: text })) }, ['a']),
    { a: {} },
  ],
  ['several values in one text', objectOf({ a: texts }), { a: 'x, y' }],
])('two readings are none: %s', (_title, schema, value) => {
  expect(interpretArguments(schema, { value: deepFrozen(value) })).toMatchObject({ status: 'rejected' });
});

test('a default is copied for each call', () => {
  const schema = objectOf({ o: { type: 'object', default: { list: ['a'] } } }, ['o'], {
    'x-toolmend': { relational: [{ requires: ['o', 'p'], defaults: { p: { q: [1] } } }] },
  });
  const valueOf = (): { o: { list: string[] }; p: { q: number[] } } =>
    Reflect.get(interpretArguments(schema, { value: {} }), 'value');
  const first = valueOf();
  expect(first).toEqual({ o: { list: ['a'] }, p: { q: [1] } });
  first.o.list.push('b');
  first.p.q.push(2);
  expect(valueOf()).toEqual({ o: { list: ['a'] }, p: { q: [1] } });
});

test.each<[string, Parameters<typeof interpretArguments>[0], unknown]>([
  ['an enum', { type: 'string', enum: ['A'] }, 'a'],
  ['null beside it', { type: ['string', 'null'], minLength: 9 }, 'None'],
  ['blank text', { type: 'string', minLength: 9 }, ''],
  ['a link for a path', { type: 'string', pattern: '^/' }, '[a](http://a)'],
])('verbatim text is never touched, also where it fails: %s', (_title, schema, sent) => {
  const verbatim = objectOf({ body: { ...schema, 'x-toolmend': { verbatim: true, semantic: 'path' } } });
  expect(interpretArguments(verbatim, { value: { body: sent } })).toMatchObject({ status: 'rejected' });
});
