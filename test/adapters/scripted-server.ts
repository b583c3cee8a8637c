// What does a provider's server say in a test? One turn a request, in OpenAI's or Anthropic's words, streamed if asked.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

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

// eslint-disable-next-line typescript/no-explicit-any -- what a program sends is looked at by tests alone
type Body = any;

export interface ScriptedServer {
  /** Of the OpenAI API, with `/v1`. */
  readonly baseURL: string;
  readonly origin: string;
  readonly requests: readonly Body[];
}

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Listens on a free port of 127.0.0.1 until the test ends; the last turn is repeated. */
export async function startScriptedServer(...turns: readonly Turn[]): Promise<ScriptedServer> {
  const requests: Body[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body: Body) => {
      const turn = turns[requests.length] ?? turns.at(-1) ?? {};
      requests.push(body);
      const answer = request.url?.endsWith('/messages') === true ? anthropicAnswer : openAiAnswer;
      answer(turn, body.stream === true, response);
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
  const origin = `http://127.0.0.1:${port}`;
  return { baseURL: `${origin}/v1`, origin, requests };
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const head = { id: 'chatcmpl-1', created: 1, model: 'scripted' };

function openAiAnswer(turn: Turn, isStream: boolean, response: ServerResponse): void {
  const { text, calls = [] } = turn;
  const finish_reason = turn.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  if (!isStream) {
    const tool_calls = calls.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
    const said = { role: 'assistant', content: text ?? null, ...(calls.length > 0 ? { tool_calls } : {}) };
    const choices = [{ index: 0, finish_reason, message: said }];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }));
    return;
  }
  const deltas: unknown[] = [{ role: 'assistant', content: text ?? '' }];
  for (const [index, { id, name, arguments: sent }] of calls.entries()) {
    deltas.push({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
    for (const part of partsOf(sent)) {
      deltas.push({ tool_calls: [{ index, function: { arguments: part } }] });
    }
  }
  const chunk = (delta: unknown, reason: string | null, rest: object = {}): string =>
    sse({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
      ...rest,
    });
  response.setHeader('content-type', 'text/event-stream');
  for (const delta of deltas) response.write(chunk(delta, null));
  response.write(chunk({}, finish_reason, { usage }));
  response.end('data: [DONE]\n\n');
}

function anthropicAnswer(turn: Turn, isStream: boolean, response: ServerResponse): void {
  const { text, calls = [] } = turn;
  const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const texts = text === undefined ? [] : [{ type: 'text', text }];
  if (!isStream) {
    const uses = calls.map(({ id, name, arguments: sent }) => ({
      type: 'tool_use',
      id,
      name,
      input: JSON.parse(sent),
    }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...message, stop_reason, content: [...texts, ...uses] }));
    return;
  }
  response.setHeader('content-type', 'text/event-stream');
  const write = (event: { readonly type: string; readonly [key: string]: unknown }): void => {
    response.write(`event: ${event.type}\n${sse(event)}`);
  };
  write({ type: 'message_start', message: { ...message, content: [], stop_reason: null } });
  for (const { text: part } of texts) {
    write({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
    write({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: part } });
    write({ type: 'content_block_stop', index: 0 });
  }
  for (const [at, { id, name, arguments: sent }] of calls.entries()) {
    const index = at + texts.length;
    write({
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id, name, input: {} },
    });
    for (const partial_json of partsOf(sent)) {
      write({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } });
    }
    write({ type: 'content_block_stop', index });
  }
  write({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } });
  write({ type: 'message_stop' });
  response.end();
}

const sse = (event: unknown): string => `data: ${JSON.stringify(event)}\n\n`;

/** Three parts, whatever stands in them. */
function partsOf(text: string): readonly string[] {
  const third = Math.ceil(text.length / 3);
  return [text.slice(0, third), text.slice(third, third * 2), text.slice(third * 2)].filter(
    (part) => part !== '',
  );
}
