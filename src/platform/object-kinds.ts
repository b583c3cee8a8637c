// What an object is, also one of another realm: a worker's, a frame's or a test runner's.
// `instanceof` doesn't see those, and a tag alone can lie.

/** Calls a getter of a prototype on any value. Throws what the getter throws. */
function readerOf(prototype: object, name: string | symbol): (value: unknown) => unknown {
  const property = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
  const getter: unknown = Reflect.get(property, 'get');
  if (typeof getter !== 'function') throw new TypeError(`no getter ${String(name)}`);
  return (value): unknown => Reflect.apply(getter, value, []);
}

const mapSize = readerOf(Map.prototype, 'size');
const setSize = readerOf(Set.prototype, 'size');
const typedArrayName = readerOf(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

/** `RegExp`, out of `[object RegExp]`. */
export const kindOf = (value: unknown): string =>
  Object.prototype.toString.call(value).slice(8, -1);

/** Whether the getter takes the object: it throws for one of another kind. */
function takes(getter: (value: unknown) => unknown, object: object): boolean {
  try {
    getter(object);
    return true;
  } catch {
    return false;
  }
}

// The first half is for speed: exceptions are slow.
export const isMap = (value: object): value is Map<unknown, unknown> =>
  (value instanceof Map || kindOf(value) === 'Map') && takes(mapSize, value);

export const isSet = (value: object): value is Set<unknown> =>
  (value instanceof Set || kindOf(value) === 'Set') && takes(setSize, value);

export const isBytes = (value: unknown): value is Uint8Array =>
  typedArrayName(value) === 'Uint8Array';

/** Asynchronous generator functions included. */
export const isAsyncFunction = (value: unknown): boolean =>
  typeof value === 'function' && /^Async(Generator)?Function$/.test(kindOf(value));
