import { methodNotFound } from '../adapters/mcp/call-result.ts';
import { printable } from '../json/preview.ts';
import { ownValue } from '../collections/objects.ts';
import { type JsonObject, type JsonValue, isJsonArray } from '../json/value.ts';
import type { Channel } from './channel.ts';
import {
  type Message,
  connectionClosed,
  errorOf,
  objectAtPath,
  protocolKey,
  readMessage,
  resultResponse,
} from './message.ts';
import { OwnRequests } from './proxy-requests.ts';

const maxPages = 64;
/** Milliseconds for the first answer: the command may install the server first. */
const startMs = 120_000;
const timeoutMs = 30_000;

const clientInfo = { name: 'toolmend', version: '1' };
const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
/** What each request has in the stateless revision. */
const statelessMeta = {
  [`${protocolKey}protocolVersion`]: '2026-07-28',
  [`${protocolKey}clientInfo`]: clientInfo,
  [`${protocolKey}clientCapabilities`]: {},
};

/**
 * The entries of a server's list of tools, as the server wrote them. Rejects with an Error if the
 * server doesn't list them.
 */
export async function listedTools(server: Channel): Promise<readonly JsonValue[]> {
  const ownRequests = new OwnRequests();
  const exit = server
    .run(async (text) => {
      const message = readMessage(text);
      if (typeof message === 'string') return;
      if (message.kind.kind === 'response') ownRequests.take(message.kind.id, message);
      if (message.kind.kind === 'request')
        await server.send(
          message.kind.method === 'ping'
            ? resultResponse(message, {})
            : errorOf(message, methodNotFound, 'toolmend only lists tools.'),
        );
    })
    .then(async (): Promise<never> => {
      throw new Error(`the server ${(await server.exit) ?? 'is gone'}`);
    });
  // No request may be waiting when it rejects.
  exit.catch(() => undefined);
  const ask = async (method: string, params: JsonObject, patience: number): Promise<JsonObject> => {
    const answer = ownRequests.ask(server, method, JSON.stringify(params), { timeoutMs: patience });
    return resultOrError(await Promise.race([answer, exit]), method);
  };
  const meta = await beginSession(server, ask);
  const entries: JsonValue[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= maxPages; page += 1) {
    const params = { ...meta, ...(cursor === undefined ? {} : { cursor }) };
    const result = await ask('tools/list', params, timeoutMs);
    const tools = ownValue(result, 'tools');
    if (tools === undefined || !isJsonArray(tools))
      throw new Error('its answer to tools/list has no list of tools');
    entries.push(...tools);
    const nextCursor = ownValue(result, 'nextCursor');
    if (typeof nextCursor !== 'string') return entries;
    cursor = nextCursor;
  }
  throw new Error(`its list of tools has more than ${maxPages} pages`);
}

/** An error that a server answered. */
class AnsweredError extends Error {}

/**
 * Returns what the parameters of each request need. A server that refuses `initialize` may know
 * only the stateless revision.
 */
async function beginSession(
  server: Channel,
  ask: (method: string, params: JsonObject, patience: number) => Promise<JsonObject>,
): Promise<JsonObject> {
  try {
    await ask('initialize', initialize, startMs);
  } catch (error) {
    if (!(error instanceof AnsweredError)) throw error;
    return { _meta: statelessMeta };
  }
  await server.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return {};
}

function resultOrError(answer: Message | undefined, method: string): JsonObject {
  if (answer === undefined) throw new Error(`it did not answer ${method} in time`);
  if (!Object.hasOwn(answer.value, 'error')) return objectAtPath(answer.value, 'result');
  const error = objectAtPath(answer.value, 'error');
  const message = ownValue(error, 'message');
  const why = typeof message === 'string' ? printable(message, 400) : 'without a message';
  throw ownValue(error, 'code') === connectionClosed
    ? new Error(why)
    : new AnsweredError(`it answered ${method} with an error: ${why}`);
}
