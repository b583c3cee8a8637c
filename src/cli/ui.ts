import { once } from 'node:events';
import { basename } from 'node:path';
import { ToolmendError } from '../errors/errors.ts';
import { defined } from '../collections/objects.ts';
import { printable } from '../json/preview.ts';
import { isLoopbackAddress } from '../network/access.ts';
import { JournalCalls, journalHints } from '../page/journal-calls.ts';
import { registryCosts } from '../page/known-costs.ts';
import type { PageOptions } from '../page/page-handler.ts';
import { RegistryDecisions } from '../page/registry-decisions.ts';
import { readPageFiles } from '../page/page-files.ts';
import { type JournalPlace, readableJournal } from './readable-journal.ts';
import { LogCalls } from './log-calls.ts';
import { type PageServer, startPageServer } from './page-server.ts';
import { makeDemoCalls } from './page-demo/demo-calls.ts';
import {
  type Streams,
  audienceOf,
  flagOption,
  parseCommand,
  refuseUsage,
  textOption,
  whyNoFile,
} from './report.ts';

export const uiUsage = `Usage: toolmend ui --folder FOLDER | --url URL | --log FILE | --demo

Shows recorded tool calls in a browser, and new ones as they come: what models sent, what was used, and each repair.

  --folder FOLDER   the folder of a journal in PGlite, which no other process uses
  --url URL         the connection string of a journal in PostgreSQL
  --schema NAME     the PostgreSQL schema of the journal's tables. Default: toolmend
  --tenant NAME     only the calls of this tenant
  --log FILE        a log of the gateway, or records as toolmend cases reads them. Arguments need a log with
                    --log-contents
  --demo            5,000 calls of a made-up application, of which some wait for you: they are made and kept in memory
  --port N          default: a free one
  --host ADDRESS    default: 127.0.0.1; any other than loopback needs --token-env
  --token-env NAME  the environment variable with the token that browsers must send, as the password

Exit code: 2 for wrong usage or calls that can't be read, else 0.
`;

const options = {
  folder: textOption,
  url: textOption,
  schema: textOption,
  tenant: textOption,
  log: textOption,
  demo: flagOption,
  port: textOption,
  host: textOption,
  'token-env': textOption,
} as const;

/** Serves the page until the process is asked to end. Returns the exit code. */
export async function runUi(args: readonly string[], streams: Streams): Promise<number> {
  const request = readRequest(args);
  if (typeof request === 'string') return refuseUsage(streams, `${request}\n\n${uiUsage}`);
  if (request.source.kind === 'demo')
    streams.stderr.write(
      'toolmend: making the 5,000 calls of the demo, which takes some seconds\n',
    );
  const openedSource = await openSource(request.source);
  if (typeof openedSource === 'string') return refuseUsage(streams, openedSource);
  const files = readPageFiles();
  if (files === undefined) {
    await openedSource.close();
    return refuseUsage(streams, 'the page has not been built: run npm run build');
  }
  let server: PageServer;
  try {
    server = await startPageServer({ ...request, ...openedSource, files });
  } catch (error) {
    await openedSource.close();
    if (!ToolmendError.isInstance(error)) throw error;
    return refuseUsage(streams, error.message);
  }
  const stopSignal = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  streams.stdout.write(
    `toolmend ui shows ${openedSource.data.source} at ${server.url}\n${audienceOf(server)}`,
  );
  await stopSignal;
  await server.close();
  await openedSource.close();
  return 0;
}

interface OpenData extends Pick<PageOptions, 'data' | 'decisions' | 'hints' | 'costs'> {
  close(): Promise<void>;
}

/** The calls, or why they can't be read. */
async function openSource(source: UiSource): Promise<OpenData | string> {
  if (source.kind === 'journal') return openJournalSource(source);
  if (source.kind === 'demo') return openDemo();
  const why = await whyNoFile(source.path);
  if (why !== undefined) return why;
  const log = await LogCalls.open(source.path, printable(basename(source.path), 80));
  return { data: log.calls, hints: async () => log.hints(), close: () => log.close() };
}

async function openJournalSource({ place, tenant }: JournalSource): Promise<OpenData | string> {
  const journal = await readableJournal(place);
  if (typeof journal === 'string') return journal;
  const name = 'folder' in place ? basename(place.folder) : databaseName(place.connectionString);
  const data = new JournalCalls(journal, { source: printable(name, 80), tenant });
  return {
    data,
    decisions: new RegistryDecisions({ journal, tenant }),
    ...(tenant === undefined ? { hints: () => journalHints(journal) } : {}),
    close: () => journal.close(),
  };
}

async function openDemo(): Promise<OpenData> {
  const demo = await makeDemoCalls(Date.now());
  const { journal, tools } = demo;
  return {
    data: new JournalCalls(journal, { source: 'made-up calls' }),
    decisions: new RegistryDecisions({ journal, tools, by: 'you' }),
    hints: () => tools.learnedHints(),
    costs: registryCosts(tools),
    close: () => demo.close(),
  };
}

/** Host and database, without user and password. */
function databaseName(url: string): string {
  const parsedUrl = URL.parse(url);
  return parsedUrl === null ? 'PostgreSQL' : `${parsedUrl.host}${parsedUrl.pathname}`;
}

interface JournalSource {
  readonly kind: 'journal';
  readonly place: JournalPlace;
  readonly tenant: string | undefined;
}

type UiSource =
  JournalSource | { readonly kind: 'log'; readonly path: string } | { readonly kind: 'demo' };

/** The request, or why it can't be read. */
function readRequest(args: readonly string[]) {
  const commandLine = parseCommand('ui', args, options);
  if (typeof commandLine === 'string') return commandLine;
  const { values, positionals } = commandLine;
  const { host = '127.0.0.1', port: portText = '0', 'token-env': variable } = values;
  if (positionals.length > 0) return `ui takes no ${positionals[0]}`;
  const source = sourceOf(values);
  if (typeof source === 'string') return source;
  const port = Number(portText);
  if (!/^\d{1,5}$/.test(portText) || port > 65_535) return '--port is a number up to 65535';
  const token = variable === undefined ? undefined : process.env[variable];
  if (variable !== undefined && (token ?? '') === '')
    return `the environment variable ${printable(variable, 80)} of --token-env is empty`;
  if (token === undefined && !isLoopbackAddress(host)) return `--host ${host} needs --token-env`;
  return { source, host, port, token } as const;
}

interface SourceValues {
  readonly folder?: string | undefined;
  readonly url?: string | undefined;
  readonly log?: string | undefined;
  readonly demo?: boolean | undefined;
  readonly schema?: string | undefined;
  readonly tenant?: string | undefined;
}

/** Where the calls are, or why that can't be told. */
function sourceOf({ folder, url, log, demo, schema, tenant }: SourceValues): UiSource | string {
  const places = Object.entries({ folder, url, log, demo }).flatMap(([name, place]) =>
    place === undefined ? [] : [`--${name}`],
  );
  if (places.length === 0) return 'ui needs one of --folder, --url, --log and --demo';
  if (places.length > 1)
    return `ui shows the calls of one place: pass only one of ${places.join(' and ')}`;
  if ((log ?? demo) !== undefined && (schema ?? tenant) !== undefined)
    return '--schema and --tenant are for --folder and --url';
  if (demo !== undefined) return { kind: 'demo' };
  if (log !== undefined) return { kind: 'log', path: log };
  const place = folder === undefined ? { connectionString: url ?? '' } : { folder };
  return { kind: 'journal', place: { ...place, ...defined({ schema }) }, tenant };
}
