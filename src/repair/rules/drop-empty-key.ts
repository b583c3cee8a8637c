import { isContainer } from '../../collections/objects.ts';
import { spellingOf } from '../../json/key-spelling.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../json/value.ts';
import { isNearName } from '../../json/nearest-name.ts';
import { isDeclaredKey } from '../read-text.ts';
import type { KeyEdit, ObjectRule, RuleContext } from '../repair-rule.ts';

/**
 * Models send an unknown key of a closed object with null, `""`, `{}` or `[]`; the key `""` with an
 * empty value.
 * Becomes nothing: the key is left out.
 * Not when: the value holds anything; the key doesn’t look like a name (letters, digits, `_ - . $`,
 * at most 64); it is declared elsewhere in the schema, or near a declared name (one edit, singular
 * or plural, a part of the key), that the object lacks.
 */
export const dropEmptyKey: ObjectRule = {
  id: 'drop_empty_key',
  level: 'object',
  answers: ['undeclared'],
  keeps: 'lossy',
  acceptsAlmostAnything: true,
  propose(context) {
    const { value, view } = context;
    if (view.additionalProperties !== false) return [];
    const empty = Object.keys(value).filter(
      (key) =>
        !isDeclaredKey(view, key) &&
        /^[\p{L}\p{N}_\-.$]{0,64}$/u.test(key) &&
        isEmpty(value[key] ?? null),
    );
    return withoutMisplaced(context, empty).map((key): KeyEdit => ({ op: 'remove', key }));
  },
};

/** Of keys that the object doesn't declare, those that don't stand for one that it lacks. */
function withoutMisplaced(
  { value, view, contract }: RuleContext<JsonObject>,
  keys: readonly string[],
): readonly string[] {
  if (keys.length === 0) return keys;
  const absent = [...view.properties.keys()].filter((name) => !Object.hasOwn(value, name));
  const sentKeys = new Set<string>();
  for (const member of Object.values(value)) keysIn(member, sentKeys);
  const declaredSpellings = new Set(propertyNames(contract.inputSchema).map(spellingOf));
  return keys.filter(
    (key) =>
      (sentKeys.has(key) || !declaredSpellings.has(spellingOf(key))) &&
      !absent.some((name) => isNearName(key, name)),
  );
}

/** The keys of every `properties` in a schema. */
export const propertyNames = (schema: unknown): readonly string[] =>
  isContainer(schema)
    ? Object.entries<unknown>({ ...schema }).flatMap(([keyword, member]) => [
        ...(keyword === 'properties' && isContainer(member) ? Object.keys(member) : []),
        ...propertyNames(member),
      ])
    : [];

/** All keys in a value. */
export function keysIn(value: JsonValue, keys = new Set<string>()): ReadonlySet<string> {
  if (!isContainer(value)) return keys;
  for (const [key, member] of Object.entries(value)) {
    if (!isJsonArray(value)) keys.add(key);
    keysIn(member, keys);
  }
  return keys;
}

const isEmpty = (value: JsonValue): boolean =>
  value === null ||
  value === '' ||
  (isJsonArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0);
