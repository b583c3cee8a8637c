// Sends requests to the servers behind the gateway, with Node's own HTTP: bytes and headers stay as
// they are.
import { isMatch } from '../collections/name-pattern.ts';
import { type Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream';
import { endOnAbort } from '../network/end-on-abort.ts';
import { OutgoingAgents, type ProxyEnvironment } from '../network/outgoing-agents.ts';

/** A server that answers requests. */
export interface Upstream {
  /** As the client's base URL would be: `http://127.0.0.1:11434/v1`. */
  readonly url: URL;
  /**
   * Models whose requests go here; `*` stands for any characters. Empty: all that no other upstream
   * has.
   */
  readonly models: readonly string[];
  /** Replaces the client's key. undefined: the client's headers are passed on. */
  readonly key: string | undefined;
}

/** A request for an upstream. */
export interface Forwarded {
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** A stream is passed on as it comes. */
  readonly body: Buffer | IncomingMessage;
}

/** The last part of a base URL that clients add themselves: `/v1`. */
const version = /\/v\d\w*$/;

const basePath = ({ pathname }: URL): string => pathname.replace(/\/+$/, '');

/** The base path for clients: that of the upstream's version, if its URL has one. */
export const clientPath = (url: URL): string => (version.test(basePath(url)) ? '/v1' : '');

/**
 * The path at the upstream. Clients that use the gateway's `/v1` reach the version of the URL,
 * others what is beside it.
 */
export function upstreamPath(url: URL, path: string): string {
  const base = basePath(url);
  if (!version.test(base)) return base + path;
  return /^\/v1(?=[/?]|$)/.test(path) ? base + path.slice(3) : base.replace(version, '') + path;
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Names and values in turn, without those that concern one connection and those in `others`. */
export function endToEnd(headers: readonly string[], others: readonly string[] = []): string[] {
  const hopNames = new Set([...hopByHop, ...others]);
  for (const [name, value] of pairs(headers))
    if (name.toLowerCase() === 'connection')
      for (const word of value.split(',')) hopNames.add(word.trim().toLowerCase());
  return pairs(headers)
    .filter(([name]) => !hopNames.has(name.toLowerCase()))
    .flat();
}

const pairs = (headers: readonly string[]): readonly (readonly [string, string])[] =>
  headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? ''] as const] : []));

/** The upstream for a model: the first that names it, else the first that names none. */
export function upstreamFor(
  upstreams: readonly Upstream[],
  model: string | undefined,
): Upstream | undefined {
  const namedUpstream =
    model === undefined
      ? undefined
      : upstreams.find(({ models }) => models.some((name) => isMatch(name, model)));
  return (
    namedUpstream ??
    upstreams.find(({ models }) => models.length === 0) ??
    (model === undefined ? upstreams[0] : undefined)
  );
}

/**
 * The milliseconds after which an idle connection is not used again. Servers close it after 5
 * seconds (Node, uvicorn, llama.cpp) or more. A request on a connection that the server is closing
 * fails, and can't be sent again, because the server may have read it.
 */
const maxIdleMs = 2_000;

/** A request to which an upstream gave no answer, no complete one, or an error. */
export interface UpstreamProblem {
  readonly url: URL;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The rest of a sentence about the upstream: `answered 500`. */
  readonly what: string;
}

export interface ConnectionOptions {
  /** Milliseconds. Default: 2,000. */
  readonly maxIdle?: number;
  readonly proxies?: ProxyEnvironment;
  readonly onProblem?: (problem: UpstreamProblem) => void;
}

/** Keeps connections to upstreams open between requests. */
export class Connections {
  readonly #agents: OutgoingAgents;
  readonly #maxIdleMs: number;
  readonly #onProblem: (problem: UpstreamProblem) => void;
  readonly #idleSince = new WeakMap<object, number>();

  constructor({
    maxIdle = maxIdleMs,
    proxies = {},
    onProblem = () => undefined,
  }: ConnectionOptions = {}) {
    this.#maxIdleMs = maxIdle;
    this.#onProblem = onProblem;
    this.#agents = new OutgoingAgents(proxies, { keepAlive: true, timeout: maxIdle });
    for (const agent of this.#agents.all)
      agent.on('free', (socket: object) => this.#idleSince.set(socket, performance.now()));
  }

  /**
   * Resolves to the answer once its headers are here. Rejects if there is none. Redirects are
   * answers like others.
   */
  async send(
    { url, key }: Upstream,
    { method, path, headers, body }: Forwarded,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const isSecure = url.protocol === 'https:';
    const agent = this.#agents.agentFor(url);
    this.#closeIdle(agent);
    const report = (what: string): void =>
      signal.aborted ? undefined : this.report({ url }, { method, path }, what);
    let isAnswered = false;
    const raw = ['Host', url.host, ...headersFor(headers, key, path), ...lengthOf(body, headers)];
    // Node adds a proxy's password only to headers that are set one by one.
    const isRewritten = this.#agents.isRewritten(url);
    return new Promise((resolve, reject) => {
      const clientRequest = (isSecure ? httpsRequest : httpRequest)({
        agent,
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port,
        method,
        path: upstreamPath(url, path),
        ...(isRewritten ? { setHost: false } : { headers: raw }),
      });
      if (isRewritten)
        for (const [name, value] of pairs(raw)) clientRequest.appendHeader(name, value);
      endOnAbort(clientRequest, signal);
      clientRequest.once('response', (answer) => {
        // An answer without a length ends with its connection. Without this, it would seem complete
        // after a broken one.
        clientRequest.once('error', (error) => answer.destroy(error));
        isAnswered = true;
        const { statusCode = 0 } = answer;
        if (statusCode >= 400) report(`answered ${statusCode}`);
        answer.once('close', () => answer.complete || report('broke off its answer'));
        resolve(answer);
      });
      // Nothing asks for another protocol. Without this, such an answer would never come.
      clientRequest.once('upgrade', (_answer, socket) => {
        socket.destroy();
        report('changed the protocol, and gave no answer');
        reject(new Error('The upstream changed the protocol.'));
      });
      clientRequest.on('error', (error: NodeJS.ErrnoException) => {
        if (!isAnswered) report(`gave no answer (${error.code ?? error.message})`);
        reject(error);
      });
      if (Buffer.isBuffer(body)) clientRequest.end(body);
      else pipeline(body, clientRequest, () => undefined);
    });
  }

  /** `what`: as in `UpstreamProblem`. */
  report(
    { url }: Pick<Upstream, 'url'>,
    { method, path }: Pick<Forwarded, 'method' | 'path'>,
    what: string,
  ): void {
    const [pathname = '/'] = path.split('?', 1);
    this.#onProblem({ url, method, path: pathname, what });
  }

  /**
   * Closes connections that were idle for too long: the agent's own timer is late if the process is
   * busy.
   */
  #closeIdle({ freeSockets }: Agent): void {
    const earliest = performance.now() - this.#maxIdleMs;
    for (const socket of Object.values(freeSockets).flatMap((sockets) => sockets ?? []))
      if ((this.#idleSince.get(socket) ?? 0) < earliest) socket.destroy();
  }

  close(): void {
    this.#agents.close();
  }
}

/** Anthropic's API takes its key in a header of its own. */
function headersFor(headers: readonly string[], key: string | undefined, path: string): string[] {
  if (key === undefined) return endToEnd(headers, ['host', 'content-length']);
  const others = endToEnd(headers, ['host', 'content-length', 'authorization', 'x-api-key']);
  const isAnthropic = /\/messages(?:\/|\?|$)/.test(path);
  return [...others, ...(isAnthropic ? ['x-api-key', key] : ['authorization', `Bearer ${key}`])];
}

/**
 * A body that is passed on as it comes has the length that the client named, or is sent in chunks.
 */
function lengthOf(body: Forwarded['body'], headers: readonly string[]): string[] {
  if (Buffer.isBuffer(body)) return ['Content-Length', String(body.length)];
  const header = pairs(headers).find(([name]) =>
    /^(?:content-length|transfer-encoding)$/i.test(name),
  );
  if (header === undefined) return [];
  return /^t/i.test(header[0]) ? ['Transfer-Encoding', 'chunked'] : [...header];
}
