/** Whether a value is an array or another object. */
export const isContainer = <Value>(value: Value): value is Value & object =>
  typeof value === 'object' && value !== null;

export const isObjectLike = (value: unknown): value is object =>
  typeof value === 'function' || isContainer(value);

/** undefined for anything but an object or a function. */
export const memberOf = (value: unknown, name: string | symbol): unknown =>
  isObjectLike(value) ? Reflect.get(value, name) : undefined;

export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof memberOf(value, 'then') === 'function';

/** The value of an own key, `__proto__` and `toString` included; undefined if there is none. */
export const ownValue = <Value>(
  object: { readonly [key: string]: Value },
  key: string,
): Value | undefined => (Object.hasOwn(object, key) ? object[key] : undefined);

/** Sets an own key, `__proto__` included, on an object that is still being made. */
export function defineKey(target: { [key: string]: unknown }, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    // No other name has a setter on a plain object's prototype.
    target[key] = value;
  }
}

export const objectOf = <Value>(
  entries: Iterable<readonly [string, Value]>,
): { [key: string]: Value } => Object.fromEntries(entries);

type Defined<Members> = { [Key in keyof Members]?: Exclude<Members[Key], undefined> };

/** A copy without the members that are undefined. */
export function defined<Members extends object>(members: Members): Defined<Members>;
export function defined(members: object): object {
  const copy = {};
  for (const key of Object.keys(members)) {
    const value: unknown = Reflect.get(members, key);
    if (value !== undefined) defineKey(copy, key, value);
  }
  return copy;
}

/** Freezes plain data at all depths, and returns it. Recurses as deep as the data is. */
export function freezeDeep<Value>(value: Value): Value {
  if (!isContainer(value) || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeDeep(member);
  return value;
}

const plainObject = {};

/** Whether a program has put enumerable keys on the prototype of all objects. */
export function hasInheritedKeys(): boolean {
  for (const key in plainObject) if (!Object.hasOwn(plainObject, key)) return true;
  return false;
}
