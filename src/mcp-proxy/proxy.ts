import { type Channel, exitUntilNow, startServer } from './channel.ts';
import type { ConfiguredServer } from './config.ts';
import { HttpChannel } from './http-channel.ts';
import { McpHub } from './hub.ts';
import type { HubServer } from './lists.ts';
import { recordedArguments } from '../telemetry/redact-arguments.ts';
import { McpRelay, type OnCall } from './relay.ts';
import { ServerTools } from './tools.ts';

export interface ProxyOptions {
  readonly log: (line: string) => void;
  readonly onCall?: OnCall;
}

/** Starts the servers, or connects with them. */
export const startServers = (
  servers: readonly ConfiguredServer[],
  { log }: ProxyOptions,
): readonly HubServer[] =>
  servers.map(({ name, prefix, tools, server }) => ({
    name,
    prefix,
    channel: 'url' in server ? new HttpChannel(server, log) : startServer(server),
    tools: new ServerTools(tools, log),
  }));

export async function closeServers(servers: readonly HubServer[]): Promise<void> {
  await Promise.all(servers.map(({ channel }) => channel.close()));
}

/** Connects a client with servers until one side ends. Says which one did. */
export async function runProxy(
  client: Channel,
  servers: readonly HubServer[],
  options: ProxyOptions,
): Promise<'client' | 'server'> {
  const [only, ...others] = servers;
  if (only === undefined || others.length > 0) return new McpHub(client, servers, options).run();
  const relay = new McpRelay(client, only.channel, { ...options, tools: only.tools });
  const endedSide = await relay.run();
  const exit = await (endedSide === 'client' ? exitUntilNow(only.channel) : only.channel.exit);
  if (endedSide === 'client' && exit === undefined) return endedSide;
  const why = `The server ${exit ?? 'is gone'}.`;
  options.log(why);
  await relay.fail(why);
  return 'server';
}

/**
 * Writes a line for each call, which `toolmend cases` and `toolmend replay` read. `contents`: with
 * the schema and the arguments, without secrets.
 */
export const callLog =
  (write: (line: string) => void, contents: boolean): OnCall =>
  (tool, decision, { id, sentArguments, schema }) => {
    if (decision.kind === 'unknown') return;
    const status = decision.kind === 'refused' ? 'rejected' : decision.kind;
    const rules = decision.kind === 'changed' ? [...new Set(decision.rules)] : [];
    const line = {
      time: new Date().toISOString(),
      protocol: 'mcp',
      id,
      tool,
      status: status === 'changed' ? (rules.length === 0 ? 'unchanged' : 'repaired') : status,
      ...(rules.length === 0 ? {} : { rules }),
      ...(decision.kind === 'refused'
        ? { issues: decision.issues.map((keyword) => ({ keyword })) }
        : {}),
      ...(contents ? { schema, ...recordedArguments(sentArguments) } : {}),
    };
    write(`${JSON.stringify(line)}\n`);
  };
