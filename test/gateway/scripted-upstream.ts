// A server that answers with the bytes that a test wrote, and a gateway in front of it.
import { once } from 'node:events';
import {
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
  request,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { ExchangeEnd } from '../../src/gateway/exchange.ts';
import {
  type GatewaySettings,
  checkedSettings,
  gatewayOptions,
} from '../../src/gateway/gateway-options.ts';
import { GatewayRecord } from '../../src/gateway/gateway-record.ts';
import { type Gateway, startGateway } from '../../src/gateway/server.ts';
import type { UpstreamProblem } from '../../src/gateway/upstream.ts';
import type { PageFiles } from '../../src/page/page-files.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/**
 * What the upstream sends. `chunks` are written one after the other; `end` says what follows them.
 */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunks: readonly (string | Uint8Array)[];
  /** Default: `close`. `break`: the connection is cut. `open`: it stays open. */
  readonly end?: 'close' | 'break' | 'open';
}

export type Script = (received: Received, index: number) => ScriptedAnswer;

export interface ScriptedUpstream {
  readonly origin: string;
  readonly received: readonly Received[];
}

/** Closes at the end of the test that starts it. */
export async function startUpstream(script: Script): Promise<ScriptedUpstream> {
  const received: Received[] = [];
  const server = createServer((incoming, response) => {
    void buffer(incoming).then(async (body) => {
      const { method = '', url: path = '', headers } = incoming;
      received.push({ method, path, headers, text: body.toString() });
      await send(
        script({ method, path, headers, text: body.toString() }, received.length - 1),
        response,
      );
    });
  });
  return { origin: await listen(server), received };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

async function send(answer: ScriptedAnswer, response: ServerResponse): Promise<void> {
  const { status = 200, type = 'text/event-stream', headers = {}, chunks, end = 'close' } = answer;
  response.writeHead(status, { ...(type === '' ? {} : { 'content-type': type }), ...headers });
  for (const chunk of chunks) {
    response.write(chunk);
    // Each chunk becomes one of its own on the way.
    if (chunks.length > 1) await new Promise((resolve) => setImmediate(resolve));
  }
  if (end === 'break') setImmediate(() => response.destroy());
  else if (end === 'close') response.end();
}

/** A gateway before a server on loopback. */
export async function startTestGateway(
  origin: string,
  settings: GatewaySettings = {},
  record: GatewayRecord = new GatewayRecord({ writeLine: undefined, contents: false }),
  onProblem?: (problem: UpstreamProblem) => void,
  files?: PageFiles,
): Promise<Gateway> {
  const upstreams = [{ url: `${origin}/v1` }];
  const options = gatewayOptions(checkedSettings('test', { upstreams, ...settings }), {
    TOKEN: 'tok',
    KEY: 'sk-up',
  });
  const gateway = await startGateway(options, record, onProblem, files);
  onTestFinished(() => gateway.close());
  return gateway;
}

/** A record that keeps how exchanges ended. */
export class KeptRecord extends GatewayRecord {
  readonly ends: ExchangeEnd[] = [];
  readonly #first = Promise.withResolvers<void>();

  /** The first exchange has ended: the client may know before. */
  get added(): Promise<void> {
    return this.#first.promise;
  }

  override add(end: ExchangeEnd): void {
    super.add(end);
    this.ends.push(end);
    this.#first.resolve();
  }
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  /** The connection was cut before the end of the answer. */
  readonly isBroken: boolean;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request with the path as it is written, and reads the bytes of the answer. */
export async function ask(
  port: number,
  path: string,
  { method = 'POST', headers = {}, body = '' }: RawRequest,
): Promise<RawAnswer> {
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: { 'content-type': 'application/json', ...headers },
    agent: false,
  });
  sent.end(body);
  const answered = Promise.withResolvers<IncomingMessage>();
  sent.on('response', answered.resolve);
  sent.on('error', answered.reject);
  const answer = await answered.promise;
  const chunks: Buffer[] = [];
  let isBroken = false;
  try {
    for await (const chunk of answer) chunks.push(chunk as Buffer);
  } catch {
    isBroken = true;
  }
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    bytes: Buffer.concat(chunks),
    isBroken,
  };
}
