import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import {
  type AccessRules,
  allowOrigin,
  isLoopbackAddress,
  isPreflight,
  refusalOf,
  withoutToken,
} from '../network/access.ts';
import { listen } from '../network/listen.ts';
import { RefusedAdditions } from './additions.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { chatCompletions } from './chat-completions.ts';
import { type ExchangeOptions, passRequest, runExchange, sendError } from './exchange.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { CurrentStats, GatewayRecord } from './gateway-record.ts';
import { openHintFile } from '../journal/hint-file.ts';
import { LearnedHints } from '../learning/learned-hints.ts';
import { MemoryHintCounts } from '../store/hint-counts.ts';
import { ContractCache } from './contract-cache.ts';
import { RecentTools } from './recent-tools.ts';
import { OpenRequests, type RequestFacts, TimedResponse, withoutQuery } from './open-requests.ts';
import { ollamaChat } from './ollama-chat.ts';
import { answerPage } from '../page/page-handler.ts';
import type { PageFiles } from '../page/page-files.ts';
import { isForPerson, sendTokenPage } from '../page/token-page.ts';
import { metricsText } from './pages.ts';
import type { Protocol, ApiError } from './protocol.ts';
import { responses } from './responses.ts';
import { Connections, type UpstreamProblem, clientPath } from './upstream.ts';

export interface Gateway {
  /** The base URL for clients. */
  readonly url: string;
  /** The page that shows what is repaired. */
  readonly page: string;
  readonly port: number;
  /** Whether other computers may reach it. */
  readonly isOnAllInterfaces: boolean;
  /** How many requests have no complete answer yet. */
  readonly open: number;
  /**
   * Takes no new requests, waits until the open ones have their answers, at most this many
   * milliseconds, and closes.
   */
  drain(limitMs: number): Promise<void>;
  /** Ends all connections at once. */
  close(): Promise<void>;
}

const protocols: readonly Protocol[] = [chatCompletions, responses, anthropicMessages, ollamaChat];

/**
 * The largest body of a request that the gateway reads. Requests of other paths are passed on as
 * they come.
 */
const maxRequestBytes = 64 * 1024 * 1024;

/**
 * Listens until it is closed. Rejects if the port can't be used. `onProblem`: an upstream failed.
 * `files`: of the page; without them, there is none.
 */
export async function startGateway(
  options: GatewayOptions,
  record: GatewayRecord,
  onProblem: (problem: UpstreamProblem) => void = () => undefined,
  files?: PageFiles,
): Promise<Gateway> {
  const { upstreams, host, proxies } = options;
  const rules: AccessRules = { ...options, isLoopback: isLoopbackAddress(host) };
  const connections = new Connections({ proxies, onProblem });
  const learnedHints = await openLearnedHints(options);
  const contracts = new ContractCache();
  const exchange: ExchangeOptions = {
    ...options,
    connections,
    contracts,
    recentTools: new RecentTools({ ...options, contracts }),
    learnedHints,
    refusedAdditions: new RefusedAdditions(),
  };
  const requests = new OpenRequests();
  const state = { isDraining: false };
  const context: ServerContext = { rules, exchange, record, requests, files, state };
  const server = createServer({ ServerResponse: TimedResponse }, (request, response) =>
    handle(request, response, context),
  );
  const { origin, port, isOnAllInterfaces } = await listen(server, options);
  const closing = once(server, 'close');
  const [first] = upstreams;
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    connections.close();
    await closing;
    await learnedHints.flush();
  };
  return {
    port,
    isOnAllInterfaces,
    url: `${origin}${first === undefined ? '' : clientPath(first.url)}`,
    page: `${origin}/`,
    get open() {
      return requests.size;
    },
    async drain(limitMs) {
      context.state.isDraining = true;
      server.close();
      // The streams of pages have no end of their own.
      record.calls.close();
      await requests.idle(limitMs);
      await close();
    },
    close,
  };
}

/** With the counts of former processes. */
async function openLearnedHints({ hintsFile, learn }: GatewayOptions): Promise<LearnedHints> {
  const counts = hintsFile === undefined ? new MemoryHintCounts() : await openHintFile(hintsFile);
  const learnedHints = new LearnedHints({ mode: learn, counts });
  await learnedHints.flush();
  return learnedHints;
}

interface ServerContext {
  readonly rules: AccessRules;
  readonly exchange: ExchangeOptions;
  readonly record: GatewayRecord;
  readonly requests: OpenRequests;
  readonly files: PageFiles | undefined;
  readonly state: { isDraining: boolean };
}

function handle(request: IncomingMessage, response: TimedResponse, context: ServerContext): void {
  response.on('error', () => undefined);
  if (sendProbe(request, response, context.state)) return;
  const { record, requests } = context;
  const onFacts = requests.add(request, response, (end) => record.addRequest(end));
  answer(request, response, context).then(onFacts, () => {
    onFacts({ protocol: 'other' });
    response.destroy();
  });
}

/**
 * Whether the request was one of a probe: it needs no token, and any name will do. Its answer says
 * nothing but that the process lives, and whether it takes requests.
 */
function sendProbe(
  { method, url = '/' }: IncomingMessage,
  response: ServerResponse,
  { isDraining }: ServerContext['state'],
): boolean {
  const path = withoutQuery(url);
  const isProbe = (method === 'GET' || method === 'HEAD') && /^\/(?:health|ready)$/.test(path);
  if (!isProbe) return false;
  const status = path === '/ready' ? (isDraining ? 'draining' : 'ready') : 'live';
  response.writeHead(status === 'draining' ? 503 : 200, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
  });
  response.end(JSON.stringify({ status }));
  return true;
}

/** Answers a request; says what it was. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  context: ServerContext,
): Promise<RequestFacts> {
  const { rules, exchange, record, state } = context;
  const { method = 'GET', url: path = '/' } = request;
  const pathname = withoutQuery(path);
  const protocol =
    method === 'POST' ? protocols.find((candidate) => candidate.matches(pathname)) : undefined;
  const shape = protocol ?? chatCompletions;
  const name = protocol?.name ?? 'other';
  const refuse = (error: ApiError): RequestFacts => {
    sendError(response, shape, error);
    return { protocol: name, end: 'refused' };
  };
  const isPreflightRequest = isPreflight(request);
  const refusal = refusalOf(
    request.headers,
    isPreflightRequest ? { ...rules, token: undefined } : rules,
  );
  if (refusal?.status !== 403) allowOrigin(request, response, '*');
  if (refusal !== undefined) {
    if (refusal.status !== 401 || !isForPerson(request)) return refuse(refusal);
    sendTokenPage(response);
    return { protocol: name, end: 'refused' };
  }
  if (isPreflightRequest) {
    response.writeHead(204).end();
    return { protocol: 'other' };
  }
  // A request in proxy form (`GET http://host/…`) names another server.
  if (!path.startsWith('/')) {
    const message = 'The request path must begin with a slash.';
    return refuse({ status: 400, code: 'invalid_path', message });
  }
  if (method === 'GET' && (await sendOwn(request, response, context))) return { protocol: 'own' };
  const problem = whyNotPassed(request, state);
  if (problem !== undefined) {
    response.setHeader('connection', 'close');
    return refuse(problem);
  }
  const headers = withoutToken(request.rawHeaders, rules.token);
  if (protocol === undefined) {
    const passedRequest = { method, path, headers, body: request };
    return { protocol: name, end: await passRequest(passedRequest, response, exchange, shape) };
  }
  const body = await readBody(request);
  if (body === undefined) {
    const message = `The request has more than ${maxRequestBytes} bytes.`;
    return refuse({ status: 413, code: 'request_too_large', message });
  }
  const result = await runExchange({ protocol, method, path, headers, body }, response, exchange);
  record.add(result);
  return { protocol: name, model: result.model, end: result.end };
}

/** Why no request is passed on now, or not this one. */
function whyNotPassed(
  { headers }: IncomingMessage,
  { isDraining }: ServerContext['state'],
): ApiError | undefined {
  if (isDraining) {
    const message = 'toolmend gateway is shutting down: send the request again.';
    return { status: 503, code: 'shutting_down', message };
  }
  // Calls in a WebSocket would pass unseen. Refused, clients use HTTP.
  if (/\bwebsocket\b/i.test(headers.upgrade ?? '')) {
    const message = 'toolmend gateway takes no WebSockets: it repairs calls in answers over HTTP.';
    return { status: 501, code: 'websocket_not_supported', message };
  }
  return undefined;
}

/** Whether the request was for the gateway's metrics, its statistics or its page. */
async function sendOwn(
  request: IncomingMessage,
  response: ServerResponse,
  { record, requests, files, exchange }: ServerContext,
): Promise<boolean> {
  const { url: path = '/' } = request;
  const pathname = withoutQuery(path);
  if (pathname === '/stats') await exchange.learnedHints.flush();
  const stats = (): CurrentStats => ({
    ...record.stats(),
    hints: exchange.learnedHints.knownHints,
    open: requests.countsFor(response),
  });
  if (sendOwnText(pathname, response, stats)) return true;
  // Agents request `/` to see whether a server is up, so only a browser gets the page.
  if (files === undefined || (pathname === '/' && !isForPerson(request))) return false;
  return answerPage(request, response, path, {
    data: record.calls,
    files,
    hints: async () => exchange.learnedHints.knownHints,
    costs: exchange.recentTools,
  });
}

/** Whether the request was for the gateway's metrics or statistics. */
function sendOwnText(
  pathname: string,
  response: ServerResponse,
  stats: () => CurrentStats,
): boolean {
  const page =
    pathname === '/metrics'
      ? ['text/plain; version=0.0.4; charset=utf-8', metricsText(stats())]
      : pathname === '/stats'
        ? ['application/json', JSON.stringify(stats())]
        : undefined;
  if (page === undefined) return false;
  const [type, text] = page;
  response.writeHead(200, {
    'content-type': type,
    'cache-control': 'no-store',
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
