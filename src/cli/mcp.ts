import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { DefinitionError } from '../errors/definition-error.ts';
import {
  type Channel,
  type ServerCommand,
  environmentOf,
  fillVariables,
  lineChannel,
  startServer,
} from '../gateway/mcp-channel.ts';
import { type ConfiguredServer, serversIn } from '../gateway/mcp-config.ts';
import { HttpChannel, type HttpServer } from '../gateway/mcp-http-channel.ts';
import { McpHub } from '../gateway/mcp-hub.ts';
import type { HubServer } from '../gateway/mcp-lists.ts';
import { pinsOf } from '../gateway/mcp-pins.ts';
import { McpRelay } from '../gateway/mcp-relay.ts';
import { type CallDecision, ServerTools } from '../gateway/mcp-tools.ts';
import { printable } from '../json/preview.ts';
import { type Streams, asJson, refuse, whyNotParsed } from './report.ts';

export const mcpUsage = `mcp is an MCP server in front of MCP servers: their tools have hints, and calls are repaired before a server gets them.

  --url URL                the server is one over Streamable HTTP, instead of a command
  --header 'NAME: VALUE'   sent with each request; \${NAME} stands for that variable of the environment
  --env NAME               the command gets this variable, beside PATH, HOME and the like
  --config FILE            one or several servers; default without a command and a URL: toolmend.config.json
  --no-hints               descriptions of tools stay as they are
  --print-pins             prints the digests of all tools, for the configuration, and ends
  --verbose                standard error has a line for each call that was repaired or refused
`;

type Log = (line: string) => void;

/** Runs an MCP server in front of others, until one side ends. Exit code: 0 if the client ended it, 1 if the servers did, 2 for wrong usage. */
export async function runMcp(args: readonly string[], streams: Streams): Promise<number> {
  const request = await readRequest(args);
  if (typeof request === 'string') return refuse(streams, request);
  const log: Log = (line) => void streams.stderr.write(`toolmend: ${line}\n`);
  const servers = request.servers.map((server) => start(server, log));
  const closeAll = async (): Promise<void> => {
    await Promise.all(servers.map(({ channel }) => channel.close()));
  };
  const closing = (): void => void closeAll();
  for (const signal of signals) process.on(signal, closing);
  try {
    if (request.printsPins) return await printPins(servers, streams, log);
    return await serve(servers, request.verbose, streams, log);
  } finally {
    for (const signal of signals) process.off(signal, closing);
    await closeAll();
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function start({ name, prefix, tools, server }: ConfiguredServer, log: Log): HubServer {
  const channel = 'url' in server ? new HttpChannel(server, log) : startServer(server);
  return { name, prefix, channel, tools: new ServerTools(tools, log) };
}

async function serve(
  servers: readonly HubServer[],
  isVerbose: boolean,
  { stdin, stdout }: Streams,
  log: Log,
): Promise<number> {
  const [only, ...others] = servers;
  if (stdin === undefined || only === undefined) return 2;
  const client: Channel = lineChannel(stdin, stdout);
  const options = { log, ...(isVerbose ? { onCall: logCall(log) } : {}) };
  try {
    if (others.length > 0) return (await new McpHub(client, servers, options).run()) === 'client' ? 0 : 1;
    const relay = new McpRelay(client, only.channel, { ...options, tools: only.tools });
    if ((await relay.run()) === 'client') return 0;
    const why = `The server ${(await only.channel.ended) ?? 'is gone'}.`;
    log(why);
    await relay.fail(why);
    return 1;
  } finally {
    await client.close();
  }
}

/** Without values of arguments. */
const logCall =
  (log: Log) =>
  (tool: string, decision: CallDecision): void => {
    if (decision.kind === 'changed' && decision.rules.length > 0)
      log(`${printable(tool)} repaired: ${[...new Set(decision.rules)].join(', ')}`);
    if (decision.kind === 'refused') log(`${printable(tool)} refused`);
  };

async function printPins(servers: readonly HubServer[], streams: Streams, log: Log): Promise<number> {
  const pins: Record<string, object> = {};
  for (const { name, channel, tools } of servers) {
    try {
      pins[name] = await pinsOf(channel, tools, log);
    } catch (error) {
      log(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return 1;
    }
  }
  streams.stdout.write(asJson(pins));
  return 0;
}

interface ProxyRequest {
  readonly servers: readonly ConfiguredServer[];
  readonly verbose: boolean;
  readonly printsPins: boolean;
}

/** The request, or why it can't be read. */
async function readRequest(args: readonly string[]): Promise<ProxyRequest | string> {
  const end = args.indexOf('--');
  const command = end === -1 ? [] : args.slice(end + 1);
  const values = readOptions(end === -1 ? args : args.slice(0, end));
  if (typeof values === 'string') return values;
  const {
    'no-hints': noHints = false,
    'print-pins': printsPins = false,
    verbose = false,
    url,
    config,
  } = values;
  const given = [url, config, command[0]].filter((part) => part !== undefined);
  if (given.length > 1) return 'mcp takes one of a command behind --, --url and --config';
  const servers =
    given.length === 0 || config !== undefined
      ? await readConfig(config ?? 'toolmend.config.json', config === undefined)
      : oneServer(url === undefined ? readCommand(command, values.env) : readUrl(url, values.header));
  if (typeof servers === 'string') return servers;
  return {
    servers: noHints ? servers.map((one) => ({ ...one, tools: { ...one.tools, hints: false } })) : servers,
    verbose,
    printsPins,
  };
}

const oneServer = (server: ServerCommand | HttpServer | string): readonly ConfiguredServer[] | string =>
  typeof server === 'string' ? server : [{ name: 'server', prefix: '', tools: {}, server }];

async function readConfig(file: string, isDefault: boolean): Promise<readonly ConfiguredServer[] | string> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined)
    return isDefault
      ? `mcp needs a server, as in: toolmend mcp -- npx some-mcp-server, or: toolmend mcp --url https://example.com/mcp, or a ${file}`
      : `there is no file ${printable(file, 400)}`;
  try {
    return serversIn(text, printable(file, 400));
  } catch (error) {
    if (error instanceof DefinitionError) return error.message;
    throw error;
  }
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
        config: { type: 'string' },
        env: { type: 'string', multiple: true },
        header: { type: 'string', multiple: true },
        'no-hints': { type: 'boolean' },
        'print-pins': { type: 'boolean' },
        url: { type: 'string' },
        verbose: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    return whyNotParsed(error);
  }
}
