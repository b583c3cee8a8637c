// Serves the proxy over Streamable HTTP:
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { ownValue } from '../collections/objects.ts';
import {
  type AccessRules,
  type AccessRefusal,
  allowOrigin,
  isPreflight,
  refusalOf,
} from '../network/access.ts';
import { type Listening, listen } from '../network/listen.ts';
import { OpenResponses } from '../network/open-responses.ts';
import type { ConfiguredServer } from './config.ts';
import { HttpClients } from './http-clients.ts';
import { headerMismatch, standardHeaderProblem } from './headers.ts';
import type { HubServer } from './lists.ts';
import {
  type Message,
  errorOf,
  invalidRequest,
  objectAtPath,
  parseError,
  protocolKey,
  readBatch,
  readMessage,
  tooDeep,
  errorForUnreadable,
} from './message.ts';
import { type ProxyOptions, closeServers, runProxy, startServers } from './proxy.ts';

export interface ListenOptions extends ProxyOptions {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  readonly access: AccessRules;
}

/** The servers and clients of one session. */
interface Session {
  readonly clients: HttpClients;
  readonly servers: readonly HubServer[];
  lastUsed: number;
}

const path = '/mcp';
const largestBody = 32 * 1024 * 1024;
/** Each session has its own servers. */
const mostSessions = 64;
/** Milliseconds without a request and without a stream. */
const idleMs = 30 * 60_000;
const sweepMs = 60_000;

export class McpListener {
  readonly #configured: readonly ConfiguredServer[];
  readonly #options: ListenOptions;
  readonly #sessions = new Map<string, Session>();
  /** Of the stateless revision. */
  #shared: Session | undefined;
  /** Those of requests; subscriptions, which don't end by themselves, are none. */
  readonly #answers = new OpenResponses();
  #isDraining = false;
  readonly #http: Server;
  readonly #sweep: NodeJS.Timeout;

  constructor(servers: readonly ConfiguredServer[], options: ListenOptions) {
    this.#configured = servers;
    this.#options = options;
    this.#http = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        options.log(`a request failed: ${error instanceof Error ? error.message : String(error)}`);
        refuse(response, 500, 'The proxy failed.');
      });
    });
    this.#sweep = setInterval(() => this.#closeIdle(), sweepMs).unref();
  }

  /** Resolves with the URL for clients. Rejects if the address can't be listened on. */
  async listen(): Promise<Pick<Listening, 'isOnAllInterfaces'> & { readonly url: string }> {
    const { origin, isOnAllInterfaces } = await listen(this.#http, this.#options);
    return { url: `${origin}${path}`, isOnAllInterfaces };
  }

  /** How many requests have no complete answer yet. */
  get open(): number {
    return this.#answers.size;
  }

  /**
   * Takes no new requests, waits until the open ones have their answers, at most this many
   * milliseconds, and closes. Clients can still send what open calls ask them for.
   */
  async drain(limitMs: number): Promise<void> {
    this.#isDraining = true;
    await this.#answers.idle(limitMs);
    await this.close();
  }

  async close(): Promise<void> {
    if (!this.#http.listening) return;
    clearInterval(this.#sweep);
    const sessions = [
      ...this.#sessions.values(),
      ...(this.#shared === undefined ? [] : [this.#shared]),
    ];
    await Promise.all(sessions.map(({ clients }) => clients.close()));
    await Promise.all(sessions.map(({ servers }) => closeServers(servers)));
    this.#http.closeAllConnections();
    await new Promise<void>((resolve) => void this.#http.close(() => resolve()));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { access } = this.#options;
    const isAsked = isPreflight(request);
    const refusal = refusalOf(request.headers, isAsked ? { ...access, token: undefined } : access);
    if (refusal?.status !== 403) allowOrigin(request, response, 'mcp-session-id');
    if (refusal?.status === 401) response.setHeader('www-authenticate', 'Bearer');
    if (refusal !== undefined) return refuse(response, refusal.status, whyRefused[refusal.code]);
    if (isAsked) return void response.writeHead(204).end();
    const [pathname = ''] = (request.url ?? '/').split('?', 1);
    if (pathname !== path) return refuse(response, 404, `The endpoint is ${path}.`);
    const id = [request.headers['mcp-session-id']].flat()[0];
    const session = id === undefined ? undefined : this.#sessions.get(id);
    if (id !== undefined && session === undefined)
      return refuse(response, 404, 'There is no such session.');
    if (session !== undefined) session.lastUsed = Date.now();
    if (request.method === 'POST') return this.#post(request, response, session);
    if (session === undefined) return refuse(response, 405, 'Only sessions have a stream.');
    if (request.method === 'GET') {
      const isOpen = session.clients.listen(response);
      return isOpen ? undefined : refuse(response, 409, 'The session has a stream already.');
    }
    if (request.method !== 'DELETE') return refuse(response, 405, 'Use POST, GET or DELETE.');
    await session.clients.close();
    response.writeHead(204).end();
  }

  async #post(
    request: IncomingMessage,
    response: ServerResponse,
    openSession: Session | undefined,
  ): Promise<void> {
    if (
      !(request.headers['content-type'] ?? '')
        .trimStart()
        .toLowerCase()
        .startsWith('application/json')
    )
      return refuse(response, 415, 'Send application/json.');
    const text = await bodyOf(request);
    if (text === undefined) return refuse(response, 413, 'The message is too long.');
    const message = readMessage(text);
    if (message === 'garbage') return refuse(response, 400, 'The message is not JSON.', parseError);
    const batch = message === 'opaque' ? readBatch(text) : undefined;
    const requests = (batch ?? (message === 'opaque' ? [] : [message])).flatMap(({ kind }) =>
      kind.kind === 'request' ? kind.method : [],
    );
    if (requests.length > 0 && this.#isDraining)
      return refuse(response, 503, 'The proxy is ending: send the request again.');
    if (requests.some((method) => method !== 'subscriptions/listen')) this.#answers.add(response);
    if (batch !== undefined && openSession?.clients.hasBatches === true)
      return this.#postBatch(batch, response, openSession.clients);
    if (message === 'opaque') {
      const why = text.trimStart().startsWith('{')
        ? tooDeep
        : 'Send one message at a time: only sessions of revision 2025-03-26 have batches.';
      return answerWith(response, 400, errorForUnreadable(text, invalidRequest, why));
    }
    const { kind } = message;
    const problem = standardHeaderProblem(message, request.headers);
    if (problem !== undefined)
      return answerWith(response, 400, errorOf(message, headerMismatch, problem));
    const session = openSession ?? this.#sessionFor(message, response);
    if (session === undefined) return undefined;
    if (kind.kind === 'request') return session.clients.ask(message, response);
    await session.clients.tell(text);
    response.writeHead(202).end();
  }

  async #postBatch(
    batch: readonly Message[],
    response: ServerResponse,
    clients: HttpClients,
  ): Promise<void> {
    if (batch.some(({ kind }) => kind.kind === 'request')) return clients.askAll(batch, response);
    for (const { text } of batch) await clients.tell(text);
    response.writeHead(202).end();
  }

  /** The session of a message that names none: a new one, or that of the stateless revision. */
  #sessionFor(message: Message, response: ServerResponse): Session | undefined {
    const { kind, value } = message;
    const meta = objectAtPath(value, 'params', '_meta');
    if (typeof ownValue(meta, `${protocolKey}protocolVersion`) === 'string') {
      this.#shared ??= this.#open('shared', () => (this.#shared = undefined));
      return this.#shared;
    }
    if (kind.kind !== 'request' || kind.method !== 'initialize') {
      refuse(response, 400, 'Begin with initialize, and send its Mcp-Session-Id.');
      return undefined;
    }
    if (this.#sessions.size >= mostSessions) {
      refuse(response, 503, 'There are too many sessions.');
      return undefined;
    }
    const id = randomUUID();
    const session = this.#open('session', () => this.#sessions.delete(id));
    this.#sessions.set(id, session);
    response.setHeader('mcp-session-id', id);
    return session;
  }

  #open(kind: 'session' | 'shared', onEnd: () => void): Session {
    const clients = new HttpClients(kind);
    const servers = startServers(this.#configured, this.#options);
    void runProxy(clients, servers, this.#options).then(async () => {
      onEnd();
      await clients.close();
      await closeServers(servers);
    });
    return { clients, servers, lastUsed: Date.now() };
  }

  #closeIdle(): void {
    for (const { clients, lastUsed } of this.#sessions.values())
      if (!clients.isBusy && Date.now() - lastUsed > idleMs) void clients.close();
  }
}

const whyRefused: Readonly<Record<AccessRefusal['code'], string>> = {
  forbidden_host: 'toolmend mcp does not answer to this Host: allow it with --allow-host.',
  forbidden_origin:
    'toolmend mcp does not take requests from this Origin: allow it with --allow-origin.',
  token_required: 'toolmend mcp needs its token: send Authorization: Bearer with it.',
};

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  code = invalidRequest,
): void {
  if (response.headersSent) return void response.end();
  answerWith(
    response,
    status,
    JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }),
  );
}

function answerWith(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

/**
 * Undefined if it is too long. The rest is read and dropped, so that the client gets the answer.
 */
function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  let chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= largestBody) return void chunks.push(chunk);
    chunks = [];
    resolve(undefined);
    return size > largestBody * 2 ? void request.destroy() : undefined;
  });
  request.on('end', () => resolve(new TextDecoder().decode(Buffer.concat(chunks))));
  request.on('close', () => resolve(undefined));
  return promise;
}
