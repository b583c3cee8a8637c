import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { DefinitionError } from '../errors/definition-error.ts';
import { ToolmendError } from '../errors/errors.ts';
import { type AccessRules, hostRule, isLoopbackAddress, originRule } from '../network/access.ts';
import { type ServerCommand, lineChannel } from '../mcp-proxy/channel.ts';
import { type ConfiguredServer, serversIn } from '../mcp-proxy/config.ts';
import type { HttpServer } from '../mcp-proxy/http-channel.ts';
import type { HubServer } from '../mcp-proxy/lists.ts';
import { type ListenOptions, McpListener } from '../mcp-proxy/listener.ts';
import { pinsOf } from '../mcp-proxy/pins.ts';
import {
  type ProxyOptions,
  callLog,
  closeServers,
  runProxy,
  startServers,
} from '../mcp-proxy/proxy.ts';
import type { OnCall } from '../mcp-proxy/relay.ts';
import { printable } from '../json/preview.ts';
import { durationForm, durationIn } from '../options/duration.ts';
import { type StopSignals, endServer, listenForSignals } from './drain.ts';
import { LogFile } from './log-file.ts';
import { readCommand, readUrl } from './mcp-server.ts';
import {
  type Streams,
  asJson,
  audienceOf,
  refuseUsage,
  whyNotParsed,
  settingsText,
} from './report.ts';

export const mcpUsage = `Usage: toolmend mcp -- COMMAND ARGUMENT...
       toolmend mcp --url URL
       toolmend mcp --config FILE

Runs an MCP server in front of other MCP servers. It adds hints to their tools, and repairs calls before a
server gets them.

  --url URL                a server over Streamable HTTP, instead of a command
  --header 'NAME: VALUE'   sent with each request; \${NAME} stands for that variable of the environment
  --env NAME               the command gets this variable, beside PATH, HOME and the like
  --config FILE            one or several servers; default without a command and a URL: toolmend.config.json
  --port N                 serves Streamable HTTP at this port of 127.0.0.1 (0: a free one), instead of
                           standard input and output
  --host ADDRESS           listens there; beyond loopback, --token-env NAME names the variable with the token
                           that clients send
  --allow-host NAME, --allow-origin ORIGIN   accepts requests with this Host or Origin too, beside those of loopback
  --drain TIME             how long open calls may go on over HTTP after SIGTERM, such as 500ms, 30s or 5m;
                           default: 30s
  --no-hints               descriptions of tools stay as they are
  --print-pins             prints the digests of all tools, for the configuration, and ends
  --log FILE               writes a line for each call; with --log-contents, lines have schemas and arguments,
                           without secrets
  --verbose                standard error has a line for each call that was repaired or refused
`;

type Log = (line: string) => void;

/**
 * Runs an MCP server in front of others: on standard input and output until one side ends, or over
 * HTTP until a signal comes. Exit code: 0 if the client or a signal ended it, 1 if the servers did,
 * 2 for wrong usage.
 */
export async function runMcp(args: readonly string[], streams: Streams): Promise<number> {
  const request = await readRequest(args);
  if (typeof request === 'string') return refuseUsage(streams, request);
  const log: Log = (line) => void streams.stderr.write(`toolmend: ${line}\n`);
  let logFile: LogFile | undefined;
  try {
    logFile = request.log === undefined ? undefined : openLog(request.log, log);
  } catch (error) {
    if (!(error instanceof ToolmendError)) throw error;
    return refuseUsage(streams, error.message);
  }
  const toFile = logFile && callLog((line) => logFile.write(line), request.logsContents);
  const toErrors = request.verbose ? logCall(log) : undefined;
  const onCall: OnCall = (...call) => {
    toErrors?.(...call);
    toFile?.(...call);
  };
  const options = { log, onCall };
  try {
    return request.listen === undefined
      ? await serveLines(request, options, streams)
      : await serveHttp(request.servers, { ...options, ...request.listen }, streams);
  } finally {
    await logFile?.close();
  }
}

async function serveLines(
  request: ProxyRequest,
  options: ProxyOptions,
  streams: Streams,
): Promise<number> {
  const { log } = options;
  const servers = startServers(request.servers, options);
  const closeAll = (): void => void closeServers(servers);
  for (const signal of signals) process.on(signal, closeAll);
  try {
    if (request.printsPins) return await printPins(servers, streams, log);
    const client = lineChannel(streams.stdin ?? Readable.from([]), streams.stdout);
    const endedSide = await runProxy(client, servers, options);
    await client.close();
    return endedSide === 'client' ? 0 : 1;
  } finally {
    for (const signal of signals) process.off(signal, closeAll);
    await closeServers(servers);
  }
}

const openLog = (path: string, log: Log): LogFile =>
  new LogFile(path, (error) => log(`a line of the log can't be written: ${error.message}`));

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function serveHttp(
  servers: readonly ConfiguredServer[],
  options: ListenOptions & { readonly drainMs: number },
  streams: Streams,
): Promise<number> {
  const listener = new McpListener(servers, options);
  let stopSignals: StopSignals;
  try {
    const place = await listener.listen();
    stopSignals = listenForSignals(signals);
    streams.stdout.write(`toolmend mcp listens at ${place.url}\n${audienceOf(place)}`);
  } catch (error) {
    if (!ToolmendError.isInstance(error)) throw error;
    return refuseUsage(streams, error.message);
  }
  await stopSignals.first;
  const { drainMs } = options;
  await endServer(listener, { what: 'the proxy', drainMs, signals: stopSignals }, streams);
  return 0;
}

/** Without values of arguments. */
const logCall =
  (log: Log): OnCall =>
  (tool, decision) => {
    if (decision.kind === 'changed' && decision.rules.length > 0)
      log(`${printable(tool)} repaired: ${[...new Set(decision.rules)].join(', ')}`);
    if (decision.kind === 'refused') log(`${printable(tool)} refused`);
  };

async function printPins(
  servers: readonly HubServer[],
  streams: Streams,
  log: Log,
): Promise<number> {
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
  readonly log: string | undefined;
  readonly logsContents: boolean;
  /** Undefined: on standard input and output. */
  readonly listen: Address | undefined;
}

interface Address {
  readonly host: string;
  readonly port: number;
  readonly access: AccessRules;
  /** Milliseconds that open calls may go on after the process was asked to end. */
  readonly drainMs: number;
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
  const sources = [url, config, command[0]].filter((part) => part !== undefined);
  if (sources.length > 1) return 'mcp takes one of a command behind --, --url and --config';
  const idle = withoutEffect(values, command.length > 0);
  if (idle !== undefined) return idle;
  const servers =
    sources.length === 0 || config !== undefined
      ? await readConfig(config ?? 'toolmend.config.json', config === undefined)
      : oneServer(
          url === undefined ? readCommand(command, values.env) : readUrl(url, values.header),
        );
  if (typeof servers === 'string') return servers;
  const listen = values.port === undefined ? undefined : readAddress(values.port, values);
  if (typeof listen === 'string') return listen;
  return {
    log: values.log,
    logsContents: values['log-contents'] ?? false,
    listen,
    servers: noHints
      ? servers.map((one) => ({ ...one, tools: { ...one.tools, hints: false } }))
      : servers,
    verbose,
    printsPins,
  };
}

/** Why an option that does nothing is refused; undefined if each does something. */
function withoutEffect(
  { port, log, url, ...values }: Exclude<ReturnType<typeof readOptions>, string>,
  hasCommand: boolean,
): string | undefined {
  const needs = [
    ['--host', values.host, port, '--port'],
    ['--token-env', values['token-env'], port, '--port'],
    ['--allow-host', values['allow-host'], port, '--port'],
    ['--allow-origin', values['allow-origin'], port, '--port'],
    ['--drain', values.drain, port, '--port'],
    ['--log-contents', values['log-contents'], log, '--log'],
    ['--header', values.header, url, '--url'],
    ['--env', values.env, hasCommand ? '' : undefined, 'a command behind --'],
  ] as const;
  const idleOption = needs.find(
    ([, value, companion]) => value !== undefined && companion === undefined,
  );
  return idleOption === undefined
    ? undefined
    : `${idleOption[0]} has an effect only with ${idleOption[3]}`;
}

interface AddressOptions {
  readonly host?: string;
  readonly 'token-env'?: string;
  readonly 'allow-host'?: string[];
  readonly 'allow-origin'?: string[];
  readonly drain?: string;
}

function readAddress(port: string, options: AddressOptions): Address | string {
  const { host = '127.0.0.1', 'token-env': variable } = options;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    return '--port is not a number from 0 to 65535';
  const token = variable === undefined ? undefined : process.env[variable];
  if (variable !== undefined && (token === undefined || token === ''))
    return `--token-env ${printable(variable)}: the environment has no such variable`;
  const isLoopback = isLoopbackAddress(host);
  if (!isLoopback && token === undefined)
    return `--host ${printable(host)} is not loopback: name the variable with a token, as in --token-env TOOLMEND_TOKEN`;
  const { 'allow-host': allowedHosts = [], 'allow-origin': allowedOrigins = [] } = options;
  const hosts = allowedHosts.map((name) => hostRule(name));
  if (hosts.includes(undefined))
    return '--allow-host is not a name, as in: --allow-host gateway.example.com';
  const origins = allowedOrigins.map((name) => originRule(name));
  if (origins.includes(undefined))
    return '--allow-origin is not an origin, as in: --allow-origin https://chat.example.com';
  const drainMs = durationIn(options.drain ?? '30s');
  if (drainMs === undefined) return `--drain ${printable(options.drain ?? '')}: ${durationForm}`;
  const access = {
    isLoopback,
    allowedHosts: hosts.flatMap((name) => name ?? []),
    allowedOrigins: origins.flatMap((name) => name ?? []),
    token,
  };
  return { host, port: Number(port), access, drainMs };
}

const oneServer = (
  server: ServerCommand | HttpServer | string,
): readonly ConfiguredServer[] | string =>
  typeof server === 'string' ? server : [{ name: 'server', prefix: '', tools: {}, server }];

async function readConfig(
  file: string,
  isDefault: boolean,
): Promise<readonly ConfiguredServer[] | string> {
  const settings = await settingsText(file, !isDefault);
  if ('why' in settings) return settings.why;
  if (settings.text === undefined)
    return `mcp needs a server, as in: toolmend mcp -- npx some-mcp-server, or: toolmend mcp --url https://example.com/mcp, or a ${file}`;
  try {
    return serversIn(settings.text, printable(file, 400));
  } catch (error) {
    if (error instanceof DefinitionError) return error.message;
    throw error;
  }
}

function readOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        'allow-host': { type: 'string', multiple: true },
        'allow-origin': { type: 'string', multiple: true },
        config: { type: 'string' },
        drain: { type: 'string' },
        env: { type: 'string', multiple: true },
        header: { type: 'string', multiple: true },
        host: { type: 'string' },
        log: { type: 'string' },
        'log-contents': { type: 'boolean' },
        'no-hints': { type: 'boolean' },
        port: { type: 'string' },
        'print-pins': { type: 'boolean' },
        'token-env': { type: 'string' },
        url: { type: 'string' },
        verbose: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    const isCommand = Reflect.get(Object(error), 'code') === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL';
    const hint =
      'Write the command of a server behind --, as in: toolmend mcp -- npx some-mcp-server';
    return isCommand ? `${whyNotParsed(error, 'mcp')}\n${hint}` : whyNotParsed(error, 'mcp');
  }
}
