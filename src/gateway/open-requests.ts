// The requests of clients from their beginning to the end of their answers.
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { ExchangeEnd } from './exchange.ts';
import type { Protocol } from './protocol.ts';
import { OpenResponses } from '../network/open-responses.ts';

type Done = (error: Error | null | undefined) => void;
type Ended = () => void;

/** A response that knows when its first byte was written. */
export class TimedResponse extends ServerResponse {
  readonly begunAt = performance.now();
  /** Milliseconds from the request to the first byte of the answer's body. */
  firstByteMs: number | undefined;
  bytes = 0;

  override write(chunk: unknown, encoding?: BufferEncoding | Done, done?: Done): boolean {
    this.#note(chunk);
    return typeof encoding === 'string'
      ? super.write(chunk, encoding, done)
      : super.write(chunk, encoding);
  }

  override end(chunk?: unknown, encoding?: BufferEncoding | Ended, ended?: Ended): this {
    this.#note(chunk);
    return typeof encoding === 'string'
      ? super.end(chunk, encoding, ended)
      : super.end(chunk, encoding);
  }

  #note(chunk: unknown): void {
    const isBytes = chunk instanceof Uint8Array || typeof chunk === 'string';
    if (!isBytes || chunk.length === 0) return;
    this.firstByteMs ??= performance.now() - this.begunAt;
    this.bytes += Buffer.byteLength(chunk);
  }
}

/** How a request ended. */
export type RequestOutcome = ExchangeEnd['end'] | 'refused';

/** What is known of a request beside its answer. */
export interface RequestFacts {
  /** `own`: the gateway's own pages. */
  readonly protocol: Protocol['name'] | 'other' | 'own';
  readonly model?: string | undefined;
  readonly end?: RequestOutcome;
}

/** A request whose answer has ended. */
export interface RequestEnd extends RequestFacts {
  readonly method: string;
  /** Without the query, which may have a key. */
  readonly path: string;
  /** The status of the answer; 0 if the client was gone before there was one. */
  readonly status: number;
  readonly end: RequestOutcome;
  readonly milliseconds: number;
  readonly firstByteMs: number | undefined;
  readonly bytes: number;
}

/** How many requests wait for the first byte of their answer, and how many answers go on. */
export interface OpenCounts {
  readonly waiting: number;
  readonly streaming: number;
}

export class OpenRequests {
  readonly #responses = new OpenResponses<TimedResponse>();

  /** Without the request that asks. */
  countsFor(asking: ServerResponse): OpenCounts {
    const answers = this.#responses.values().filter((response) => response !== asking);
    const streaming = answers.filter(({ firstByteMs }) => firstByteMs !== undefined).length;
    return { waiting: answers.length - streaming, streaming };
  }

  get size(): number {
    return this.#responses.size;
  }

  /** `onEnd` is called once the answer has ended and `note` was called. */
  add(
    request: IncomingMessage,
    response: TimedResponse,
    onEnd: (end: RequestEnd) => void,
  ): (facts: RequestFacts) => void {
    this.#responses.add(response);
    const facts = Promise.withResolvers<RequestFacts>();
    response.once(
      'close',
      () =>
        void facts.promise.then((requestFacts) => onEnd(endOf(request, response, requestFacts))),
    );
    return facts.resolve;
  }

  /** Resolves when no request is open, at the latest after this time. */
  idle(limitMs: number): Promise<void> {
    return this.#responses.idle(limitMs);
  }
}

/** The path without its query, and without a host that a request in proxy form names. */
export const withoutQuery = (path: string): string => path.split('?', 1)[0] ?? '/';

function endOf(request: IncomingMessage, response: TimedResponse, facts: RequestFacts): RequestEnd {
  const { method = 'GET', url = '/' } = request;
  const { firstByteMs, bytes, headersSent, statusCode, writableFinished } = response;
  return {
    ...facts,
    method,
    path: withoutQuery(url),
    status: headersSent ? statusCode : 0,
    end: facts.end ?? (writableFinished ? 'complete' : 'client_closed'),
    milliseconds: performance.now() - response.begunAt,
    firstByteMs,
    bytes,
  };
}
