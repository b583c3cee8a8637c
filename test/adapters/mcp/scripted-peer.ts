// A server that sends what a test wants, valid or not, at the other end of the real client.
import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { ToolRegistry } from 'toolmend';
import { registerRemoteTools, type RemoteOptions } from 'toolmend/mcp';

/** The answer to a call. Undefined: none. */
export type Answer = (call: { readonly name: string; readonly arguments: unknown }) => unknown;

export type ScriptedPeer = Awaited<ReturnType<typeof scriptedPeer>>;

/** An error of the protocol. */
export class Fault extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** `tasks`: answers to requests for tasks, by method. */
export async function scriptedPeer(
  answer: Answer = () => ({ content: [] }),
  tasks?: Readonly<Record<string, (params: Record<string, unknown>) => unknown>>,
) {
  const calls: unknown[] = [];
  const cancelled: unknown[] = [];
  let pages: readonly (readonly unknown[])[] = [[]];
  let lastCursor: string | undefined;
  const results: Record<string, (params: Record<string, unknown>) => unknown> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: {
        tools: { listChanged: true },
        ...(tasks === undefined ? {} : { tasks: { requests: { tools: { call: {} } } } }),
      },
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
    ...tasks,
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
      // As JSON.
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
    /** The calls of the client. */
    calls: calls as readonly unknown[],
    /** Ids of requests that the client has cancelled. */
    cancelled: cancelled as readonly unknown[],
    /** The tools of the list from now on. */
    list: (...tools: readonly unknown[]): void => void (pages = [tools]),
    pages: (...given: readonly (readonly unknown[])[]): void => void (pages = given),
    /** The cursor of the last page. */
    lastCursor: (cursor: string): void => void (lastCursor = cursor),
    announce: (): void => send({ method: 'notifications/tools/list_changed' }),
    fail: (code: number, message: string): never => {
      throw new Fault(code, message);
    },
    /** Ends the connection. */
    drop: (): void => transport.onclose?.(),
  };
}

/** A registry with the tools of a scripted server. */
export async function remoteOf(
  tools: readonly unknown[],
  options: RemoteOptions = {},
  answer?: Answer,
) {
  const peer = await scriptedPeer(answer);
  peer.list(...tools);
  const warnings: string[] = [];
  const registry = new ToolRegistry({
    listeners: [{ onWarning: ({ code }) => warnings.push(code) }],
  });
  const remote = await registerRemoteTools(registry, peer.client, options);
  return { peer, registry, remote, warnings };
}

/** A tool as a server lists it. */
export const listed = (name: string, properties: object = {}, more: object = {}): object => ({
  name,
  inputSchema: { type: 'object', properties, ...more },
});

export const text = (said: string) => ({ content: [{ type: 'text', text: said }] });
