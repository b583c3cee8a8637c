// A server that says what a test wants it to say, sound or not: the other end of the real client's connection.
import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';

/** What a call is answered with; undefined: nothing at all. */
export type Answer = (call: { readonly name: string; readonly arguments: unknown }) => unknown;

export interface ScriptedPeer {
  readonly client: Client;
  /** What the client has called, in order. */
  readonly calls: readonly unknown[];
  /** Ids of requests that the client has cancelled. */
  readonly cancelled: readonly unknown[];
  /** What `tools/list` answers from now on. */
  list(...tools: readonly unknown[]): void;
  /** The same in pages. */
  pages(...pages: readonly (readonly unknown[])[]): void;
  /** What the last page says is next: an empty cursor leads to the first one. */
  lastCursor(cursor: string): void;
  /** Says that the list has changed. */
  announce(): void;
  /** Sends an error of the protocol instead of an answer. */
  fail(code: number, message: string): never;
  /** The connection ends. */
  drop(): void;
}

class Fault extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export async function scriptedPeer(answer: Answer = () => ({ content: [] })): Promise<ScriptedPeer> {
  const calls: unknown[] = [];
  const cancelled: unknown[] = [];
  let pages: readonly (readonly unknown[])[] = [[]];
  let lastCursor: string | undefined;
  const results: Record<string, (params: Record<string, unknown>) => unknown> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'scripted', version: '1' },
    }),
    'tools/list': ({ cursor = '0' }) => {
      const page = Number(cursor);
      const next = page + 1 < pages.length ? String(page + 1) : lastCursor;
      return { tools: pages[page], ...(next === undefined ? {} : { nextCursor: next }) };
    },
    'tools/call': (params) => {
      const call = { name: String(params['name']), arguments: params['arguments'] };
      calls.push(call);
      return answer(call);
    },
  };
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    queueMicrotask(() => transport.onmessage?.(JSON.parse(text)));
  };
  const respond = (id: unknown, method: string, params: Record<string, unknown>): void => {
    try {
      const result = results[method]?.(params);
      if (result !== undefined) send({ id, result });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      send({ id, error: { code: error.code, message: error.message } });
    }
  };
  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(transport.onclose?.()),
    send: (message: JSONRPCMessage) => {
      // As it would stand on the wire.
      const { id, method, params = {} } = JSON.parse(JSON.stringify(message));
      if (method === 'notifications/cancelled') cancelled.push(params.requestId);
      if (id !== undefined) respond(id, method, params);
      return Promise.resolve();
    },
  };
  const client = new Client({ name: 'tests', version: '1' });
  await client.connect(transport);
  return {
    client,
    calls,
    cancelled,
    list: (...tools) => (pages = [tools]),
    pages: (...given) => (pages = given),
    lastCursor: (cursor) => (lastCursor = cursor),
    announce: () => send({ method: 'notifications/tools/list_changed' }),
    fail: (code, message) => {
      throw new Fault(code, message);
    },
    drop: () => transport.onclose?.(),
  };
}

/** A tool as a server lists it. */
export const listed = (name: string, properties: object = {}, more: object = {}): object => ({
  name,
  inputSchema: { type: 'object', properties, ...more },
});

export const text = (said: string): { content: readonly object[] } => ({
  content: [{ type: 'text', text: said }],
});
