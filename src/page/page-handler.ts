// Answers the requests of the page. Who may use it is decided before: by the server of the command,
// by the gateway, or by the guards of a service.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { defined } from '../collections/objects.ts';
import type { LearnedHint } from '../learning/hint-report.ts';
import { filterIn } from './call-filter.ts';
import { sendChanges } from './call-stream.ts';
import type { Decisions } from './decision-data.ts';
import { answerDecision, decisionsPath } from './decision-requests.ts';
import type { JsonAnswer } from './json-answer.ts';
import { type KnownCosts, shownCosts } from './known-costs.ts';
import type { PageData } from './page-data.ts';
import type { PageFiles } from './page-files.ts';

export interface PageOptions {
  readonly data: PageData;
  readonly files: PageFiles;
  /** Absent: no call of the source can wait for a person. */
  readonly decisions?: Decisions;
  /** What models often get wrong. Absent: the source doesn't count it, or not for this reader. */
  readonly hints?: (() => Promise<readonly LearnedHint[]>) | undefined;
  /** What the tools cost. Absent: the source knows no tools. */
  readonly costs?: KnownCosts | undefined;
  /** The body of the request, if a framework has read it. Default: it is read here. */
  readonly body?: unknown;
}

/** Nothing from elsewhere, no text as code, and in no frame of another page. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * Whether the request was one of the page. `path`: below the place of the page, from its slash on.
 */
export async function answerPage(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  { data, files, decisions, hints, costs, body }: PageOptions,
): Promise<boolean> {
  const { method = 'GET' } = request;
  const url = URL.parse(path, 'http://page');
  if (url === null) return false;
  const { pathname, searchParams } = url;
  const decisionAnswer = pathname.startsWith(decisionsPath)
    ? await answerDecision(request, pathname, decisions, body).catch(() => unreadable)
    : undefined;
  if (decisionAnswer !== undefined) {
    sendJson(response, decisionAnswer);
    return true;
  }
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (pathname === '/api/changes') {
    sendChanges(request, response, data, headers);
    return true;
  }
  const answer = await answerOf(pathname, searchParams, { data, hints, costs }).catch(
    () => unreadable,
  );
  if (answer !== undefined) {
    sendJson(response, answer);
    return true;
  }
  return sendFile(request, response, pathname, files);
}

const unknown: JsonAnswer = { status: 404, body: { error: 'unknown' } };
const unreadable: JsonAnswer = { status: 503, body: { error: 'unreadable' } };

/** Undefined for a path that is none of the page's data: a gateway passes it on. */
async function answerOf(
  path: string,
  query: URLSearchParams,
  { data, hints, costs }: Pick<PageOptions, 'data' | 'hints' | 'costs'>,
): Promise<JsonAnswer | undefined> {
  switch (path) {
    case '/api/source':
      return okAnswer({ source: data.source, newest: await data.newest() });
    case '/api/hints':
      return okAnswer(defined({ hints: (await hints?.())?.slice(0, mostHints) }));
    case '/api/costs':
      return okAnswer((costs && shownCosts(costs, query.get('provider'))) ?? {});
    case '/api/calls':
    case '/api/counts':
    case '/api/alarms':
    case '/api/numbers': {
      const time = timeIn(query);
      return 'status' in time ? time : okAnswer(await answerOfTime(path, query, time, data));
    }
    default: {
      const [, id] = /^\/api\/calls\/([^/]+)$/.exec(path) ?? [];
      if (id === undefined) return undefined;
      const detail = await data.call(decodeURIComponent(id));
      return detail === undefined ? unknown : okAnswer(detail);
    }
  }
}

interface Time {
  readonly since: number | undefined;
  readonly until: number;
}

async function answerOfTime(
  path: '/api/calls' | '/api/counts' | '/api/alarms' | '/api/numbers',
  query: URLSearchParams,
  { since, until }: Time,
  data: PageData,
): Promise<object> {
  switch (path) {
    case '/api/calls': {
      const before = query.get('before') ?? undefined;
      const limit = Math.min(Math.max(numberIn(query, 'limit') ?? usualCalls, 1), mostCalls);
      const range = { filter: filterIn(query), since: since ?? 0 };
      return data.list({ ...range, limit, ...(before === undefined ? {} : { before }) });
    }
    case '/api/counts':
      return (await data.counts({ filter: filterIn(query), since: since ?? 0 })) ?? {};
    case '/api/alarms':
      return data.alarms(since, Date.now());
    default:
      return data.numbers(since, until);
  }
}

/** The last millisecond that databases write with four digits of a year. */
const lastTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The time that a query asks about, or what is wrong with it. */
function timeIn(query: URLSearchParams): Time | JsonAnswer {
  for (const name of ['since', 'until']) {
    const time = numberIn(query, name);
    const isLeftOut = (query.get(name) ?? '') === '';
    if (isLeftOut || (time !== undefined && time >= 0 && time <= lastTime)) continue;
    const error = `${name}: write a time in milliseconds since 1970, such as ${Date.now()}`;
    return { status: 400, body: { error } };
  }
  const [since, until] = [numberIn(query, 'since'), numberIn(query, 'until')];
  return since !== undefined && until !== undefined && since > until
    ? { status: 400, body: { error: `until: write a time after since, which is ${since}` } }
    : { since, until: until ?? Date.now() };
}

const okAnswer = (body: object): JsonAnswer => ({ status: 200, body });

const usualCalls = 100;
const mostCalls = 500;
const mostHints = 100;

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  const number = text === null || text === '' ? Number.NaN : Number(text);
  return Number.isSafeInteger(number) ? number : undefined;
}

function sendJson(response: ServerResponse, { status, body }: JsonAnswer): void {
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'cache-control': 'no-store',
  });
  response.end(JSON.stringify(body));
}

function sendFile(
  { headers: requestHeaders }: IncomingMessage,
  response: ServerResponse,
  path: string,
  files: PageFiles,
): boolean {
  const name = path === '/' ? 'index.html' : path.slice(1);
  const file = files.get(name);
  if (file === undefined) return false;
  const isZipped = /\bgzip\b/.test(String(requestHeaders['accept-encoding']));
  response.writeHead(200, {
    ...headers,
    'content-type': file.type,
    // The names of all other files change with their content.
    'cache-control': name === 'index.html' ? 'no-store' : 'max-age=31536000, immutable',
    vary: 'accept-encoding',
    ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(isZipped ? file.gzipped : gunzipSync(file.gzipped));
  return true;
}
