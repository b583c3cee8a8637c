import type { NumberLiterals } from '../json/number-literals.ts';
import { displayPath, previewLiteral } from '../json/preview.ts';
import { pointerKeys, splitPointer, valueAt } from '../json/pointers.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import type { Issue } from '../messages/issue.ts';
import {
  budgetIssue,
  didYouMean,
  didYouMeanEither,
  issuesOfValue,
  unsafeNumberIssue,
} from '../messages/issues-from-failures.ts';
import { callEnvelopeIn } from '../notations/call-envelope.ts';
import { isSameName } from '../notations/read-notation.ts';
import { type ContractRules, rulesOf } from '../repair/contract-rules.ts';
import { fillDependentDefaults } from '../repair/dependent-defaults.ts';
import { repairPlainly } from '../repair/plain-repair.ts';
import type { RepairRequest } from '../repair/repair-context.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import { mayActTogether } from '../repair/rule-table.ts';
import {
  type FailedRepair,
  type RepairResult,
  nothingRepaired,
  repairArguments,
} from '../repair/repair-value.ts';
import { placeholdersIn, redactPointer, visibilityAt } from '../tool/secrets.ts';
import type { ContractValidator } from '../validate/validator.ts';
import {
  type Interpretation,
  type MetaValues,
  type Note,
  type OutputForm,
  reject,
  rejectChecks,
} from './interpretation.ts';
import {
  acceptsWithLibrary,
  validatorForRepair,
  withoutIgnoredKeys,
} from './library-validation.ts';

/**
 * Arguments from which meta arguments and context fields were taken out, with the records of what
 * was done so far.
 */
export interface TakenArguments {
  readonly value: JsonObject;
  /** The value with the envelope that it came in: issues are about this. */
  readonly sentArguments: JsonObject;
  /** JSON Pointer of the value in `sentArguments`. */
  readonly at: string;
  readonly meta: MetaValues;
  readonly records: readonly RepairRecord[];
}

/** How the arguments were sent, and the form in which they are returned. */
export interface CallDetails extends Omit<RepairRequest, 'value'> {
  readonly output: OutputForm;
  /** What has failed already. Default: nothing was tried. */
  readonly failedStep?: FailedStep | undefined;
}

/** `plain repair`: the validation has failed before it. */
export type FailedStep = 'validation' | 'plain repair';

/**
 * Validates arguments and repairs them if they fail, fills dependent defaults, and accepts the
 * result unless the author's checks or the tool's repair level refuse it. Issues are those of the
 * arguments as sent.
 */
export function validateOrRepair(
  validator: ContractValidator,
  takenArguments: TakenArguments,
  call: CallDetails,
): Interpretation {
  const { value, records } = takenArguments;
  const { numbers, size, restoreAt, source, output } = call;
  // The JSON text of a call that needs no repair keeps all digits.
  const keepsDigits = !numbers.lossy || (output === 'json' && records.length === 0);
  if (call.failedStep === undefined && keepsDigits && acceptsWithLibrary(validator, value))
    return accept(validator, takenArguments, numbers);
  const forRepair = validatorForRepair(validator, value);
  // The library's own checks refuse it.
  if (forRepair !== validator && keepsDigits && forRepair.accepts(value))
    return accept(validator, takenArguments, numbers);
  const request = { value, numbers, size, restoreAt, source };
  const repairWith = (one: ContractValidator): RepairResult => {
    if (validator.contract.repair === 'off')
      return { ...nothingRepaired, unsafe: numbers.lostDigits(value) };
    // A library may accept values that the schema says to repair.
    const mayBePlain = one === validator && call.failedStep !== 'plain repair';
    const plainRepair = mayBePlain ? repairPlainly(one, request) : undefined;
    return plainRepair ?? repairArguments(one, request);
  };
  const first = repairWith(forRepair);
  if (first.kind === 'repaired') return acceptRepaired(validator, takenArguments, first, numbers);
  // The library replaces what can't be repaired.
  const replacing = validatorForRepair(validator, value, first.repairedPaths);
  const isReplacing = replacing !== validator && !first.isOverBudget;
  if (isReplacing && keepsDigits && replacing.accepts(value))
    return accept(validator, takenArguments, numbers);
  const second = isReplacing ? repairWith(replacing) : first;
  return second.kind === 'repaired'
    ? acceptRepaired(validator, takenArguments, second, numbers)
    : (rejectInnerCall(replacing, takenArguments, request) ??
        rejectFailed([validator, replacing], takenArguments, second, output));
}

/**
 * The rejection of a call under the tool's own name (`{"read_file": {…}}`), or in an envelope with
 * it: its issues are those of the arguments inside, besides the keys around them. undefined if the
 * value is no such call.
 */
function rejectInnerCall(
  validator: ContractValidator,
  { value, at, meta }: TakenArguments,
  request: RepairRequest,
): Interpretation | undefined {
  const inner = at === '' ? ownCallIn(validator, value) : undefined;
  if (inner === undefined) return undefined;
  const repair = repairArguments(validator, { ...request, value: inner });
  if (repair.kind === 'repaired' || repair.isOverBudget || repair.unsafe.length > 0)
    return undefined;
  const innerIssues = issuesOfValue(validator, inner, repair.repairedPaths);
  if (innerIssues.length === 0) return undefined;
  const outerKeys = new Set(Object.keys(value));
  const outerIssues = issuesOfValue(validator, value, []).filter(
    ({ keyword, path, key = '' }) =>
      keyword === 'additionalProperties' && path === '' && outerKeys.has(key),
  );
  return reject(validator, meta, [...outerIssues, ...innerIssues]);
}

/** The object under the tool's own name, or in an envelope with it; undefined if there is none. */
function ownCallIn(
  { contract, views }: ContractValidator,
  root: JsonObject,
): JsonObject | undefined {
  if (contract.isUnnamed === true) return undefined;
  const { properties } = views.of(views.root);
  const [key = '', ...others] = Object.keys(root);
  const only = root[key] ?? null;
  const isUnderName = others.length === 0 && isSameName(key, contract.name) && !properties.has(key);
  if (isUnderName) return isJsonObject(only) ? only : undefined;
  const call = callEnvelopeIn(root, (name) => properties.has(name));
  const isOwn =
    call !== undefined &&
    !properties.has(call.argumentsKey) &&
    isSameName(call.name, contract.name);
  return isOwn && isJsonObject(call.inner) ? call.inner : undefined;
}

/** `forRepair` finds the issues. */
function rejectFailed(
  [validator, forRepair]: readonly [ContractValidator, ContractValidator],
  { value, sentArguments, at, meta }: TakenArguments,
  repair: FailedRepair,
  output: OutputForm,
): Interpretation {
  // To list all issues would take as long as the repair.
  if (repair.isOverBudget) return reject(validator, meta, [budgetIssue]);
  const unsafe = repair.unsafe.map((path) =>
    unsafeNumberIssue(validator, path, at, valueAt(value, path)),
  );
  // JSON text loses digits only when something else is repaired, so the issues of that are shown
  // instead.
  const isPassedOn = output === 'json' && unsafe.length > 0;
  // The issues of repaired values are left out, unless the model has to confirm repairs.
  const isRepaired = validator.contract.repair === 'all' && !isPassedOn;
  const valueIssues = issuesOfValue(
    forRepair,
    sentArguments,
    isRepaired ? repair.repairedPaths.map((path) => at + path) : [],
  );
  const others = valueIssues.map((issue) => withMeanings(validator, issue, { value, at, repair }));
  const issues = isPassedOn && others.length > 0 ? others : [...unsafe, ...others];
  return reject(
    validator,
    meta,
    issues.length > 0 ? issues : issuesOfValue(forRepair, sentArguments, []),
  );
}

/** Adds the two values that an ambiguous value could mean to its issue. */
function withMeanings(
  { views }: ContractValidator,
  issue: Issue,
  { value, at, repair }: Pick<TakenArguments, 'value' | 'at'> & { readonly repair: FailedRepair },
): Issue {
  const path = issue.path.slice(at.length);
  const ambiguity = repair.ambiguities.get(path);
  if (ambiguity === undefined || issue.key !== undefined) return issue;
  if (valueAt(value, path) !== ambiguity.sentValue || visibilityAt(views, path, true) === 'hidden')
    return issue;
  return { ...issue, advice: didYouMeanEither(ambiguity.one, ambiguity.other) };
}

function acceptRepaired(
  validator: ContractValidator,
  takenArguments: TakenArguments,
  repair: Extract<RepairResult, { kind: 'repaired' }>,
  numbers: NumberLiterals,
): Interpretation {
  const { value, records } = repair;
  const { sentArguments, at, meta } = takenArguments;
  const all =
    takenArguments.records.length === 0 ? records : [...takenArguments.records, ...records];
  return accept(validator, { value, sentArguments, at, meta, records: all }, numbers);
}

function accept(
  validator: ContractValidator,
  valid: TakenArguments,
  numbers: NumberLiterals,
): Interpretation {
  const { contract, views } = validator;
  const { meta } = valid;
  const filledArguments = withDependentDefaults(validator, valid, numbers);
  const placeholders = placeholdersIn(views, filledArguments.value);
  if (placeholders.length > 0) return reject(validator, meta, placeholders.map(placeholderIssue));
  const failures = validator.checkFailures(filledArguments.value);
  if (failures.length > 0) return rejectChecks(validator, meta, failures);
  const { value, records: removals, near } = withoutIgnoredKeys(validator, filledArguments.value);
  const isOff = contract.repair === 'off' || rulesOf(contract).isOff('drop_unknown_argument');
  if (removals.length > 0 && (isOff || near.size > 0))
    return reject(
      validator,
      meta,
      removals
        .filter(({ path }) => isOff || near.has(path))
        .map((record) => undeclaredIssue(record, near)),
    );
  const records =
    removals.length === 0 ? filledArguments.records : [...filledArguments.records, ...removals];
  if (!mayActTogether(records.map(({ rule }) => rule)))
    return reject(validator, meta, issuesOfValue(validator, valid.sentArguments, []));
  const mayActUnconfirmed = isUnconfirmed(rulesOf(contract));
  if (contract.repair === 'lossless' && !records.every(mayActUnconfirmed))
    return reject(validator, meta, [{ keyword: 'not_confirmed', path: '' }], value);
  const acceptance = {
    status: records.length === 0 ? 'unchanged' : 'repaired',
    value,
    meta,
    repairs: records,
    notes: notesOf(records, (path) => redactPointer(views, path)),
    issues: [],
  } as const;
  return validator.isUnvalidated ? { ...acceptance, unvalidated: true } : acceptance;
}

function undeclaredIssue({ path }: RepairRecord, near: ReadonlyMap<string, string>): Issue {
  const { parent, key } = splitPointer(path);
  const nearKey = near.get(path);
  const advice = nearKey === undefined ? {} : { advice: didYouMean(nearKey) };
  return { keyword: 'additionalProperties', path: parent, key, ...advice };
}

function withDependentDefaults(
  validator: ContractValidator,
  valid: TakenArguments,
  numbers: NumberLiterals,
): Pick<TakenArguments, 'value' | 'records'> {
  const { root } = validator.views;
  const { value, records } = fillDependentDefaults(validator, valid.value, numbers);
  const isFilled = records.length > 0 && isJsonObject(value) && validator.acceptsPart(root, value);
  return isFilled ? { value, records: [...valid.records, ...records] } : valid;
}

const placeholderIssue = (path: string) => ({
  keyword: 'check',
  path,
  advice: 'send the secret itself, not its placeholder',
});

/** Records that no rule made, and whose changes lose nothing that was meant for the tool. */
const otherLossless: ReadonlySet<string> = new Set([
  'dependent_default',
  'meta_key',
  'context_field',
  'duplicate_key',
]);

/** Whether a repair may act on a destructive tool although the model has not confirmed it. */
const isUnconfirmed =
  (rules: ContractRules) =>
  ({ rule, isLossy }: RepairRecord): boolean =>
    isLossy !== true && (rules.isLossless(rule) || otherLossless.has(rule));

/**
 * One note for each repair that the model should know of, in order. `shownPath` redacts a path.
 * `meaningOfKey`: what a known key is.
 */
export const notesOf = (
  records: readonly RepairRecord[],
  shownPath: (pointer: string) => string = (pointer) => pointer,
  meaningOfKey = 'an argument of this tool',
): readonly Note[] =>
  records
    .filter(({ shownToModel }) => shownToModel)
    .map((record) => {
      const path = shownPath(record.path);
      return { rule: record.rule, path, text: noteText(record, path, meaningOfKey) };
    });

function noteText({ rule, operations }: RepairRecord, path: string, meaningOfKey: string): string {
  const name = displayPath(pointerKeys(path));
  const [operation] = operations;
  if (operation?.op === 'add')
    return `${name} was not sent; ${previewLiteral(operation.value)} was used.`;
  if (rule === 'context_field')
    return `${name} is set by the application; the value that was sent is ignored.`;
  if (operation?.op === 'move')
    return `${name} was read as ${displayPath(pointerKeys(operation.path))}.`;
  if (operation?.op === 'remove') return `${name} is not ${meaningOfKey} and was left out.`;
  return name === '' ? `The arguments were repaired (${rule}).` : `${name} was repaired (${rule}).`;
}
