import { memoize } from '../collections/memoize.ts';
import { defined, objectOf } from '../collections/objects.ts';
import { spellingOf } from '../json/key-spelling.ts';
import { pointerTo, splitPointer } from '../json/pointers.ts';
import { type JsonObject, type JsonValue } from '../json/value.ts';
import { nearestName } from '../json/nearest-name.ts';
import { quote } from '../json/preview.ts';
import type { Issue } from '../messages/issue.ts';
import { issuesOfValue } from '../messages/issues-from-failures.ts';
import { openEnvelope } from '../repair/repair-value.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import type { SchemaViews } from '../schema/schema-view.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import { canonicalKey } from '../tool/meta-arguments.ts';
import type { MetaArgument, ToolContract } from '../tool/tool-contract.ts';
import { type ContractValidator, validatorOf } from '../validate/validator.ts';
import { type CallDetails, type TakenArguments, validateOrRepair } from './validate-or-repair.ts';

export interface DecodedValue extends CallDetails {
  readonly value: JsonObject;
}

/**
 * `refused`: two keys for one meta argument, or a key that may be data. Nothing else of the call is
 * interpreted.
 */
export type MetaReading =
  | { readonly kind: 'refused'; readonly issues: readonly Issue[] }
  | {
      readonly kind: 'taken';
      readonly takenArguments: TakenArguments;
      /** Meta arguments that are invalid or missing. */
      readonly issues: readonly Issue[];
    };

/**
 * Splits off the arguments that are not the tool's: the meta arguments, which are validated and
 * repaired as one object, and what a model sent for fields that the application sets. The tool's
 * schema and the repair rules see only the rest.
 */
export function takeMeta(validator: ContractValidator, decodedValue: DecodedValue): MetaReading {
  const { meta } = validator.contract;
  const { value } = decodedValue;
  const outer = takeFrom(validator, value, '', decodedValue);
  const { sentMeta, misplacedMeta, ...rest } =
    meta.length === 0 ? outer : openForMeta(validator, outer, decodedValue);
  const refusals = [
    ...meta.flatMap((argument) => sentTwice(sentMeta.filter((one) => one.argument === argument))),
    ...misplacedMeta.map(misplacedIssue),
  ];
  if (refusals.length > 0) return { kind: 'refused', issues: refusals };
  const { issues, records, values } = readMeta(
    contractOfMeta(validator.contract),
    sentMeta,
    decodedValue,
  );
  return {
    kind: 'taken',
    takenArguments: { ...rest, meta: values, records: [...rest.records, ...records] },
    issues: issues.map((issue) => withNearKey(validator, issue, rest.value)),
  };
}

/** One key that a model sent for a meta argument. */
interface SentMeta {
  readonly argument: MetaArgument;
  readonly key: string;
  /** JSON Pointer in what was sent. */
  readonly path: string;
  readonly value: JsonValue;
  /** The object that holds the key. */
  readonly holder: JsonObject;
}

interface Split extends Omit<TakenArguments, 'meta'> {
  readonly sentMeta: readonly SentMeta[];
  /** Canonical keys in an envelope that the tool's schema takes as data. */
  readonly misplacedMeta: readonly SentMeta[];
}

/**
 * Takes the keys out of one object, into a copy of it; the same object if there is nothing to take
 * out.
 */
function takeFrom(
  validator: ContractValidator,
  holder: JsonObject,
  at: string,
  { numbers }: DecodedValue,
): Split {
  const { meta, contextFields, strict } = validator.contract;
  const sentMeta = meta.flatMap((argument) =>
    spellingsIn(validator, [argument.key, ...argument.aliases], holder).map((key): SentMeta => ({
      argument,
      key,
      path: pointerTo(at, key),
      value: holder[key] ?? null,
      holder,
    })),
  );
  const fields = contextFields.flatMap((field) =>
    strict.spellings
      ? spellingsIn(validator, [field], holder)
      : Object.hasOwn(holder, field)
        ? [field]
        : [],
  );
  const takenKeys = new Set([...sentMeta.map(({ key }) => key), ...fields]);
  if (takenKeys.size === 0)
    return { sentMeta, value: holder, sentArguments: holder, at, records: [], misplacedMeta: [] };
  const value = objectOf(Object.entries(holder).filter(([key]) => !takenKeys.has(key)));
  numbers.carry(holder, value);
  const records = [
    // The value is not recorded, because it may be a secret that the model has seen.
    ...[...new Set(fields)].map((key) => removal('context_field', key, 'a value', true)),
    // A canonical key at the root is in its right place, so it isn't recorded.
    ...sentMeta
      .filter(({ argument, key }) => at !== '' || key !== argument.key)
      .map(({ argument, key }) => removal('meta_key', key, argument.key)),
  ];
  return { sentMeta, value, sentArguments: value, at, records, misplacedMeta: [] };
}

const removal = (rule: string, key: string, was: string, shownToModel = false): RepairRecord => ({
  rule,
  path: pointerTo('', key),
  was,
  shownToModel,
  operations: [{ op: 'remove', path: pointerTo('', key) }],
});

/** Opens envelopes only if the validator refuses them, as repair does. */
function openForMeta(
  validator: ContractValidator,
  outer: Split,
  decodedValue: DecodedValue,
): Split {
  const { numbers, size, restoreAt } = decodedValue;
  const openedEnvelope = openEnvelope(validator, { value: outer.value, numbers, size, restoreAt });
  if (openedEnvelope === undefined || isOwnKey(validator, splitPointer(openedEnvelope.place).key))
    return outer;
  const { sentMeta, records, value, at } = takeFrom(
    validator,
    openedEnvelope.value,
    outer.at + openedEnvelope.place,
    decodedValue,
  );
  if (!openedEnvelope.isNeeded)
    return {
      ...outer,
      misplacedMeta: sentMeta.filter(({ key, argument }) => key === argument.key),
    };
  if (validator.contract.repair === 'off') return outer;
  const all = [...outer.records, ...openedEnvelope.records, ...records];
  return openForMeta(
    validator,
    { ...outer, value, at, sentMeta: [...outer.sentMeta, ...sentMeta], records: all },
    decodedValue,
  );
}

/**
 * The keys of an object that spell a name: the first of `names` exactly, or any of them in another
 * spelling, unless the tool declares a parameter of that spelling or takes any key as data.
 */
function spellingsIn(
  { views }: ContractValidator,
  names: readonly string[],
  value: JsonObject,
): readonly string[] {
  const { spellings: ownSpellings, isMap } = ownNamesOf(views);
  const spellings = new Set(names.map(spellingOf));
  return Object.keys(value).filter((key) => {
    if (key === names[0]) return true;
    const spelling = spellingOf(key);
    return !isMap && spellings.has(spelling) && !ownSpellings.has(spelling);
  });
}

const isOwnKey = ({ views }: ContractValidator, key: string): boolean =>
  ownNamesOf(views).spellings.has(spellingOf(key));

/**
 * The names that a tool declares at its root, in any branch, and their aliases, normalized.
 * `isMap`: undeclared keys are data.
 */
const ownNamesOf = memoize((views: SchemaViews) => {
  const spellings = new Set<string>();
  let isMap = false;
  let visited = 0;
  const read = (schema: JsonSchema, depth: number): void => {
    visited += 1;
    const {
      properties,
      patternProperties,
      additionalProperties: others,
      branches,
    } = views.of(schema);
    for (const [name, property] of properties) {
      for (const key of [name, ...views.of(property).aliases]) spellings.add(spellingOf(key));
    }
    // `{}` is the same as true.
    isMap ||=
      patternProperties.length > 0 ||
      (typeof others === 'object' && Object.keys(others).length > 0);
    if (depth < maxDepth && visited < maxBranches)
      for (const branch of branches) read(branch, depth + 1);
  };
  read(views.root, 0);
  return { spellings, isMap };
});

/** A schema may contain itself. */
const maxDepth = 4;
const maxBranches = 1_000;

function sentTwice([first, second]: readonly SentMeta[]): readonly Issue[] {
  if (first === undefined || second === undefined) return [];
  const { path, key, argument } = second;
  const advice = `${quote(first.key)} was sent, too; send ${argument.key} once`;
  return [{ keyword: 'duplicate_meta', path, key, advice }];
}

const misplacedIssue = ({ path, key }: SentMeta): Issue => ({
  keyword: 'misplaced_meta',
  path,
  key,
  advice: 'send it next to the other arguments, not inside one of them',
});

/** Names the key of an open object that a missing meta argument may have been sent as. */
function withNearKey(validator: ContractValidator, issue: Issue, value: JsonObject): Issue {
  const { keyword, key } = issue;
  if (keyword !== 'required' || key === undefined) return issue;
  const others = Object.keys(value).filter((sentKey) => !isOwnKey(validator, sentKey));
  const near = nearestName(key, others);
  return near === undefined ? issue : { ...issue, advice: `did you mean it by ${quote(near)}?` };
}

interface ReadMeta extends Pick<TakenArguments, 'records'> {
  readonly values: TakenArguments['meta'];
  readonly issues: readonly Issue[];
}

const noMeta: ReadMeta = { values: {}, issues: [], records: [] };

/** The contract of an object that has all meta arguments by name. */
const contractOfMeta = memoize(({ name, repair, validator, meta }: ToolContract): ToolContract => {
  const inputSchema: SchemaObject = {
    type: 'object',
    properties: Object.fromEntries(meta.map((argument) => [argument.name, argument.schema])),
    required: meta.filter(({ isRequired }) => isRequired).map((argument) => argument.name),
  };
  const contract = contractFromSchema({ name, repair, inputSchema, ...defined({ validator }) });
  const checks = [...new Set(meta.flatMap(({ check }) => check ?? []))];
  return Object.freeze({
    ...contract,
    check: (value: JsonObject) => checks.flatMap((check) => check(value)),
  });
});

/** Validates and repairs all meta arguments as one object, by name; null counts as absent. */
function readMeta(
  contract: ToolContract,
  all: readonly SentMeta[],
  decodedValue: DecodedValue,
): ReadMeta {
  const sentByName = new Map(
    all.filter(({ value }) => value !== null).map((one) => [one.argument.name, one] as const),
  );
  if (sentByName.size === 0 && contract.inputSchema.required?.length === 0) return noMeta;
  const value = objectOf([...sentByName].map(([name, one]) => [name, one.value] as const));
  for (const [name, { holder, key: sentKey }] of sentByName)
    decodedValue.numbers.carry(holder, value, (key) => (key === sentKey ? name : undefined));
  const validator = validatorOf(contract);
  const metaArguments = { value, sentArguments: value, at: '', meta: {}, records: [] };
  const result = validateOrRepair(validator, metaArguments, { ...decodedValue, output: 'value' });
  const pathOf = (path: string): string => {
    const [, name = ''] = path.split('/');
    return (sentByName.get(name)?.path ?? pointerTo('', name)) + path.slice(name.length + 1);
  };
  if (result.status !== 'rejected') {
    // The repaired values are taken out of the arguments, so that nothing is left to replay there.
    const records = result.repairs.map((record) => ({
      ...record,
      path: pathOf(record.path),
      operations: [],
    }));
    return { values: result.value, issues: [], records };
  }
  // If a repair exists but may not act here, the issues are those of the values as sent.
  const metaIssues =
    result.wouldBe === undefined ? result.issues : issuesOfValue(validator, value, []);
  const issues = metaIssues.map((issue): Issue => {
    const { path, key } = issue;
    if (path === '') return key === undefined ? issue : { ...issue, key: canonicalKey(key) };
    return { ...issue, keyword: key === undefined ? 'meta' : issue.keyword, path: pathOf(path) };
  });
  return { values: {}, issues, records: [] };
}
