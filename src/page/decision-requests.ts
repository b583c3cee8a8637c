// The requests of the view of decisions.
import type { IncomingMessage } from 'node:http';
import { plainJson } from '../json/parse.ts';
import { defined, ownValue } from '../collections/objects.ts';
import { type JsonObject, isJsonArray, isJsonObject } from '../json/value.ts';
import type { ArgumentEdit, Decisions, PageDecision } from './decision-data.ts';
import type { JsonAnswer } from './json-answer.ts';

const unknown: JsonAnswer = { status: 404, body: { error: 'unknown' } };
const unreadable: JsonAnswer = { status: 400, body: { error: 'unreadable' } };
const foreign: JsonAnswer = { status: 403, body: { error: 'foreign' } };

/** The place of the requests, below that of the page. */
export const decisionsPath = '/api/decisions';

/**
 * Undefined for a path that is none of the page's. `path`: below the place of the page, without a
 * query. `body`: what a framework has read of it.
 */
export async function answerDecision(
  request: IncomingMessage,
  path: string,
  decisions: Decisions | undefined,
  body: unknown,
): Promise<JsonAnswer | undefined> {
  if (path === decisionsPath && request.method !== 'POST')
    return { status: 200, body: defined({ decisions: await decisions?.list() }) };
  if (decisions === undefined) return undefined;
  const [, id, judge] = /^\/api\/decisions\/([\da-f-]+)(\/judge)?$/.exec(path) ?? [];
  if (id === undefined) return unknown;
  if (request.method !== 'POST') return answerOf(await decisions.find(id));
  if (!isFromPage(request)) return foreign;
  const sentBody = await bodyOf(request, body);
  if (judge !== undefined) {
    const edit = editIn(sentBody);
    return edit === undefined ? unreadable : answerOf(await decisions.judge(id, edit));
  }
  const decision = decisionIn(sentBody);
  return decision === undefined ? unreadable : answerOf(await decisions.decide(id, decision));
}

const answerOf = (body: object | undefined): JsonAnswer =>
  body === undefined ? unknown : { status: 200, body };

/**
 * Whether the page itself has sent the request: another site's page can send neither JSON nor the
 * header without a permission that no answer gives, and browsers say from where a request comes.
 * https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
function isFromPage({ headers }: IncomingMessage): boolean {
  const { origin, host, 'sec-fetch-site': site, 'content-type': type = '' } = headers;
  if (headers['x-toolmend-page'] === undefined || !type.startsWith('application/json'))
    return false;
  if (site !== undefined) return site === 'same-origin';
  return origin === undefined || URL.parse(origin)?.host === host;
}

const longestBody = 1_000_000;

/** Undefined for a body that is too long or no JSON. */
async function bodyOf(request: IncomingMessage, read: unknown): Promise<JsonObject | undefined> {
  const value = read === undefined ? plainJson(await textOf(request)) : plainJson(textOfBody(read));
  return isJsonObject(value) ? value : undefined;
}

const textOfBody = (body: unknown): string =>
  typeof body === 'string' ? body : (JSON.stringify(body) ?? '');

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > longestBody) return '';
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function editIn(body: JsonObject | undefined): ArgumentEdit | undefined {
  const values = body && ownValue(body, 'values');
  const removedKeys = (body && ownValue(body, 'removed')) ?? [];
  if (!isJsonObject(values) || !isJsonArray(removedKeys)) return undefined;
  return { values, removed: removedKeys.filter((name) => typeof name === 'string') };
}

function decisionIn(body: JsonObject | undefined): PageDecision | undefined {
  if (body === undefined) return undefined;
  const textAt = (name: string): string | undefined => {
    const text = ownValue(body, name);
    return typeof text === 'string' ? text : undefined;
  };
  const decision = textAt('decision');
  switch (decision) {
    case 'approve': {
      const approval = textAt('approval');
      const givenEdit = ownValue(body, 'edit');
      const edit = isJsonObject(givenEdit) ? editIn(givenEdit) : undefined;
      if (approval === undefined || (givenEdit !== undefined && edit === undefined))
        return undefined;
      return { decision, approval, ...defined({ edit }) };
    }
    case 'deny':
    case 'give_up':
      return { decision, ...defined({ message: textAt('message') }) };
    case 'answer':
    case 'decline': {
      const question = textAt('question');
      const content = ownValue(body, 'content');
      if (question === undefined) return undefined;
      if (decision === 'decline') return { decision, question };
      return isJsonObject(content) ? { decision, question, content } : undefined;
    }
    case 'run':
      return { decision };
    case 'done':
      return { decision, result: textAt('result') ?? '' };
    default:
      return undefined;
  }
}
