// Passes an answer to the client, with its calls repaired.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { plainJson } from '../json/json-edits.ts';
import { decodeBytes } from '../json/utf8.ts';
import { type JsonObject, isJsonObject, ownValue } from '../json/value.ts';
import { AnswerRepair, type CheckedCall } from './answer-repair.ts';
import { type Frame, FrameReader } from './frames.ts';
import type { OfferedTools } from './offered-tools.ts';
import type { Protocol, ProtocolError, StreamJoin } from './protocol.ts';
import { textAt } from './read-members.ts';
import { StreamedTextCalls, withTextCalls } from './text-calls.ts';
import type { TextTools } from './text-group.ts';
import { endToEnd } from './upstream.ts';

/** An answer whose end the client has, or whose connection was cut. */
export interface AnswerEnd {
  readonly kind: 'ended';
  readonly end: 'complete' | 'upstream_closed' | 'client_closed';
  readonly calls: readonly CheckedCall[];
  /** The client's status, if it is not the upstream's. */
  readonly status?: number;
}

/** An answer with a call that can't be repaired. Its calls, and what came behind them, are not sent yet. */
export interface HeldAnswer {
  readonly kind: 'held';
  readonly calls: readonly CheckedCall[];
  /** Sends it as it is. */
  release(): Promise<AnswerEnd>;
  /** Sends an error instead. */
  reject(error: ProtocolError): Promise<AnswerEnd>;
  /** Sends what another answer says instead; undefined, and nothing is sent, if that is not whole or reports an error. */
  continueWith(answer: IncomingMessage): Promise<AnswerEnd | HeldAnswer | undefined>;
}

/** Options of an answer that is read. */
interface ReadOptions extends AnswerOptions {
  readonly tools: OfferedTools;
}

export interface AnswerOptions {
  readonly protocol: Protocol;
  /** undefined: the request has none, and nothing is read. */
  readonly tools: OfferedTools | undefined;
  /** An answer with a call that can't be repaired is held. */
  readonly holdsToEnd: boolean;
  readonly join: StreamJoin | undefined;
  readonly callsInText: boolean;
  /** Notations of calls that were found in text, by the call's id. */
  readonly notations: Map<string, string>;
  readonly times: AnswerTimes;
}

/** Milliseconds, added up. */
export interface AnswerTimes {
  addedMs: number;
  heldMs: number;
}

/** The most bytes of an answer that is read as a whole. A longer one passes as it comes. */
const maxAnswerBytes = 64 * 1024 * 1024;

export function passAnswer(
  answer: IncomingMessage,
  response: ServerResponse,
  options: AnswerOptions,
): Promise<AnswerEnd | HeldAnswer> {
  const { protocol, tools } = options;
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = answer.headers;
  if (tools === undefined || answer.statusCode !== 200 || encoding !== 'identity')
    return passThrough(answer, response);
  if (isStream(type, protocol)) {
    writeHead(answer, response, { length: 'unknown' });
    response.flushHeaders();
    return passStream(answer, response, { ...options, tools });
  }
  return /\bjson\b/i.test(type)
    ? passWhole(answer, response, { ...options, tools })
    : passThrough(answer, response);
}

const isStream = (type: string, { framing }: Protocol): boolean =>
  framing === 'sse' ? /^text\/event-stream\b/i.test(type) : /ndjson/i.test(type);

const nothing: ChunkWork = { change: (chunk) => [chunk], giveUp: () => [] };

/** Sends the answer as it comes. */
export async function passThrough(answer: IncomingMessage, response: ServerResponse): Promise<AnswerEnd> {
  writeHead(answer, response);
  response.flushHeaders();
  const end = await passChunks(answer, response, nothing);
  if (end === 'complete') response.end();
  return { kind: 'ended', end, calls: [] };
}

/** The client has the head already. */
async function passStream(
  answer: AsyncIterable<unknown>,
  response: ServerResponse,
  options: ReadOptions,
): Promise<AnswerEnd | HeldAnswer> {
  const { protocol, holdsToEnd, join } = options;
  const stream = new RepairedStream(options);
  const end = await passChunks(answer, response, stream);
  const { calls } = stream;
  if (end !== 'complete') return { kind: 'ended', end, calls };
  response.write(stream.end());
  const finish = (last: Buffer, status?: number): Promise<AnswerEnd> => {
    response.end(last);
    return Promise.resolve({ kind: 'ended', end, calls, ...(status === undefined ? {} : { status }) });
  };
  if (!holdsToEnd || !stream.isHolding || !calls.some(isFailed)) return finish(stream.rest());
  return {
    kind: 'held',
    calls,
    release: () => finish(stream.rest()),
    reject: (error) => finish(Buffer.from(protocol.errorEvent(error)), error.status),
    async continueWith(next) {
      const timer = setInterval(() => {
        const bytes = stream.keepAlive();
        if (bytes !== undefined) response.write(bytes);
      }, keepAliveMs);
      const bytes = await readNext(next).finally(() => clearInterval(timer));
      if (bytes === undefined || !isStream(next.headers['content-type'] ?? '', protocol)) return undefined;
      const frames = new FrameReader(protocol.framing);
      const read = [...frames.add(bytes), ...[frames.rest()].flatMap((last) => last ?? [])];
      if (!isAnswer(read)) return undefined;
      join?.next();
      return passStream(Readable.from([bytes]), response, options);
    },
  };
}

/** All bytes of an answer to a request that was sent again; undefined if it broke off, or is too long. */
async function readNext(answer: IncomingMessage): Promise<Buffer | undefined> {
  const { kind, bytes } = await readWhole(answer);
  if (kind !== 'whole') answer.destroy();
  return kind === 'whole' ? bytes : undefined;
}

/** Whether these say something, and no error. */
function isAnswer(frames: readonly Frame[]): boolean {
  const values = frames.flatMap(({ data }) =>
    data === undefined || data === '[DONE]' ? [] : [plainJson(data)],
  );
  return values.length > 0 && values.every((value) => isJsonObject(value) && !isError(value));
}

/** Answers of Responses have an `error` that is null. */
const isError = (event: JsonObject): boolean =>
  (ownValue(event, 'error') ?? null) !== null ||
  ['error', 'response.failed'].includes(textAt(event, 'type') ?? '');

/** A streamed answer, from chunks as they come to the bytes for the client. */
class RepairedStream implements ChunkWork {
  readonly #frames: FrameReader;
  readonly #repair: AnswerRepair;
  readonly #times: AnswerTimes;
  readonly #isSse: boolean;
  readonly #textCalls: StreamedTextCalls | undefined;
  #heldSince: number | undefined;

  constructor(options: ReadOptions) {
    const { protocol, tools, holdsToEnd, join, times, callsInText } = options;
    this.#frames = new FrameReader(protocol.framing);
    this.#isSse = protocol.framing === 'sse';
    this.#times = times;
    const { text, framing } = protocol;
    this.#textCalls =
      callsInText && text !== undefined
        ? new StreamedTextCalls(text, framing, textTools(options))
        : undefined;
    this.#repair = new AnswerRepair({
      read: protocol.eventReader(),
      check: (call, isMisshaped) => tools.check(call, isMisshaped),
      holdsToEnd,
      ...(join === undefined ? {} : { join }),
    });
  }

  get calls(): readonly CheckedCall[] {
    return this.#repair.checked;
  }

  get isHolding(): boolean {
    return this.#repair.isHolding;
  }

  change(chunk: Buffer): readonly Buffer[] {
    return this.#timed(() =>
      this.#frames
        .add(chunk)
        .flatMap((frame) => this.#read(frame))
        .flatMap((frame) => this.#repair.add(frame)),
    );
  }

  giveUp(): readonly Buffer[] {
    const left = [...(this.#textCalls?.giveUp() ?? []), ...this.#lastFrame()];
    return [...this.#repair.giveUp(), ...left.map(({ bytes }) => bytes)];
  }

  /** The frames that a frame makes certain. */
  #read(frame: Frame): readonly Frame[] {
    return this.#textCalls?.add(frame) ?? [frame];
  }

  keepAlive(): Buffer | undefined {
    return this.#isSse && this.isHolding ? keepAliveComment : undefined;
  }

  /** What can be sent at the end; the rest may be held. */
  end(): Buffer {
    const passed = this.#timed(() => {
      const last = [
        ...this.#lastFrame().flatMap((frame) => this.#read(frame)),
        ...(this.#textCalls?.end() ?? []),
      ];
      return last.flatMap((frame) => this.#repair.add(frame));
    });
    this.#repair.end();
    return Buffer.concat(passed);
  }

  rest(): Buffer {
    return Buffer.concat(this.#timed(() => this.#repair.rest()));
  }

  #lastFrame(): readonly Frame[] {
    const last = this.#frames.rest();
    return last === undefined ? [] : [last];
  }

  #timed(work: () => readonly Buffer[]): readonly Buffer[] {
    const begun = performance.now();
    const bytes = work();
    const now = performance.now();
    this.#times.addedMs += now - begun;
    if (this.#heldSince !== undefined && !this.isHolding) this.#times.heldMs += now - this.#heldSince;
    this.#heldSince = this.isHolding ? (this.#heldSince ?? now) : undefined;
    return bytes;
  }
}

const textTools = ({ tools, notations }: ReadOptions): TextTools => ({
  names: tools.names,
  accepts(call) {
    const { kind } = tools.check({ ...call, finishReason: 'tool_calls' }, false);
    return kind === 'unchanged' || kind === 'repaired';
  },
  onFound: ({ id, notation }) => void notations.set(id, notation),
});

const isFailed = ({ verdict }: CheckedCall): boolean =>
  verdict.kind === 'rejected' || verdict.kind === 'unknown_tool';

/** Tells a client that waits for the rest of a long call that the connection lives. */
const keepAliveComment = Buffer.from(': a tool call is on its way\n\n');
const keepAliveMs = 15_000;

interface ChunkWork {
  change(chunk: Buffer): readonly Buffer[];
  /** What is left to send if the answer breaks off. */
  giveUp(): readonly Buffer[];
  /** What is sent if nothing else was for 15 seconds. */
  keepAlive?(): Buffer | undefined;
}

/** Writes what becomes of each chunk, as fast as the client takes it. An answer that breaks off breaks off for the client too. */
async function passChunks(
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
      for (const bytes of work.change(chunk)) if (!response.write(bytes)) await drained(response);
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
function breakOff(response: ServerResponse, last: Buffer): void {
  if (last.length > 0) response.write(last);
  response.socket?.destroySoon();
}

async function* chunksOf(answer: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const chunk of answer) if (Buffer.isBuffer(chunk)) yield chunk;
}

/** Until the client has taken what was written, or is gone. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once('close', leave);
  await once(response, 'drain', { signal: gone.signal }).catch(() => undefined);
  response.off('close', leave);
}

/** Reads an answer that is one JSON value, and sends it with its calls repaired. */
async function passWhole(
  answer: IncomingMessage,
  response: ServerResponse,
  options: ReadOptions,
): Promise<AnswerEnd | HeldAnswer> {
  const read = await readWhole(answer);
  if (response.destroyed) return { kind: 'ended', end: 'client_closed', calls: [] };
  if (read.kind === 'broken') {
    writeHead(answer, response);
    breakOff(response, read.bytes);
    return { kind: 'ended', end: 'upstream_closed', calls: [] };
  }
  if (read.kind === 'too_large') {
    writeHead(answer, response);
    response.write(read.bytes);
    const end = await passChunks(answer, response, nothing);
    if (end === 'complete') response.end();
    return { kind: 'ended', end, calls: [] };
  }
  return sendWhole(answer, wholeFrame(read.bytes), response, options);
}

function sendWhole(
  answer: IncomingMessage,
  frame: Frame,
  response: ServerResponse,
  options: ReadOptions,
): Promise<AnswerEnd> | HeldAnswer {
  const { protocol, tools, holdsToEnd, times } = options;
  const begun = performance.now();
  const repair = new AnswerRepair({
    read: (event, text) => protocol.readAnswer(event, text),
    check: (call, isMisshaped) => tools.check(call, isMisshaped),
    holdsToEnd: true,
  });
  const isRead = options.callsInText && protocol.text !== undefined;
  const passed = repair.add(isRead ? withTextCalls(frame, protocol.text, textTools(options)) : frame);
  repair.end();
  const sent = Buffer.concat([...passed, ...repair.rest()]);
  times.addedMs += performance.now() - begun;
  const calls = repair.checked;
  const release = (): Promise<AnswerEnd> => {
    writeHead(answer, response, { length: sent.length, marks: marksOf(calls) });
    response.end(sent);
    return Promise.resolve({ kind: 'ended', end: 'complete', calls });
  };
  if (!holdsToEnd || !calls.some(isFailed)) return release();
  return {
    kind: 'held',
    calls,
    release,
    reject(error) {
      response.writeHead(error.status, {
        'content-type': 'application/json',
        [markHeader]: marksOf(calls) ?? '',
      });
      response.end(protocol.errorBody(error));
      return Promise.resolve({ kind: 'ended', end: 'complete', calls, status: error.status });
    },
    async continueWith(next) {
      const bytes = await readNext(next);
      const other = bytes === undefined ? undefined : wholeFrame(bytes);
      return other === undefined || !isAnswer([other])
        ? undefined
        : sendWhole(next, other, response, options);
    },
  };
}

interface WholeAnswer {
  readonly kind: 'whole' | 'broken' | 'too_large';
  readonly bytes: Buffer;
}

async function readWhole(answer: IncomingMessage): Promise<WholeAnswer> {
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

function wholeFrame(bytes: Buffer): Frame {
  const reading = decodeBytes(bytes);
  const data = reading.kind === 'text' ? reading.text : undefined;
  return { bytes, data, withData: (text) => Buffer.from(text) };
}

/** The header that says what became of the calls of an answer: `repaired=1, rejected=1`. */
const markHeader = 'x-toolmend-calls';

function marksOf(calls: readonly CheckedCall[]): string | undefined {
  const counts = (['repaired', 'rejected', 'unknown_tool'] as const).flatMap((kind) => {
    const count = calls.filter(({ verdict }) => verdict.kind === kind).length;
    return count === 0 ? [] : [`${kind}=${count}`];
  });
  return counts.length === 0 ? undefined : counts.join(', ');
}

interface HeadChanges {
  /** Default: as the upstream says. */
  readonly length?: number | 'unknown';
  readonly marks?: string | undefined;
}

function writeHead(
  answer: IncomingMessage,
  response: ServerResponse,
  { length, marks }: HeadChanges = {},
): void {
  const headers = endToEnd(answer.rawHeaders, length === undefined ? [] : ['content-length']);
  if (typeof length === 'number') headers.push('Content-Length', String(length));
  if (marks !== undefined) headers.push(markHeader, marks);
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', headers);
}
