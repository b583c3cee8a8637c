import type { Journal, JournalEntry, JournalQuery, JournalState } from '../store/call-store.ts';
import { printable } from '../json/preview.ts';
import { defined, ownValue } from '../collections/objects.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import {
  type Streams,
  asJson,
  flagOption,
  parseCommand,
  refuseUsage,
  table,
  textOption,
} from './report.ts';
import { readableJournal, whyUnreadable } from './readable-journal.ts';

export const journalUsage = `Usage: toolmend journal list   --folder FOLDER | --url URL [--state in_doubt] [--tool NAME] [--json]
       toolmend journal show ID  --folder FOLDER | --url URL
       toolmend journal export --folder FOLDER | --url URL [--state ended] [--tool NAME]

Reads the journal of a registry. list prints no argument. show prints a call with its arguments and its
result. export prints each call as a line of JSON, which cases and replay read. show and export print what
the journal holds: no value of a @Secret field, but every other secret in arguments and results. Keep their
output as you keep the journal.

  --folder        the folder of a journal in PGlite
  --url           the connection string of a journal in PostgreSQL. Default: the environment variable DATABASE_URL
  --schema        the PostgreSQL schema of the journal's tables. Default: toolmend
  --state         only calls in this state: queued, running, waiting, in_doubt, ended or not_run
  --tool, --tenant, --conversation, --call    only calls with this value
  --limit         at most so many calls, the newest. Default: 100; export: all
`;

const options = {
  folder: textOption,
  url: textOption,
  schema: textOption,
  state: textOption,
  tool: textOption,
  tenant: textOption,
  conversation: textOption,
  call: textOption,
  limit: textOption,
  json: flagOption,
} as const;

/** Reads a journal. Exit code: 2 for wrong usage or a journal that can't be read, else 0. */
export async function runJournal(args: readonly string[], streams: Streams): Promise<number> {
  const request = readRequest(args);
  if (typeof request === 'string') return refuseUsage(streams, `${request}\n\n${journalUsage}`);
  const { folder, url = '', schema } = request;
  const journal = await readableJournal({
    ...(folder === undefined ? { connectionString: url } : { folder }),
    ...defined({ schema }),
  });
  if (typeof journal === 'string') return refuseUsage(streams, journal);
  try {
    return await answer(journal, request, streams);
  } catch (error) {
    return refuseUsage(streams, whyUnreadable(error));
  } finally {
    await journal.close();
  }
}

const states: readonly JournalState[] = [
  'queued',
  'running',
  'waiting',
  'in_doubt',
  'ended',
  'not_run',
];

/** The request, or why it can't be read. */
function readRequest(args: readonly string[]) {
  const commandLine = parseCommand('journal', args, options);
  if (typeof commandLine === 'string') return commandLine;
  const { values, positionals } = commandLine;
  const [command, id, ...others] = positionals;
  if (command !== 'list' && command !== 'show' && command !== 'export')
    return 'journal needs list, show or export';
  if (others.length > 0 || (command === 'show') !== (id !== undefined))
    return command === 'show' ? 'show needs one id' : `${command} takes no ${id}`;
  const { folder, json = false, ...rest } = values;
  if (folder !== undefined && values.url !== undefined)
    return 'journal needs --folder or --url, not both';
  const url = folder === undefined ? (values.url ?? process.env['DATABASE_URL']) : undefined;
  if (folder === undefined && (url ?? '') === '') return 'journal needs --folder or --url';
  const state = states.find((one) => one === values.state);
  if (values.state !== undefined && state === undefined)
    return `--state is one of ${states.join(', ')}`;
  const limit = values.limit === undefined ? undefined : Number(values.limit);
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0))
    return '--limit is a number of calls';
  return { ...rest, command, id, folder, url, state, limit, json } as const;
}

type JournalRequest = Exclude<ReturnType<typeof readRequest>, string>;

async function answer(
  journal: Journal,
  request: JournalRequest,
  streams: Streams,
): Promise<number> {
  if (request.command === 'show') return show(journal, request.id ?? '', streams);
  const { state, tool, tenant, conversation, call: callId, command, json } = request;
  const { limit = command === 'export' ? Infinity : 100 } = request;
  const query = defined({ state, tool, tenant, conversation, callId });
  if (command === 'export') {
    await writeLines(journal, query, limit, streams);
    return 0;
  }
  const entries = await journal.list({ ...query, limit });
  streams.stdout.write(json ? asJson(entries.map(summary)) : asTable(entries));
  return 0;
}

async function show(journal: Journal, id: string, streams: Streams): Promise<number> {
  const entry = await journal.entry(id);
  if (entry === undefined)
    return refuseUsage(
      streams,
      `the journal has no call ${printable(id, 100)}\nshow needs the journal's own id. To find it by the id of the model's call: toolmend journal list --call ID`,
    );
  streams.stdout.write(asJson(entry));
  return 0;
}

const summary = (entry: JournalEntry) => {
  const { id, createdAt, tool, callId, tenant, conversation, state, outcome, attempts } = entry;
  return {
    id,
    createdAt,
    tool,
    callId,
    tenant,
    conversation,
    state,
    status: outcome?.status,
    attempts,
  };
};

function asTable(entries: readonly JournalEntry[]): string {
  if (entries.length === 0) return 'no calls\n';
  const rows = entries.map(({ id, createdAt, tool, state, outcome, attempts }) => [
    id,
    createdAt,
    printable(tool, 40),
    state,
    outcome?.status ?? '',
    attempts,
  ]);
  return table(['id', 'time', 'tool', 'state', 'outcome', 'attempts'], rows);
}

/** The newest call first, a page at a time. */
async function writeLines(
  journal: Journal,
  query: JournalQuery,
  limit: number,
  { stdout }: Streams,
): Promise<void> {
  let cursor: string | undefined;
  for (let remainingCount = limit; remainingCount > 0; remainingCount -= page) {
    const entries = await journal.list({
      ...query,
      ...defined({ before: cursor }),
      limit: Math.min(remainingCount, page),
    });
    for (const entry of entries) {
      const { contract } = entry;
      const definition = contract === undefined ? undefined : await journal.definition(contract);
      stdout.write(`${JSON.stringify(lineOf(entry, definition))}\n`);
    }
    cursor = entries.at(-1)?.id;
    if (entries.length < page) return;
  }
}

const page = 500;

function lineOf(
  { call, sent, ...entry }: JournalEntry,
  definition: JsonObject | undefined,
): object {
  const { id, callId, tool, state, outcome, tenant, conversation, attempts, createdAt, updatedAt } =
    entry;
  const acceptedStatus = call?.repairs.length === 0 ? 'unchanged' : 'repaired';
  return {
    id: callId,
    tool: definition === undefined ? tool : toolOf(definition),
    arguments: sent,
    status: call === undefined ? 'rejected' : acceptedStatus,
    repairs: call?.repairs ?? [],
    finishReason: call?.finishReason,
    options: { meta: definition !== undefined && ownValue(definition, 'hasMeta') === true },
    journal: { id, tenant, conversation, state, attempts, createdAt, updatedAt, outcome },
  };
}

function toolOf(definition: JsonObject): JsonObject {
  const { effects, hasMeta: _meta, ...tool } = definition;
  const annotations = {
    readOnlyHint: effects === 'read',
    destructiveHint: effects === 'destructive',
  };
  return isJsonObject(tool) && effects !== undefined ? { ...tool, annotations } : tool;
}
