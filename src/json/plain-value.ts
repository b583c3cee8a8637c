// Is a value that a program hands over plain JSON data? Looked at without running any code of its own.
import { types } from 'node:util';
import { pointerTo } from './json-pointer.ts';
import type { JsonValue } from './json-value.ts';

/** `value`: plain, the same value. Else why not, and the JSON Pointer where. */
export type PlainReading =
  | { readonly kind: 'plain'; readonly value: JsonValue; readonly size: number }
  | { readonly kind: 'not_plain' | 'too_deep'; readonly path: string };

/** Refuses proxies, accessors, cycles, class instances, functions, symbols, BigInt, NaN and holes. */
export function readPlainValue(value: unknown, maxDepth: number): PlainReading {
  const walk = new PlainWalk(maxDepth);
  return walk.isPlain(value, '', 0)
    ? { kind: 'plain', value, size: walk.size }
    : { kind: walk.problem, path: walk.path };
}

class PlainWalk {
  problem: 'not_plain' | 'too_deep' = 'not_plain';
  path = '';
  /** Characters of all strings and keys, and one for anything else. */
  size = 0;
  readonly #maxDepth: number;

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  isPlain(value: unknown, path: string, depth: number): value is JsonValue {
    if (typeof value === 'string') {
      this.size += value.length;
      return true;
    }
    this.size += 1;
    if (value === null || typeof value === 'boolean') return true;
    if (typeof value === 'number') return Number.isFinite(value) || this.#refuse('not_plain', path);
    if (typeof value !== 'object' || types.isProxy(value)) return this.#refuse('not_plain', path);
    // A cycle ends here too: it is deeper than any limit.
    if (depth >= this.#maxDepth) return this.#refuse('too_deep', path);
    return Array.isArray(value)
      ? this.#isPlainList(value, path, depth)
      : this.#isPlainObject(value, path, depth);
  }

  #refuse(problem: 'not_plain' | 'too_deep', path: string): false {
    this.problem = problem;
    this.path = path;
    return false;
  }

  #isPlainList(list: readonly unknown[], path: string, depth: number): boolean {
    if (Object.keys(list).length !== list.length) {
      return this.#refuse('not_plain', path);
    }
    return this.#membersArePlain(list, path, depth);
  }

  #isPlainObject(object: object, path: string, depth: number): boolean {
    const prototype: unknown = Object.getPrototypeOf(object);
    if (prototype !== null && !isObjectPrototype(prototype)) return this.#refuse('not_plain', path);
    return this.#membersArePlain(object, path, depth);
  }

  #membersArePlain(container: object, path: string, depth: number): boolean {
    for (const key of Object.keys(container)) {
      const member = Object.getOwnPropertyDescriptor(container, key);
      const memberPath = pointerTo(path, key);
      if (member === undefined || !('value' in member)) return this.#refuse('not_plain', memberPath);
      this.size += key.length;
      if (!this.isPlain(member.value, memberPath, depth + 1)) return false;
    }
    return true;
  }
}

// Objects of another realm (a worker's, a test runner's) are plain too.
const isObjectPrototype = (prototype: unknown): boolean =>
  prototype === Object.prototype ||
  (typeof prototype === 'object' &&
    prototype !== null &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype, 'hasOwnProperty') &&
    Object.hasOwn(prototype, 'isPrototypeOf'));
