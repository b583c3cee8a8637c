// Who may use the gateway: pages in a browser may not, and beyond loopback a token is needed.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

export interface AccessRules {
  /** The gateway listens on loopback alone. */
  readonly isLoopback: boolean;
  /**
   * Host names, as of `hostRule`, that requests may name beside loopback's. Empty beyond loopback:
   * any.
   */
  readonly allowedHosts: readonly string[];
  /** Origins of pages, as of `originRule`, that may send requests, beside loopback's. */
  readonly allowedOrigins: readonly string[];
  readonly token: string | undefined;
}

/**
 * A host name as requests have it, in lower case and without a port; undefined for what no request
 * has.
 */
export function hostRule(text: string): string | undefined {
  const name = hostName(text);
  return /^[^\s/*?#@]+$/.test(name) ? name : undefined;
}

/**
 * An origin as browsers send it, without a slash and without the scheme's own port; undefined for
 * what they never send.
 */
export function originRule(text: string): string | undefined {
  const origin = text.replace(/\/$/, '').toLowerCase();
  if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/*?#@]+$/.test(origin)) return undefined;
  const url = URL.parse(origin);
  if (url === null) return undefined;
  // The origin of schemes such as chrome-extension: is opaque to URL, not to browsers.
  return url.origin === 'null' ? origin : url.origin;
}

/**
 * A browser asks before it sends a request of a page:
 * https://fetch.spec.whatwg.org/#cors-preflight-request. It sends no token.
 */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/**
 * Lets the page that sent a request read its answer:
 * https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function allowOrigin(
  { headers }: IncomingMessage,
  response: ServerResponse,
  exposedAddress: string,
): void {
  if (headers.origin === undefined) return;
  response.setHeader('access-control-allow-origin', headers.origin);
  response.setHeader('vary', 'Origin');
  response.setHeader('access-control-expose-headers', exposedAddress);
  const {
    'access-control-request-method': method,
    'access-control-request-headers': requestedHeaders,
    'access-control-request-private-network': isPrivate,
  } = headers;
  if (method !== undefined) response.setHeader('access-control-allow-methods', method);
  if (requestedHeaders !== undefined)
    response.setHeader('access-control-allow-headers', requestedHeaders);
  if (isPrivate === 'true') response.setHeader('access-control-allow-private-network', 'true');
}

/** Why a request is refused. */
export interface AccessRefusal {
  readonly status: 401 | 403;
  readonly code: 'forbidden_host' | 'forbidden_origin' | 'token_required';
  readonly message: string;
}

/** Undefined if the request may go on. */
export function refusalOf(
  headers: IncomingHttpHeaders,
  rules: AccessRules,
): AccessRefusal | undefined {
  const { isLoopback, allowedHosts, allowedOrigins, token } = rules;
  const { host = '', origin } = headers;
  const name = hostName(host);
  const isHostChecked = isLoopback || allowedHosts.length > 0;
  if (isHostChecked && !isLoopbackName(name) && !allowedHosts.includes(name))
    return {
      status: 403,
      code: 'forbidden_host',
      message:
        'toolmend gateway does not answer to this Host. Name it in allowedHosts of toolmend.config.json.',
    };
  if (origin !== undefined && !isLoopbackOrigin(origin) && !allowedOrigins.includes(origin))
    return {
      status: 403,
      code: 'forbidden_origin',
      message:
        'toolmend gateway does not take requests from this Origin. Name it in allowedOrigins of toolmend.config.json.',
    };
  if (token === undefined || tokensOf(headers).some((sentToken) => isSame(sentToken, token)))
    return undefined;
  return {
    status: 401,
    code: 'token_required',
    message:
      'toolmend gateway needs its token: send it as the API key, or as the header x-toolmend-token.',
  };
}

/** Headers of the client without the gateway's own token. */
export const withoutToken = (
  headers: readonly string[],
  token: string | undefined,
): readonly string[] =>
  token === undefined
    ? headers
    : headers.flatMap((name, at) => {
        if (at % 2 === 1) return [];
        const value = headers[at + 1] ?? '';
        const isToken =
          tokenHeaders.includes(name.toLowerCase()) &&
          wordsIn(value).some((word) => isSame(word, token));
        return isToken ? [] : [name, value];
      });

const tokenHeaders: readonly string[] = ['x-toolmend-token', 'authorization', 'x-api-key'];

const tokensOf = (headers: IncomingHttpHeaders): readonly string[] =>
  tokenHeaders.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? wordsIn(value) : [];
  });

const wordsIn = (value: string): readonly string[] => [
  value.replace(/^Bearer\s+/i, ''),
  passwordIn(value),
];

/** Browsers ask for a name and a password: the token is the password. */
const passwordIn = (value: string): string =>
  Buffer.from(/^Basic\s+(\S+)$/i.exec(value)?.[1] ?? '', 'base64')
    .toString()
    .replace(/^[^:]*:/, '');

/** In a time that does not depend on the content. */
const isSame = (sentToken: string, token: string): boolean =>
  timingSafeEqual(digest(sentToken), digest(token));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The name in a Host header, in lower case and without a port. */
const hostName = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');

const isLoopbackName = (name: string): boolean =>
  name === 'localhost' ||
  name === '::1' ||
  /^127(?:\.\d{1,3}){3}$/.test(name) ||
  name.endsWith('.localhost');

/** Whether an address to listen on is loopback's. */
export const isLoopbackAddress = (host: string): boolean => isLoopbackName(hostName(host));

function isLoopbackOrigin(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && /^https?:$/.test(url.protocol) && isLoopbackName(hostName(url.host));
}
