// What is said of a key that is missing or wrong?
import { exactWords } from '../../hints/exact-words.ts';
import { declaredSchema } from '../../hints/failing-place.ts';
import { quote } from '../../issues/excerpt.ts';
import type { Issue } from '../../issues/issue.ts';
import { valueAt } from '../../json/json-pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/json-value.ts';
import type { Judge } from '../../validate/judge.ts';
import { expectedBy } from './failed-keyword.ts';
import type { FailedKey } from './failed-place.ts';
import { unknownKeyFacts } from './unknown-key.ts';

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
  return unknownKeyFacts(judge, failure, value);
}

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
