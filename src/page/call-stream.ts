import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { PageData } from './page-data.ts';

/** Proxies close connections on which nothing is sent. */
const beatMs = 15_000;
/** Calls in one event: a browser stays responsive. */
const mostInEvent = 500;

/**
 * Streams the calls that are new or have changed, as server-sent events. A browser that has lost
 * the connection asks again with the id of the last event that it has read:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function sendChanges(
  request: IncomingMessage,
  response: ServerResponse,
  data: PageData,
  headers: OutgoingHttpHeaders,
): void {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.write('retry: 1000\n\n');
  const send = (event: string, id: string, body: object): void =>
    void response.write(`event: ${event}\nid: ${id}\ndata: ${JSON.stringify(body)}\n\n`);
  const stop = data.follow(lastIdOf(request), {
    onCalls({ calls, cursor }) {
      for (let at = 0; at === 0 || at < calls.length; at += mostInEvent) {
        const isLast = at + mostInEvent >= calls.length;
        // Only after the last part has the reader all calls up to the cursor.
        const part = { calls: calls.slice(at, at + mostInEvent) };
        if (isLast) send('calls', cursor, part);
        else response.write(`event: calls\ndata: ${JSON.stringify(part)}\n\n`);
      }
    },
    onReset: (cursor) => send('reset', cursor, {}),
    // The browser says so, and connects again until it can.
    onLost: () => response.end(),
  });
  const beat = setInterval(() => response.write(':\n\n'), beatMs);
  response.on('close', () => {
    clearInterval(beat);
    stop();
  });
}

function lastIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}
