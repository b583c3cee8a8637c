import { type JsonObject, pointerTo, splitPointer } from '../json/value.ts';
import { type Issue, brokenCheckKeyword } from '../messages/issue.ts';
import { type Wording, rejectionMessage } from '../messages/rejection-message.ts';
import { redactPointer, visibilityAt } from '../tool/secrets.ts';
import type { CheckFailure } from '../tool/tool-contract.ts';
import type { ContractValidator } from '../validate/validator.ts';
import type { MetaValues, Rejected } from './interpretation.ts';

/** `wouldBe`: the call that repair would have made, for the model to confirm. */
export function reject(
  validator: ContractValidator,
  meta: MetaValues,
  issues: readonly Issue[],
  wouldBe?: JsonObject,
): Rejected {
  const rejected = {
    status: 'rejected',
    meta,
    repairs: [],
    notes: [],
    issues: issues.map((issue) => withoutSecretKeys(validator, issue)),
    ...(wouldBe === undefined ? {} : { wouldBe }),
  } as const;
  return { ...rejected, message: rejectionMessage(validator, rejected) };
}

/** The same rejection with its message in other words. */
export function reworded(validator: ContractValidator, rejected: Rejected, wording: Wording): Rejected {
  const { causes } = rejected;
  const copy = { ...rejected, message: rejectionMessage(validator, rejected, wording) };
  return causes === undefined ? copy : withCauses(copy, causes);
}

/** One check may throw because of a mistake that another one reports. Then only the report counts. */
export function rejectChecks(
  validator: ContractValidator,
  meta: MetaValues,
  failures: readonly CheckFailure[],
): Rejected {
  const reported = failures.filter((failure) => !('cause' in failure));
  const issues: readonly Issue[] =
    reported.length > 0
      ? reported.map(({ path, message }) => ({
          keyword: 'check',
          path,
          advice: showsSecret(validator, path) ? 'is not valid' : message,
        }))
      : failures.map(({ path }) => ({ keyword: brokenCheckKeyword, path }));
  const causes = failures.flatMap((failure) => ('cause' in failure ? [failure.cause] : []));
  const rejected = reject(validator, meta, issues);
  return causes.length === 0 ? rejected : withCauses(rejected, Object.freeze(causes));
}

/** Whether a library's message may have the value of a secret in it. Classes mask their own. */
const showsSecret = ({ contract, views }: ContractValidator, path: string): boolean =>
  contract.validation !== undefined && visibilityAt(views, path, true) === 'hidden';

/** The thrown errors are not enumerable, so that no copy, log or JSON of a rejection contains them by accident. */
const withCauses = (rejected: Rejected, causes: readonly unknown[]): Rejected =>
  Object.defineProperty(rejected, 'causes', { value: causes, enumerable: false });

/** A key may be a secret itself, or part of one. */
function withoutSecretKeys({ views }: ContractValidator, issue: Issue): Issue {
  const path = redactPointer(views, issue.path);
  if (issue.key === undefined) return path === issue.path ? issue : { ...issue, path };
  const { key } = splitPointer(redactPointer(views, pointerTo(issue.path, issue.key)));
  if (key === issue.key) return path === issue.path ? issue : { ...issue, path };
  const { received: _name, ...others } = issue;
  return { ...others, path, key };
}
