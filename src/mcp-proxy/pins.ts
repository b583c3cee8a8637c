import { objectAtPath, readMessage } from './message.ts';
import { ownValue } from '../collections/objects.ts';
import type { Pins } from '../registry/interpret-call.ts';
import type { Channel } from './channel.ts';
import { McpRelay } from './relay.ts';
import type { ServerTools } from './tools.ts';

const maxPages = 64;
/** Servers answer with the version that they speak. */
const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'toolmend', version: '1' },
};

/**
 * The digests of a server's tools, by shown name. Rejects with an Error if the server doesn't list
 * them.
 */
export async function pinsOf(
  server: Channel,
  tools: ServerTools,
  log: (line: string) => void,
): Promise<Pins> {
  const receivers = new Map<string, (text: string) => void>();
  const client: Channel = {
    run: () => new Promise<void>(() => undefined),
    send: (text) => {
      const message = readMessage(text);
      if (typeof message === 'object' && message.kind.kind === 'response')
        receivers.get(message.kind.id)?.(text);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
  const relay = new McpRelay(client, server, { tools, log });
  const exit = relay.run().then(async (): Promise<never> => {
    throw new Error(`The server ${(await server.exit) ?? 'is gone'}.`);
  });
  // No request may be waiting when it rejects.
  exit.catch(() => undefined);
  const ask = async (id: number, method: string, params: object): Promise<string> => {
    const answer = new Promise<string>((resolve) => receivers.set(String(id), resolve));
    await relay.fromClient(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return Promise.race([answer, exit]);
  };
  await ask(0, 'initialize', initialize);
  await relay.fromClient('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  let cursor: string | undefined;
  for (let page = 1; page <= maxPages && !tools.isWhole; page += 1) {
    const message = readMessage(
      await ask(page, 'tools/list', cursor === undefined ? {} : { cursor }),
    );
    const nextCursor =
      typeof message === 'object'
        ? ownValue(objectAtPath(message.value, 'result'), 'nextCursor')
        : undefined;
    if (typeof nextCursor !== 'string') break;
    cursor = nextCursor;
  }
  if (!tools.isWhole) throw new Error('The server does not list its tools.');
  return tools.digests();
}
