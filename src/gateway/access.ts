// Who may use the gateway: pages in a browser may not, and beyond loopback a token is needed.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface AccessRules {
  /** The gateway listens on loopback alone. */
  readonly isLoopback: boolean;
  /** Host names, without a port, that requests may name beside loopback's. Empty beyond loopback: any. */
  readonly allowedHosts: readonly string[];
  /** Origins of pages that may send requests, beside loopback's. */
  readonly allowedOrigins: readonly string[];
  readonly token: string | undefined;
}

/** Why a request is refused. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly code: 'forbidden_host' | 'forbidden_origin' | 'token_required';
  readonly message: string;
}

/** Undefined if the request may go on. */
export function refusalOf(headers: IncomingHttpHeaders, rules: AccessRules): Refusal | undefined {
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
  if (token === undefined || tokensOf(headers).some((sent) => isSame(sent, token))) return undefined;
  return {
    status: 401,
    code: 'token_required',
    message: 'toolmend gateway needs its token: send it as the API key, or as the header x-toolmend-token.',
  };
}

/** Headers of the client without the gateway's own token. */
export const withoutToken = (headers: readonly string[], token: string | undefined): readonly string[] =>
  token === undefined
    ? headers
    : headers.flatMap((name, at) => {
        if (at % 2 === 1) return [];
        const value = headers[at + 1] ?? '';
        const isToken =
          tokenHeaders.includes(name.toLowerCase()) && wordsIn(value).some((word) => isSame(word, token));
        return isToken ? [] : [name, value];
      });

const tokenHeaders: readonly string[] = ['x-toolmend-token', 'authorization', 'x-api-key'];

const tokensOf = (headers: IncomingHttpHeaders): readonly string[] =>
  tokenHeaders.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? wordsIn(value) : [];
  });

const wordsIn = (value: string): readonly string[] => [value.replace(/^Bearer\s+/i, ''), passwordIn(value)];

/** Browsers ask for a name and a password: the token is the password. */
const passwordIn = (value: string): string =>
  Buffer.from(/^Basic\s+(\S+)$/i.exec(value)?.[1] ?? '', 'base64')
    .toString()
    .replace(/^[^:]*:/, '');

/** In a time that does not depend on the content. */
const isSame = (sent: string, token: string): boolean => timingSafeEqual(digest(sent), digest(token));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The name in a Host header, in lower case and without a port. */
const hostName = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');

const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name) || name.endsWith('.localhost');

/** Whether an address to listen on is loopback's. */
export const isLoopbackAddress = (host: string): boolean => isLoopbackName(hostName(host));

function isLoopbackOrigin(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && /^https?:$/.test(url.protocol) && isLoopbackName(hostName(url.host));
}
