// Which form has a value in JSON that JSON.stringify would write as less than it is?
import { types } from 'node:util';
import { objectOf } from './own-key.ts';

/**
 * For JSON.stringify, as its second argument: a Map becomes an object, or a list of pairs where a key is no text; a Set
 * becomes a list. Throws a TypeError for an error, and for any other object whose data no key shows, as a RegExp or Headers:
 * they would be `{}`.
 */
export function jsonForm(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (types.isMap(value)) return formOfMap(value);
  if (types.isSet(value)) return [...value];
  const kind = kindOf(value);
  if (kind === 'Error')
    throw new TypeError('an error has no JSON form: throw it, or return what is to be told');
  if (kind === 'Object' || boxes.has(kind) || Object.keys(value).length > 0) return value;
  throw new TypeError(`an object of the kind ${kind} has no JSON form`);
}

const boxes: ReadonlySet<string> = new Set(['Number', 'String', 'Boolean', 'Arguments']);

/** `[object RegExp]` says RegExp. */
const kindOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1);

function formOfMap(map: ReadonlyMap<unknown, unknown>): unknown {
  const entries = [...map];
  return areNamed(entries) ? objectOf(entries) : entries;
}

const areNamed = (
  entries: readonly (readonly [unknown, unknown])[],
): entries is readonly (readonly [string, unknown])[] => entries.every(([key]) => typeof key === 'string');
