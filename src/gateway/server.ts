import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AccessRules } from './access.ts';
import { allowOrigin, isLoopbackAddress, isPreflight, refusalOf, withoutToken } from './access.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { chatCompletions } from './chat-completions.ts';
import { type ExchangeOptions, passRequest, runExchange, sendError } from './exchange.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { GatewayRecord } from './gateway-record.ts';
import { ContractCache } from './offered-tools.ts';
import { ollamaChat } from './ollama-chat.ts';
import { metricsText, statsPage } from './pages.ts';
import type { Protocol } from './protocol.ts';
import { responses } from './responses.ts';
import { Connections, clientPath } from './upstream.ts';

export interface Gateway {
  /** The base URL for clients. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const protocols: readonly Protocol[] = [chatCompletions, responses, anthropicMessages, ollamaChat];

/** The largest body of a request that the gateway reads. Requests of other paths are passed on as they come. */
const maxRequestBytes = 64 * 1024 * 1024;

/** Listens until it is closed. Rejects if the port can't be used. */
export async function startGateway(options: GatewayOptions, record: GatewayRecord): Promise<Gateway> {
  const { upstreams, host, port } = options;
  const rules: AccessRules = { ...options, isLoopback: isLoopbackAddress(host) };
  const connections = new Connections();
  const exchange: ExchangeOptions = { ...options, connections, contracts: new ContractCache() };
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    response.on('error', () => undefined);
    answer(request, response, { rules, exchange, record }).catch(() => response.destroy());
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
  readonly record: GatewayRecord;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { rules, exchange, record }: AnswerContext,
): Promise<void> {
  const { method = 'GET', url: path = '/' } = request;
  const [pathname = '/'] = path.split('?', 1);
  const protocol = method === 'POST' ? protocols.find((known) => known.matches(pathname)) : undefined;
  const shape = protocol ?? chatCompletions;
  const isPreflightRequest = isPreflight(request);
  const refusal = refusalOf(request.headers, isPreflightRequest ? { ...rules, token: undefined } : rules);
  if (refusal?.status !== 403) allowOrigin(request, response, '*');
  if (refusal !== undefined) {
    if (refusal.status === 401 && wantsPage(request)) response.setHeader('www-authenticate', 'Basic');
    return sendError(response, shape, refusal);
  }
  if (isPreflightRequest) return void response.writeHead(204).end();
  // A request in proxy form (`GET http://host/…`) names another server.
  if (!path.startsWith('/')) {
    const message = 'The request path must begin with a slash.';
    return sendError(response, shape, { status: 400, code: 'invalid_path', message });
  }
  if (method === 'GET' && sendOwnPage(pathname, request, response, record)) return undefined;
  const headers = withoutToken(request.rawHeaders, rules.token);
  if (protocol === undefined)
    return passRequest({ method, path, headers, body: request }, response, exchange, chatCompletions);
  const body = await readBody(request);
  if (body === undefined) {
    const message = `The request has more than ${maxRequestBytes} bytes.`;
    return sendError(response, protocol, { status: 413, code: 'request_too_large', message });
  }
  record.add(await runExchange({ protocol, method, path, headers, body }, response, exchange));
  return undefined;
}

/** Agents request `/` to see whether a server is up, so only a browser gets the page. */
const wantsPage = ({ headers }: IncomingMessage): boolean => headers.accept?.includes('text/html') === true;

/** Whether the request was for one of the gateway's own pages. */
function sendOwnPage(
  pathname: string,
  request: IncomingMessage,
  response: ServerResponse,
  record: GatewayRecord,
): boolean {
  const page =
    pathname === '/metrics'
      ? ['text/plain; version=0.0.4; charset=utf-8', metricsText(record.stats())]
      : pathname === '/stats'
        ? ['application/json', JSON.stringify(record.stats())]
        : pathname === '/' && wantsPage(request)
          ? ['text/html; charset=utf-8', statsPage(record.stats())]
          : undefined;
  if (page === undefined) return false;
  const [type, text] = page;
  response.writeHead(200, {
    'content-type': type,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
  return true;
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
