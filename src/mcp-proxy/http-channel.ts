import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { text as readText } from 'node:stream/consumers';
import { printable } from '../json/preview.ts';
import { ownValue } from '../collections/objects.ts';
import { endOnAbort } from '../network/end-on-abort.ts';
import { LineReader } from '../network/line-reader.ts';
import type { Channel } from './channel.ts';
import { OutgoingAgents, type ProxyEnvironment, whyNoProxy } from '../network/outgoing-agents.ts';
import { type Headers, statelessHeaders } from './headers.ts';
import {
  type Message,
  connectionClosed,
  errorOf,
  objectAtPath,
  readBatch,
  readMessage,
} from './message.ts';

export interface HttpServer {
  readonly url: URL;
  /** Sent with each request, such as `authorization`. */
  readonly headers: Headers;
}

interface ServerExchange {
  readonly abort: AbortController;
  readonly isStateless: boolean;
}

/** A stream is opened again this often without an event, with a growing pause. */
const mostReconnections = 5;

/**
 * A server at a URL, over Streamable HTTP:
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports. Works with sessions
 * and with the stateless revision 2026-07-28. Redirects are not followed.
 */
export class HttpChannel implements Channel {
  readonly #server: HttpServer;
  readonly #log: (line: string) => void;
  readonly #agents: OutgoingAgents;
  readonly #closing = new AbortController();
  readonly #exchanges = new Map<string, ServerExchange>();
  #receive: (text: string) => void | Promise<void> = () => undefined;
  #session: string | undefined;
  #version: string | undefined;
  /** The client's request that began the session. */
  #initialize: string | undefined;
  #renewing: Promise<boolean> | undefined;
  #isListening = false;

  constructor(
    server: HttpServer,
    log: (line: string) => void,
    environment: ProxyEnvironment = process.env,
  ) {
    this.#server = server;
    this.#log = log;
    this.#agents = new OutgoingAgents(environment, { keepAlive: true, timeout: maxIdleMs });
    const why = whyNoProxy(server.url, environment, process.versions.node);
    if (why !== undefined) log(why);
  }

  async run(receive: (text: string) => void | Promise<void>): Promise<void> {
    this.#receive = receive;
    const { signal } = this.#closing;
    await new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    );
  }

  async send(text: string, headers: Headers = {}): Promise<void> {
    const message = readMessage(text);
    if (typeof message === 'string') {
      // Each message of a batch has a response of its own.
      const batch = message === 'opaque' ? readBatch(text) : undefined;
      if (batch === undefined) return this.#notify(text);
      for (const part of batch) await this.send(part.text);
      return undefined;
    }
    const { kind, value } = message;
    // Requests are answered in any order. Others are acknowledged before the next message is sent.
    if (kind.kind === 'request') return void this.#ask(message, kind.id, kind.method, headers);
    if (kind.kind === 'notification' && kind.method === 'notifications/cancelled') {
      const id = JSON.stringify(ownValue(objectAtPath(value, 'params'), 'requestId') ?? null);
      const exchange = this.#exchanges.get(id);
      // Without a session, the end of the connection is the cancellation.
      if (exchange?.isStateless === true) return exchange.abort.abort();
    }
    await this.#notify(text);
    const isReady = kind.kind === 'notification' && kind.method === 'notifications/initialized';
    if (isReady) this.#beginListening();
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    if (this.#session !== undefined)
      await this.#request('DELETE', {}, undefined, AbortSignal.timeout(closeTimeoutMs)).then(
        drain,
        () => undefined,
      );
    this.#closing.abort();
    this.#agents.close();
  }

  async #notify(text: string): Promise<void> {
    try {
      const response = await this.#request('POST', {}, text, this.#closing.signal);
      await drain(response);
      if (!isSuccess(response))
        this.#log(`the server answered ${statusOf(response)}${reasonOf(response)}`);
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#log(`the server can't be reached: ${codeOf(error)}`);
    }
  }

  async #ask(message: Message, id: string, method: string, requestHeaders: Headers): Promise<void> {
    const meta = objectAtPath(message.value, 'params', '_meta');
    const version = ownValue(meta, 'io.modelcontextprotocol/protocolVersion');
    const exchange = { abort: new AbortController(), isStateless: typeof version === 'string' };
    this.#exchanges.set(id, exchange);
    const signal = AbortSignal.any([exchange.abort.signal, this.#closing.signal]);
    try {
      if (method === 'initialize') {
        this.#session = undefined;
        this.#initialize = message.text;
      }
      const headers =
        typeof version === 'string'
          ? { ...requestHeaders, ...statelessHeaders(message.value, method, version) }
          : {};
      const session = this.#session;
      const first = await this.#request('POST', headers, message.text, signal);
      const isForgotten = first.statusCode === 404 && session !== undefined;
      const response =
        isForgotten && (await this.#renew(session))
          ? await drain(first).then(() => this.#request('POST', headers, message.text, signal))
          : first;
      const why = await this.#readAnswer(response, id, method, signal);
      if (why !== undefined) await this.#fail(message, why);
    } catch (error) {
      if (!signal.aborted)
        await this.#fail(message, `The server can't be reached (${codeOf(error)}).`);
    } finally {
      this.#exchanges.delete(id);
    }
  }

  /**
   * Begins a new session with the client's own `initialize`, once for all requests: a server
   * answers 404 when it has forgotten a session, for instance after its restart, and has not run
   * the request. False if it begins none.
   */
  #renew(forgotten: string): Promise<boolean> {
    if (this.#session !== forgotten && this.#renewing === undefined) return Promise.resolve(true);
    this.#renewing ??= this.#initializeAgain().finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #initializeAgain(): Promise<boolean> {
    const { signal } = this.#closing;
    const forgotten = this.#session;
    this.#session = undefined;
    try {
      const response = await this.#request('POST', {}, this.#initialize, signal);
      const session = [response.headers['mcp-session-id']].flat()[0];
      const isResult = isSuccess(response) && session !== undefined && (await hasResult(response));
      this.#session = isResult ? session : forgotten;
      if (!isResult) return false;
    } catch {
      this.#session = forgotten;
      return false;
    }
    this.#log('the server had forgotten the session; a new one was begun');
    await this.#notify('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    this.#beginListening();
    return true;
  }

  /**
   * Passes on the messages of an answer. Returns why the response to the request isn't among them.
   */
  async #readAnswer(
    response: IncomingMessage,
    id: string,
    method: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (method === 'initialize' && isSuccess(response))
      this.#session = [response.headers['mcp-session-id']].flat()[0];
    if (isEventStream(response)) {
      const end = await this.#readEvents(response, id, method);
      return end.isAnswered ? undefined : this.#resume(end.lastId, id, signal);
    }
    const text = await readText(response);
    const answer = readMessage(text);
    const isAnswer =
      typeof answer === 'object' && answer.kind.kind === 'response' && answer.kind.id === id;
    if (isAnswer || (isSuccess(response) && answer === 'opaque')) {
      await this.#pass(text, method);
      return undefined;
    }
    return isSuccess(response)
      ? 'The server answered with something that is not a response.'
      : `The server answered ${statusOf(response)}${reasonOf(response)}.`;
  }

  async #pass(text: string, method?: string): Promise<void> {
    if (method === 'initialize') {
      const message = readMessage(text);
      const version =
        typeof message === 'object'
          ? ownValue(objectAtPath(message.value, 'result'), 'protocolVersion')
          : undefined;
      if (typeof version === 'string') this.#version = version;
    }
    await this.#receive(text);
  }

  async #readEvents(response: IncomingMessage, id?: string, method?: string): Promise<StreamEnd> {
    const end: StreamEnd = { isAnswered: false, lastId: undefined, events: 0 };
    try {
      for await (const event of serverSentEvents(response)) {
        end.lastId = event.id ?? end.lastId;
        end.events += 1;
        if (event.data === '') continue;
        const message = readMessage(event.data);
        if (
          typeof message === 'object' &&
          message.kind.kind === 'response' &&
          message.kind.id === id
        ) {
          end.isAnswered = true;
          await this.#pass(event.data, method);
        } else await this.#receive(event.data);
      }
    } catch {
      // A stream that breaks has ended.
    }
    return end;
  }

  /** Asks for the rest of a stream that broke, if the server numbers its events. */
  async #resume(
    lastId: string | undefined,
    id: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const lossMessage =
      'The connection to the server was lost before it answered. Part of its work may be done.';
    let last = lastId;
    for (let attempt = 0; last !== undefined && attempt < mostReconnections; attempt += 1) {
      await wait(pauseOf(attempt), undefined, { signal });
      const response = await this.#stream(last, signal);
      if (response === undefined) continue;
      const end = await this.#readEvents(response, id);
      if (end.isAnswered) return undefined;
      last = end.lastId ?? last;
    }
    return signal.aborted ? undefined : lossMessage;
  }

  #beginListening(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    void this.#listen().finally(() => (this.#isListening = false));
  }

  /** Receives the server's own messages, if it offers a stream of them. */
  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    let lastId: string | undefined;
    for (let attempt = 0; attempt < mostReconnections && !signal.aborted; attempt += 1) {
      const response = await this.#stream(lastId, signal);
      if (response?.statusCode === 405) return;
      if (response !== undefined) {
        const end = await this.#readEvents(response);
        lastId = end.lastId ?? lastId;
        if (end.events > 0) attempt = 0;
      }
      await wait(pauseOf(attempt), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Undefined if there is no stream now. */
  async #stream(
    lastId: string | undefined,
    signal: AbortSignal,
  ): Promise<IncomingMessage | undefined> {
    const headers = {
      accept: 'text/event-stream',
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    };
    try {
      const response = await this.#request('GET', headers, undefined, signal);
      if (response.statusCode === 405 || (isSuccess(response) && isEventStream(response)))
        return response;
      await drain(response);
    } catch {
      // The next attempt may succeed.
    }
    return undefined;
  }

  #fail(request: Message, why: string): void | Promise<void> {
    return this.#receive(errorOf(request, connectionClosed, why));
  }

  #request(
    method: 'POST' | 'GET' | 'DELETE',
    headers: Headers,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { url, headers: configuredHeaders } = this.#server;
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const session = this.#session === undefined ? {} : { 'mcp-session-id': this.#session };
    const version = this.#version === undefined ? {} : { 'mcp-protocol-version': this.#version };
    const content = body === undefined ? {} : { 'content-type': 'application/json' };
    const accept = 'application/json, text/event-stream';
    return new Promise((resolve, reject) => {
      const request = send(
        url,
        {
          method,
          agent: this.#agents.agentFor(url),
          headers: { accept, ...content, ...version, ...headers, ...configuredHeaders, ...session },
        },
        resolve,
      );
      request.on('error', reject);
      endOnAbort(request, signal);
      request.end(body);
    });
  }
}

const closeTimeoutMs = 2_000;

/** As Node's own agent has it. */
const maxIdleMs = 5_000;

const pauseOf = (attempt: number): number => 500 * 2 ** attempt;

interface StreamEnd {
  isAnswered: boolean;
  lastId: string | undefined;
  events: number;
}

const isSuccess = ({ statusCode = 0 }: IncomingMessage): boolean =>
  statusCode >= 200 && statusCode < 300;
const isRedirect = ({ statusCode = 0 }: IncomingMessage): boolean =>
  statusCode >= 300 && statusCode < 400;
const statusOf = ({ statusCode = 0, statusMessage = '' }: IncomingMessage): string =>
  printable(`${statusCode} ${statusMessage}`.trim());

/** What the user needs to know of an answer that is none. */
function reasonOf(response: IncomingMessage): string {
  if (isRedirect(response)) return ', and redirects are not followed';
  // How to get a token: https://www.rfc-editor.org/rfc/rfc9728#name-www-authenticate-header-fie
  const challenge = response.headers['www-authenticate'];
  return challenge === undefined ? '' : ` (WWW-Authenticate: ${printable(challenge, 400)})`;
}

const isEventStream = ({ headers }: IncomingMessage): boolean =>
  (headers['content-type'] ?? '').trimStart().toLowerCase().startsWith('text/event-stream');

const codeOf = (error: unknown): string => {
  const code: unknown = Reflect.get(Object(error), 'code');
  return typeof code === 'string' ? code : error instanceof Error ? error.message : String(error);
};

/** Whether an answer to `initialize` has a result. */
async function hasResult(response: IncomingMessage): Promise<boolean> {
  const isResult = (text: string): boolean => {
    const message = readMessage(text);
    return typeof message === 'object' && Object.hasOwn(message.value, 'result');
  };
  if (!isEventStream(response)) return isResult(await readText(response));
  // The end of the loop ends the stream.
  for await (const { data } of serverSentEvents(response)) if (isResult(data)) return true;
  return false;
}

async function drain(response: IncomingMessage): Promise<void> {
  await readText(response).catch(() => undefined);
}

interface ServerSentEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html */
async function* serverSentEvents(response: IncomingMessage): AsyncGenerator<ServerSentEvent> {
  response.setEncoding('utf8');
  const chunks: AsyncIterable<string> = response;
  const lines = new LineReader('any');
  let id: string | undefined;
  let data: string[] = [];
  for await (const chunk of chunks) {
    for (const line of lines.add(chunk)) {
      const [, field = '', value = ''] = /^([^:]*)(?:: ?)?(.*)$/s.exec(line) ?? [];
      if (field === 'data') data.push(value);
      else if (field === 'id' && !value.includes('\0')) id = value;
      else if (line === '' && (data.length > 0 || id !== undefined)) {
        yield { id, data: data.join('\n') };
        data = [];
      }
    }
  }
}
