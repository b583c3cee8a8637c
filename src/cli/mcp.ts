import { parseArgs } from 'node:util';
import { type Channel, environmentOf, lineChannel, startServer } from '../gateway/mcp-channel.ts';
import { McpRelay } from '../gateway/mcp-relay.ts';
import { type CallDecision, ServerTools } from '../gateway/mcp-tools.ts';
import { printable } from '../json/preview.ts';
import { type Streams, refuse, whyNotParsed } from './report.ts';

/** Runs an MCP server in front of another one, until one side ends. Exit code: 0 if the client ended it, 1 if the server did, 2 for wrong usage. */
export async function runMcp(args: readonly string[], streams: Streams): Promise<number> {
  const request = readRequest(args);
  if (typeof request === 'string') return refuse(streams, request);
  const { stdin } = streams;
  if (stdin === undefined) return refuse(streams, 'mcp needs a standard input');
  const log = (line: string): void => void streams.stderr.write(`toolmend: ${line}\n`);
  const server = startServer(request);
  const tools = new ServerTools({ hints: request.hints }, log);
  const onCall = request.verbose
    ? (tool: string, decision: CallDecision) => logCall(tool, decision, log)
    : undefined;
  const client: Channel = lineChannel(stdin, streams.stdout);
  const relay = new McpRelay(client, server, { tools, log, ...(onCall === undefined ? {} : { onCall }) });
  const closing = (): void => void server.close();
  for (const signal of signals) process.on(signal, closing);
  try {
    if ((await relay.run()) === 'client') {
      await server.close();
      return 0;
    }
    const why = `The server ${await server.ended}.`;
    log(why);
    await relay.fail(why);
    return 1;
  } finally {
    for (const signal of signals) process.off(signal, closing);
    await client.close();
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Without values of arguments. */
function logCall(tool: string, decision: CallDecision, log: (line: string) => void): void {
  if (decision.kind === 'changed' && decision.rules.length > 0)
    log(`${printable(tool)} repaired: ${[...new Set(decision.rules)].join(', ')}`);
  if (decision.kind === 'refused') log(`${printable(tool)} refused`);
}

interface ProxyRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly hints: boolean;
  readonly verbose: boolean;
}

/** The request, or why it can't be read. */
function readRequest(args: readonly string[]): ProxyRequest | string {
  const end = args.indexOf('--');
  const [command, ...commandArgs] = end === -1 ? [] : args.slice(end + 1);
  const values = readOptions(end === -1 ? args : args.slice(0, end));
  if (typeof values === 'string') return values;
  if (command === undefined)
    return 'mcp needs the command of a server behind --, as in: toolmend mcp -- npx some-mcp-server';
  const { env = [], 'no-hints': noHints = false, verbose = false } = values;
  const missing = env.find((name) => process.env[name] === undefined);
  if (missing !== undefined) return `--env ${printable(missing)}: the environment has no such variable`;
  return { command, args: commandArgs, env: environmentOf(env), hints: !noHints, verbose };
}

function readOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        env: { type: 'string', multiple: true },
        'no-hints': { type: 'boolean' },
        verbose: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    return whyNotParsed(error);
  }
}
