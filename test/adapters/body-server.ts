// What does a server say to the letter? Each request gets the next reply: a JSON body, or events, which may break off.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

/**
 * `events`: each becomes one server-sent event. `end`: what follows the last one; `break`: the connection is cut; `open`: nothing,
 * and it stays.
 */
export type Body =
  | { readonly json: unknown }
  | { readonly events: readonly unknown[]; readonly end?: 'done' | 'silent' | 'break' | 'open' };

export interface BodyServer {
  readonly origin: string;
  /** The bodies of the requests so far. */
  // eslint-disable-next-line typescript/no-explicit-any -- what a program sends is looked at by tests alone
  readonly requests: readonly any[];
  close(): void;
}

/** Listens on a free port of 127.0.0.1; the last body is repeated. */
export async function startBodyServer(...bodies: readonly Body[]): Promise<BodyServer> {
  const requests: unknown[] = [];
  const server = createServer((request, response) => {
    void json(request).then((sent) => {
      const body = bodies[requests.length] ?? bodies.at(-1) ?? { json: {} };
      requests.push(sent);
      write(body, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

function write(body: Body, response: ServerResponse): void {
  if ('json' in body) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body.json));
    return;
  }
  response.setHeader('content-type', 'text/event-stream');
  for (const event of body.events) response.write(`${nameOf(event)}data: ${JSON.stringify(event)}\n\n`);
  if (body.end === 'break') {
    response.write('data: {"half', () => response.destroy());
    return;
  }
  if (body.end === 'open') return;
  response.end(body.end === 'silent' ? '' : 'data: [DONE]\n\n');
}

/** Anthropic and the Responses API name their events. */
const nameOf = (event: unknown): string =>
  typeof event === 'object' && event !== null && 'type' in event ? `event: ${String(event.type)}\n` : '';

/** A stream of an SDK that was aborted when this many events had come: both parts of it have them. */
export async function abortedAfter<Event>(
  count: number,
  stream: { readonly controller: AbortController; tee(): [AsyncIterable<Event>, AsyncIterable<Event>] },
): Promise<AsyncIterable<Event>> {
  const [read, other] = stream.tee();
  let seen = 0;
  for await (const event of read) {
    void event;
    seen += 1;
    if (seen === count) stream.controller.abort();
  }
  return other;
}
