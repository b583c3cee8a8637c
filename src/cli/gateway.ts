import { parseArgs } from 'node:util';
import { DefinitionError } from '../errors/definition-error.ts';
import {
  type GatewayOptions,
  type GatewaySettings,
  checkedSettings,
  configFile,
  gatewayOptions,
  settingsIn,
  whyNoUpstream,
} from '../gateway/gateway-options.ts';
import { GatewayRecord } from '../gateway/gateway-record.ts';
import { isLoopbackAddress } from '../network/access.ts';
import { whyNoProxy } from '../network/outgoing-agents.ts';
import { readPageFiles } from '../page/page-files.ts';
import { type Gateway, startGateway } from '../gateway/server.ts';
import { defined } from '../collections/objects.ts';
import { endServer, listenForSignals } from './drain.ts';
import { LogFile } from './log-file.ts';
import { printable } from '../json/preview.ts';
import { type Streams, audienceOf, refuseUsage, whyNotParsed, settingsText } from './report.ts';

export const gatewayUsage = `Usage: toolmend gateway --upstream URL [--port N] [--log FILE]

Stands between an agent and the servers of its models, and repairs the tool calls of their answers.
${configFile} takes the same options.

  --upstream URL    the base URL of the model's server
  --port N          default: a free one
  --host ADDRESS    default: 127.0.0.1; any other than loopback needs --token-env
  --token-env NAME  the environment variable with the token that clients must send
  --key-env NAME    the environment variable with the upstream's API key; default: the client's key is passed on
  --config FILE     default: ${configFile}, if there is one
  --retry N         asks the model again, up to N times, if a call can't be repaired
  --reject          makes an answer with such a call an error; default: the call is passed on as sent
  --calls-in-text   reads calls that a server left in the text; --calls-in-text=marked: those of tools with
                    unknown effects only where nothing else can be meant
  --hints           adds hints to the descriptions of tools
  --hints learn     also what a model often gets wrong, as long as it helps
  --hints-file FILE keeps the counts of hints that learn; default: they end with the process
  --schemas-for P   gives tools the schemas of openai, openai-strict, anthropic, mistral, ollama or grammar
  --strict          tools say strict: true, and servers with grammars constrain their arguments; servers that
                    refuse it are asked without it
  --log FILE        writes a line for each call
  --log-contents    the lines have schemas and arguments, without secrets
  --access-log      standard output has a line for each request
  --drain TIME      how long open answers may go on after SIGTERM, such as 500ms, 30s or 5m; default: 30s
`;

/** Runs the gateway until the process is asked to end. Returns the exit code. */
export async function runGateway(args: readonly string[], streams: Streams): Promise<number> {
  let gateway: Gateway;
  let log: LogFile | undefined;
  let options: GatewayOptions;
  let hasAccessLog: boolean;
  try {
    const settings = await readSettings(args);
    if (typeof settings === 'string') return refuseUsage(streams, settings);
    const { accessLog = false, logContents: contents = false } = settings;
    hasAccessLog = accessLog;
    options = gatewayOptions(settings, process.env);
    log = settings.log === undefined ? undefined : openLog(settings.log, streams);
    const record = new GatewayRecord({
      writeLine: log === undefined ? undefined : (line) => log?.write(line),
      contents,
      pageContents: contents || isOnlyHere(options),
      writeAccess: accessLog ? (line) => void streams.stdout.write(line) : undefined,
    });
    gateway = await startGateway(
      options,
      record,
      ({ url, method, path, what }) =>
        streams.stderr.write(
          `toolmend: ${url.origin} ${what}: ${method} ${printable(path, 400)}\n`,
        ),
      readPageFiles(),
    );
  } catch (error) {
    const isExpected =
      error instanceof DefinitionError || (error instanceof Error && 'code' in error);
    if (!isExpected) throw error;
    return refuseUsage(streams, error.message);
  }
  for (const { url } of options.upstreams) {
    const why = whyNoProxy(url, process.env, process.versions.node);
    if (why !== undefined) streams.stderr.write(`toolmend: ${why}\n`);
  }
  const signals = listenForSignals(['SIGINT', 'SIGTERM']);
  // Every line of the access log is JSON.
  (hasAccessLog ? streams.stderr : streams.stdout).write(
    `toolmend gateway listens. Set the agent's base URL to ${gateway.url}\nWhat it repairs is shown at ${gateway.page}\n${audienceOf(gateway)}`,
  );
  await signals.first;
  await endServer(gateway, { what: 'the gateway', drainMs: options.drainMs, signals }, streams);
  await log?.close();
  return 0;
}

/** Whether only programs and people of this computer use the gateway, and see each other's calls. */
const isOnlyHere = ({ host, allowedHosts }: GatewayOptions): boolean =>
  isLoopbackAddress(host) && allowedHosts.length === 0;

const openLog = (path: string, { stderr }: Streams): LogFile =>
  new LogFile(path, (error) =>
    stderr.write(`toolmend: the log can't be written (${error.message})\n`),
  );

/** The settings of the file and of the command, which win; or why they can't be read. */
async function readSettings(args: readonly string[]): Promise<GatewaySettings | string> {
  const values = readArguments(args);
  if (typeof values === 'string') return values;
  const { config = configFile, upstream, port, retry } = values;
  const file = await settingsText(config, values.config !== undefined);
  if ('why' in file) return file.why;
  const fileSettings = file.text === undefined ? {} : settingsIn(file.text);
  if (upstream === undefined && values['key-env'] !== undefined)
    return '--key-env is the key of --upstream; in a file, write keyFrom of an upstream';
  const why = upstream === undefined ? undefined : whyNoUpstream(upstream);
  if (why !== undefined) return `--upstream ${why.what}: ${why.instead}`;
  const flagOptions = defined({
    upstreams:
      upstream === undefined ? undefined : [defined({ url: upstream, keyFrom: values['key-env'] })],
    port: numberIn(port),
    host: values.host,
    tokenFrom: values['token-env'],
    onInvalid: values.reject === true ? 'reject' : undefined,
    retries: numberIn(retry),
    callsInText: values['calls-in-text'] === '' ? 'all' : values['calls-in-text'],
    hints: values.hints === '' ? true : values.hints,
    hintsFile: values['hints-file'],
    schemasFor: values['schemas-for'],
    strict: values.strict,
    log: values.log,
    logContents: values['log-contents'],
    accessLog: values['access-log'],
    drain: values.drain,
  });
  return checkedSettings('the gateway', { ...fileSettings, ...flagOptions });
}

/** Text that is not a number stays text, which the settings refuse. */
const numberIn = (text: string | undefined): number | string | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : text;

/** Options whose value may be left out. The gateway takes no other words, so a word is their value. */
function withOptionalValue(arg: string, at: number, args: readonly string[]): readonly string[] {
  const mayHaveValue = (option: string | undefined): boolean =>
    option === '--calls-in-text' || option === '--hints';
  const isWord = (text: string | undefined): boolean => text !== undefined && !text.startsWith('-');
  if (mayHaveValue(args[at - 1]) && isWord(arg)) return [];
  const next = args[at + 1];
  return [mayHaveValue(arg) ? `${arg}=${isWord(next) ? next : ''}` : arg];
}

/** The arguments, or why they can't be read. */
function readArguments(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    const { values } = parseArgs({
      args: args.flatMap(withOptionalValue),
      options: {
        upstream: text,
        port: text,
        host: text,
        'token-env': text,
        'key-env': text,
        config: text,
        retry: text,
        reject: flag,
        'calls-in-text': text,
        hints: text,
        'hints-file': text,
        'schemas-for': text,
        strict: flag,
        log: text,
        'log-contents': flag,
        'access-log': flag,
        drain: text,
      },
    });
    const { hints = '' } = values;
    return hints === '' || hints === 'learn'
      ? values
      : `--hints ${printable(hints, 80)} is not known: write --hints, or --hints learn`;
  } catch (error) {
    return whyNotParsed(error, 'gateway');
  }
}
