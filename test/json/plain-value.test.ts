import { readPlainValue } from '../../src/json/serialize.ts';

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const never = (): never => {
  throw new Error('code of the value was run');
};

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

describe('plain', () => {
  test.each<[string, unknown]>([
    ['null', null],
    ['text', 'a'],
    ['a number', -1.5],
    ['a list', [1, [2]]],
    ['an object', { a: { b: [true] } }],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
    ['a key called __proto__', JSON.parse('{"__proto__":1}')],
    ['keys of Object.prototype as own ones', { toString: 1, hasOwnProperty: 2, constructor: 3 }],
    ['a key called toJSON that is data', { toJSON: 'a' }],
    ['the same object twice', ((shared) => ({ a: shared, b: shared }))({ x: 1 })],
    ['frozen data', Object.freeze({ a: Object.freeze([1]) })],
  ])('%s', (_title, value) => {
    const reading = readPlainValue(value, 64);
    expect(reading.kind).toBe('plain');
    expect(Reflect.get(reading, 'value')).toBe(value);
  });

  test('the size is that of strings, keys and other values', () => {
    // ab, cde, f, both list indexes, and one each for the object, the list, 1 and null.
    expect(readPlainValue({ ab: 'cde', f: [1, null] }, 64)).toMatchObject({ size: 12 });
    expect(readPlainValue('x'.repeat(1000), 64)).toMatchObject({ size: 1000 });
  });
});

describe('not plain', () => {
  const cycle: { list: unknown[] } = { list: [] };
  cycle.list.push({ back: cycle });

  test.each<[string, unknown, string]>([
    ['undefined', undefined, ''],
    ['a function', { a: never }, '/a'],
    ['a symbol', [Symbol('a')], '/0'],
    ['a BigInt', { a: { b: 1n } }, '/a/b'],
    ['NaN', { a: [1, Number.NaN] }, '/a/1'],
    ['Infinity', Infinity, ''],
    ['undefined as a member', { a: undefined }, '/a'],
    ['a date', { a: new Date(0) }, '/a'],
    ['a map', new Map(), ''],
    ['an instance', { a: new (class Box {})() }, '/a'],
    ['an error', new Error('a'), ''],
    ['a regular expression', /a/, ''],
    ['bytes', new Uint8Array(2), ''],
    ['a boxed number', Object(1), ''],
    ['a getter', Object.defineProperty({}, 'a', { get: never, enumerable: true }), '/a'],
    ['a getter on an element', Object.defineProperty([1], 0, { get: never, enumerable: true }), '/0'],
    ['toJSON as a function', { toJSON: never }, '/toJSON'],
    [
      'a proxy',
      {
        a: new Proxy(
          {},
          { get: never, ownKeys: never, getPrototypeOf: never, getOwnPropertyDescriptor: never },
        ),
      },
      '/a',
    ],
    ['a proxy of a list', new Proxy([], { get: never, ownKeys: never, getPrototypeOf: never }), ''],
    ['a revoked proxy', revokedProxy(), ''],
    ['a list with a hole', [1, , 3], ''], // eslint-disable-line no-sparse-arrays
    ['a list with a key', Object.assign([1], { a: 1 }), ''],
    ['a path that a pointer escapes', { 'a/b~c': { d: 1n } }, '/a~1b~0c/d'],
  ])('%s', (_title, value, path) => {
    expect(readPlainValue(value, 64)).toEqual({ kind: 'not_plain', path });
  });

  test('a list that claims four thousand million elements costs nothing', () => {
    const list: unknown[] = [];
    list.length = 4_000_000_000;
    expect(readPlainValue({ list }, 64)).toEqual({ kind: 'not_plain', path: '/list' });
  });

  test('an object that looks like a list is an object', () => {
    const value = { 0: 'a', length: 4_000_000_000 };
    expect(readPlainValue(value, 64)).toMatchObject({ kind: 'plain', value });
  });

  test('a cycle is too deep', () => {
    expect(readPlainValue(cycle, 64)).toMatchObject({ kind: 'too_deep' });
  });
});

test('depth is counted, the outermost container included', () => {
  expect(readPlainValue(nested(64), 64)).toMatchObject({ kind: 'plain' });
  expect(readPlainValue(nested(65), 64)).toMatchObject({ kind: 'too_deep' });
  expect(readPlainValue(nested(1_000_000), 64)).toMatchObject({ kind: 'too_deep' });
});
