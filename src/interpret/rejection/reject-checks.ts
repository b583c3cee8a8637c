// What becomes of a call that the author's own checks don't pass? What they say is for the model to correct; what they
// threw is no mistake of the model's, and for the developer alone.
import type { CheckFailure } from '../../contract/tool-contract.ts';
import { brokenCheckKeyword } from '../../issues/internal-error.ts';
import type { Issue } from '../../issues/issue.ts';
import type { Judge } from '../../validate/judge.ts';
import type { MetaValues, Rejected } from '../interpretation.ts';
import { reject } from './reject.ts';

/** A check that broke may have done so over what another one found: then only that is told. */
export function rejectChecks(judge: Judge, meta: MetaValues, failures: readonly CheckFailure[]): Rejected {
  const said = failures.filter((failure) => !('cause' in failure));
  const issues: readonly Issue[] =
    said.length > 0
      ? said.map(({ path, message }) => ({ keyword: 'check', path, advice: message }))
      : failures.map(({ path }) => ({ keyword: brokenCheckKeyword, path }));
  return withCauses(reject(judge, meta, issues), failures);
}

/** What a check threw is for the developer: no copy, log or JSON of a rejection has it by accident. */
function withCauses(rejected: Rejected, failures: readonly CheckFailure[]): Rejected {
  const causes = failures.flatMap((failure) => ('cause' in failure ? [failure.cause] : []));
  return causes.length === 0
    ? rejected
    : Object.defineProperty(rejected, 'causes', { value: Object.freeze(causes), enumerable: false });
}
