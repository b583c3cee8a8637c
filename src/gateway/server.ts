import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { type AccessRules, isLoopbackAddress, refusalOf, withoutToken } from './access.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { chatCompletions } from './chat-completions.ts';
import {
  type ExchangeEnd,
  type ExchangeOptions,
  passThrough,
  runExchange,
  sendError,
  unreachable,
} from './exchange.ts';
import { ContractCache } from './offered-tools.ts';
import { ollamaChat } from './ollama-chat.ts';
import type { Protocol } from './protocol.ts';
import { responses } from './responses.ts';
import { Connections, type Upstream, clientPath, upstreamFor } from './upstream.ts';

export interface GatewayOptions {
  readonly upstreams: readonly Upstream[];
  /** Default: 127.0.0.1. */
  readonly host: string;
  /** 0: a free port. */
  readonly port: number;
  /** Needed beyond loopback. */
  readonly token: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** Called at the end of each exchange. */
  readonly onEnd?: (end: ExchangeEnd) => void;
}

export interface Gateway {
  /** The base URL for clients. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const protocols: readonly Protocol[] = [chatCompletions, responses, anthropicMessages, ollamaChat];

/** The most bytes of a request that is read. Requests of other paths are passed on as they come. */
const maxRequestBytes = 64 * 1024 * 1024;

/** Listens until it is closed. Rejects if the port can't be used. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { upstreams, host, port, token, allowedHosts, allowedOrigins, onEnd } = options;
  const rules: AccessRules = { isLoopback: isLoopbackAddress(host), allowedHosts, allowedOrigins, token };
  const connections = new Connections();
  const exchange: ExchangeOptions = { upstreams, connections, contracts: new ContractCache() };
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    response.on('error', () => undefined);
    answer(request, response, { rules, exchange })
      .then((end) => end !== undefined && onEnd?.(end))
      .catch(() => response.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const actual = typeof address === 'object' && address !== null ? address.port : port;
  const shown = host.includes(':') ? `[${host}]` : host;
  const [first] = upstreams;
  return {
    port: actual,
    url: `http://${shown}:${actual}${first === undefined ? '' : clientPath(first.url)}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      connections.close();
      await closed;
    },
  };
}

interface AnswerContext {
  readonly rules: AccessRules;
  readonly exchange: ExchangeOptions;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { rules, exchange }: AnswerContext,
): Promise<ExchangeEnd | undefined> {
  const { method = 'GET', url: path = '/' } = request;
  const [pathname = '/'] = path.split('?', 1);
  const protocol = method === 'POST' ? protocols.find((known) => known.matches(pathname)) : undefined;
  const shape = protocol ?? chatCompletions;
  const refusal = refusalOf(request.headers, rules);
  if (refusal !== undefined) {
    sendError(response, shape, refusal);
    return undefined;
  }
  // A proxy request names a server of its own.
  if (!path.startsWith('/')) {
    const message = 'The request path must begin with a slash.';
    sendError(response, shape, { status: 400, code: 'invalid_path', message });
    return undefined;
  }
  const headers = withoutToken(request.rawHeaders, rules.token);
  if (protocol === undefined) {
    await passRequest({ method, path, headers, body: request }, response, exchange);
    return undefined;
  }
  const body = await readBody(request);
  if (body === undefined) {
    const message = `The request has more than ${maxRequestBytes} bytes.`;
    sendError(response, protocol, { status: 413, code: 'request_too_large', message });
    return undefined;
  }
  return runExchange({ protocol, method, path, headers, body }, response, exchange);
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > maxRequestBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Passes on a request that is not of a known API. */
async function passRequest(
  request: Parameters<Connections['send']>[1],
  response: ServerResponse,
  { upstreams, connections }: ExchangeOptions,
): Promise<void> {
  const upstream = upstreamFor(upstreams, undefined);
  const aborter = new AbortController();
  response.once('close', () => !response.writableFinished && aborter.abort());
  if (upstream === undefined) return;
  try {
    await passThrough(await connections.send(upstream, request, aborter.signal), response);
  } catch (error) {
    if (!response.headersSent) sendError(response, chatCompletions, unreachable(error));
  }
}
