// What is wrong with a value, as issues? The judge's errors in our words, without the noise of unions.
import type { Issue } from '../../issues/issue.ts';
import { pointerTo } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { Judge } from '../../validate/judge.ts';
import { withoutBranches } from '../../validate/without-branches.ts';
import { issueOfFailure } from './issue-of-failure.ts';
import { failuresTold } from './misfit-of-branch.ts';
import { strictIssue } from './strict-issue.ts';
import { withAuthorSentences } from './with-author-sentences.ts';

/** Issues that are looked at, at most: a message names eight. */
const mostIssues = 64;
/** The judge's errors that are looked at, at most: finding a union's own takes time with the square of them. */
const mostErrors = 512;

/** Every failure of schema and strict readings, outermost first; without those of `mended` places. */
export function issuesOfValue(judge: Judge, value: JsonValue, mended: readonly string[]): readonly Issue[] {
  const errors = withoutBranches(judge.failures(value).slice(0, mostErrors)).slice(0, mostIssues);
  const failures = errors.flatMap((failure) => failuresTold(judge, failure, value)).slice(0, mostIssues);
  const issues = failures.map((failure) => issueOfFailure(judge, failure, value));
  const declared = withAuthorSentences(judge, issues, { value, placeOf });
  const keys = new Set(declared.flatMap((issue) => (issue.key === undefined ? [] : [placeOf(issue)])));
  const strict = judge.strictFailures(value).map(strictIssue);
  // A misspelt key in a closed object is an unknown key already.
  const all = [...declared, ...strict.filter((issue) => !keys.has(placeOf(issue)))];
  return all.filter((issue) => !mended.some((place) => isWithin(placeOf(issue), place)));
}

const placeOf = ({ path, key }: Issue): string => (key === undefined ? path : pointerTo(path, key));

const isWithin = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);
