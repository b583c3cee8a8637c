import { RecordError } from '../errors/errors.ts';
import { exactJson, parsedObject, parseJson } from '../json/parse.ts';
import { printable } from '../json/preview.ts';
import { readPlainValue, withMembersInText, writeJson } from '../json/serialize.ts';
import { attempt } from '../collections/attempt.ts';
import { defined, freezeDeep, ownValue } from '../collections/objects.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  maxTextDepth,
} from '../json/value.ts';
import type { ArgumentMapping } from '../providers/restore-arguments.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import { canonicalKey } from '../tool/meta-arguments.ts';
import { currentRuleId } from '../tool/rule-choice.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import {
  type Accepted,
  type MetaValues,
  type Note,
  type OutputForm,
  argumentsText,
} from './interpretation.ts';
import type { ToolCall } from './tool-call.ts';

export const recordFormat = 'toolmend.call';
export const recordVersion = 1;

/**
 * An accepted call as it was interpreted; a plain JSON value. A record holds all that the tool
 * gets, secrets included: in `arguments`, and in `repairs` if the arguments were repaired. Store
 * records only where the arguments themselves may be stored.
 */
export interface CallRecord {
  readonly format: typeof recordFormat;
  readonly version: typeof recordVersion;
  /** The call's id, as the provider gave it. */
  readonly id: string;
  /** The tool's own name. */
  readonly tool: string;
  /** The name that the model wrote, if it is another. */
  readonly requested?: string;
  readonly model?: string;
  readonly finishReason?: string;
  /**
   * JSON text of the arguments as interpreted, without meta arguments and with all digits of
   * numbers.
   */
  readonly arguments: string;
  /** Meta arguments by name: `{ rationale: '…' }`. */
  readonly meta: MetaValues;
  /** The changes that were made to the call as sent. */
  readonly repairs: readonly RepairRecord[];
  readonly notes: readonly Note[];
}

/** The parts of a record that are needed to make the call again. */
type StoredCall = Pick<CallRecord, 'id' | 'tool' | 'model' | 'arguments' | 'meta'>;

/** Checks all members. Throws a RecordError that names the first wrong one. */
function readStoredCall(data: unknown): StoredCall {
  const reading = readPlainValue(data);
  if (reading.kind !== 'plain' || !isJsonObject(reading.value))
    throw wrong('', 'is not a record', 'pass the object that toRecord made, parsed from JSON');
  const record = reading.value;
  checkVersion(record);
  for (const member of ['repairs', 'notes']) {
    const list = ownValue(record, member);
    if (
      !isJsonArray(list) ||
      !list.every((item) => isJsonObject(item) && typeof item['rule'] === 'string')
    )
      throw wrong(member, 'is not a list of what was done to the call');
  }
  for (const member of ['requested', 'finishReason']) optionalText(record, member);
  return {
    id: textOf(record, 'id'),
    tool: textOf(record, 'tool'),
    ...defined({ model: optionalText(record, 'model') }),
    arguments: argumentsOf(record),
    meta: metaOf(record),
  };
}

function checkVersion(record: JsonObject): void {
  if (ownValue(record, 'format') !== recordFormat)
    throw wrong('format', `is not ${recordFormat}`, 'pass what toRecord made');
  if (ownValue(record, 'version') === recordVersion) return;
  throw wrong(
    'version',
    `is not ${recordVersion}`,
    'read it with the toolmend that wrote it, or a newer one',
  );
}

const optionalText = (record: JsonObject, member: string): string | undefined =>
  Object.hasOwn(record, member) ? textOf(record, member) : undefined;

function textOf(record: JsonObject, member: string): string {
  const text = ownValue(record, member);
  if (typeof text === 'string') return text;
  throw wrong(member, 'is not a string');
}

function argumentsOf(record: JsonObject): string {
  const text = textOf(record, 'arguments');
  const reading = parseJson(text);
  if (reading.kind === 'read' && isJsonObject(reading.value) && reading.repeatedKeys.length === 0)
    return text;
  throw wrong('arguments', 'is not JSON text of an object');
}

/** null would come back as an absent argument. */
function metaOf(record: JsonObject): JsonObject {
  const meta: JsonValue | undefined = ownValue(record, 'meta');
  if (isJsonObject(meta) && !Object.values(meta).includes(null)) return meta;
  throw wrong('meta', 'is not an object of values');
}

const wrong = (
  member: string,
  what: string,
  instead = 'pass the record as toRecord made it',
): RecordError =>
  new RecordError(member, `The record${member === '' ? '' : `'s ${member}`} ${what}: ${instead}.`);

/**
 * The call of a record, for `ToolRegistry.call`. If the same contract interprets this call, the
 * call is unchanged and has the same arguments and meta arguments. Throws a RecordError for
 * anything that `toRecord` can't have made.
 */
export function fromRecord(record: unknown): ToolCall {
  const { id, tool, model, arguments: text, meta } = readStoredCall(record);
  const members = Object.entries(meta).map(([name, value]) => [canonicalKey(name), value] as const);
  return Object.freeze({
    id,
    name: tool,
    arguments: withMembersInText(text, members),
    ...defined({ model }),
  });
}

/** What `ToolRegistry.interpret` accepted, or any outcome of an accepted call. */
export interface AcceptedToolCall {
  readonly call: ToolCall;
  /** The tool's own name, not the model's spelling. */
  readonly tool: string;
  readonly interpretation: Accepted;
}

/**
 * A frozen copy of an accepted call, ready for JSON; see `CallRecord` for its members. Throws a
 * RecordError for a call that was not accepted.
 */
export function toRecord(acceptedCall: AcceptedToolCall): CallRecord {
  const { call, tool, interpretation } = acceptedCall;
  // JavaScript may pass the outcome of any call.
  const status: unknown = Reflect.get(Object(interpretation), 'status');
  if (status === undefined || status === 'rejected') {
    const message =
      'Only accepted calls can be stored, and this one was not accepted: ask for its outcome first.';
    throw new RecordError('interpretation', message);
  }
  const { id, name, model, finishReason } = call;
  const { meta, repairs, notes } = interpretation;
  return freezeDeep({
    format: recordFormat,
    version: recordVersion,
    id,
    tool,
    ...defined({ requested: name === tool ? undefined : name, model, finishReason }),
    arguments: argumentsText(interpretation),
    // Copies: the program may go on using the value that was sent.
    meta: copyOf(meta),
    repairs: copyOf(repairs),
    notes: copyOf(notes),
  });
}

/** Most calls have no meta arguments, repairs or notes. */
const copyOf = <Part extends object>(part: Part): Part =>
  Object.keys(part).length === 0 ? part : structuredClone(part);

/** Whether data is a record that `toRecord` can have made. */
export const isCallRecord = (data: JsonObject): data is JsonObject & CallRecord =>
  attempt(() => readStoredCall(data)) !== undefined;

/**
 * The interpretation that a record was made of, without interpreting it again. `output`: as in
 * `InterpretOptions`.
 */
export function acceptedOf(record: CallRecord, output: OutputForm): Accepted {
  const { arguments: text, meta } = readStoredCall(record);
  const value = parsedObject(text);
  const repairs = record.repairs.map((repair) => withCurrentId(withCurrentMember(repair)));
  const notes = record.notes.map(withCurrentId);
  return freezeDeep({
    status: repairs.length === 0 ? 'unchanged' : 'repaired',
    value,
    meta,
    repairs,
    notes,
    issues: [],
    ...(output === 'json' ? { text } : {}),
  });
}

/** A repair that was stored with the former name of `shownToModel`. */
type StoredRepair = RepairRecord & { readonly tell?: boolean };

function withCurrentMember({ tell, ...repair }: StoredRepair): RepairRecord {
  return tell === undefined ? repair : { ...repair, shownToModel: tell };
}

const withCurrentId = <Made extends { readonly rule: string }>(record: Made): Made => ({
  ...record,
  rule: currentRuleId(record.rule),
});

// Calls in the history of a conversation.

/** A call as providers take it back in a conversation. */
export interface HistoryCall {
  readonly id: string;
  readonly name: string;
  /** JSON text of an object, of whole characters only. */
  readonly arguments: string;
}

/** How the tool was presented to the model. */
export interface ShownTool {
  readonly name: string;
  /** undefined: the model was shown the tool's own schema. */
  readonly mapping: ArgumentMapping | undefined;
}

/**
 * An accepted call as the model should have written it, with its arguments as interpreted. It has
 * only the meta arguments that the model's schema requires, such as a rationale: without them, the
 * history would teach the model to leave them out.
 */
export function acceptedInHistory(
  contract: ToolContract,
  { call, interpretation }: AcceptedToolCall,
  shownTool: ShownTool,
): HistoryCall {
  const required = contract.meta.flatMap(({ key, name, isRequired }) => {
    const value = isRequired ? ownValue(interpretation.meta, name) : undefined;
    return value === undefined ? [] : [[key, value] as const];
  });
  const text = withMembersInText(argumentsText(interpretation), required);
  const sentText = shownTool.mapping === undefined ? text : providerText(text, shownTool.mapping);
  return Object.freeze({ id: call.id, name: shownTool.name, arguments: wellFormed(sentText) });
}

/**
 * JSON text of the tool's own arguments as the provider's schema has them, with the literals of
 * numbers.
 */
function providerText(text: string, mapping: ArgumentMapping): string {
  const reading = parseJson(text);
  if (reading.kind !== 'read' || !isJsonObject(reading.value)) return text;
  const { value, numbers } = reading;
  return exactJson(mapping.toProvider(value, numbers), numbers);
}

/**
 * A rejected call as it was sent. Text that is not JSON is described in an object, because servers
 * refuse it in a conversation.
 */
export function refusedInHistory({
  id,
  name,
  arguments: sentArguments,
}: AcceptedToolCall['call']): HistoryCall {
  return Object.freeze({
    id,
    name: portableName(name),
    arguments: wellFormed(sentObject(sentArguments)),
  });
}

function sentObject(sentArguments: unknown): string {
  const text =
    typeof sentArguments === 'string'
      ? sentArguments
      : (attempt(() => writeJson(sentArguments).text) ?? '');
  const reading = parseJson(text, maxTextDepth);
  return reading.kind === 'read' && isJsonObject(reading.value)
    ? text
    : JSON.stringify({ [unreadableKey]: printable(text, maxUnreadableLength) });
}

/**
 * Whether arguments are the object that `refusedInHistory` made of text that is not JSON: loops of
 * other programs send it back, and models repeat it. Nothing in it is meant for the tool.
 */
export const standsForUnreadable = (value: JsonObject): boolean =>
  Object.hasOwn(value, unreadableKey) &&
  typeof value[unreadableKey] === 'string' &&
  Object.keys(value).length === 1;

const unreadableKey = 'unreadable_arguments';

const maxUnreadableLength = 500;

/** Without lone surrogates, even as escapes: not every server takes them. */
function wellFormed(text: string): string {
  const whole = text.toWellFormed();
  return /\\ud[89a-f]/i.test(whole) ? writeJson(parsedObject(whole)).text : whole;
}

/** Providers take up to 64 letters, digits, `_` and `-` in the name of a call. */
const portableName = (name: string): string =>
  name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown';
