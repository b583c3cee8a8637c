// What is said of a key that is missing, unknown or wrong?
import { exactWords } from '../../hints/exact-words.ts';
import { declaredSchema } from '../../hints/failing-place.ts';
import { harmless, quote } from '../../issues/excerpt.ts';
import type { Issue } from '../../issues/issue.ts';
import { nearestName } from '../../issues/nearest-name.ts';
import { pointerTo, valueAt } from '../../json/json-pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/json-value.ts';
import type { Judge } from '../../validate/judge.ts';
import { expectedBy } from './failed-keyword.ts';
import type { FailedPlace } from './failed-place.ts';

type FailedKey = FailedPlace & { readonly key: string };

/** What was expected, and the way out. `value`: the arguments as a whole. */
export function keyFacts(judge: Judge, failure: FailedKey, value: JsonValue): Partial<Issue> {
  const { keyword, schema, key } = failure;
  if (keyword === 'required' || keyword === 'dependentRequired')
    return { ...missingFacts(judge, failure), ...askedBy(failure, value) };
  if (keyword !== 'additionalProperties' && keyword !== 'unevaluatedProperties')
    return {
      expected: expectedBy(judge, { keyword, schema, value: key }),
      received: `the key ${quote(key)}`,
    };
  const { properties, patternProperties } = judge.views.of(schema);
  const nearest = nearestName(key, properties.keys());
  if (nearest !== undefined) return { advice: nearestAdvice(nearest) };
  if (holdsDeclaredKey(valueAt(value, pointerTo(failure.path, key)), properties))
    return { advice: 'send its keys without it' };
  const patterns = typeof schema === 'boolean' ? [] : Object.keys(schema.patternProperties ?? {});
  return properties.size > 0 || patternProperties.length === 0
    ? {}
    : { advice: `keys match ${harmless(patterns.join(' or '), 120)}` };
}

export const nearestAdvice = (name: string): string => `did you mean ${quote(name)}?`;

/** As the arguments in an envelope. */
const holdsDeclaredKey = (value: JsonValue | undefined, properties: { has(key: string): boolean }): boolean =>
  isJsonObject(value) && Object.keys(value).some((key) => properties.has(key));

/** What a condition asks for may be declared beside it. */
function missingFacts({ views }: Judge, { path, schema, key }: FailedKey): Partial<Issue> {
  const missing =
    views.of(schema).properties.get(key) ?? views.of(declaredSchema(views, path)).properties.get(key);
  return missing === undefined ? {} : { expected: exactWords(views, missing) };
}

/** The keys that came and need another beside them. */
function askedBy({ keyword, path, key, schema }: FailedKey, value: JsonValue): Partial<Issue> {
  const object = valueAt(value, path);
  if (keyword !== 'dependentRequired' || typeof schema === 'boolean' || !isJsonObject(object)) return {};
  const asking = Object.entries(schema.dependentRequired ?? {}).find(
    ([name, needed]) => Object.hasOwn(object, name) && needed.includes(key),
  );
  return asking === undefined ? {} : { advice: `${quote(asking[0])} needs it` };
}
