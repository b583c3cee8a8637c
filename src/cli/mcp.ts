import { parseArgs } from 'node:util';
import {
  type Channel,
  type ServerCommand,
  environmentOf,
  fillVariables,
  lineChannel,
  startServer,
} from '../gateway/mcp-channel.ts';
import { HttpChannel, type HttpServer } from '../gateway/mcp-http-channel.ts';
import { McpRelay } from '../gateway/mcp-relay.ts';
import { type CallDecision, ServerTools } from '../gateway/mcp-tools.ts';
import { printable } from '../json/preview.ts';
import { type Streams, refuse, whyNotParsed } from './report.ts';

export const mcpUsage = `mcp is an MCP server in front of an MCP server: its tools have hints, and calls are repaired before the server gets them.

  --url URL                the server is one over Streamable HTTP, instead of a command
  --header 'NAME: VALUE'   sent with each request; \${NAME} stands for that variable of the environment
  --env NAME               the command gets this variable, beside PATH, HOME and the like
  --no-hints               descriptions of tools stay as they are
  --verbose                standard error has a line for each call that was repaired or refused
`;

/** Runs an MCP server in front of another one, until one side ends. Exit code: 0 if the client ended it, 1 if the server did, 2 for wrong usage. */
export async function runMcp(args: readonly string[], streams: Streams): Promise<number> {
  const request = readRequest(args);
  if (typeof request === 'string') return refuse(streams, request);
  const { stdin } = streams;
  if (stdin === undefined) return refuse(streams, 'mcp needs a standard input');
  const log = (line: string): void => void streams.stderr.write(`toolmend: ${line}\n`);
  const server: Channel =
    'url' in request.server ? new HttpChannel(request.server, log) : startServer(request.server);
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
    const why = `The server ${(await server.ended) ?? 'is gone'}.`;
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
  readonly server: ServerCommand | HttpServer;
  readonly hints: boolean;
  readonly verbose: boolean;
}

/** The request, or why it can't be read. */
function readRequest(args: readonly string[]): ProxyRequest | string {
  const end = args.indexOf('--');
  const command = end === -1 ? [] : args.slice(end + 1);
  const values = readOptions(end === -1 ? args : args.slice(0, end));
  if (typeof values === 'string') return values;
  const { 'no-hints': noHints = false, verbose = false, url } = values;
  if ((url === undefined) === (command.length === 0))
    return 'mcp needs one server, as in: toolmend mcp -- npx some-mcp-server, or: toolmend mcp --url https://example.com/mcp';
  const server = url === undefined ? readCommand(command, values.env) : readUrl(url, values.header);
  return typeof server === 'string' ? server : { server, hints: !noHints, verbose };
}

function readCommand(
  [command = '', ...args]: readonly string[],
  env: readonly string[] = [],
): ServerCommand | string {
  const missing = env.find((name) => process.env[name] === undefined);
  if (missing !== undefined) return `--env ${printable(missing)}: the environment has no such variable`;
  return { command, args, env: environmentOf(env) };
}

function readUrl(text: string, headers: readonly string[] = []): HttpServer | string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return `--url ${printable(text)} is not a URL of http or https`;
  const entries: (readonly [string, string])[] = [];
  for (const header of headers) {
    const [, name = '', value = ''] = /^([\w-]+):\s*(.*)$/.exec(header) ?? [];
    if (name === '')
      return '--header is not a name and a value, as in: --header "Authorization: Bearer ${TOKEN}"';
    const filled = fillVariables(value);
    if (filled === undefined) return `--header ${name} names a variable that the environment does not have`;
    entries.push([name.toLowerCase(), filled]);
  }
  return { url, headers: Object.fromEntries(entries) };
}

function readOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        env: { type: 'string', multiple: true },
        header: { type: 'string', multiple: true },
        url: { type: 'string' },
        'no-hints': { type: 'boolean' },
        verbose: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    return whyNotParsed(error);
  }
}
