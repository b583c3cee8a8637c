import { type OptionKinds, count, oneOfWords, string } from '../options/check-options.ts';
import { exactJson } from '../json/parse.ts';
import { printable, quote } from '../json/preview.ts';
import { memoize } from '../collections/memoize.ts';
import { once } from '../collections/once.ts';
import { spellingOf } from '../json/key-spelling.ts';
import { firstDifference, splitPointer, valueAt } from '../json/pointers.ts';
import { type JsonObject, type JsonValue } from '../json/value.ts';
import type { ArgumentMapping } from '../providers/restore-arguments.ts';
import { rulesOf } from '../repair/contract-rules.ts';
import {
  type DecodedArguments,
  type DecodedReadings,
  type DecodeOptions,
  argumentsOf,
  decodeArguments,
  endedEarly,
  textEndOf,
  withoutEnvelope,
} from '../text/decode-arguments.ts';
import { hasDependentDefaults } from '../repair/dependent-defaults.ts';
import { recordRepeatedKeys } from '../repair/edits.ts';
import {
  holdsUnknownElements,
  isListAt,
  listElementOf,
  otherMeaning,
  valueOfRawText,
} from '../repair/raw-text.ts';
import { elementsIn } from '../notations/element-text.ts';
import type { RawTextMeaning } from '../notations/notation.ts';
import { chooseReading, lossyEdits } from '../repair/choose-reading.ts';
import { repairPlainly } from '../repair/plain-repair.ts';
import { missingEnd, openNumber } from '../text/readings/edits.ts';
import type { RestoreAtPlace } from '../repair/repair-context.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import type { TextEnd, TextParameter } from '../text/text-rule.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { SchemaView, SchemaViews } from '../schema/schema-view.ts';
import { holdsSecret, redact } from '../tool/secrets.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { isMap } from '../validate/strict-checks.ts';
import { type ContractValidator, validatorOf } from '../validate/validator.ts';
import { standsForUnreadable } from './records.ts';
import {
  type Accepted,
  type Interpretation,
  type MetaValues,
  type OutputForm,
  reject,
  rewordRejection,
} from './interpretation.ts';
import type { DecodedValue, MetaReading } from './take-meta.ts';
import type { SentArguments } from './tool-call.ts';
import { type FailedStep, validateOrRepair } from './validate-or-repair.ts';

/** How a call is interpreted, besides what its tool says. */
export interface InterpretationSettings {
  /**
   * `json`: the result has the arguments as exact JSON `text`, for programs that pass them on or
   * store them. Default: `json` for a remote tool, else `value`.
   */
  readonly output?: OutputForm;
  /**
   * How many times in a row this call has failed before, as a `CallMemory` counts. The rejection
   * message says so. Default: 0.
   */
  readonly failedBefore?: number;
  /**
   * The number of failures in a row after which the message tells the model to stop. Default: 3.
   */
  readonly failureLimit?: number;
  /** The tool's name in messages. Default: its own. */
  readonly shownName?: string | undefined;
}

export const settingKinds: OptionKinds<InterpretationSettings> = {
  output: oneOfWords('value', 'json'),
  failedBefore: count(0),
  failureLimit: count(1),
  shownName: string,
};

export const defaultFailureLimit = 3;

/**
 * Splits off arguments that are not the tool's own: meta arguments, and fields that the application
 * sets.
 */
export type TakeArguments = (
  validator: ContractValidator,
  decodedValue: DecodedValue,
) => MetaReading;

interface Surroundings {
  /** From the provider's schema, which the model has seen, to the tool's own. */
  readonly mapping: ArgumentMapping | undefined;
  /** Used only for tools with meta arguments, or with fields that the application sets. */
  readonly takeMeta: TakeArguments | undefined;
}

/**
 * Interprets the arguments of one call, whichever entry it came by. Never throws because of what a
 * model sent. Takes settings that were checked.
 */
export function interpretSentCall(
  contract: ToolContract,
  call: SentArguments,
  settings: InterpretationSettings | undefined,
  surroundings: Surroundings,
): Interpretation {
  const tool = preparedTool(contract);
  const { mapping, takeMeta } = surroundings;
  const output = settings?.output ?? tool.output;
  const form = { sentArguments: call.arguments, output, mapping, takeMeta };
  const interpretation = interpretSent(tool, call.finishReason, form);
  const result = mayBeCut(interpretation, call.finishReason)
    ? reject(tool.validator, {}, [{ keyword: 'truncated', path: '' }])
    : interpretation;
  if (result.status !== 'rejected') return result;
  const { failedBefore = 0, failureLimit = defaultFailureLimit, shownName } = settings ?? {};
  if (failedBefore < 1 && mapping === undefined && shownName === undefined) return result;
  const repetition =
    failedBefore < 1 ? undefined : { times: failedBefore + 1, limit: failureLimit };
  return rewordRejection(tool.validator, result, { repetition, mapping, toolName: shownName });
}

/**
 * Whether the call may have been cut off: `split_markup` took the end of a value for the end of a
 * parameter, and the answer ended early.
 */
const mayBeCut = ({ repairs }: Interpretation, finishReason: string | undefined): boolean =>
  repairs.length > 0 &&
  endedEarly(textEndOf(finishReason)) &&
  repairs.some(({ rule }) => rule === 'split_markup');

interface SentForm extends Surroundings {
  readonly sentArguments: unknown;
  readonly output: OutputForm;
}

/** The steps from sent to accepted arguments. Nothing is executed here. */
function interpretSent(
  tool: PreparedTool,
  finishReason: string | undefined,
  form: SentForm,
): Interpretation {
  const { validator } = tool;
  // Text becomes an object; text rules act only if it isn't already the JSON of an object.
  const options = tool.decode[textEndOf(finishReason)];
  const decodedArguments = decodeArguments(form.sentArguments, options);
  if (decodedArguments.kind === 'refused') return reject(validator, {}, [decodedArguments.issue]);
  const isRepairedText =
    decodedArguments.kind === 'readings' ||
    decodedArguments.steps.length > 0 ||
    decodedArguments.repeatedKeys.length > 0;
  if (isRepairedText && validator.contract.repair === 'off')
    return reject(validator, {}, [notJson]);
  if (decodedArguments.kind === 'decoded') return interpretDecoded(tool, decodedArguments, form);
  return interpretReadings(validator, decodedArguments, (reading) => {
    const innerArguments = withoutEnvelope(reading, options);
    if (innerArguments.kind === 'decoded') return interpretDecoded(tool, innerArguments, form);
    return reject(validator, {}, [
      (innerArguments.kind === 'refused' ? innerArguments : innerArguments.refuse()).issue,
    ]);
  });
}

/**
 * The JSON text of arguments that don't pass, without the fence, quotes or words around it. A
 * program that gets this text reports what is wrong with the arguments. undefined if there is
 * nothing to leave out, or the text is not certain to be JSON.
 */
export function plainArguments(
  contract: ToolContract,
  { arguments: sentArguments, finishReason }: SentArguments,
): string | undefined {
  const decodedArguments = decodeArguments(
    sentArguments,
    preparedTool(contract).decode[textEndOf(finishReason)],
  );
  if (decodedArguments.kind !== 'decoded' || decodedArguments.repeatedKeys.length > 0)
    return undefined;
  const { steps, value, numbers } = decodedArguments;
  const isCertain = steps.length > 0 && steps.every(({ rule }) => aroundJson.has(rule));
  return isCertain ? exactJson(value, numbers) : undefined;
}

/** Rules that take off what is around JSON, or write it as JSON is written. */
const aroundJson: ReadonlySet<string> = new Set([
  'code_fence',
  'double_encoded',
  'loose_json',
  'repeated_object',
  'surrounding_text',
]);

function interpretDecoded(
  tool: PreparedTool,
  decodedArguments: DecodedArguments,
  form: SentForm,
): Interpretation {
  const { sentArguments, output, mapping } = form;
  // Names and nulls of the provider's schema become the tool's own.
  const value =
    mapping === undefined
      ? decodedArguments.value
      : mapping.restore(decodedArguments.value, decodedArguments.numbers);
  const isAsSent =
    decodedArguments.steps.length === 0 && decodedArguments.repeatedKeys.length === 0;
  const isSimple =
    tool.isSimple && isAsSent && (!decodedArguments.numbers.lossy || output === 'json');
  // A valid call ends here.
  const isValid = isSimple && tool.validator.accepts(value);
  const result = isValid
    ? unchangedArguments(value)
    : isSimple
      ? repairSimple(tool, decodedArguments, { ...form, value })
      : interpretValue(tool, decodedArguments, { ...form, value });
  if (output === 'value' || result.status === 'rejected') return result;
  const isText =
    isAsSent && result.value === decodedArguments.value && typeof sentArguments === 'string';
  return {
    ...result,
    text: isText ? sentArguments : exactJson(result.value, decodedArguments.numbers),
  };
}

const none: readonly [] = Object.freeze([]);
const noMeta: MetaValues = Object.freeze({});

const unchangedArguments = (value: JsonObject): Accepted => ({
  status: 'unchanged',
  value,
  meta: noMeta,
  repairs: none,
  notes: none,
  issues: none,
});

/**
 * Repairs arguments that the validator has refused. Most arguments that are wrong in texts alone
 * end here.
 */
function repairSimple(
  tool: PreparedTool,
  decodedArguments: DecodedArguments,
  restoredArguments: RestoredArguments,
): Interpretation {
  const { value, mapping } = restoredArguments;
  const { numbers, size } = decodedArguments;
  // A plain repair doesn't map what is inside a text to the tool's own schema.
  if (!tool.allowsPlainRepair || mapping !== undefined || standsForUnreadable(value))
    return interpretValue(tool, decodedArguments, restoredArguments, 'validation');
  const repair = repairPlainly(tool.validator, { value, numbers, size });
  return repair === undefined
    ? interpretValue(tool, decodedArguments, restoredArguments, 'plain repair')
    : { ...unchangedArguments(repair.value), status: 'repaired', repairs: repair.records };
}

interface RestoredArguments extends SentForm {
  readonly value: JsonObject;
}

/** Takes out meta arguments and context fields, and validates or repairs the rest. */
function interpretValue(
  { validator }: PreparedTool,
  decodedArguments: DecodedArguments,
  { value, mapping, takeMeta, output, sentArguments }: RestoredArguments,
  failedStep?: FailedStep,
): Interpretation {
  // Repaired text may mean something else, and without a schema nothing would notice that.
  if (validator.isUnvalidated && decodedArguments.steps.length > 0)
    return reject(validator, {}, [notJson]);
  const { numbers, size } = decodedArguments;
  const restoreAt: RestoreAtPlace | undefined =
    mapping && ((part, path, literals) => mapping.restore(part, literals, path));
  const isStrict = typeof sentArguments === 'string' && decodedArguments.steps.length === 0;
  const source = isStrict ? { text: sentArguments, value: decodedArguments.value } : undefined;
  const call = { numbers, size, restoreAt, source, output };
  const meta =
    (hasOtherArguments(validator.contract) ? takeMeta : undefined)?.(validator, {
      ...call,
      value,
    }) ?? ownArgumentsOnly(value);
  if (meta.kind === 'refused') return reject(validator, {}, meta.issues);
  const { issues } = meta;
  const records = recordsOfDecoding(decodedArguments, value);
  const takenArguments =
    records.length === 0
      ? meta.takenArguments
      : { ...meta.takenArguments, records: [...records, ...meta.takenArguments.records] };
  const result = validateOrRepair(validator, takenArguments, {
    ...call,
    failedStep: takenArguments.value === value ? failedStep : undefined,
  });
  if (result.status !== 'unchanged' && standsForUnreadable(value))
    return reject(validator, {}, [notJson]);
  return issues.length === 0 ? result : reject(validator, {}, [...issues, ...result.issues]);
}

const hasOtherArguments = ({ meta, contextFields }: ToolContract): boolean =>
  meta.length + contextFields.length > 0;

/** All arguments are the tool's own. */
const ownArgumentsOnly = (value: JsonObject): Extract<MetaReading, { kind: 'taken' }> => ({
  kind: 'taken',
  takenArguments: { value, sentArguments: value, at: '', meta: noMeta, records: none },
  issues: none,
});

const notJson = { keyword: 'not_json', path: '' };

/**
 * One record for each text rule that acted, and for each key that came twice. Each rule's operation
 * replaces the whole value.
 */
const recordsOfDecoding = (
  { steps, repeatedKeys }: DecodedArguments,
  value: JsonObject,
): readonly RepairRecord[] =>
  steps.length === 0 && repeatedKeys.length === 0
    ? none
    : [
        ...steps.map(({ rule, was, isLossy, notes }): RepairRecord => ({
          rule,
          path: '',
          was,
          shownToModel: notes === true,
          ...(isLossy === true ? { isLossy } : {}),
          operations: [{ op: 'replace', path: '', value }],
        })),
        ...recordRepeatedKeys(repeatedKeys, ''),
      ];

// Readings of broken text.

/**
 * Interprets every reading of broken text by itself. The call is accepted only if exactly one value
 * is left; of several, the message shows two.
 */
function interpretReadings(
  validator: ContractValidator,
  decodedReadings: DecodedReadings,
  interpretOne: (decodedArguments: DecodedArguments) => Interpretation,
): Interpretation {
  const { views, contract } = validator;
  const rejections: Interpretation[] = [];
  const accept = (reading: DecodedReadings['readings'][number]) => {
    const result = interpretOne(argumentsOf(decodedReadings, reading));
    const value = result.status === 'rejected' ? result.wouldBe : result.value;
    const metaKeys = Object.keys(result.meta).map((key) => `_${key}`);
    if (value !== undefined) return { value, records: result.repairs, metaKeys, result };
    if (!reading.isWitness) rejections.push(result);
    return undefined;
  };
  const byCost = decodedReadings.readings.toSorted((left, right) => left.cost - right.cost);
  const choice = chooseReading(
    byCost,
    { views, schema: views.root, rules: rulesOf(contract) },
    accept,
  );
  if (choice.kind === 'one') {
    const { result, reading } = choice;
    if (contract.repair === 'all' || result.status === 'rejected') return result;
    // The tool allows lossless repairs only. `edits` has a bit for each kind of edit.
    if ((reading.edits & openNumber) !== 0)
      return reject(validator, result.meta, [unfinishedNumber]);
    return (reading.edits & (lossyEdits | missingEnd)) === 0
      ? result
      : reject(validator, result.meta, [{ keyword: 'not_confirmed', path: '' }], result.value);
  }
  if (choice.kind === 'several') {
    const [one, other] = choice.values.map((value) => redact(views, value));
    const advice = `did you mean ${difference(one ?? null, other ?? null)}?`;
    return reject(validator, {}, [{ keyword: 'ambiguous', path: '', advice }]);
  }
  const [cheapest] = rejections;
  return cheapest ?? reject(validator, {}, [decodedReadings.refuse().issue]);
}

/**
 * The text ends in a number, which may be the start of a longer one: there is no call to confirm.
 */
const unfinishedNumber = {
  keyword: 'truncated',
  path: '',
  advice: 'the last number may lack digits; close every string, array and object',
};

/** The most characters of a value that are shown. */
const maxValueLength = 60;

/** The first place where two values differ, with both. */
function difference(one: JsonValue, other: JsonValue): string {
  const pointer = firstDifference(one, other) ?? '';
  const { key } = splitPointer(pointer);
  const [left, right] = [one, other].map((value) => {
    const existingValue = valueAt(value, pointer);
    return existingValue === undefined ? `no ${quote(key)}` : shownMember(key, existingValue);
  });
  return `${left} or ${right}`;
}

/** A member as JSON, so that a model can tell `[]` from `"[]"`. */
const shownMember = (key: string, value: JsonValue): string =>
  `${quote(key)}: ${printable(JSON.stringify(value), maxValueLength)}`;

/** What `interpret` needs of a tool, computed at its first call. */
interface PreparedTool {
  readonly validator: ContractValidator;
  readonly decode: Readonly<Record<TextEnd, DecodeOptions>>;
  readonly output: OutputForm;
  /**
   * The validator alone decides about arguments: nothing is taken out of them, added to them or
   * checked besides.
   */
  readonly isSimple: boolean;
  /** A plain repair may make arguments of a simple tool valid. */
  readonly allowsPlainRepair: boolean;
}

/**
 * The test whether a key is a spelling of one that the arguments may have. undefined if any key may
 * be data.
 */
function declaredAtRoot({ views, contract }: ContractValidator): DecodeOptions['isDeclared'] {
  const keys = new Set<string>();
  const isKnown = addDeclaredKeys(views, views.of(views.root), keys);
  if (!isKnown || keys.size === 0) return undefined;
  const spellings = once(() => {
    const names = contract.meta.map(({ name }) => name);
    return new Set([...keys, ...names].map(spellingOf));
  });
  return (key) => spellings().has(spellingOf(key));
}

/** Adds the keys of all branches; false if a branch takes any key. */
function addDeclaredKeys(views: SchemaViews, view: SchemaView, keys: Set<string>): boolean {
  if (isMap(view)) return false;
  for (const [key, schema] of view.properties) {
    keys.add(key);
    for (const alias of views.of(schema).aliases) keys.add(alias);
  }
  return view.branches.every((branch) => addDeclaredKeys(views, views.of(branch), keys));
}

const preparedTool = memoize((contract: ToolContract): PreparedTool => {
  const validator = validatorOf(contract);
  const { views } = validator;
  const { properties, required } = views.of(views.root);
  const declaredKeys = keysOf(views, views.root);
  const rules = rulesOf(contract);
  const isSecret = holdsSecret(views, views.root);
  const [only, ...others] = properties.values();
  const takesOneText =
    only !== undefined && others.length === 0 && views.typesOf(only).has('string');
  const isDeclared = declaredAtRoot(validator);
  const options: Omit<DecodeOptions, 'end'> = {
    declaredArguments: required.size > 0 ? 'required' : properties.size > 0 ? 'optional' : 'none',
    declaredKeys,
    takesOneText,
    textParameter: textParameterOf(views, views.of(views.root)),
    previews: isSecret ? 'hidden' : 'shown',
    toolName: contract.isUnnamed === true ? undefined : contract.name,
    isDeclared,
    otherMeaning: (key, raw) => otherMeaning(validator, key, raw),
    rawText: {
      valueOf: (key, raw, token) => valueOfRawText(validator, key, raw, token),
      isList: (key) => isListAt(validator, key),
      listElementOf: (key, raw, comes) =>
        isDeclared?.(key) === false || comes === 'twice'
          ? listElementOf(validator, key, raw)
          : undefined,
      isUnknownElement: (key, raw) =>
        isDeclared?.(key) === false
          ? elementsIn(raw) !== undefined
          : holdsUnknownElements(validator, key, raw),
    },
    accepts: (value) => validator.accepts(value),
    isOff: (rule) => rules.isOff(rule),
  };
  return {
    validator,
    decode: {
      normal: { end: 'normal', ...options },
      cut: { end: 'cut', ...options },
      filtered: { end: 'filtered', ...options },
      unknown: { end: 'unknown', ...options },
    },
    output: contract.binding.kind === 'remote' ? 'json' : 'value',
    isSimple:
      !validator.isUnvalidated &&
      !hasOtherArguments(contract) &&
      contract.check === undefined &&
      !hasDependentDefaults(views) &&
      !isSecret,
    allowsPlainRepair: contract.repair === 'all' && contract.validation === undefined,
  };
});

function textParameterOf(
  views: SchemaViews,
  { properties, required }: SchemaView,
): TextParameter | undefined {
  const [name = ''] = required.size === 1 ? required : properties.keys();
  const schema = properties.get(name);
  const isOnly = required.size === 1 || (required.size === 0 && properties.size === 1);
  if (schema === undefined || !isOnly) return undefined;
  const types = views.typesOf(schema);
  return types.size === 1 && types.has('string')
    ? { name, isRequired: required.has(name), isAlone: properties.size === 1 }
    : undefined;
}

/** What the reader of calls in text asks of a tool: its keys, and what their raw text may mean. */
export function rawTextOf(contract: ToolContract): {
  readonly isDeclared: ((key: string) => boolean) | undefined;
  readonly declaredKeys: ReadonlySet<string>;
  readonly rawText: RawTextMeaning;
} {
  const { isDeclared, declaredKeys, rawText } = preparedTool(contract).decode.unknown;
  return {
    isDeclared,
    declaredKeys,
    rawText,
  };
}

/** The keys that a schema declares in any of its branches. */
function keysOf(views: SchemaViews, schema: JsonSchema): ReadonlySet<string> {
  const { properties, branches } = views.of(schema);
  return new Set([
    ...properties.keys(),
    ...branches.flatMap((branch) => [...keysOf(views, branch)]),
  ]);
}
