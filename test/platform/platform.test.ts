// What runtimes do differently, beside what Node says of the same values.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual, types } from 'node:util';
import { runInNewContext } from 'node:vm';
import { contractDigest, defineTool, ToolResult } from 'toolmend';
import { isSameOutput } from '../../src/interpret/same-output.ts';
import { isAsyncFunction, isBytes, isMap, isSet } from '../../src/platform/object-kinds.ts';
import { randomId } from '../../src/platform/random-id.ts';
import { idlePause, pause } from '../../src/platform/timers.ts';
import { fc } from '../seeded-fast-check.ts';

/** Keys in the order of RFC 8785. */
const digestByNode = (description: string): string =>
  createHash('sha256')
    .update(
      `{"description":${JSON.stringify(description)},"hints":[],"inputSchema":{"properties":{},"type":"object"},"name":"a"}`,
    )
    .digest('hex');

const inputSchema = { type: 'object', properties: {} } as const;

test('a digest is the SHA-256 of the UTF-8 of canonical JSON', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 }).map((end) => `a${end}`);
  fc.assert(
    fc.property(text, (description) => {
      const contract = defineTool({ name: 'a', description, inputSchema, execute: () => 0 });
      expect(contractDigest(contract)).toBe(`sha256:${digestByNode(description)}`);
    }),
  );
});

test('bytes of an image become base64, also more than an engine takes as arguments', () => {
  const large = Uint8Array.from({ length: 300_001 }, (_, index) => index % 256);
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 100 });
  const isLikeNode = (image: Uint8Array): void => {
    expect(ToolResult.of().image(image, 'image/png').parts.images[0]?.data).toBe(
      Buffer.from(image).toString('base64'),
    );
  };
  fc.assert(fc.property(bytes, isLikeNode));
  isLikeNode(large);
});

class NamedMap extends Map {
  override get [Symbol.toStringTag](): string {
    return 'Named';
  }
}

const objects: readonly (readonly [title: string, object: object])[] = [
  ['a plain object', {}],
  ['a Map', new Map([[1, 2]])],
  ['a Map with a name of its own', new NamedMap()],
  ['a Map of another realm', runInNewContext('new Map()')],
  ['an object that says that it is a Map', { [Symbol.toStringTag]: 'Map' }],
  ["an object with a Map's prototype", Object.create(Map.prototype)],
  ['a Set', new Set()],
  ['a Set of another realm', runInNewContext('new Set()')],
  ['an object that says that it is a Set', { [Symbol.toStringTag]: 'Set' }],
  ['bytes', new Uint8Array(1)],
  ['bytes of another realm', runInNewContext('new Uint8Array(1)')],
  ["Node's bytes", Buffer.from('a')],
  ['clamped bytes', new Uint8ClampedArray(1)],
  ['an object that says that it is bytes', { [Symbol.toStringTag]: 'Uint8Array' }],
  ['a function', () => 1],
  ['an asynchronous function', async () => 1],
  ['an asynchronous function of another realm', runInNewContext('async () => 1')],
  ['an asynchronous generator function', async function* () {}],
  ['a generator function', function* () {}],
];

test.each(objects)('%s is what Node says that it is', (_title, object) => {
  expect({
    isMap: isMap(object),
    isSet: isSet(object),
    isBytes: isBytes(object),
    isAsyncFunction: isAsyncFunction(object),
  }).toEqual({
    isMap: types.isMap(object),
    isSet: types.isSet(object),
    isBytes: types.isUint8Array(object),
    isAsyncFunction: types.isAsyncFunction(object),
  });
});

test('without randomUUID, as on a page that came by HTTP, ids are of version 4 and differ', () => {
  const { crypto } = globalThis;
  const insecure = { getRandomValues: (bytes: Uint8Array) => crypto.getRandomValues(bytes) };
  Object.defineProperty(globalThis, 'crypto', { value: insecure, configurable: true });
  try {
    const ids = Array.from({ length: 1000 }, randomId);
    expect(new Set(ids).size).toBe(1000);
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(ids.filter((id) => !form.test(id))).toEqual([]);
  } finally {
    Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable: true });
  }
});

test('a pause ends with its time or its signal', async () => {
  // No time passes.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const stop = new AbortController();
  const stoppedPause = pause(1, stop.signal);
  stop.abort();
  await stoppedPause;
  await pause(1, AbortSignal.abort());
  vi.useRealTimers();
  await pause(1, new AbortController().signal);
  await idlePause(1);
});

const itself = (): object => {
  const object: { self?: object } = {};
  object.self = object;
  return object;
};

class Point {
  constructor(readonly x: number) {}
}

const outputs: readonly (readonly [title: string, left: unknown, right: unknown])[] = [
  ['numbers', 1, 2],
  ['NaN', Number.NaN, Number.NaN],
  ['zeros', 0, -0],
  ['lists', [1, { a: 2 }], [1, { a: 2 }]],
  ['lists of other lengths', [1], [1, 2]],
  ['a list and an object', [], {}],
  ['keys in another order', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ['an undefined member', { a: undefined }, {}],
  ['another undefined member', { a: undefined }, { b: undefined }],
  ['members named by symbols', { [Symbol.for('a')]: 1 }, { [Symbol.for('a')]: 2 }],
  ['dates', new Date(5), new Date(5)],
  ['dates that differ by a millisecond', new Date(5), new Date(6)],
  ['Maps', new Map([['a', { b: 1 }]]), new Map([['a', { b: 1 }]])],
  ['Maps that differ', new Map([['a', { b: 1 }]]), new Map([['a', { b: 2 }]])],
  ['Sets', new Set([1, 2]), new Set([1, 2])],
  ['Sets that differ', new Set([1, 2]), new Set([1, 3])],
  ['bytes', Uint8Array.of(1), Uint8Array.of(1)],
  ['bytes that differ', Uint8Array.of(1), Uint8Array.of(2)],
  ['expressions', /a/i, /a/i],
  ['expressions of other flags', /a/i, /a/g],
  ['errors', new Error('a'), new Error('b')],
  ['instances', new Point(1), new Point(1)],
  ['instances that differ', new Point(1), new Point(2)],
  ['an instance and its members', new Point(1), { x: 1 }],
  ['objects that hold themselves', itself(), itself()],
];

test.each(outputs)("a library's outputs are compared as Node does: %s", (_title, left, right) => {
  expect(isSameOutput(left, right)).toBe(isDeepStrictEqual(left, right));
});

test('objects whose contents are hidden are not taken for the same', () => {
  expect(isSameOutput(new WeakMap(), new WeakMap())).toBe(false);
  expect(isSameOutput(Promise.resolve(1), Promise.resolve(2))).toBe(false);
});
