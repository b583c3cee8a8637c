import { pointerTo, splitPointer } from '../json/json-pointer.ts';
import { type JsonObject, type JsonValue, foldKey, objectOf, spellingOf } from '../json/value.ts';
import type { Issue } from '../messages/issue.ts';
import { issuesOfValue } from '../messages/issues-from-failures.ts';
import { openEnvelope } from '../repair/repair-value.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import type { RepairRequest } from '../repair/repair-context.ts';
import { canonicalKey, contractOfMeta, ownNamesOf } from '../tool/meta-arguments.ts';
import type { MetaArgument, ToolContract } from '../tool/tool-contract.ts';
import { type ContractValidator, validatorOf } from '../validate/validator.ts';
import { type TakenArguments, acceptOrRepair } from './accept-or-repair.ts';
import type { OutputForm } from './interpretation.ts';

/** Arguments as they were decoded. */
export interface DecodedValue extends RepairRequest {
  readonly value: JsonObject;
  readonly output: OutputForm;
}

/**
 * `wrong`: a meta argument is invalid or missing; the tool's own arguments are in `taken`. `refused`: two keys for one meta
 * argument, or one at a place where it may be data; nothing else is looked at.
 */
export type MetaReading =
  | { readonly kind: 'taken'; readonly taken: TakenArguments }
  | { readonly kind: 'wrong'; readonly issues: readonly Issue[]; readonly taken: TakenArguments }
  | { readonly kind: 'refused'; readonly issues: readonly Issue[] };

/**
 * Splits the meta arguments off a call's arguments, at the root and in envelopes around them, and validates and repairs them
 * as any arguments. The tool's own schema, and every repair rule, sees only the rest.
 */
export function takeMeta(validator: ContractValidator, decoded: DecodedValue): MetaReading {
  const { meta } = validator.contract;
  if (meta.length === 0) return { kind: 'taken', taken: { ...takenFrom(decoded.value), meta: {} } };
  const { found, misplaced, ...rest } = findMeta(validator, decoded);
  const refused = [
    ...meta.flatMap((argument) => sentTwice(found.filter((one) => one.argument === argument))),
    ...misplaced.map(misplacedIssue),
  ];
  if (refused.length > 0) return { kind: 'refused', issues: refused };
  const { issues, records, values } = readMeta(contractOfMeta(validator.contract), found, decoded);
  const taken = { ...rest, meta: values, records: [...rest.records, ...records] };
  return issues.length === 0 ? { kind: 'taken', taken } : { kind: 'wrong', issues, taken };
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

interface FoundMeta extends Omit<TakenArguments, 'meta'> {
  readonly found: readonly SentMeta[];
  /** Canonical keys in an envelope that the tool's schema takes as data. */
  readonly misplaced: readonly SentMeta[];
}

const takenFrom = (value: JsonObject): Omit<TakenArguments, 'meta'> => ({
  value,
  sent: value,
  at: '',
  records: [],
});

/** Envelopes within envelopes that are opened, at most. */
const maxEnvelopes = 4;

/** Opens an envelope only if the validator refuses it, as repair does, and keeps it open only if it holds meta arguments. */
function findMeta(validator: ContractValidator, decoded: DecodedValue): FoundMeta {
  const { found, records, value } = takeFrom(validator, decoded.value, '', decoded);
  const outer: FoundMeta = { ...takenFrom(value), found, records, misplaced: [] };
  let inner = outer;
  for (let opened = 0; opened < maxEnvelopes; opened += 1) {
    const next = openForMeta(validator, inner, decoded);
    if (next === undefined) break;
    if (next.misplaced.length > 0) return { ...outer, misplaced: next.misplaced };
    inner = next;
  }
  return inner.found.length === outer.found.length ? outer : inner;
}

/** undefined: there is no envelope, or nothing in it to look for. */
function openForMeta(
  validator: ContractValidator,
  outer: FoundMeta,
  decoded: DecodedValue,
): FoundMeta | undefined {
  const { numbers, size, readAt } = decoded;
  const opened = openEnvelope(validator, { value: outer.value, numbers, size, readAt });
  if (opened === undefined) return undefined;
  if (isOwnKey(validator, splitPointer(opened.place).key)) return undefined;
  const at = outer.at + opened.place;
  const { found, records, value } = takeFrom(validator, opened.value, at, decoded);
  if (!opened.isNeeded) {
    const misplaced = found.filter(({ key, argument }) => key === argument.key);
    return misplaced.length === 0 ? undefined : { ...outer, misplaced };
  }
  return {
    ...outer,
    found: [...outer.found, ...found],
    value,
    at,
    records: [...outer.records, ...opened.records, ...records],
  };
}

/** The meta keys of one object, and a copy without them; the same object if there are none. */
function takeFrom(
  validator: ContractValidator,
  holder: JsonObject,
  at: string,
  { numbers }: DecodedValue,
): Pick<FoundMeta, 'found' | 'value' | 'records'> {
  const found = validator.contract.meta.flatMap((argument) =>
    spellingsIn(validator, [argument.key, ...argument.aliases], holder).map((key): SentMeta => ({
      argument,
      key,
      path: pointerTo(at, key),
      value: holder[key] ?? null,
      holder,
    })),
  );
  if (found.length === 0) return { found, value: holder, records: [] };
  const taken = new Set(found.map(({ key }) => key));
  const value = objectOf(Object.entries(holder).filter(([key]) => !taken.has(key)));
  numbers.carry(holder, value);
  // A canonical key at the root is where it belongs.
  const moved = found.filter(({ argument, key }) => at !== '' || key !== argument.key);
  return { found, value, records: moved.map(({ argument, key }) => removal('meta_key', key, argument.key)) };
}

const removal = (rule: string, key: string, was: string, tell = false): RepairRecord => ({
  rule,
  path: pointerTo('', key),
  was,
  tell,
  operations: [{ op: 'remove', path: pointerTo('', key) }],
});

/**
 * The keys of an object that spell a name: exactly the first of its names, or folded to any of them, unless the tool declares
 * a parameter of that spelling or takes any key as data.
 */
function spellingsIn(
  { views }: ContractValidator,
  names: readonly string[],
  value: JsonObject,
): readonly string[] {
  const { spellings: own, isMap } = ownNamesOf(views);
  const spellings = new Set(names.map(foldKey));
  return Object.keys(value).filter((key) => {
    if (key === names[0]) return true;
    const folded = foldKey(key);
    return !isMap && folded !== undefined && spellings.has(folded) && !own.has(folded);
  });
}

const isOwnKey = ({ views }: ContractValidator, key: string): boolean =>
  ownNamesOf(views).spellings.has(spellingOf(key));

function sentTwice([first, second]: readonly SentMeta[]): readonly Issue[] {
  if (first === undefined || second === undefined) return [];
  const { path, key } = second;
  return [{ keyword: 'meta', path, key, advice: `send ${first.argument.key} once` }];
}

const misplacedIssue = ({ path, key }: SentMeta): Issue => ({
  keyword: 'meta',
  path,
  key,
  advice: 'send it next to the other arguments, not inside one of them',
});

interface ReadMeta {
  readonly values: TakenArguments['meta'];
  readonly issues: readonly Issue[];
  readonly records: readonly RepairRecord[];
}

/** Validates and repairs all meta arguments as one object, by name; null counts as absent. */
function readMeta(contract: ToolContract, all: readonly SentMeta[], decoded: DecodedValue): ReadMeta {
  const sent = new Map(
    all.filter(({ value }) => value !== null).map((one) => [one.argument.name, one] as const),
  );
  if (sent.size === 0 && contract.inputSchema.required?.length === 0) {
    return { values: {}, issues: [], records: [] };
  }
  const value = objectOf([...sent].map(([name, one]) => [name, one.value] as const));
  for (const [name, { holder, key: sentKey }] of sent) {
    decoded.numbers.carry(holder, value, (key) => (key === sentKey ? name : undefined));
  }
  const validator = validatorOf(contract);
  const result = acceptOrRepair(
    validator,
    { ...decoded, value, verdict: 'open' },
    { ...takenFrom(value), meta: {} },
    'value',
  );
  const pathOf = (path: string): string => {
    const [, name = ''] = path.split('/');
    return (sent.get(name)?.path ?? pointerTo('', name)) + path.slice(name.length + 1);
  };
  if (result.status !== 'rejected' && !result.repairs.some(({ path }) => isVerbatim(contract, path))) {
    // The repaired values are taken out of the arguments, so that nothing is left to replay there.
    const records = result.repairs.map((record) => ({
      ...record,
      path: pathOf(record.path),
      operations: [],
    }));
    return { values: result.value, issues: [], records };
  }
  // A repair that may not act leaves what it would have repaired.
  const isRepairable = result.status !== 'rejected' || result.wouldBe !== undefined;
  const found = isRepairable ? issuesOfValue(validator, value, []) : result.issues;
  const issues = found.map((issue): Issue => {
    const { path, key } = issue;
    if (path === '') return { ...issue, ...(key === undefined ? {} : { key: canonicalKey(key) }) };
    return { ...issue, keyword: key === undefined ? 'meta' : issue.keyword, path: pathOf(path) };
  });
  return { values: {}, issues, records: [] };
}

function isVerbatim({ inputSchema: { properties = {} } }: ToolContract, path: string): boolean {
  const schema = properties[path.split('/')[1] ?? ''];
  return typeof schema === 'object' && schema['x-toolmend']?.verbatim === true;
}

/** Takes out what a model sent for fields that the application sets. The same object if there is nothing to take out. */
export function takeContextFields(
  validator: ContractValidator,
  value: JsonObject,
): { readonly value: JsonObject; readonly records: readonly RepairRecord[] } {
  const { contextFields, strict } = validator.contract;
  const sent = new Set(
    contextFields.flatMap((field) =>
      strict.spellings ? spellingsIn(validator, [field], value) : Object.hasOwn(value, field) ? [field] : [],
    ),
  );
  if (sent.size === 0) return { value, records: [] };
  const kept = Object.entries(value).filter(([key]) => !sent.has(key));
  // The value is not recorded: it may be a secret that the model has got hold of.
  const records = [...sent].map((key) => removal('context_field', key, 'a value', true));
  return { value: objectOf(kept), records };
}
