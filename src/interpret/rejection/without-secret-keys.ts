// Which of an issue's keys may be told? Not those that are part of a secret.
import { shownPointer } from '../../contract/secret-places.ts';
import type { Issue } from '../../issues/issue.ts';
import { pointerTo, splitPointer } from '../../json/json-pointer.ts';
import type { Judge } from '../../validate/judge.ts';

/** The same issue, with a word in the place of such keys. */
export function withoutSecretKeys({ views }: Judge, issue: Issue): Issue {
  const path = shownPointer(views, issue.path);
  if (issue.key === undefined) return path === issue.path ? issue : { ...issue, path };
  const { key } = splitPointer(shownPointer(views, pointerTo(issue.path, issue.key)));
  if (key === issue.key) return path === issue.path ? issue : { ...issue, path };
  const { received: _name, ...told } = issue;
  return { ...told, path, key };
}
