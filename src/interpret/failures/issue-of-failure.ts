// What does one failure of the schema say, in our words?
import { holdsSecret, isSecretPlace } from '../../contract/secret-places.ts';
import { excerptOf } from '../../issues/excerpt.ts';
import type { Issue } from '../../issues/issue.ts';
import { valueAt } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { Judge } from '../../validate/judge.ts';
import { expectedBy } from './failed-keyword.ts';
import type { FailedPlace } from './failed-place.ts';
import { keyFacts } from './key-facts.ts';

/** The issue: where, what was expected, what came, and the way out if one key is near. `value`: the arguments as a whole. */
export function issueOfFailure(judge: Judge, failure: FailedPlace, value: JsonValue): Issue {
  const { keyword, path, key, schema } = failure;
  if (key !== undefined) return { keyword, path, key, ...keyFacts(judge, { ...failure, key }, value) };
  const isHidden = holdsSecret(judge.views, schema) || isSecretPlace(judge.views, path);
  const failed = valueAt(value, path) ?? null;
  const received = excerptOf(failed, isHidden ? 'hidden' : 'shown');
  if (schema === false && path === '')
    return { keyword, path, expected: 'another combination of arguments', received };
  const expected = expectedBy(judge, { keyword, schema, value: failed });
  return { keyword, path, expected, received, ...(schema === false ? { advice: 'leave it out' } : {}) };
}
