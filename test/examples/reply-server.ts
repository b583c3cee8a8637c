// Answers every request with the next of the given replies.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Reply {
  readonly status?: number;
  /** Text is sent as it is, everything else as JSON. */
  readonly body: unknown;
}

export interface ReplyServer {
  readonly baseURL: string;
  /** The bodies of the requests so far, and their authorization. */
  readonly requests: readonly { readonly body: string; readonly authorization: string | undefined }[];
}

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Listens on a free port of 127.0.0.1 until the test ends; the last reply is repeated. */
export async function startReplyServer(...replies: readonly Reply[]): Promise<ReplyServer> {
  const requests: { body: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const reply = replies[requests.length] ?? replies.at(-1);
      requests.push({ body, authorization: request.headers.authorization });
      const sent = typeof reply?.body === 'string' ? reply.body : JSON.stringify(reply?.body);
      response.writeHead(reply?.status ?? 200, { 'content-type': 'application/json' }).end(sent);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { baseURL: `http://127.0.0.1:${port}/v1`, requests };
}

/** A completion that calls one tool. */
export const callReply = (name: string, args: unknown, finishReason = 'tool_calls'): Reply => ({
  body: {
    choices: [
      {
        finish_reason: finishReason,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_7', type: 'function', function: { name, arguments: args } }],
        },
      },
    ],
  },
});

export const textReply = (content: string): Reply => ({
  body: { choices: [{ finish_reason: 'stop', message: { role: 'assistant', content } }] },
});
