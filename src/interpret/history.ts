import { exactJson, parseJson } from '../json/parse.ts';
import { printable } from '../json/preview.ts';
import { withMembersInText, writeJson } from '../json/serialize.ts';
import { type JsonObject, type JsonValue, isJsonObject, ownValue } from '../json/value.ts';
import type { ArgumentMapping } from '../providers/restore-arguments.ts';
import { maxTextDepth } from '../repair/decode-arguments.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { argumentsText } from './interpretation.ts';
import type { AcceptedToolCall } from './records.ts';

/** Deeper than accepted arguments. */
const maxDepth = 256;

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
 * An accepted call as the model should have written it, with its arguments as interpreted. It has only the meta arguments that
 * the model's schema requires, such as a rationale: without them, the history would teach the model to leave them out.
 */
export function acceptedInHistory(
  contract: ToolContract,
  { call, interpretation }: AcceptedToolCall,
  shown: ShownTool,
): HistoryCall {
  const required = contract.meta.flatMap(({ key, name, isRequired }) => {
    const value = isRequired ? ownValue(interpretation.meta, name) : undefined;
    return value === undefined ? [] : [[key, value] as const];
  });
  const text = withMembersInText(argumentsText(interpretation), required);
  const sent = shown.mapping === undefined ? text : providerText(text, shown.mapping);
  return Object.freeze({ id: call.id, name: shown.name, arguments: wellFormed(sent) });
}

/** JSON text of the tool's own arguments as the provider's schema has them, with the literals of numbers. */
function providerText(text: string, mapping: ArgumentMapping): string {
  const reading = parseJson(text, maxDepth);
  if (reading.kind !== 'read' || !isJsonObject(reading.value)) return text;
  const { value, numbers } = reading;
  return exactJson(mapping.toProvider(value, numbers), numbers, 0);
}

/** A rejected call as it was sent. Text that is not JSON is described in an object, because servers refuse it in a conversation. */
export function refusedInHistory({ id, name, arguments: sent }: AcceptedToolCall['call']): HistoryCall {
  return Object.freeze({ id, name: portableName(name), arguments: wellFormed(sentObject(sent)) });
}

function sentObject(sent: unknown): string {
  const text = typeof sent === 'string' ? sent : textOfValue(sent);
  const reading = parseJson(text, maxTextDepth);
  return reading.kind === 'read' && isJsonObject(reading.value)
    ? text
    : JSON.stringify({ [unreadableKey]: printable(text, longestUnreadable) });
}

/**
 * Whether arguments are the object that `refusedInHistory` made of text that is not JSON: loops of other programs send it back,
 * and models repeat it. Nothing in it is meant for the tool.
 */
export const standsForUnreadable = (value: JsonObject): boolean =>
  Object.hasOwn(value, unreadableKey) &&
  typeof value[unreadableKey] === 'string' &&
  Object.keys(value).length === 1;

const unreadableKey = 'unreadable_arguments';

/** The most characters of unreadable arguments that are shown. */
const longestUnreadable = 500;

function textOfValue(sent: unknown): string {
  try {
    return writeJson(sent).text;
  } catch {
    return '';
  }
}

/** Without lone surrogates, even as escapes: not every server takes them. */
function wellFormed(text: string): string {
  const whole = text.toWellFormed();
  return /\\ud[89a-f]/i.test(whole) ? writeJson(valueOf(whole)).text : whole;
}

function valueOf(text: string): JsonValue {
  const reading = parseJson(text, maxDepth);
  return reading.kind === 'read' ? reading.value : {};
}

/** Providers take up to 64 letters, digits, `_` and `-` in the name of a call. */
const portableName = (name: string): string => name.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown';
