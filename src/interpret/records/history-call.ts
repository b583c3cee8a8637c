// How does a call stand in the history that a model is sent? As it was interpreted, so that the model sees how it is done.
import type { ToolContract } from '../../contract/tool-contract.ts';
import { harmless } from '../../issues/excerpt.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { ownValue } from '../../json/own-key.ts';
import { parseJson } from '../../json/reader/parse-json.ts';
import { writeJson } from '../../json/write-json.ts';
import { argumentsText } from '../arguments-text.ts';
import { encodedText } from '../shown/encoded-text.ts';
import type { AcceptedToolCall } from './to-record.ts';
import { withMembersInText } from './with-members.ts';

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
  readonly form: Parameters<typeof encodedText>[1] | undefined;
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
  const known = form === undefined ? text : encodedText(text, form);
  return Object.freeze({ id: call.id, name: knownName, arguments: wellFormed(known) });
}

/** A call that was not accepted, as it came; servers refuse a whole conversation for text that is no JSON, so there is none. */
export function refusedInHistory({ id, name, arguments: sent }: AcceptedToolCall['call']): HistoryCall {
  return Object.freeze({ id, name: portableName(name), arguments: wellFormed(sentObject(sent)) });
}

/** Text of an object as it came; of anything else what can be shown of it. */
function sentObject(sent: unknown): string {
  const text = typeof sent === 'string' ? sent : textOfValue(sent);
  const reading = parseJson(text, deepest, 'approximate');
  return reading.kind === 'read' && isJsonObject(reading.value)
    ? text
    : JSON.stringify({ [unreadableKey]: harmless(text, longestUnreadable) });
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

const deepest = 64;
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
  const reading = parseJson(text, deepest * 4, 'approximate');
  return reading.kind === 'read' ? reading.value : {};
}

/** Providers take letters, digits, `_` and `-` in the name of a call, and 64 of them. */
const portableName = (name: string): string => name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown';
