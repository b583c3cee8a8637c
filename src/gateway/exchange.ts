// One request of a known API: reads its tools, sends it on, and repairs the calls of the answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { editJson, plainJson } from '../json/json-edits.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import { decodeBytes } from '../json/utf8.ts';
import { AnswerRepair, type CheckedCall } from './answer-repair.ts';
import { type Frame, FrameReader } from './frames.ts';
import { type ContractCache, OfferedTools } from './offered-tools.ts';
import type { Protocol, ProtocolError } from './protocol.ts';
import { textAt } from './read-members.ts';
import { type Connections, type Forwarded, type Upstream, endToEnd, upstreamFor } from './upstream.ts';

export interface ExchangeOptions {
  readonly upstreams: readonly Upstream[];
  readonly connections: Connections;
  readonly contracts: ContractCache;
}

export interface ExchangeRequest {
  readonly protocol: Protocol;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** How an exchange ended, for the log. `incomplete`: the upstream or the client closed the connection in the midst of the answer. */
export interface ExchangeEnd {
  readonly protocol: Protocol['name'];
  readonly model: string | undefined;
  readonly status: number;
  readonly end: 'complete' | 'upstream_closed' | 'client_closed' | 'no_upstream' | 'unreachable';
  readonly calls: readonly CheckedCall[];
}

/** The most bytes of an answer that is read as a whole. A longer one passes as it comes. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** Answers one request. Never rejects because of what a client or an upstream sent. */
export async function runExchange(
  request: ExchangeRequest,
  response: ServerResponse,
  options: ExchangeOptions,
): Promise<ExchangeEnd> {
  const { protocol, body } = request;
  const text = textOf(body);
  const asked = text === undefined ? undefined : plainJson(text);
  const content = isJsonObject(asked) ? asked : {};
  const model = textAt(content, 'model');
  const ended = { protocol: protocol.name, model, calls: [] } as const;
  const upstream = upstreamFor(options.upstreams, model);
  if (upstream === undefined) {
    const message = 'No upstream of toolmend gateway has this model.';
    sendError(response, protocol, { status: 404, code: 'unknown_model', message });
    return { ...ended, status: 404, end: 'no_upstream' };
  }
  const tools = new OfferedTools(protocol.tools(content), options.contracts);
  const aborter = new AbortController();
  response.once('close', () => !response.writableFinished && aborter.abort());
  let answer: IncomingMessage;
  try {
    const sent = forwarded(request, content, text, tools);
    answer = await options.connections.send(upstream, sent, aborter.signal);
  } catch (error) {
    if (aborter.signal.aborted) return { ...ended, status: 0, end: 'client_closed' };
    sendError(response, protocol, unreachable(error));
    return { ...ended, status: 502, end: 'unreachable' };
  }
  const check = tools.size === 0 ? undefined : tools.check.bind(tools);
  const { end, calls } = await passAnswer(answer, response, { protocol, check });
  return { ...ended, status: answer.statusCode ?? 0, end, calls };
}

/** The body is the client's, byte for byte, unless a call in its history can't be read. */
function forwarded(
  { protocol, method, path, headers, body }: ExchangeRequest,
  content: JsonObject,
  text: string | undefined,
  tools: OfferedTools,
): Forwarded {
  const edits = tools.historyEdits(protocol.pastCalls(content));
  const isEdited = edits.length > 0 && text !== undefined;
  return {
    method,
    path,
    // A compressed answer can't be read as it comes.
    headers:
      tools.size === 0 ? headers : [...endToEnd(headers, ['accept-encoding']), 'accept-encoding', 'identity'],
    body: isEdited ? Buffer.from(editJson(text, edits)) : body,
  };
}

interface AnswerOptions {
  readonly protocol: Protocol;
  /** undefined: the request has no tools, and nothing is read. */
  readonly check: OfferedTools['check'] | undefined;
}

type AnswerEnd = Pick<ExchangeEnd, 'end' | 'calls'>;

function passAnswer(
  answer: IncomingMessage,
  response: ServerResponse,
  { protocol, check }: AnswerOptions,
): Promise<AnswerEnd> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = answer.headers;
  const isReadable = check !== undefined && answer.statusCode === 200 && encoding === 'identity';
  if (!isReadable) return passThrough(answer, response);
  if (isStream(type, protocol)) {
    const repair = new AnswerRepair(protocol.eventReader(), check);
    return passStream(answer, response, { repair, frames: new FrameReader(protocol.framing) });
  }
  if (!/\bjson\b/i.test(type)) return passThrough(answer, response);
  return passWhole(answer, response, { protocol, check });
}

const isStream = (type: string, { framing }: Protocol): boolean =>
  framing === 'sse' ? /^text\/event-stream\b/i.test(type) : /ndjson/i.test(type);

/** Sends the answer as it comes. */
export async function passThrough(answer: IncomingMessage, response: ServerResponse): Promise<AnswerEnd> {
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', endToEnd(answer.rawHeaders));
  response.flushHeaders();
  return passChunks(answer, response, (chunk) => [chunk], { calls: [], finish: () => [], giveUp: () => [] });
}

interface StreamState {
  readonly repair: AnswerRepair;
  readonly frames: FrameReader;
}

function passStream(
  answer: IncomingMessage,
  response: ServerResponse,
  { repair, frames }: StreamState,
): Promise<AnswerEnd> {
  response.writeHead(
    answer.statusCode ?? 502,
    answer.statusMessage ?? '',
    endToEnd(answer.rawHeaders, ['content-length']),
  );
  response.flushHeaders();
  const rest = (): readonly Frame[] => {
    const last = frames.rest();
    return last === undefined ? [] : [last];
  };
  return passChunks(answer, response, (chunk) => frames.add(chunk).flatMap((frame) => repair.add(frame)), {
    get calls() {
      return repair.checked;
    },
    finish: () => [...rest().flatMap((frame) => repair.add(frame)), ...repair.end()],
    giveUp: () => [...repair.giveUp(), ...rest().map(({ bytes }) => bytes)],
  });
}

interface ChunkEnds {
  readonly calls: readonly CheckedCall[];
  /** What is left to send if the answer ends well, and if it breaks off. */
  finish(): readonly Buffer[];
  giveUp(): readonly Buffer[];
}

/** Writes what becomes of each chunk, as fast as the client takes it. An answer that breaks off breaks off for the client too. */
async function passChunks(
  answer: IncomingMessage,
  response: ServerResponse,
  change: (chunk: Buffer) => readonly Buffer[],
  ends: ChunkEnds,
): Promise<AnswerEnd> {
  try {
    for await (const chunk of chunksOf(answer)) {
      for (const bytes of change(chunk)) if (!response.write(bytes)) await drained(response);
      if (response.destroyed) return { end: 'client_closed', calls: ends.calls };
    }
  } catch {
    if (response.destroyed) return { end: 'client_closed', calls: ends.calls };
    const left = Buffer.concat(ends.giveUp());
    await new Promise((resolve) => response.write(left, resolve));
    response.destroy();
    return { end: 'upstream_closed', calls: ends.calls };
  }
  for (const bytes of ends.finish()) response.write(bytes);
  response.end();
  return { end: 'complete', calls: ends.calls };
}

async function* chunksOf(answer: IncomingMessage): AsyncGenerator<Buffer> {
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
  { protocol, check }: { readonly protocol: Protocol; readonly check: OfferedTools['check'] },
): Promise<AnswerEnd> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of chunksOf(answer)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxAnswerBytes) return await passRest(answer, response, chunks);
    }
  } catch {
    if (response.destroyed) return { end: 'client_closed', calls: [] };
    writeHead(answer, response);
    await new Promise((resolve) => response.write(Buffer.concat(chunks), resolve));
    response.destroy();
    return { end: 'upstream_closed', calls: [] };
  }
  const bytes = Buffer.concat(chunks);
  const repair = new AnswerRepair((event, text) => protocol.readAnswer(event, text), check);
  const sent = Buffer.concat([...repair.add(wholeFrame(bytes)), ...repair.end()]);
  const marks = marksOf(repair.checked);
  writeHead(answer, response, marks === undefined ? [] : [markHeader, marks], sent.length);
  response.end(sent);
  return { end: 'complete', calls: repair.checked };
}

function wholeFrame(bytes: Buffer): Frame {
  return { bytes, data: textOf(bytes), withData: (data) => Buffer.from(data) };
}

/** The header that says what became of the calls of an answer: `repaired=1, invalid=1`. */
const markHeader = 'x-toolmend-calls';

function marksOf(calls: readonly CheckedCall[]): string | undefined {
  const counts = (['repaired', 'invalid', 'unknown_tool'] as const).flatMap((kind) => {
    const count = calls.filter(({ verdict }) => verdict.kind === kind).length;
    return count === 0 ? [] : [`${kind}=${count}`];
  });
  return counts.length === 0 ? undefined : counts.join(', ');
}

function writeHead(
  answer: IncomingMessage,
  response: ServerResponse,
  added: readonly string[] = [],
  length?: number,
): void {
  const headers = [...endToEnd(answer.rawHeaders, length === undefined ? [] : ['content-length']), ...added];
  const size = length === undefined ? [] : ['Content-Length', String(length)];
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', [...headers, ...size]);
}

async function passRest(
  answer: IncomingMessage,
  response: ServerResponse,
  begun: readonly Buffer[],
): Promise<AnswerEnd> {
  writeHead(answer, response);
  for (const chunk of begun) response.write(chunk);
  return passChunks(answer, response, (chunk) => [chunk], { calls: [], finish: () => [], giveUp: () => [] });
}

export function sendError(response: ServerResponse, protocol: Protocol, error: ProtocolError): void {
  response.writeHead(error.status, { 'content-type': 'application/json' });
  response.end(protocol.errorBody(error));
}

export function unreachable(error: unknown): ProtocolError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const why = typeof code === 'string' ? code : 'the connection failed';
  const message = `The upstream can't be reached (${why}).`;
  return { status: 502, code: 'upstream_unreachable', message };
}

function textOf(bytes: Buffer): string | undefined {
  const reading = decodeBytes(bytes);
  return reading.kind === 'text' ? reading.text : undefined;
}
