// What does a model read when a server gives no answer? What is known of its call, in our words; the rest is for the log.
import { ToolFailure } from '../../errors/tool-signals.ts';
import { harmless } from '../../issues/excerpt.ts';

/** What to throw instead: an error that says nothing to a model stays as it is. */
export function failureBehind(error: unknown, name: string): unknown {
  const sentence = sentenceFor(error, name);
  return sentence === undefined ? error : new ToolFailure(sentence, { cause: error });
}

/** For a client that is not connected: there is nobody to send the call to. */
export const notConnected = (name: string): ToolFailure =>
  new ToolFailure(`${name} was not executed: its server is not connected. Go on without it.`);

/** For an answer that is none of those that its server has declared. */
export const undeclared = (name: string, answer: unknown): ToolFailure =>
  new ToolFailure(`${name} was executed, but the answer of its server is not what it has declared.`, {
    cause: answer,
  });

function sentenceFor(error: unknown, name: string): string | undefined {
  const { code, message } = factsOf(error);
  if (typeof code === 'number') return refusal(name, harmless(message, longestMessage));
  if (isUnreachable(error)) return `${name} was not executed: its server can't be reached. Go on without it.`;
  if (code === 'INVALID_RESULT' || code === 'UNSUPPORTED_RESULT_TYPE')
    return `${name} was executed, but the answer of its server can't be understood.`;
  return isLost(error)
    ? `${name} has no result: the connection to its server was lost. Part of its work may be done.`
    : undefined;
}

const refusal = (name: string, said: string): string =>
  said.trim() === ''
    ? `The server of ${name} refused the call and does not say why.`
    : `The server of ${name} refused the call: ${said}`;

/** Of a server's own message. */
const longestMessage = 2_000;

/** Nothing was sent: https://nodejs.org/api/errors.html#common-system-errors */
const isUnreachable = (error: unknown): boolean =>
  ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].some((code) => factsOf(factsOf(error).cause).code === code);

/** By the SDK's codes, or by what `fetch` throws: a TypeError, maybe of another realm. */
function isLost(error: unknown): boolean {
  const { code, name, message } = factsOf(error);
  if (typeof code === 'string') return lostCodes.has(code) || code.startsWith('CLIENT_HTTP');
  return name === 'TypeError' && /fetch|network|terminated/i.test(message);
}

const lostCodes = new Set(['CONNECTION_CLOSED', 'NOT_CONNECTED', 'SEND_FAILED', 'REQUEST_TIMEOUT']);

interface ErrorFacts {
  readonly code?: string | number;
  readonly name: string;
  readonly message: string;
  readonly cause?: unknown;
}

function factsOf(error: unknown): ErrorFacts {
  if (typeof error !== 'object' || error === null) return { name: '', message: '' };
  const code: unknown = Reflect.get(error, 'code');
  const name: unknown = Reflect.get(error, 'name');
  const message: unknown = Reflect.get(error, 'message');
  const cause: unknown = Reflect.get(error, 'cause');
  return {
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    name: typeof name === 'string' ? name : '',
    message: typeof message === 'string' ? message : '',
    cause,
  };
}
