import { pointerTo, splitPointer } from '../json/pointers.ts';
import { type JsonObject, type JsonValue } from '../json/value.ts';
import { type Issue, brokenCheckKeyword } from '../messages/issue.ts';
import { type Wording, rejectionMessage } from '../messages/rejection-message.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import { redactPointer, visibilityAt } from '../tool/secrets.ts';
import type { CheckFailure } from '../tool/tool-contract.ts';
import type { ContractValidator } from '../validate/validator.ts';

/**
 * `value`: code gets the arguments, so a number that JavaScript can't hold exactly is refused.
 * `json`: the arguments are passed on or stored as JSON text, which keeps its digits.
 */
export type OutputForm = 'value' | 'json';

/**
 * Meta arguments that were taken out, by name without the underscore: `{ timeout_seconds: 30 }`.
 */
export type MetaValues = Readonly<Record<string, JsonValue>>;

/** A sentence for the model, next to the tool's result. */
export interface Note {
  readonly rule: string;
  readonly path: string;
  readonly text: string;
}

/** The meaning of a call's arguments. `status`: `unchanged`, `repaired` or `rejected`. */
export type Interpretation<Value = JsonObject> = Accepted<Value> | Rejected;

/** Arguments that match the schema, as sent or after repair. */
export interface Accepted<Value = JsonObject> {
  /** `unchanged`: valid as sent. `repaired`: `repairs` lists every change. */
  readonly status: 'unchanged' | 'repaired';
  /** What `interpretArguments` returns for a Standard Schema is the schema's output. */
  readonly value: Value;
  readonly meta: MetaValues;
  readonly repairs: readonly RepairRecord[];
  readonly notes: readonly Note[];
  readonly issues: readonly [];
  /** The tool's schema can't be used for validation: the value is as it was sent. */
  readonly unvalidated?: true;
  /**
   * Only for the output `json` and for a Standard Schema: the arguments as JSON text, with the
   * literals of numbers.
   */
  readonly text?: string;
}

/** Arguments that match the schema neither as sent nor after repair. */
export interface Rejected {
  readonly status: 'rejected';
  readonly meta: MetaValues;
  readonly repairs: readonly [];
  readonly notes: readonly [];
  /** Everything that is wrong with the value as sent. */
  readonly issues: readonly Issue[];
  /** The arguments that repair would have made, if the model must confirm them. */
  readonly wouldBe?: JsonObject;
  /** The message for the model. */
  readonly message: string;
  /** The errors that the author's own checks threw. For the application only, so not enumerable. */
  readonly causes?: readonly unknown[];
}

/** JSON text of the arguments of an accepted call: its exact `text`, else that of its value. */
export const argumentsText = ({ text, value }: Accepted<unknown>): string =>
  text ?? JSON.stringify(value);

// Rejections.

/** `wouldBe`: the call that repair would have made, for the model to confirm. */
export function reject(
  validator: ContractValidator,
  meta: MetaValues,
  issues: readonly Issue[],
  wouldBe?: JsonObject,
): Rejected {
  const rejection = {
    status: 'rejected',
    meta,
    repairs: [],
    notes: [],
    issues: issues.map((issue) => withoutSecretKeys(validator, issue)),
    ...(wouldBe === undefined ? {} : { wouldBe }),
  } as const;
  return { ...rejection, message: rejectionMessage(validator, rejection) };
}

/** The same rejection with its message in other words. */
export function rewordRejection(
  validator: ContractValidator,
  rejection: Rejected,
  wording: Wording,
): Rejected {
  const copy = { ...rejection, message: rejectionMessage(validator, rejection, wording) };
  return withCauses(copy, rejection.causes);
}

/**
 * One check may throw because of a mistake that another one reports. Then only the report counts.
 */
export function rejectChecks(
  validator: ContractValidator,
  meta: MetaValues,
  failures: readonly CheckFailure[],
): Rejected {
  const reportedFailures = failures.filter((failure) => !('cause' in failure));
  const issues: readonly Issue[] =
    reportedFailures.length > 0
      ? reportedFailures.map(({ path, message }) => ({
          keyword: 'check',
          path,
          advice: showsSecret(validator, path) ? 'is not valid' : message,
        }))
      : failures.map(({ path }) => ({ keyword: brokenCheckKeyword, path }));
  const causes = failures.flatMap((failure) => ('cause' in failure ? [failure.cause] : []));
  return withCauses(reject(validator, meta, issues), Object.freeze(causes));
}

/** Whether a library's message may have the value of a secret in it. Classes mask their own. */
const showsSecret = ({ contract, views }: ContractValidator, path: string): boolean =>
  contract.validation !== undefined && visibilityAt(views, path, true) === 'hidden';

/**
 * The thrown errors are not enumerable, so that no copy, log or JSON of a rejection contains them
 * by accident.
 */
const withCauses = (rejection: Rejected, causes: readonly unknown[] = []): Rejected =>
  causes.length === 0
    ? rejection
    : Object.defineProperty(rejection, 'causes', { value: causes, enumerable: false });

/** A key may be a secret itself, or part of one. */
function withoutSecretKeys({ views }: ContractValidator, issue: Issue): Issue {
  const path = redactPointer(views, issue.path);
  if (issue.key === undefined) return { ...issue, path };
  const { key } = splitPointer(redactPointer(views, pointerTo(issue.path, issue.key)));
  if (key === issue.key) return { ...issue, path };
  const { received: _name, ...others } = issue;
  return { ...others, path, key };
}
