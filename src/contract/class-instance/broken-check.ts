// What becomes of a check that throws, or that answers with a promise? It has not judged, so nothing passes; the
// model reads no exception's text.
import type { CheckFailure } from '../tool-contract.ts';

export function brokenCheck(path: string, check: string, cause: unknown): CheckFailure {
  // Nobody waits for it, so its rejection must not end the process.
  if (isPromiseLike(cause)) Promise.resolve(cause).catch(() => undefined);
  const reason = isPromiseLike(cause) ? new TypeError(`the check ${check} returned a promise`) : cause;
  return { path, check, message: `could not be checked: ${check} failed`, cause: reason };
}

export const isPromiseLike = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function';
