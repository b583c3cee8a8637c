// What is said of a key that nothing declares? Which one is near, or where its own keys belong.
import { harmless, quote } from '../../issues/excerpt.ts';
import type { Issue } from '../../issues/issue.ts';
import { nearestName } from '../../issues/nearest-name.ts';
import { foldKey } from '../../json/fold-key.ts';
import { valueAt } from '../../json/json-pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { ownValue } from '../../json/own-key.ts';
import type { Judge } from '../../validate/judge.ts';
import type { FailedKey } from './failed-place.ts';

/** The way out; none where nothing is certain. `value`: the arguments as a whole. */
export function unknownKeyFacts({ views }: Judge, failure: FailedKey, value: JsonValue): Partial<Issue> {
  const { path, schema, key } = failure;
  const { properties, patternProperties } = views.of(schema);
  const around = valueAt(value, path);
  const object: JsonObject = isJsonObject(around) ? around : {};
  const twice = [...properties.keys()].find((name) => Object.hasOwn(object, name) && isSpelling(key, name));
  if (twice !== undefined) return { advice: onceAdvice(twice) };
  const absent = [...properties.keys()].filter((name) => !Object.hasOwn(object, name));
  const nearest = nearestName(key, absent);
  if (nearest !== undefined) return { advice: nearestAdvice(nearest) };
  // As the arguments in an envelope.
  const inside = ownValue(object, key);
  if (isJsonObject(inside) && Object.keys(inside).some((name) => properties.has(name)))
    return { advice: 'send its keys without it' };
  const patterns = typeof schema === 'boolean' ? [] : Object.keys(schema.patternProperties ?? {});
  return properties.size > 0 || patternProperties.length === 0
    ? {}
    : { advice: `keys match ${harmless(patterns.join(' or '), 120)}` };
}

export const nearestAdvice = (name: string): string => `did you mean ${quote(name)}?`;
export const onceAdvice = (name: string): string => `send ${quote(name)} once`;

const isSpelling = (key: string, name: string): boolean => {
  const folded = foldKey(key);
  return folded !== undefined && folded === foldKey(name);
};
