// Does a `@Check` method hold? It sees the fields alone: the object was never constructed.
import { brokenCheck, isPromiseLike } from './broken-check.ts';
import type { CheckFailure } from '../tool-contract.ts';

/** Empty if the method returns true; else its text, for the object as a whole. */
export function checkMethodFailures(object: object, name: string, path: string): readonly CheckFailure[] {
  try {
    const method: unknown = Reflect.get(object, name);
    const result: unknown = isMethod(method) ? Reflect.apply(method, object, []) : undefined;
    if (result === true) return [];
    if (isPromiseLike(result)) return [brokenCheck(path, name, result)];
    const message = typeof result === 'string' && result !== '' ? result : `the check ${name} does not hold`;
    return [{ path, check: name, message }];
  } catch (error) {
    return [brokenCheck(path, name, error)];
  }
}

const isMethod = (value: unknown): value is (this: object) => unknown => typeof value === 'function';
