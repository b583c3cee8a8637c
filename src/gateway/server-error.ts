// A server's error: it refused the request, or could not read the call that its own model wrote.
import type { IncomingMessage } from 'node:http';
import { newCallId } from '../interpret/call-ids.ts';
import { readJsonPrefix } from '../json/lenient-parser.ts';
import { ownValue } from '../collections/objects.ts';
import { type JsonObject, isJsonObject, maxTextDepth } from '../json/value.ts';
import { plainJson, textOfBytes } from '../json/parse.ts';
import type { AnswerOptions, WholeAnswer } from './answer.ts';
import type { CheckedCall } from './answer-repair.ts';
import type { RequestTools } from './offered-tools.ts';
import type { HistoryCall } from '../interpret/records.ts';
import { objectAt, textAt } from '../json/members.ts';

/** What the server says of the call. */
export interface CallError {
  /** The arguments as the model wrote them; undefined if the message has none. */
  readonly raw: string | undefined;
  readonly message: string;
}

/** Ollama: https://github.com/ollama/ollama/issues/12064 */
const withRaw = /^error parsing tool call: raw='([^]*)', err=/;
/** llama.cpp: https://github.com/ggml-org/llama.cpp/issues/22072 */
const withoutRaw = /^Failed to parse tool call arguments as JSON/;

/** The error in an answer or an event; undefined for any other error. */
export function callErrorIn(answer: JsonObject): CallError | undefined {
  const error = ownValue(answer, 'error');
  const message =
    typeof error === 'string' ? error : textAt(objectAt(answer, 'error') ?? {}, 'message');
  if (message === undefined) return undefined;
  const raw = withRaw.exec(message)?.[1];
  return raw !== undefined || withoutRaw.test(message) ? { raw, message } : undefined;
}

/** A call that the gateway read in an error, and the call for the client. */
export interface RecoveredCall {
  readonly checkedCall: CheckedCall;
  readonly call: HistoryCall;
}

/**
 * The call that the arguments are of. They have no name: the call is read if they are one whole
 * object, and only one tool has arguments of these names and takes them.
 */
export function recoveredCall(raw: string, tools: RequestTools): RecoveredCall | undefined {
  const read = readJsonPrefix(raw, 0, 'loose', maxTextDepth);
  if (read.kind !== 'read' || !isJsonObject(read.value) || read.repeatedKeys.length > 0)
    return undefined;
  const [name, ...others] = tools.namesWith(Object.keys(read.value));
  if (name === undefined || others.length > 0) return undefined;
  const call = { id: newCallId(), name, arguments: raw, finishReason: 'tool_calls' };
  const verdict = tools.check(call, false);
  if (verdict.kind !== 'repaired' && verdict.kind !== 'unchanged') return undefined;
  const text = verdict.kind === 'repaired' ? verdict.arguments : raw;
  const rules = verdict.kind === 'repaired' ? verdict.rules : [];
  return {
    checkedCall: { call, verdict: { kind: 'recovered', rules }, isSeparated: false },
    call: { id: call.id, name, arguments: text },
  };
}

/** A call that nobody could read, as it is counted. */
export const unreadCall = ({ message }: CallError): CheckedCall => ({
  call: { id: newCallId(), name: '(unread call)', arguments: '' },
  verdict: { kind: 'server_error', message },
  isSeparated: false,
});

/** Whether the upstream refused the request itself. */
export const isRefusal = ({ statusCode }: IncomingMessage): boolean =>
  statusCode === 400 || statusCode === 422;

/**
 * Whether the error says that the model's call could not be read, as Groq's `tool_use_failed` does.
 * https://console.groq.com/docs/tool-use
 */
export function isAboutCall(error: WholeAnswer): boolean {
  const body = errorBodyIn(error) ?? {};
  const generation = textAt(objectAt(body, 'error') ?? {}, 'failed_generation');
  return generation !== undefined || callErrorIn(body) !== undefined;
}

export function errorBodyIn({ kind, bytes }: WholeAnswer): JsonObject | undefined {
  const value = kind === 'whole' ? plainJson(textOfBytes(bytes) ?? '') : undefined;
  return isJsonObject(value) ? value : undefined;
}

/** Whether an error may be about a call of the model. */
export function isReadableError(
  { statusCode = 0, headers }: IncomingMessage,
  { tools }: AnswerOptions,
): boolean {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  return (
    tools !== undefined && statusCode >= 400 && encoding === 'identity' && /\bjson\b/i.test(type)
  );
}
