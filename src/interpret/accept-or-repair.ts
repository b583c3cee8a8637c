import type { NumberTexts } from '../json/exact-numbers.ts';
import { pointerKeys } from '../json/json-pointer.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../json/value.ts';
import { displayPath, previewLiteral } from '../json/preview.ts';
import { budgetIssue, issuesOfValue, unsafeNumberIssue } from '../messages/issues-from-failures.ts';
import type { DecodeOptions } from '../repair/decode-arguments.ts';
import { fillPairs, hasPairs } from '../repair/fill-pairs.ts';
import { repairArguments } from '../repair/repair-value.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import { isLosslessTextRule } from '../repair/text-rule-table.ts';
import { isLossless } from '../repair/rule-table.ts';
import type { TextEnd } from '../repair/finish-reason.ts';
import { holdsSecret, placeholdersIn, redactPointer } from '../tool/secrets.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { type ContractValidator, validatorOf } from '../validate/validator.ts';
import type { Accepted, OutputForm, Interpretation, MetaValues, Note } from './interpretation.ts';
import type { OwnArguments } from './provider-form.ts';
import { reject, rejectChecks } from './reject.ts';

// Found out once.
export interface ContractFacts {
  readonly validator: ContractValidator;
  /** What decoding must know, by how the text of a call ended. */
  readonly decode: Readonly<Record<TextEnd, DecodeOptions>>;
  /** No argument is taken out, and nothing is added or checked beyond schema and strict readings. */
  readonly takesAsSent: boolean;
}

const known = new WeakMap<ToolContract, ContractFacts>();

/** Kept as long as the contract. A DefinitionError for a schema that is none. */
export function factsOf(contract: ToolContract): ContractFacts {
  let facts = known.get(contract);
  if (facts === undefined) {
    facts = findFacts(contract);
    known.set(contract, facts);
  }
  return facts;
}

function findFacts(contract: ToolContract): ContractFacts {
  const validator = validatorOf(contract);
  const decodeAt = (end: TextEnd): DecodeOptions => ({
    end,
    declared: declaredIn(validator),
    previews: holdsSecret(validator.views, validator.views.root) ? 'hidden' : 'shown',
    toolName: contract.isUnnamed === true ? undefined : contract.name,
  });
  return {
    validator,
    decode: { normal: decodeAt('normal'), cut: decodeAt('cut'), unknown: decodeAt('unknown') },
    takesAsSent:
      !validator.isUnvalidated &&
      contract.meta.length === 0 &&
      contract.contextFields.length === 0 &&
      contract.check === undefined &&
      !hasPairs(validator.views) &&
      !holdsSecret(validator.views, validator.views.root),
  };
}

/** Whether text could stand for no arguments at all. */
function declaredIn({ views }: ContractValidator): DecodeOptions['declared'] {
  const { properties, required } = views.of(views.root);
  return required.size > 0 ? 'required' : properties.size > 0 ? 'optional' : 'none';
}

// Nearly all are, so this looks no further than it must.
/** `refused`: the validator has said no to the very value. `open`: it wasn't asked. */
export type Verdict = 'refused' | 'open';

/** Arguments as they were decoded, and what the validator has said of them. */
export interface ValidatedArguments extends OwnArguments {
  readonly verdict: Verdict;
}

/** What it is if it is right; else every step has to be gone. */
export function acceptAsSent(
  { validator, takesAsSent }: ContractFacts,
  decoded: OwnArguments,
  output: OutputForm,
): Accepted | Verdict {
  const { value, numbers, steps, repeatedKeys } = decoded;
  const isAsSent = steps.length === 0 && repeatedKeys.length === 0 && (!numbers.lossy || output === 'json');
  if (!isAsSent || !takesAsSent) return 'open';
  if (!validator.accepts(value)) return 'refused';
  return { status: 'unchanged', value, meta: noMeta, repairs: none, notes: none, issues: none };
}

const none: readonly [] = Object.freeze([]);
const noMeta: MetaValues = Object.freeze({});

// One sentence for each record that says so.
/** Notes in the order of the records. `shown`: the place as it may be shown. */
export const notesOf = (
  records: readonly RepairRecord[],
  shown: (pointer: string) => string = (pointer) => pointer,
): readonly Note[] =>
  records.flatMap((record) => {
    if (!record.tell) return [];
    const path = shown(record.path);
    return [{ rule: record.rule, path, text: textOf(record, path) }];
  });

function textOf({ rule, operations }: RepairRecord, path: string): string {
  const name = displayPath(pointerKeys(path));
  const [operation] = operations;
  if (rule === 'pairs' && operation?.op === 'add')
    return `${name} was not sent; ${previewLiteral(operation.value)} was used.`;
  if (rule === 'context_field')
    return `${name} is set by the application; the value that was sent is ignored.`;
  if (operation?.op === 'move') return `${name} was read as ${displayPath(pointerKeys(operation.path))}.`;
  if (operation?.op === 'remove') return `${name} is not an argument of this tool and was left out.`;
  return `${name} was repaired (${rule}).`;
}

// Those that keep every key and every value.
/** What is no repair rule and loses nothing of what was meant for the tool. */
const alwaysAllowed: ReadonlySet<string> = new Set(['pairs', 'meta_key', 'context_field', 'duplicate_key']);

/** By the rule's id, without the model's confirmation. */
const mayActUnasked = (rule: string): boolean =>
  isLossless(rule) || isLosslessTextRule(rule) || alwaysAllowed.has(rule);

// Pairs, the author's own checks, and who may act.
interface Valid {
  readonly value: JsonObject;
  readonly meta: MetaValues;
  readonly records: Accepted['repairs'];
  readonly numbers: NumberTexts;
}

/** Accepts a value that the validator has passed, unless the author's checks or the tool's repair level say no. */
function accept(validator: ContractValidator, valid: Valid): Interpretation {
  const { value, records } = withPairs(validator, valid);
  const { meta } = valid;
  const masks = placeholdersIn(validator.views, value);
  if (masks.length > 0) return reject(validator, meta, masks.map(maskIssue));
  const failures = validator.checkFailures(value);
  if (failures.length > 0) return rejectChecks(validator, meta, failures);
  const isUnasked =
    validator.contract.repair === 'lossless' && records.some(({ rule }) => !mayActUnasked(rule));
  if (isUnasked) return reject(validator, meta, [{ keyword: 'not_confirmed', path: '' }], value);
  const notes = notesOf(records, (path) => redactPointer(validator.views, path));
  const status = records.length === 0 ? 'unchanged' : 'repaired';
  const unvalidated = validator.isUnvalidated ? { unvalidated: true as const } : {};
  return { status, value, meta, repairs: records, notes, issues: [], ...unvalidated };
}

const maskIssue = (path: string) => ({
  keyword: 'check',
  path,
  advice: 'send the secret itself, not its placeholder',
});

function withPairs(validator: ContractValidator, valid: Valid): Valid {
  const schema = validator.views.root;
  const { value, records } = fillPairs(validator, valid.value, { schema, path: '', numbers: valid.numbers });
  if (records.length === 0 || !isJsonObject(value) || !validator.acceptsPart(schema, value)) return valid;
  return { ...valid, value, records: [...valid.records, ...records] };
}

// Repaired: validated again. Else rejected as sent.
/** Arguments without what is not for the tool, and what was done to them so far. */
export interface TakenArguments {
  readonly value: JsonObject;
  /** The same as it was sent, where the value stood in an envelope; what is wrong is told of this. */
  readonly sent: JsonObject;
  /** JSON Pointer of the value in what was sent. */
  readonly at: string;
  readonly meta: MetaValues;
  readonly records: Accepted['repairs'];
}

/** `decoded`: the arguments as sent. */
export function acceptOrRepair(
  validator: ContractValidator,
  decoded: Pick<ValidatedArguments, 'value' | 'numbers' | 'size' | 'verdict' | 'fromShown'>,
  taken: TakenArguments,
  output: OutputForm,
): Interpretation {
  const { value, sent, at, meta, records } = taken;
  const { numbers, size } = decoded;
  const isRefused = decoded.verdict === 'refused' && value === decoded.value;
  // JSON text has all digits of a call that needs no repair.
  const keepsDigits = !numbers.lossy || (output === 'json' && records.length === 0);
  if (!isRefused && keepsDigits && validator.accepts(value)) return accept(validator, { ...taken, numbers });
  const readAt = decoded.fromShown?.readAt;
  const repaired = repairArguments(validator, { value, numbers, size, readAt });
  if (repaired.kind === 'repaired') {
    return accept(validator, {
      value: asObject(repaired.value),
      meta,
      records: [...records, ...repaired.records],
      numbers,
    });
  }
  // What is wrong with so many places would take as long to list.
  if (repaired.isOverBudget) return reject(validator, meta, [budgetIssue]);
  const reasons = repaired.unsafe.map((path) => unsafeNumberIssue(validator, path, at));
  // Places in what was inside an envelope are no places of what was sent; and where repair needs a confirmation,
  // what it would mend is wrong until then.
  // Where JSON text is passed on, digits are lost only because something else is wrong.
  const isPassedOn = output === 'json' && repaired.unsafe.length > 0;
  const isMended = sent === value && validator.contract.repair === 'all' && !isPassedOn;
  const others = issuesOfValue(validator, sent, isMended ? repaired.repaired : []);
  const open = isPassedOn && others.length > 0 ? others : [...reasons, ...others];
  return reject(validator, meta, open.length > 0 ? open : issuesOfValue(validator, sent, []));
}

// The root is validated to be an object before anything is accepted.
const asObject = (value: JsonValue): JsonObject => (isJsonObject(value) ? value : {});
