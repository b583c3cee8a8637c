// Messages of the Model Context Protocol as JSON-RPC text. Edits replace single values, so that the
// rest stays byte for byte.
import { invalidParams } from '../adapters/mcp/call-result.ts';
import { parseJson } from '../json/parse.ts';
import { ownValue } from '../collections/objects.ts';
import { endOfString } from '../json/strings.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';

/** A message that can be read. */
export interface Message {
  readonly text: string;
  readonly value: JsonObject;
  readonly kind: MessageKind;
}

/** https://www.jsonrpc.org/specification */
export type MessageKind =
  | { readonly kind: 'request'; readonly method: string; readonly id: string }
  | { readonly kind: 'notification'; readonly method: string }
  | { readonly kind: 'response'; readonly id: string }
  | { readonly kind: 'other' };

/** `opaque`: JSON that is passed on as it is, such as a batch. `garbage`: not JSON. */
export type MessageReading = Message | 'opaque' | 'garbage';

/** Deeper messages are passed on unread. */
const maxDepth = 256;

export function readMessage(text: string): MessageReading {
  const reading = parseJson(text, maxDepth);
  if (reading.kind === 'unreadable') return reading.reason === 'syntax' ? 'garbage' : 'opaque';
  const { value } = reading;
  return isJsonObject(value) ? { text, value, kind: messageKind(value) } : 'opaque';
}

/** The messages of a batch of JSON-RPC; undefined for anything else. */
export function readBatch(text: string): readonly Message[] | undefined {
  const range = rangeAt(text);
  if (range === undefined || text.charAt(range.start) !== '[' || readMessage(text) !== 'opaque')
    return undefined;
  const array = { ...range, end: text.trimEnd().length };
  const messages = elementRanges(text, array).map(({ start, end }) =>
    readMessage(text.slice(start, end)),
  );
  const readable = messages.flatMap((message) => (typeof message === 'string' ? [] : [message]));
  return readable.length === messages.length && readable.length > 0 ? readable : undefined;
}

/** A batch with these messages; `text` if they are those of it. */
export const batchText = (
  text: string,
  batch: readonly Message[],
  messages: readonly string[],
): string =>
  text !== '' &&
  batch.length === messages.length &&
  batch.every((message, at) => message.text === messages[at])
    ? text
    : `[${messages.join(',')}]`;

/** Ids are compared as JSON, because 1 and "1" are different. */
function messageKind(value: JsonObject): MessageKind {
  const method = ownValue(value, 'method');
  const id = ownValue(value, 'id');
  const key = typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id) : undefined;
  if (typeof method === 'string')
    return key === undefined
      ? { kind: 'notification', method }
      : { kind: 'request', method, id: key };
  const isAnswer = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
  return key !== undefined && isAnswer ? { kind: 'response', id: key } : { kind: 'other' };
}

/** The object at a path; empty if there is none. */
export function objectAtPath(value: JsonObject, ...path: readonly string[]): JsonObject {
  let part: JsonValue | undefined = value;
  for (const key of path) part = isJsonObject(part) ? ownValue(part, key) : undefined;
  return isJsonObject(part) ? part : {};
}

/** A part of a text. */
export interface TextRange {
  readonly start: number;
  /** After the last character. */
  readonly end: number;
}

export interface TextEdit extends TextRange {
  readonly text: string;
}

/** `edits` don't overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const edit of edits.toSorted((left, right) => left.start - right.start)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/**
 * The values of an object's members in strict JSON text. Of members with one key, the last, as
 * JSON.parse takes it.
 */
export function memberRanges(text: string, object: TextRange): ReadonlyMap<string, TextRange> {
  const members = new Map<string, TextRange>();
  let at = nextToken(text, object.start + 1);
  while (text.charAt(at) === '"') {
    const keyEnd = endOfString(text, at) + 1;
    const start = nextToken(text, nextToken(text, keyEnd) + 1);
    const end = endOfValue(text, start);
    members.set(stringIn(text.slice(at, keyEnd)), { start, end });
    at = afterComma(text, end);
  }
  return members;
}

function stringIn(literal: string): string {
  const reading = parseJson(literal, 1);
  return reading.kind === 'read' && typeof reading.value === 'string' ? reading.value : '';
}

export function elementRanges(text: string, array: TextRange): readonly TextRange[] {
  const elements: TextRange[] = [];
  let at = nextToken(text, array.start + 1);
  while (at < array.end - 1) {
    const end = endOfValue(text, at);
    elements.push({ start: at, end });
    at = afterComma(text, end);
  }
  return elements;
}

/** The value at a path of keys; undefined if there is none. */
export function rangeAt(text: string, ...path: readonly string[]): TextRange | undefined {
  let range: TextRange | undefined = { start: nextToken(text, 0), end: text.length };
  for (const key of path) {
    if (range === undefined || text.charAt(range.start) !== '{') return undefined;
    range = memberRanges(text, range).get(key);
  }
  return range;
}

/** Sets a member of an object: replaces its value, or adds it. */
export function memberEdit(text: string, object: TextRange, key: string, value: string): TextEdit {
  const range = memberRanges(text, object).get(key);
  if (range !== undefined) return { ...range, text: value };
  const start = object.start + 1;
  const isEmpty = text.charAt(nextToken(text, start)) === '}';
  return { start, end: start, text: `${JSON.stringify(key)}:${value}${isEmpty ? '' : ','}` };
}

function nextToken(text: string, start: number): number {
  let at = start;
  while (' \t\r\n'.includes(text.charAt(at)) && at < text.length) at += 1;
  return at;
}

/** The start of the next member or element, or the closing bracket. */
function afterComma(text: string, end: number): number {
  const at = nextToken(text, end);
  return text.charAt(at) === ',' ? nextToken(text, at + 1) : at;
}

function endOfValue(text: string, start: number): number {
  const first = text.charAt(start);
  if (first === '"') return endOfString(text, start) + 1;
  if (first !== '{' && first !== '[') {
    let at = start;
    while (at < text.length && !',]} \t\r\n'.includes(text.charAt(at))) at += 1;
    return at;
  }
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if ((character === '}' || character === ']') && (depth -= 1) === 0) return at + 1;
  }
  return text.length;
}

export const protocolKey = 'io.modelcontextprotocol/';

/** Revision 2026-07-28 has the protocol version and the client's capabilities in each request. */
export function metaForOwn(params: JsonObject): JsonObject | undefined {
  const members = Object.entries(objectAtPath(params, '_meta')).filter(([key]) =>
    key.startsWith(protocolKey),
  );
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/**
 * The answer to a call that was not sent: a result, so that the model reads it; an error for a call
 * as a task, which has no result.
 */
export function refusal(request: Message, message: string): string {
  const complete = completeFor(request);
  const hasTask = ownValue(objectAtPath(request.value, 'params'), 'task') !== undefined;
  if (hasTask && !Object.hasOwn(complete, 'resultType'))
    return errorOf(request, invalidParams, message);
  return resultResponse(request, {
    ...complete,
    content: [{ type: 'text', text: message }],
    isError: true,
  });
}

/** Revision 2026-07-28 requires a `resultType`. */
export const completeFor = ({ value }: Message): JsonObject =>
  Object.hasOwn(objectAtPath(value, 'params', '_meta'), `${protocolKey}protocolVersion`)
    ? { resultType: 'complete' }
    : {};

export const resultResponse = (request: Message, result: JsonObject): string =>
  `{"jsonrpc":"2.0","id":${idText(request)},"result":${JSON.stringify(result)}}`;

/** A call without an id that can be answered: a server might run it unread. */
export const isUnaddressedCall = ({ kind, value }: Message): boolean =>
  kind.kind !== 'request' && ownValue(value, 'method') === 'tools/call';

/** An error for a message that can't be read, with its id if it has one. */
export function errorForUnreadable(text: string, code: number, message: string): string {
  const range = text.trimStart().startsWith('{') ? rangeAt(text, 'id') : undefined;
  const id = range === undefined ? 'null' : text.slice(range.start, range.end);
  const requestId = parseJson(id, 1).kind === 'read' && !/^[[{]/.test(id) ? id : 'null';
  return `{"jsonrpc":"2.0","id":${requestId},"error":${JSON.stringify({ code, message })}}`;
}

/** Errors of JSON-RPC. */
export const invalidRequest = -32_600;
export const parseError = -32_700;
export const callWithoutId = 'A call of a tool needs an id, a string or a number.';
export const tooDeep = `The message is nested deeper than ${maxDepth} levels.`;

export const errorOf = (request: Message, code: number, message: string): string =>
  `{"jsonrpc":"2.0","id":${idText(request)},"error":${JSON.stringify({ code, message })}}`;

/** The id as it is written. */
export function idText({ text }: Message): string {
  const range = rangeAt(text, 'id');
  return range === undefined ? 'null' : text.slice(range.start, range.end);
}

/** The answer with each note as a text block of its own, meant for the model. */
export function responseWithNotes({ text, value }: Message, notes: readonly string[]): string {
  const content = ownValue(objectAtPath(value, 'result'), 'content');
  const range = rangeAt(text, 'result', 'content');
  if (notes.length === 0 || !isJsonArray(content) || range === undefined) return text;
  const blocks = notes.map((note) =>
    JSON.stringify({ type: 'text', text: note, annotations: { audience: ['assistant'] } }),
  );
  const end = range.end - 1;
  const edit = {
    start: end,
    end,
    text: `${content.some(isJsonObject) ? ',' : ''}${blocks.join(',')}`,
  };
  return applyEdits(text, [edit]);
}

/** The code of MCP's SDKs for a connection that was closed. */
export const connectionClosed = -32_000;
