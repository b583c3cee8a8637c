import { RecordError } from '../errors/errors.ts';
import { parseJson } from '../json/parse.ts';
import { readPlainValue, writeJson } from '../json/serialize.ts';
import {
  type JsonObject,
  type JsonValue,
  freezeDeep,
  isJsonArray,
  isJsonObject,
  ownValue,
} from '../json/value.ts';
import { printable } from '../json/preview.ts';
import type { RepairRecord } from '../repair/repair-rule.ts';
import { canonicalKey } from '../tool/meta-arguments.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { argumentsText } from './arguments-text.ts';
import type { Accepted, MetaValues, Note } from './interpretation.ts';
import { providerText } from './provider-form.ts';
import type { ToolCall } from './tool-call.ts';

export const recordFormat = 'toolmend.call';
export const recordVersion = 1;

/**
 * An accepted call as it was interpreted; a plain JSON value. It holds everything that the tool gets, in full: arguments
 * that are secrets stand in `arguments`, and in `repairs` where they were repaired. Keep it where the arguments
 * themselves may be kept.
 */
export interface CallRecord {
  readonly format: typeof recordFormat;
  readonly version: typeof recordVersion;
  /** The call's id, as the provider gave it. */
  readonly id: string;
  /** The tool's own name. */
  readonly tool: string;
  /** The name that the model wrote, where it is another. */
  readonly requested?: string;
  readonly model?: string;
  readonly finishReason?: string;
  /** JSON text of the arguments as interpreted, without meta arguments; its numbers have all their digits. */
  readonly arguments: string;
  /** Meta arguments by name: `{ rationale: '…' }`. */
  readonly meta: MetaValues;
  /** What was done to the call as it was sent. */
  readonly repairs: readonly RepairRecord[];
  readonly notes: readonly Note[];
}

// Every member is looked at before anything is done with it.
/** What of a record is needed to drive the call again. */
export interface StoredCall {
  readonly id: string;
  readonly tool: string;
  readonly model: string | undefined;
  /** JSON text of an object. */
  readonly arguments: string;
  readonly meta: JsonObject;
}

/** Far deeper than what is accepted, so that it is the seam that refuses. */
const deepest = 256;

/** Throws a RecordError that names the member. */
function readStoredCall(data: unknown): StoredCall {
  const reading = readPlainValue(data, deepest);
  if (reading.kind !== 'plain' || !isJsonObject(reading.value)) {
    throw wrong('', 'is no record', 'pass the object that toRecord made, parsed from JSON');
  }
  const record = reading.value;
  checkVersion(record);
  for (const member of ['repairs', 'notes']) {
    const list = ownValue(record, member);
    if (!isJsonArray(list) || !list.every((item) => isJsonObject(item) && typeof item['rule'] === 'string')) {
      throw wrong(member, 'is no list of what was done to the call', 'pass the record as toRecord made it');
    }
  }
  for (const member of ['requested', 'finishReason']) optionalText(record, member);
  return {
    id: textOf(record, 'id'),
    tool: textOf(record, 'tool'),
    model: optionalText(record, 'model'),
    arguments: argumentsOf(record),
    meta: metaOf(record),
  };
}

function checkVersion(record: JsonObject): void {
  if (ownValue(record, 'format') !== recordFormat) {
    throw wrong('format', `is not ${recordFormat}`, 'pass what toRecord made');
  }
  if (ownValue(record, 'version') !== recordVersion) {
    throw wrong(
      'version',
      `is not ${recordVersion}`,
      'read it with the toolmend that wrote it, or a newer one',
    );
  }
}

function optionalText(record: JsonObject, member: string): string | undefined {
  return Object.hasOwn(record, member) ? textOf(record, member) : undefined;
}

function textOf(record: JsonObject, member: string): string {
  const text = ownValue(record, member);
  if (typeof text === 'string') return text;
  throw wrong(member, 'is no text', 'pass the record as toRecord made it');
}

function argumentsOf(record: JsonObject): string {
  const text = textOf(record, 'arguments');
  const reading = parseJson(text, deepest);
  if (reading.kind === 'read' && isJsonObject(reading.value) && reading.repeatedKeys.length === 0)
    return text;
  throw wrong('arguments', 'is no JSON text of an object', 'pass the record as toRecord made it');
}

/** By names that are keys without their underscore: anything else would come back as another key. */
function metaOf(record: JsonObject): JsonObject {
  const meta: JsonValue | undefined = ownValue(record, 'meta');
  if (isJsonObject(meta) && !Object.values(meta).includes(null)) return meta;
  throw wrong('meta', 'is no object of values', 'pass the record as toRecord made it');
}

const wrong = (member: string, what: string, instead: string): RecordError =>
  new RecordError(member, `The record${member === '' ? '' : `'s ${member}`} ${what}: ${instead}.`);

// So that every number in it stays as it is written.
/** JSON text of an object, with members behind its own. */
export function withMembersInText(text: string, members: readonly (readonly [string, JsonValue])[]): string {
  if (members.length === 0) return text;
  const open = text.trimEnd().slice(0, -1).trimEnd();
  const added = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `${open}${open.endsWith('{') ? '' : ','}${added.join(',')}}`;
}

// As a call with its meta arguments put back, which is interpreted like any other.
/**
 * The call of a record, for `ToolRegistry.call`: interpreted again by the same contract it comes out unchanged, with the
 * same arguments and meta arguments. A record comes from outside, so it is checked: throws a RecordError for anything
 * that `toRecord` can't have made.
 */
export function fromRecord(record: unknown): ToolCall {
  const { id, tool, model, arguments: text, meta } = readStoredCall(record);
  const members = Object.entries(meta).map(([name, value]) => [canonicalKey(name), value] as const);
  return Object.freeze({
    id,
    name: tool,
    arguments: withMembersInText(text, members),
    ...(model === undefined ? {} : { model }),
  });
}

// As it was interpreted, its meta arguments beside it.
/** What `ToolRegistry.interpret` accepted, or any outcome of an accepted call. */
export interface AcceptedToolCall {
  readonly call: ToolCall;
  /** The tool's own name. */
  readonly tool: string;
  readonly interpretation: Accepted;
}

/**
 * A frozen copy of all that is known of an accepted call; ready for JSON. See CallRecord for what it holds. Throws a
 * RecordError for a call that was not accepted.
 */
export function toRecord(accepted: AcceptedToolCall): CallRecord {
  requireAccepted(accepted);
  const { call, tool, interpretation } = accepted;
  const { id, name, model, finishReason } = call;
  const { meta, repairs, notes } = interpretation;
  return freezeDeep({
    format: recordFormat,
    version: recordVersion,
    id,
    tool,
    ...(name === tool ? {} : { requested: name }),
    ...(model === undefined ? {} : { model }),
    ...(finishReason === undefined ? {} : { finishReason }),
    arguments: argumentsText(interpretation),
    // Copies: what was sent may be a value that the program goes on using.
    ...structuredClone({ meta, repairs, notes }),
  });
}

/** For outcomes of calls in general, of which JavaScript passes any. */
function requireAccepted({
  interpretation,
}: {
  readonly interpretation?: { readonly status: string };
}): void {
  if (interpretation !== undefined && interpretation.status !== 'rejected') return;
  throw new RecordError(
    'interpretation',
    'Only accepted calls can be stored, and this one was not accepted: ask for its outcome first.',
  );
}

// As it was interpreted, so that the model sees how it is done.
/** A call in the form in which providers take it back. */
export interface HistoryCall {
  readonly id: string;
  readonly name: string;
  /** JSON text of an object, of whole characters only. */
  readonly arguments: string;
}

/** How the model knows the tool. */
export interface KnownAs {
  readonly name: string;
  /** Absent: with its own arguments. */
  readonly form: Parameters<typeof providerText>[1] | undefined;
}

/**
 * An accepted call with its arguments as interpreted, as the model should have written it. Meta arguments are left out, but for
 * those that the schema shown to the model requires, as a rationale: without them the history would teach it to leave
 * them out.
 */
export function acceptedInHistory(
  contract: ToolContract,
  { call, interpretation }: AcceptedToolCall,
  { name: knownName, form }: KnownAs,
): HistoryCall {
  const required = contract.meta.flatMap(({ key, name, isRequired }) => {
    const value = isRequired ? ownValue(interpretation.meta, name) : undefined;
    return value === undefined ? [] : [[key, value] as const];
  });
  const text = withMembersInText(argumentsText(interpretation), required);
  const known = form === undefined ? text : providerText(text, form);
  return Object.freeze({ id: call.id, name: knownName, arguments: wellFormed(known) });
}

/** A call that was not accepted, as it came; servers refuse a whole conversation for text that is no JSON, so there is none. */
export function refusedInHistory({ id, name, arguments: sent }: AcceptedToolCall['call']): HistoryCall {
  return Object.freeze({ id, name: portableName(name), arguments: wellFormed(sentObject(sent)) });
}

/** Text of an object as it came; of anything else what can be shown of it. */
function sentObject(sent: unknown): string {
  const text = typeof sent === 'string' ? sent : textOfValue(sent);
  const reading = parseJson(text, deepestHistory);
  return reading.kind === 'read' && isJsonObject(reading.value)
    ? text
    : JSON.stringify({ [unreadableKey]: printable(text, longestUnreadable) });
}

/**
 * Whether arguments are what stands in the history for text that nobody could read: another program's loop gives them back,
 * and models repeat what they see. They hold nothing that was meant for the tool.
 */
export const standsForUnreadable = (value: JsonObject): boolean =>
  Object.hasOwn(value, unreadableKey) &&
  typeof value[unreadableKey] === 'string' &&
  Object.keys(value).length === 1;

const unreadableKey = 'unreadable_arguments';

const deepestHistory = 64;
/** Characters of arguments that can't be read, at most. */
const longestUnreadable = 500;

function textOfValue(sent: unknown): string {
  try {
    return writeJson(sent).text;
  } catch {
    return '';
  }
}

/** Not every server takes half of a character, not even as an escape. */
function wellFormed(text: string): string {
  const whole = text.toWellFormed();
  return /\\ud[89a-f]/i.test(whole) ? writeJson(valueOf(whole)).text : whole;
}

function valueOf(text: string): JsonValue {
  const reading = parseJson(text, deepestHistory * 4);
  return reading.kind === 'read' ? reading.value : {};
}

/** Providers take letters, digits, `_` and `-` in the name of a call, and 64 of them. */
const portableName = (name: string): string => name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown';
