// Does a `@Check` method hold? It sees the fields alone: the object was never constructed.
import { brokenCheck, isPromiseLike } from './broken-check.ts';
import type { CheckFailure } from '../tool-contract.ts';

/** Empty if the method returns true; else its text, for the object as a whole. Any other answer is the author's mistake. */
export function checkMethodFailures(object: object, name: string, path: string): readonly CheckFailure[] {
  try {
    const method: unknown = Reflect.get(object, name);
    const result: unknown = isMethod(method) ? Reflect.apply(method, object, []) : undefined;
    if (result === true) return [];
    if (isPromiseLike(result)) return [brokenCheck(path, name, result)];
    if (typeof result === 'string' && result !== '') return [{ path, check: name, message: result }];
    return [brokenCheck(path, name, noAnswer(name, result))];
  } catch (error) {
    return [brokenCheck(path, name, error)];
  }
}

const isMethod = (value: unknown): value is (this: object) => unknown => typeof value === 'function';

const noAnswer = (name: string, result: unknown): TypeError =>
  new TypeError(
    `the check ${name} returned ${shown(result)}: return true if the arguments hold, else the sentence that the model reads`,
  );

function shown(result: unknown): string {
  if (result === '') return 'an empty text';
  return result === false || result === undefined ? String(result) : `a value of type ${typeof result}`;
}
