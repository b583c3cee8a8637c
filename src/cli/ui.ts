import { once } from 'node:events';
import { basename } from 'node:path';
import { printable } from '../json/preview.ts';
import { isLoopbackAddress } from '../network/access.ts';
import type { PageData } from '../page/page-data.ts';
import { readPageFiles } from '../page/page-files.ts';
import { isSystemError } from './cases.ts';
import { LogCalls } from './log-calls.ts';
import { type PageServer, startPageServer } from './page-server.ts';
import { type Streams, parseCommand, refuseUsage, textOption, whyNoFile } from './report.ts';

export const uiUsage = `Usage: toolmend ui --log FILE

Shows recorded tool calls in a browser, and new ones as they come: what models sent, what was used, and each repair.

  --log FILE        a log of the gateway, or records as toolmend cases reads them. Arguments need a log with --log-contents
  --port N          default: a free one
  --host ADDRESS    default: 127.0.0.1; any other than loopback needs --token-env
  --token-env NAME  the environment variable with the token that browsers must send, as the password

Exit code: 2 for wrong usage or calls that can't be read, else 0.
`;

const options = {
  log: textOption,
  port: textOption,
  host: textOption,
  'token-env': textOption,
} as const;

/** Serves the page until the process is asked to end. Returns the exit code. */
export async function runUi(args: readonly string[], streams: Streams): Promise<number> {
  const request = readRequest(args);
  if (typeof request === 'string') return refuseUsage(streams, `${request}\n\n${uiUsage}`);
  const files = readPageFiles();
  if (files === undefined)
    return refuseUsage(streams, 'the page has not been built: run npm run build');
  const why = await whyNoFile(request.log);
  if (why !== undefined) return refuseUsage(streams, why);
  let opened: OpenData | undefined;
  let server: PageServer;
  try {
    opened = await openLog(request.log);
    server = await startPageServer({ ...request, data: opened.data, files });
  } catch (error) {
    await opened?.close();
    if (!isSystemError(error)) throw error;
    return refuseUsage(streams, `the page can't be served: ${error.code}`);
  }
  const stopSignal = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  streams.stdout.write(`toolmend ui shows ${opened.data.source} at ${server.url}\n`);
  await stopSignal;
  await server.close();
  await opened.close();
  return 0;
}

interface OpenData {
  readonly data: PageData;
  close(): Promise<void>;
}

async function openLog(path: string): Promise<OpenData> {
  const log = await LogCalls.open(path, printable(basename(path), 80));
  return { data: log.calls, close: () => log.close() };
}

/** The request, or why it can't be read. */
function readRequest(args: readonly string[]) {
  const commandLine = parseCommand('ui', args, options);
  if (typeof commandLine === 'string') return commandLine;
  const { values, positionals } = commandLine;
  const { log, host = '127.0.0.1', port: portText = '0', 'token-env': variable } = values;
  if (positionals.length > 0) return `ui takes no ${positionals[0]}`;
  if (log === undefined) return 'ui needs --log';
  const port = Number(portText);
  if (!/^\d{1,5}$/.test(portText) || port > 65_535) return '--port is a number up to 65535';
  const token = variable === undefined ? undefined : process.env[variable];
  if (variable !== undefined && (token ?? '') === '')
    return `the environment variable ${printable(variable, 80)} of --token-env is empty`;
  if (token === undefined && !isLoopbackAddress(host)) return `--host ${host} needs --token-env`;
  return { log, host, port, token } as const;
}
