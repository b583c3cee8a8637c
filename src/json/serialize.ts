import { isMap, isSet, kindOf } from '../platform/object-kinds.ts';
import { holdsProxy, isProxy } from '../platform/proxies.ts';
import { attempt } from '../collections/attempt.ts';
import { defineKey, isContainer } from '../collections/objects.ts';
import { pointerTo } from './pointers.ts';
import { type JsonValue, isJsonArray, isJsonObject, maxDataDepth } from './value.ts';

/**
 * JSON for digests and comparisons: without whitespace, keys in the order of RFC 8785 (UTF-16 code
 * units).
 */
export function canonicalJson(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
}

/**
 * The length and two hashes (FNV-1a's prime, MurmurHash's first constant). Not safe against
 * collisions made on purpose.
 */
export function fingerprintOf(text: string): string {
  let first = 0x811c9dc5;
  let second = 0x9747b28c;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul((second << 13) ^ (second >>> 19) ^ unit, 0xcc9e2d51);
  }
  return `${text.length}.${(first >>> 0).toString(36)}.${(second >>> 0).toString(36)}`;
}

/** Why a value is not plain JSON, and the JSON Pointer where. */
export type PlainReading =
  // Characters of all strings and keys, and one for anything else.
  | { readonly kind: 'plain'; readonly value: JsonValue; readonly size: number }
  | { readonly kind: 'not_plain' | 'too_deep'; readonly path: string };

/**
 * Gives the same value if it is plain JSON, and runs none of its code. Refuses proxies, accessors,
 * cycles and class instances.
 */
export function readPlainValue(value: unknown, maxDepth: number = maxDataDepth): PlainReading {
  let failure: PlainReading = { kind: 'not_plain', path: '' };
  let size = 0;
  const refuse = (kind: 'not_plain' | 'too_deep', path: string): false => {
    failure = { kind, path };
    return false;
  };
  const isPlain = (part: unknown, path: string, depth: number): part is JsonValue => {
    size += typeof part === 'string' ? part.length : 1;
    if (part === null || typeof part === 'boolean' || typeof part === 'string') return true;
    if (typeof part === 'number') return Number.isFinite(part) || refuse('not_plain', path);
    if (typeof part !== 'object' || isProxy(part)) return refuse('not_plain', path);
    // A cycle is deeper than any limit.
    if (depth >= maxDepth) return refuse('too_deep', path);
    const keys = Object.keys(part);
    if (!(Array.isArray(part) ? keys.length === part.length : isPlainObject(part)))
      return refuse('not_plain', path);
    return keys.every((key) => {
      const member = Object.getOwnPropertyDescriptor(part, key);
      const memberPath = pointerTo(path, key);
      size += key.length;
      return member !== undefined && 'value' in member
        ? isPlain(member.value, memberPath, depth + 1)
        : refuse('not_plain', memberPath);
    });
  };
  const isWholePlain = (whole: unknown): whole is JsonValue =>
    // The traps of a proxy that wasn't told may throw.
    attempt(() => isPlain(whole, '', 0)) === true;
  if (!isWholePlain(value)) return failure;
  if (holdsProxy(value)) return { kind: 'not_plain', path: pathOfProxy(value, '') };
  return { kind: 'plain', value, size };
}

/** The path of the innermost value that has a proxy and whose members have none. */
function pathOfProxy(value: unknown, path: string): string {
  if (!isContainer(value)) return path;
  const proxyEntry = Object.entries(value).find(([, member]) => holdsProxy(member));
  return proxyEntry === undefined
    ? path
    : pathOfProxy(proxyEntry[1], pointerTo(path, proxyEntry[0]));
}

/** Also one of another realm: a worker's or a test runner's. */
function isPlainObject(object: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(object);
  return (
    prototype === null ||
    prototype === Object.prototype ||
    (Object.getPrototypeOf(prototype) === null &&
      Object.hasOwn(prototype, 'hasOwnProperty') &&
      Object.hasOwn(prototype, 'isPrototypeOf'))
  );
}

/**
 * What `JSON.stringify` writes, without lone surrogates, and with Maps and Sets. Throws for a value
 * without a JSON form.
 */
export function writeJson(value: unknown): { readonly text: string; readonly value: JsonValue } {
  const text: string | undefined = JSON.stringify(value, jsonForm);
  if (text === undefined) throw new TypeError(`a ${typeof value} has no JSON form`);
  const copy = wellFormedCopy(JSON.parse(text));
  // JSON.stringify escapes lone surrogates, which not every parser takes.
  return { text: escapedSurrogate.test(text) ? JSON.stringify(copy) : text, value: copy };
}

const escapedSurrogate = /\\ud[89a-f]/i;

/** Keys that would become equal are kept apart. */
function wellFormedCopy(value: unknown): JsonValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(wellFormedCopy);
  if (typeof value !== 'object' || value === null) return null;
  const copy: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) {
    let name = key.toWellFormed();
    while (name !== key && (Object.hasOwn(copy, name) || Object.hasOwn(value, name)))
      name += '\uFFFD';
    defineKey(copy, name, wellFormedCopy(member));
  }
  return copy;
}

/**
 * JSON text of an object with members added at its end. The text stays as it is, so that its
 * numbers keep their digits.
 */
export function withMembersInText(
  text: string,
  members: readonly (readonly [string, JsonValue])[],
): string {
  if (members.length === 0) return text;
  const open = text.trimEnd().slice(0, -1).trimEnd();
  const memberTexts = members.map(
    ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  return `${open}${open.endsWith('{') ? '' : ','}${memberTexts.join(',')}}`;
}

/**
 * A replacer for JSON.stringify: Maps and Sets have their contents. Throws a TypeError for an
 * error, and for what would become `{}`.
 */
function jsonForm(_key: string, value: unknown): unknown {
  if (!isContainer(value) || Array.isArray(value)) return value;
  if (isMap(value)) {
    const areNamed = [...value.keys()].every((key) => typeof key === 'string');
    return areNamed ? Object.fromEntries(value) : [...value];
  }
  if (isSet(value)) return [...value];
  const kind = kindOf(value);
  if (kind === 'Error')
    throw new TypeError('an error has no JSON form: throw it, or return what is to be told');
  if (kind === 'Object' || boxes.has(kind) || Object.keys(value).length > 0) return value;
  throw new TypeError(`an object of the kind ${kind} has no JSON form`);
}

const boxes: ReadonlySet<string> = new Set(['Number', 'String', 'Boolean', 'Arguments']);
