import type { NumberTexts } from '../json/exact-numbers.ts';
import { pointerTo, splitPointer } from '../json/json-pointer.ts';
import { type JsonObject, type JsonValue, foldKey, objectOf, ownValue } from '../json/value.ts';
import { expectedWords } from '../messages/describe-schema.ts';
import { preview } from '../json/preview.ts';
import type { Issue } from '../messages/issue.ts';
import { openEnvelope } from '../repair/repair-arguments.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import type { RepairRequest } from '../repair/repair-state.ts';
import { contractOfMeta, ownNamesOf } from '../tool/meta-arguments.ts';
import type { MetaArgument, ToolContract } from '../tool/tool-contract.ts';
import { type ContractValidator, validatorOf } from '../validate/validator.ts';
import { type TakenArguments, acceptOrRepair } from './accept-or-repair.ts';
import type { Accepted } from './interpretation.ts';

/** The canonical key, and each other spelling, unless the tool declares a parameter that folds to the same. */
const metaKeysIn = (
  validator: ContractValidator,
  { key, aliases }: MetaArgument,
  value: JsonObject,
): readonly string[] => spellingsIn(validator, [key, ...aliases], value);

/** The same of a field of the application's; only its own name where the tool takes every spelling as it is. */
const contextKeysIn = (validator: ContractValidator, field: string, value: JsonObject): readonly string[] => {
  if (validator.contract.strict.spellings) return spellingsIn(validator, [field], value);
  return Object.hasOwn(value, field) ? [field] : [];
};

/** The first name is the canonical one. */
function spellingsIn(
  { views }: ContractValidator,
  names: readonly string[],
  value: JsonObject,
): readonly string[] {
  const { folded: own, isMap } = ownNamesOf(views);
  const spellings = new Set(names.map(foldKey));
  return Object.keys(value).filter((key) => {
    if (key === names[0]) return true;
    const folded = foldKey(key);
    return !isMap && folded !== undefined && spellings.has(folded) && !own.has(folded);
  });
}

/** Whether any branch of the tool's root declares a key of this spelling. */
function isOwnKey({ views }: ContractValidator, key: string): boolean {
  return ownNamesOf(views).folded.has(foldKey(key) ?? key);
}

// At the root, or inside an envelope that it set around the arguments.
/** Arguments as they were decoded. */
export interface DecodedValue extends RepairRequest {
  readonly value: JsonObject;
  readonly isApproximate: boolean;
}

/** One key that a model sent for a meta argument. */
export interface SentMeta {
  readonly argument: MetaArgument;
  readonly key: string;
  /** JSON Pointer in what was sent. */
  readonly path: string;
  readonly value: JsonValue;
  /** The object that it was sent in. */
  readonly within: JsonObject;
}

/** Arguments, and what was taken out of them. */
export interface FoundMeta {
  readonly found: readonly SentMeta[];
  /** What is left. */
  readonly value: JsonObject;
  /** The same as it was sent, in its envelope. */
  readonly sent: JsonObject;
  /** JSON Pointer, in what was sent, of the object that the value is. */
  readonly at: string;
  readonly records: readonly RepairRecord[];
  /** Canonical keys in what looks like an envelope, but is data as the tool's schema has it: where they are meant is not certain. */
  readonly misplaced: readonly SentMeta[];
}

/** An envelope in an envelope: no more than these are opened. */
const mostEnvelopes = 4;

/** Envelopes are opened only where the validator refuses what is there, as in repair, and only for meta arguments in them. */
function findMeta(validator: ContractValidator, decoded: DecodedValue): FoundMeta {
  const taken = takeFrom(validator, decoded.value, { numbers: decoded.numbers, path: '' });
  const outer = { ...taken, sent: taken.value, at: '', misplaced: [] };
  let inner: FoundMeta = outer;
  for (let opened = 0; opened < mostEnvelopes; opened += 1) {
    const below = takeFromEnvelope(validator, decoded, inner);
    if (below === undefined) break;
    if (below.misplaced.length > 0) return { ...outer, misplaced: below.misplaced };
    inner = below;
  }
  return inner.found.length === outer.found.length ? outer : inner;
}

/** undefined where there is none to open. */
function takeFromEnvelope(
  validator: ContractValidator,
  decoded: DecodedValue,
  outer: FoundMeta,
): FoundMeta | undefined {
  const { value } = outer;
  const { numbers, size, destination, readAt } = decoded;
  const opened = openEnvelope(validator, { value, numbers, size, destination, readAt });
  // How its numbers were spelled must be known before anything is done to a value.
  if (opened === undefined || (opened.isNeeded && decoded.isApproximate)) return undefined;
  if (isOwnKey(validator, splitPointer(opened.place).key)) return undefined;
  const at = outer.at + opened.place;
  const { found, records, value: left } = takeFrom(validator, opened.value, { numbers, path: at });
  if (!opened.isNeeded) {
    const misplaced = found.filter((one) => one.key === one.argument.key);
    return misplaced.length === 0 ? undefined : { ...outer, misplaced };
  }
  return {
    found: [...outer.found, ...found],
    value: left,
    sent: outer.sent,
    at,
    records: [...outer.records, ...opened.records, ...records],
    misplaced: [],
  };
}

/** The meta keys of one object, and a copy without them; the same object if there are none. */
function takeFrom(
  validator: ContractValidator,
  value: JsonObject,
  { numbers, path }: { readonly numbers: NumberTexts; readonly path: string },
): Pick<FoundMeta, 'found' | 'value' | 'records'> {
  const found = validator.contract.meta.flatMap((argument) =>
    metaKeysIn(validator, argument, value).map((key): SentMeta => ({
      argument,
      key,
      path: pointerTo(path, key),
      value: value[key] ?? null,
      within: value,
    })),
  );
  if (found.length === 0) return { found, value, records: [] };
  const gone = new Set(found.map(({ key }) => key));
  const rest = objectOf(Object.entries(value).filter(([key]) => !gone.has(key)));
  numbers.carried(value, rest);
  // A canonical key at the root is where it belongs.
  const moved = found.filter(({ argument, key }) => path !== '' || key !== argument.key);
  return { found, value: rest, records: moved.map(recordOf) };
}

const recordOf = ({ argument, key }: SentMeta): RepairRecord => ({
  rule: 'meta_key',
  path: pointerTo('', key),
  was: argument.key,
  tell: false,
  operations: [{ op: 'remove', path: pointerTo('', key) }],
});

// Its own kind of value, or it is wrong; nothing is guessed.
export type StandardKind = Exclude<MetaArgument['kind'], 'schema'>;

/** The value as the meta record has it; null if it is wrong. */
function metaValueOf(kind: StandardKind, sent: JsonValue): JsonValue {
  if (kind === 'text') return typeof sent === 'string' && sent.trim() !== '' ? sent : null;
  if (kind === 'boolean') return booleanOf(sent);
  const number = typeof sent === 'string' && /^\s*\d+(?:\.0+)?\s*$/.test(sent) ? Number(sent) : sent;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null;
}

/** What would be right, in words. */
const expectedOf = (kind: StandardKind): string => expectation[kind];

/** The same, and what came. */
const expectedInstead = (kind: StandardKind, value: JsonValue): Pick<Issue, 'expected' | 'received'> => ({
  expected: expectedOf(kind),
  received: preview(value),
});

const expectation = {
  text: 'text that is not blank',
  'positive-integer': 'a whole number above 0',
  boolean: 'true or false',
} as const;

function booleanOf(sent: JsonValue): boolean | null {
  if (typeof sent === 'boolean') return sent;
  if (typeof sent !== 'string') return null;
  const word = sent.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : null;
}

// Those of the application are validated and repaired as any argument is.
/** `approximate`: how its numbers were spelled must be known first. */
export type MetaValueReading =
  | { readonly kind: 'read'; readonly value: JsonValue; readonly records: Accepted['repairs'] }
  | { readonly kind: 'wrong'; readonly issues: readonly Issue[] }
  | { readonly kind: 'approximate' };

function readMeta(contract: ToolContract, sent: SentMeta, decoded: DecodedValue): MetaValueReading {
  const { argument, path, value } = sent;
  if (argument.kind === 'schema') return readBySchema(contract, sent, decoded);
  const read = metaValueOf(argument.kind, value);
  if (read !== null) return { kind: 'read', value: read, records: [] };
  return { kind: 'wrong', issues: [{ keyword: 'meta', path, ...expectedInstead(argument.kind, value) }] };
}

function readBySchema(contract: ToolContract, sent: SentMeta, decoded: DecodedValue): MetaValueReading {
  const { argument, key, path, value, within } = sent;
  const { name } = argument;
  const alone = objectOf([[name, value]]);
  decoded.numbers.carry(within, alone, (one) => (one === key ? name : undefined));
  const taken = { value: alone, sent: alone, at: '', meta: {}, records: [] };
  const result = acceptOrRepair(
    validatorOf(contractOfMeta(contract, argument)),
    { ...decoded, verdict: 'open' },
    taken,
    'handler',
  );
  if (result === undefined) return { kind: 'approximate' };
  const below = (place: string): string => place.slice(name.length + 1);
  if (result.outcome === 'rejected') {
    const issues = result.issues.map((issue) => ({
      ...issue,
      // What a key is about keeps its word; the value as a whole can't be used.
      keyword: issue.key === undefined ? 'meta' : issue.keyword,
      path: path + below(issue.path),
    }));
    return { kind: 'wrong', issues };
  }
  // The value is taken out of the arguments: there is nothing to replay on them.
  const records = result.repairs.map((record) => ({
    ...record,
    path: `/${key}${below(record.path)}`,
    operations: [],
  }));
  return { kind: 'read', value: ownValue(result.value, name) ?? null, records };
}

// It is taken out before anything could use it.
/** The same object if there is nothing to take out. */
export function takeContextFields(
  validator: ContractValidator,
  value: JsonObject,
): { readonly value: JsonObject; readonly records: readonly RepairRecord[] } {
  const { contextFields } = validator.contract;
  if (contextFields.length === 0) return { value, records: [] };
  const sent = new Set(contextFields.flatMap((field) => contextKeysIn(validator, field, value)));
  if (sent.size === 0) return { value, records: [] };
  const kept = Object.entries(value).filter(([key]) => !sent.has(key));
  return { value: objectOf(kept), records: [...sent].map(contextRecord) };
}

// What was sent is not shown: a model that guesses at such a field may have got hold of a secret.
const contextRecord = (key: string): RepairRecord => ({
  rule: 'context_field',
  path: pointerTo('', key),
  was: 'a value',
  tell: true,
  operations: [{ op: 'remove', path: pointerTo('', key) }],
});

// They are taken out or refused; nothing of them vanishes.
/**
 * `refused`: two keys for one meta argument, or one where it can't be meant for certain; nothing else is looked at. `wrong`: the tool's own arguments are left.
 * `approximate`: how numbers were spelled must be known first.
 */
export type MetaReading =
  | { readonly kind: 'taken'; readonly taken: TakenArguments }
  | { readonly kind: 'wrong'; readonly issues: readonly Issue[]; readonly taken: TakenArguments }
  | { readonly kind: 'refused'; readonly issues: readonly Issue[] }
  | { readonly kind: 'approximate' };

/** A key that is no meta argument stays where it is. */
export function takeMeta(validator: ContractValidator, decoded: DecodedValue): MetaReading {
  const { meta } = validator.contract;
  const { value: sent } = decoded;
  if (meta.length === 0)
    return { kind: 'taken', taken: { value: sent, sent, at: '', meta: {}, records: [] } };
  const { found, misplaced, ...rest } = findMeta(validator, decoded);
  const refused = [
    ...meta.flatMap((argument) => conflictIn(argument, found)),
    ...misplaced.map(misplacedIssue),
  ];
  if (refused.length > 0) return { kind: 'refused', issues: refused };
  // null counts as absent.
  const said = found.filter(({ value }) => value !== null);
  const readings = said.map((one) => ({ ...one, reading: readMeta(validator.contract, one, decoded) }));
  if (readings.some(({ reading }) => reading.kind === 'approximate')) return { kind: 'approximate' };
  const absent = meta.filter((argument) => !said.some((one) => one.argument === argument));
  const issues = [
    ...readings.flatMap(({ reading }) => (reading.kind === 'wrong' ? reading.issues : [])),
    ...absent.flatMap((argument) => absenceOf(validator, argument)),
  ];
  const read = readings.flatMap(({ argument, reading }) =>
    reading.kind === 'read' ? [{ name: argument.name, ...reading }] : [],
  );
  const taken = {
    ...rest,
    meta: objectOf(read.map(({ name, value }) => [name, value] as const)),
    records: [...rest.records, ...read.flatMap(({ records }) => records)],
  };
  return issues.length === 0 ? { kind: 'taken', taken } : { kind: 'wrong', issues, taken };
}

function conflictIn(argument: MetaArgument, found: readonly SentMeta[]): readonly Issue[] {
  const [, second] = found.filter((one) => one.argument === argument);
  if (second === undefined) return [];
  const { path, key } = second;
  return [{ keyword: 'meta', path, key, advice: `send ${argument.key} once` }];
}

const misplacedIssue = ({ path, key }: SentMeta): Issue => ({
  keyword: 'meta',
  path,
  key,
  advice: 'send it beside the tool’s own arguments, with nothing around them',
});

function absenceOf(
  { views }: ContractValidator,
  { key, kind, schema, isRequired }: MetaArgument,
): readonly Issue[] {
  if (!isRequired) return [];
  const expected = kind === 'schema' ? expectedWords(views, schema) : expectedOf(kind);
  return [{ keyword: 'required', path: '', key, expected }];
}
