// What is wrong with a value, as issues? The judge's errors in our words, without the noise of unions.
import { quote } from '../issues/excerpt.ts';
import type { Issue } from '../issues/issue.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { Judge } from '../validate/judge.ts';
import type { StrictFailure } from '../validate/strict-readings.ts';
import { withoutBranches } from '../validate/without-branches.ts';
import { issueOfError } from './issue-of-error.ts';

/** Issues that are looked at, at most: a message names eight. */
const mostIssues = 64;

/** Every failure of schema and strict readings, outermost first; `mended` are places that repair has answered for. */
export function issuesOfValue(judge: Judge, value: JsonValue, mended: readonly string[]): readonly Issue[] {
  const errors = withoutBranches(judge.errors(value)).slice(0, mostIssues);
  const issues = [
    ...errors.map((error) => issueOfError(judge.views, error)),
    ...judge.strictFailures(value).map(strictIssue),
  ];
  const answered = new Set(mended);
  const open = issues.filter(({ path, key }) => !answered.has(key === undefined ? path : `${path}/${key}`));
  return open.length > 0 ? open : issues;
}

const strictIssue = ({ keyword, path, key, declared }: StrictFailure): Issue => ({
  keyword,
  path,
  ...(key === undefined ? {} : { key }),
  ...(declared === undefined
    ? { advice: 'send the path alone' }
    : { advice: `send ${quote(declared)} once` }),
});
