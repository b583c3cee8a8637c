// What is said of what only repair finds out? A number that has lost digits, and more mistakes than it looks at.
import { declaredSchema } from '../../hints/failing-place.ts';
import type { Issue } from '../../issues/issue.ts';
import type { Judge } from '../../validate/judge.ts';

/** There is too much wrong to look at. */
export const budgetIssue: Issue = { keyword: 'budget_exceeded', path: '' };

/** As text it would keep its digits, where text may stand. `path`: in the value that was looked at; `at`: where that stood in what was sent. */
export function unsafeNumberIssue({ views }: Judge, path: string, at: string): Issue {
  const { types } = views.of(declaredSchema(views, path));
  const advice = types.has('string') ? 'send it as text' : 'send at most 15 digits';
  return { keyword: 'unsafe_number', path: at + path, advice };
}
