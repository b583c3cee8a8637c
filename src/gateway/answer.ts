// What all answers have in common: how they end, and how bytes get to the client.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { plainJson } from '../json/parse.ts';
import { ownValue } from '../collections/objects.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import type { CallsMeant } from '../interpret/offered-tool.ts';
import type { CheckedCall } from './answer-repair.ts';
import type { Frame } from './frames.ts';
import type { ModelTurn } from './model-turn.ts';
import type { RequestTools } from './offered-tools.ts';
import type { Protocol, ApiError, StreamJoin } from './protocol.ts';
import { textAt } from '../json/members.ts';
import type { LeftInText, TextTools } from './text-group.ts';
import { endToEnd } from './upstream.ts';

/**
 * An answer whose end the client has, or whose connection was cut. `unread`: it passed as it came,
 * because it is written in no way that is known.
 */
export interface AnswerEnd {
  readonly kind: 'ended';
  readonly end: 'complete' | 'upstream_closed' | 'client_closed' | 'unread';
  readonly calls: readonly CheckedCall[];
  /** The client's status, if it is not the upstream's. */
  readonly status?: number;
}

/**
 * An answer with a call that can't be repaired. Its calls, and what came behind them, are not sent
 * yet.
 */
export interface HeldAnswer {
  readonly kind: 'held';
  readonly calls: readonly CheckedCall[];
  /** undefined: the model is never asked again. */
  readonly turn: ModelTurn | undefined;
  /** Sends it as it is. */
  release(): Promise<AnswerEnd>;
  /** Sends an error instead. */
  reject(error: ApiError): Promise<AnswerEnd>;
  /**
   * Sends what another answer says instead, which `protocol` reads; undefined, and nothing is sent,
   * if that is not whole or reports an error.
   */
  continueWith(
    answer: IncomingMessage,
    protocol: Protocol,
  ): Promise<AnswerEnd | HeldAnswer | undefined>;
}

/** Options of an answer that is read. */
export interface ReadAnswerOptions extends AnswerOptions {
  readonly tools: RequestTools;
}

export interface AnswerOptions {
  readonly protocol: Protocol;
  /** undefined: the request has none, and nothing is read. */
  readonly tools: RequestTools | undefined;
  /** An answer with a call that can't be repaired is held. */
  readonly holdsToEnd: boolean;
  readonly join: StreamJoin | undefined;
  /** undefined: the model is never asked again. */
  readonly newTurn: (() => ModelTurn) | undefined;
  /** undefined: they stay text. */
  readonly callsInText: CallsMeant | undefined;
  /** The client wants no calls, or JSON: text of the answer is none. */
  readonly isTextAlone: boolean;
  /** The request wants a stream. */
  readonly isStreamed: boolean;
  /** The model of the request. */
  readonly model: string | undefined;
  /** Notations of calls that were found in text, by the call's id. */
  readonly notations: Map<string, string>;
  /** Gets the calls that stay in the text. */
  readonly leftInText: LeftInText[];
  readonly times: AnswerTimes;
}

/** Milliseconds, added up. */
export interface AnswerTimes {
  addedMs: number;
  heldMs: number;
}

/** The most bytes of an answer that is read as a whole. A longer one passes as it comes. */
const maxAnswerBytes = 64 * 1024 * 1024;

export const nothing: ChunkWork = { change: (chunk) => [chunk], giveUp: () => [] };

/** Sends the answer as it comes. */
export async function passThrough(
  answer: IncomingMessage,
  response: ServerResponse,
  body: Readable = answer,
): Promise<AnswerEnd> {
  writeHead(answer, response);
  sendHead(response);
  const end = await passChunks(body, response, nothing);
  if (end === 'complete') response.end();
  return { kind: 'ended', end, calls: [] };
}

export interface ChunkWork {
  change(chunk: Buffer): readonly Buffer[];
  /** What is left to send if the answer breaks off. */
  giveUp(): readonly Buffer[];
  /** What is sent if nothing else was for 15 seconds. */
  keepAlive?(): Buffer | undefined;
}

/**
 * Writes what becomes of each chunk, as fast as the client takes it. An answer that breaks off
 * breaks off for the client too.
 */
export async function passChunks(
  answer: AsyncIterable<unknown>,
  response: ServerResponse,
  work: ChunkWork,
): Promise<AnswerEnd['end']> {
  const timer = setInterval(() => {
    const bytes = work.keepAlive?.();
    if (bytes !== undefined) response.write(bytes);
  }, keepAliveMs);
  try {
    for await (const chunk of chunksOf(answer)) {
      for (const bytes of work.change(chunk))
        if (!response.write(bytes)) await waitForDrain(response);
      if (response.destroyed) return 'client_closed';
    }
    return response.destroyed ? 'client_closed' : 'complete';
  } catch {
    if (response.destroyed) return 'client_closed';
    breakOff(response, Buffer.concat([...work.giveUp()]));
    return 'upstream_closed';
  } finally {
    clearInterval(timer);
  }
}

/** Cuts the connection behind the last bytes. */
export function breakOff(response: ServerResponse, last: Buffer): void {
  if (last.length > 0) response.write(last);
  response.socket?.destroySoon();
}

export async function* chunksOf(answer: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const chunk of answer) if (Buffer.isBuffer(chunk)) yield chunk;
}

export const keepAliveMs = 15_000;

/** Until the client has taken what was written, or is gone. */
async function waitForDrain(response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  const clientGone = new AbortController();
  const leave = (): void => clientGone.abort();
  response.once('close', leave);
  await once(response, 'drain', { signal: clientGone.signal }).catch(() => undefined);
  response.off('close', leave);
}

/** The bytes of an answer, or of its beginning if it broke off or is too large. */
export interface WholeAnswer {
  readonly kind: 'whole' | 'broken' | 'too_large';
  readonly bytes: Buffer;
}

export async function readWhole(answer: Readable): Promise<WholeAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const end = (kind: WholeAnswer['kind']): void => {
      answer.off('data', add);
      resolve({ kind, bytes: Buffer.concat(chunks) });
    };
    const add = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxAnswerBytes) return;
      answer.pause();
      end('too_large');
    };
    answer.on('data', add);
    answer.once('end', () => end('whole'));
    answer.once('error', () => end('broken'));
  });
}

/**
 * All bytes of an answer to a request that was sent again; undefined if it broke off, or is too
 * long.
 */
export async function readNext(answer: IncomingMessage): Promise<Buffer | undefined> {
  const { kind, bytes } = await readWhole(answer);
  if (kind !== 'whole') answer.destroy();
  return kind === 'whole' ? bytes : undefined;
}

/** Whether these say something, and no error. */
export function isAnswer(frames: readonly Frame[]): boolean {
  const values = frames.flatMap(({ data }) =>
    data === undefined || data === '[DONE]' ? [] : [plainJson(data)],
  );
  return values.length > 0 && values.every((value) => isJsonObject(value) && !isError(value));
}

/** Answers of Responses have an `error` that is null. */
const isError = (event: JsonObject): boolean =>
  (ownValue(event, 'error') ?? null) !== null ||
  ['error', 'response.failed'].includes(textAt(event, 'type') ?? '');

export const textTools = ({
  tools,
  callsInText,
  notations,
  leftInText,
}: Pick<ReadAnswerOptions, 'tools' | 'callsInText' | 'notations' | 'leftInText'>): TextTools => ({
  tools: tools.toRead,
  callsInText,
  accepts(call) {
    const { kind } = tools.check({ ...call, finishReason: 'tool_calls' }, false);
    const isValid = kind === 'unchanged' || kind === 'repaired';
    // Where the API has a value, no other text can stand.
    return isValid || (kind !== 'unknown_tool' && isJsonObject(plainJson(call.arguments)));
  },
  onFound: ({ id, notation }) => void notations.set(id, notation),
  onLeft: (call) => void leftInText.push(call),
});

export const isFailed = ({ verdict }: CheckedCall): boolean =>
  verdict.kind === 'rejected' || verdict.kind === 'unknown_tool';

/** The header that says what became of the calls of an answer: `repaired=1, rejected=1`. */
export const markHeader = 'x-toolmend-calls';

interface HeadChanges {
  /** Default: as the upstream says. */
  readonly length?: number | 'unknown';
  readonly marks?: string | undefined;
}

/** Sends the head before the body. `flushHeaders` would write its other bytes as UTF-8 anew. */
export const sendHead = (response: ServerResponse): void => void response.write(Buffer.alloc(0));

export function writeHead(
  answer: IncomingMessage,
  response: ServerResponse,
  { length, marks }: HeadChanges = {},
): void {
  const headers = endToEnd(answer.rawHeaders, length === undefined ? [] : ['content-length']);
  if (typeof length === 'number') headers.push('Content-Length', String(length));
  if (marks !== undefined) headers.push(markHeader, marks);
  // Node reads control characters in the words of a status, but doesn't write them.
  const words = (answer.statusMessage ?? '').replaceAll(/[^\t\x20-\x7E\x80-\xFF]/g, ' ');
  response.writeHead(answer.statusCode ?? 502, words, headers);
}
