// The headers of revision 2026-07-28, which repeat what the body of a request says.
import type { IncomingHttpHeaders } from 'node:http';
import { ownValue } from '../collections/objects.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../json/value.ts';
import { type Message, objectAtPath, protocolKey } from './message.ts';

export type Headers = Readonly<Record<string, string>>;

/** The member of the parameters that names what a request is about. */
const nameMembers: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** https://modelcontextprotocol.io/specification/draft/basic/transports#standard-request-headers */
export function statelessHeaders(value: JsonObject, method: string, version: string): Headers {
  const name = namedIn(value, method);
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': headerValue(name) } : {}),
  };
}

const namedIn = (value: JsonObject, method: string): JsonValue | undefined =>
  ownValue(objectAtPath(value, 'params'), nameMembers.get(method) ?? '');

/** The code of an error for headers that don't say what the body says. */
export const headerMismatch = -32_020;

/**
 * The sentence about standard headers that differ from the request's body: proxies on the way may
 * have decided by them. Undefined for right headers, and for requests of earlier revisions.
 */
export function standardHeaderProblem(
  { value, kind }: Message,
  headers: IncomingHttpHeaders,
): string | undefined {
  const version = ownValue(objectAtPath(value, 'params', '_meta'), `${protocolKey}protocolVersion`);
  if (kind.kind !== 'request' || typeof version !== 'string') return undefined;
  const name = namedIn(value, kind.method);
  const standardHeaders = [
    ['MCP-Protocol-Version', version],
    ['Mcp-Method', kind.method],
    ...(typeof name === 'string' ? [['Mcp-Name', name] as const] : []),
  ] as const;
  for (const [header, inBody] of standardHeaders) {
    const sentValue = headers[header.toLowerCase()];
    if (sentValue === undefined) return `The header ${header} is missing. Send what the body says.`;
    if (decodedHeader([sentValue].flat()[0] ?? '') !== inBody)
      return `The header ${header} differs from the body. Send what the body says.`;
  }
  return undefined;
}

/** Undefined if it is not valid Base64 of UTF-8. */
function decodedHeader(header: string): string | undefined {
  const base64 = /^=\?base64\?(.*)\?=$/.exec(header.trim())?.[1];
  if (base64 === undefined) return header.trim();
  const text = Buffer.from(base64, 'base64').toString();
  return Buffer.from(text).toString('base64') === base64 ? text : undefined;
}

/** Plain ASCII as it is, all else as Base64. */
function headerValue(text: string): string {
  const isPlain =
    /^[\t\x20-\x7E]+$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The headers that repeat arguments, as a tool's input schema asks with `x-mcp-header`. */
export function parameterHeaders(schema: unknown, args: JsonValue): Headers {
  const headers: Record<string, string> = {};
  const visit = (part: unknown, value: JsonValue | undefined): void => {
    if (typeof part !== 'object' || part === null || value === undefined || value === null) return;
    const name: unknown = Reflect.get(part, 'x-mcp-header');
    const isUnsafe = Number.isInteger(value) && !Number.isSafeInteger(value);
    if (typeof name === 'string' && typeof value !== 'object' && !isUnsafe)
      headers[`mcp-param-${name.toLowerCase()}`] = headerValue(String(value));
    const properties: unknown = Reflect.get(part, 'properties');
    if (typeof properties !== 'object' || properties === null || !isJsonObject(value)) return;
    for (const [key, property] of Object.entries(properties)) visit(property, ownValue(value, key));
  };
  visit(schema, args);
  return headers;
}
