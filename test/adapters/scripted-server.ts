// Providers' servers on loopback, which close after each test.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { awsMessage } from './bedrock/aws-message.ts';

/**
 * How a server writes: with server-sent events; with a line of JSON for each event, as Ollama; as
 * AWS, over HTTP/2.
 */
export type Transport = 'sse' | 'lines' | 'aws';

/**
 * `end`: what follows the last event. `done` is OpenAI's end; `break` cuts the connection; `open`
 * keeps it open.
 */
export type Body = { readonly as?: Transport } &
  /** Text is sent as it is. */
  (
    | { readonly json: unknown; readonly status?: number }
    | { readonly events: readonly unknown[]; readonly end?: 'done' | 'silent' | 'break' | 'open' }
  );

// eslint-disable-next-line typescript/no-explicit-any -- only tests read what a program sends
type Sent = any;

export type ScriptedServer = Awaited<ReturnType<typeof startServer>>;

/** Sends one body for each request; the last one is repeated. */
export const startBodyServer = (...bodies: readonly Body[]) =>
  startServer((index) => bodies[index] ?? bodies.at(-1) ?? { json: {} }, bodies[0]?.as === 'aws');

/** What the model says in one turn; `arguments` is text as it comes over the wire. */
export interface Turn {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** OpenAI's word. Default: `tool_calls` with calls, else `stop`. */
  readonly finishReason?: string;
}

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/**
 * Sends one turn for each request, in the form of OpenAI or Anthropic, streamed if asked; the last
 * one is repeated.
 */
export const startScriptedServer = (...turns: readonly Turn[]) =>
  startServer((index, sent, url) => {
    const turn = turns[index] ?? turns.at(-1) ?? {};
    return (url.endsWith('/messages') ? anthropicBody : openAiBody)(turn, sent.stream === true);
  });

async function startServer(
  bodyFor: (index: number, sent: Sent, url: string) => Body,
  isHttp2 = false,
) {
  const requests: Sent[] = [];
  const authorizations: unknown[] = [];
  const answer = (request: Request, response: Response) => {
    void json(request).then((sent) => {
      requests.push(sent);
      authorizations.push(request.headers['authorization']);
      write(bodyFor(requests.length - 1, sent, request.url ?? ''), response);
    });
  };
  const server = isHttp2 ? createHttp2Server(answer) : createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session: { destroy(): void }) => sessions.add(session));
  onTestFinished(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
    for (const session of sessions) session.destroy();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const origin = `http://127.0.0.1:${port}`;
  // Of the OpenAI API; the bodies of the requests so far, and who sent them.
  return { baseURL: `${origin}/v1`, origin, requests, authorizations };
}

/** What both versions of HTTP have. */
type Request = Readable & {
  readonly url?: string | undefined;
  readonly headers: Record<string, unknown>;
};
interface Response {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  write(chunk: string | Uint8Array, done?: () => void): unknown;
  end(chunk: string): unknown;
  destroy(): unknown;
}

function write(body: Body, response: Response): void {
  if ('json' in body) {
    response.statusCode = body.status ?? 200;
    response.setHeader('content-type', 'application/json');
    response.end(typeof body.json === 'string' ? body.json : JSON.stringify(body.json));
    return;
  }
  const { type, event: encode } = transports[body.as ?? 'sse'];
  response.setHeader('content-type', type);
  for (const event of body.events) response.write(encode(event));
  if (body.end === 'break') response.write('data: {"half', () => response.destroy());
  else if (body.end !== 'open') response.end(body.end === 'silent' ? '' : 'data: [DONE]\n\n');
}

const transports: Readonly<
  Record<
    Transport,
    { readonly type: string; readonly event: (event: unknown) => string | Uint8Array }
  >
> = {
  sse: {
    type: 'text/event-stream',
    event: (event) => `${nameOf(event)}data: ${JSON.stringify(event)}\n\n`,
  },
  lines: { type: 'application/x-ndjson', event: (event) => `${JSON.stringify(event)}\n` },
  aws: { type: 'application/vnd.amazon.eventstream', event: awsMessage },
};

/** Anthropic and the Responses API name their events. */
const nameOf = (event: unknown): string =>
  typeof event === 'object' && event !== null && 'type' in event
    ? `event: ${String(event.type)}\n`
    : '';

function openAiBody({ text, calls = [], finishReason }: Turn, isStream: boolean): Body {
  const head = { id: 'chatcmpl-1', created: 1, model: 'scripted' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const finish_reason = finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  if (!isStream) {
    const tool_calls = calls.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
    const message = {
      role: 'assistant',
      content: text ?? null,
      ...(calls.length > 0 ? { tool_calls } : {}),
    };
    const choices = [{ index: 0, finish_reason, message }];
    return { json: { ...head, object: 'chat.completion', choices, usage } };
  }
  const chunk = (delta: object, reason: string | null = null, rest: object = {}): object => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
    ...rest,
  });
  const parts = calls.flatMap(({ id, name, arguments: sent }, index) => [
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ...inThree(sent).map((part) =>
      chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
    ),
  ]);
  const said = chunk({ role: 'assistant', content: text ?? '' });
  return { events: [said, ...parts, chunk({}, finish_reason, { usage })] };
}

function anthropicBody({ text, calls = [] }: Turn, isStream: boolean): Body {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted' };
  const message = { ...head, stop_sequence: null, usage };
  const uses = calls.map(({ id, name, arguments: sent }) => ({ type: 'tool_use', id, name, sent }));
  if (!isStream) {
    const texts = text === undefined ? [] : [{ type: 'text', text }];
    const content = [
      ...texts,
      ...uses.map(({ sent, ...use }) => ({ ...use, input: JSON.parse(sent) })),
    ];
    return { json: { ...message, stop_reason, content } };
  }
  const texts = text === undefined ? [] : [text];
  const empty = { type: 'text', text: '' };
  const blocks = [
    ...texts.map((said) => ({ block: empty, deltas: [{ type: 'text_delta', text: said }] })),
    ...uses.map(({ sent, ...use }) => ({
      block: { ...use, input: {} },
      deltas: inThree(sent).map((part) => ({ type: 'input_json_delta', partial_json: part })),
    })),
  ];
  return {
    events: [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      ...blocks.flatMap(({ block, deltas }, index) => [
        { type: 'content_block_start', index, content_block: block },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'message_delta',
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: 1 },
      },
      { type: 'message_stop' },
    ],
    end: 'silent',
  };
}

function inThree(text: string): readonly string[] {
  const third = Math.ceil(text.length / 3);
  const parts = [text.slice(0, third), text.slice(third, third * 2), text.slice(third * 2)];
  return parts.filter((part) => part !== '');
}

/** A stream of an SDK that was aborted after this many events: both parts of it have them. */
export async function abortedAfter<Event>(
  count: number,
  stream: {
    readonly controller: AbortController;
    tee(): [AsyncIterable<Event>, AsyncIterable<Event>];
  },
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
