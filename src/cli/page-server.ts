// The server of `toolmend ui`: the page alone.
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import {
  type AccessRefusal,
  type AccessRules,
  isLoopbackAddress,
  refusalOf,
} from '../network/access.ts';
import { type ListenAddress, listen } from '../network/listen.ts';
import { type PageOptions, answerPage } from '../page/page-handler.ts';
import { isForPerson, sendTokenPage } from '../page/token-page.ts';

export interface PageServerOptions extends PageOptions, ListenAddress {
  readonly token: string | undefined;
}

export interface PageServer {
  readonly url: string;
  readonly isOnAllInterfaces: boolean;
  close(): Promise<void>;
}

/** Listens until it is closed. Rejects if the port can't be used. */
export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  const { host, token } = options;
  const isLoopback = isLoopbackAddress(host);
  const rules: AccessRules = { isLoopback, allowedHosts: [], allowedOrigins: [], token };
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    answer(request, response, rules, options).catch(() => response.destroy());
  });
  const { origin, isOnAllInterfaces } = await listen(server, options);
  return {
    url: `${origin}/`,
    isOnAllInterfaces,
    async close() {
      const closing = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closing;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  rules: AccessRules,
  options: PageServerOptions,
): Promise<void> {
  const refusal = refusalOf(request.headers, rules);
  if (refusal !== undefined) {
    const { status, code } = refusal;
    if (status === 401 && isForPerson(request)) return sendTokenPage(response);
    // A browser asks for the token, as the password.
    if (status === 401) response.setHeader('www-authenticate', 'Basic');
    return sendText(response, status, refusalTexts[code]);
  }
  const { url: path = '/' } = request;
  if (path.startsWith('/') && (await answerPage(request, response, path, options))) return;
  sendText(response, 404, 'toolmend ui has no such page.');
}

const refusalTexts: Readonly<Record<AccessRefusal['code'], string>> = {
  token_required:
    'toolmend ui needs its token: send it as the password, or as the header x-toolmend-token.',
  forbidden_host: 'toolmend ui does not answer to this Host: open the address that it has printed.',
  forbidden_origin: 'toolmend ui does not take requests from pages of other addresses.',
};

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(`${text}\n`);
}
