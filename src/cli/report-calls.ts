import { CallCounts, type ModelCounts, sumOf, totalOf } from '../gateway/call-counts.ts';
import { mistakeTable, modelTable } from '../gateway/pages.ts';
import { arrayAt, numberAt, textAt } from '../json/members.ts';
import { plainJson } from '../json/parse.ts';
import { defined, ownValue } from '../collections/objects.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import { readLines } from './read-records.ts';
import { readableJournal, whyUnreadable } from './readable-journal.ts';
import {
  type Streams,
  asJson,
  flagOption,
  parseCommand,
  refuseUsage,
  table,
  textOption,
  whyNoFile,
} from './report.ts';
import {
  type WeekReport,
  markdownTable,
  weekAsMarkdown,
  weekOfJournal,
  weekOfLogs,
  weekUntil,
} from './week-report.ts';

export const reportUsage = `Usage: toolmend report FILE... [--markdown | --json]
       toolmend report --week FILE... | --week --folder FOLDER | --week --url URL [--until DATE] [--json]

Sums up logs of the gateway: what each model gets wrong, and how many turns the repairs saved. --week sums up
a week of logs or of a journal, in Markdown, with the hints that are on or would be.

  --markdown   tables in Markdown
  --json       one JSON object instead of tables
  --week       the seven days before --until
  --until      a date or a time, 2026-11-28. Default: now
  --folder     the folder of a journal in PGlite
  --url        the connection string of a journal in PostgreSQL
  --schema     the PostgreSQL schema of the journal's tables. Default: toolmend

Exit code: 2 if a file or a journal can't be read, or if a file has no line of a log, else 0.
`;

const options = {
  markdown: flagOption,
  json: flagOption,
  week: flagOption,
  until: textOption,
  folder: textOption,
  url: textOption,
  schema: textOption,
} as const;

/**
 * Sums up a log of the gateway. Exit code: 2 if a file can't be read or has no line of a log, else
 * 0.
 */
export async function runReport(args: readonly string[], streams: Streams): Promise<number> {
  const commandLine = parseCommand('report', args, options);
  if (typeof commandLine === 'string') return refuseUsage(streams, commandLine);
  const { values, positionals: files } = commandLine;
  const { week = false, folder, url, until } = values;
  if (values.markdown === true && values.json === true)
    return refuseUsage(streams, 'report writes one form: pass --markdown or --json');
  const isOfJournal = folder !== undefined || url !== undefined;
  if (!week && (isOfJournal || until !== undefined))
    return refuseUsage(streams, '--folder, --url and --until need --week');
  if (values.schema !== undefined && !isOfJournal)
    return refuseUsage(streams, '--schema needs --folder or --url');
  if (week && isOfJournal)
    return files.length > 0 || (folder !== undefined && url !== undefined)
      ? refuseUsage(streams, '--week takes files, --folder or --url')
      : reportWeekOfJournal(values, streams);
  if (files.length === 0)
    return refuseUsage(streams, 'report needs a log that toolmend gateway --log wrote');
  const why = await whyNoFile(...files);
  if (why !== undefined) return refuseUsage(streams, why);
  if (week) return reportWeek((of) => weekOfLogs(files, of), values, streams);
  const models = await modelCounts(files);
  if (models.length === 0)
    return refuseUsage(streams, 'no line is a call that toolmend gateway --log wrote');
  streams.stdout.write(
    values.json === true
      ? asJson({ models })
      : values.markdown === true
        ? asMarkdown(models)
        : asText(models),
  );
  return 0;
}

interface WeekValues {
  readonly until?: string;
  readonly json?: boolean;
  readonly folder?: string;
  readonly url?: string;
  readonly schema?: string;
}

async function reportWeek(
  read: (week: ReturnType<typeof weekUntil>) => Promise<WeekReport>,
  { until, json = false }: WeekValues,
  streams: Streams,
): Promise<number> {
  const end = until === undefined ? new Date() : new Date(until);
  if (Number.isNaN(end.getTime())) return refuseUsage(streams, '--until is a date, 2026-11-28');
  const report = await read(weekUntil(end));
  streams.stdout.write(json ? asJson(report) : `${weekAsMarkdown(report)}\n`);
  return 0;
}

async function reportWeekOfJournal(values: WeekValues, streams: Streams): Promise<number> {
  const { folder, url = '', schema } = values;
  const journal = await readableJournal({
    ...(folder === undefined ? { connectionString: url } : { folder }),
    ...defined({ schema }),
  });
  if (typeof journal === 'string') return refuseUsage(streams, journal);
  try {
    return await reportWeek((week) => weekOfJournal(journal, week), values, streams);
  } catch (error) {
    return refuseUsage(streams, whyUnreadable(error));
  } finally {
    await journal.close();
  }
}

/** The lines of one request stand together. */
async function modelCounts(files: readonly string[]): Promise<readonly ModelCounts[]> {
  const counts = new CallCounts();
  let answer: JsonObject[] = [];
  const close = (): void => {
    const [first] = answer;
    if (first !== undefined)
      counts.add(textAt(first, 'model'), answer.map(countedCall), {
        isStrict: ownValue(first, 'strict') === true,
        retries: numberAt(first, 'retries') ?? 0,
      });
    answer = [];
  };
  for (const file of files) {
    for await (const { text = '' } of readLines(file)) {
      const line = plainJson(text);
      if (!isJsonObject(line) || textAt(line, 'status') === undefined) continue;
      const [firstLine] = answer;
      if (firstLine !== undefined && ownValue(firstLine, 'request') !== ownValue(line, 'request'))
        close();
      answer.push(line);
    }
    close();
  }
  return counts.snapshot();
}

const countedCall = (line: JsonObject) => ({
  tool: textAt(line, 'tool') ?? '(unknown tool)',
  status: textAt(line, 'status') ?? '',
  rules: [ownValue(line, 'rules')].flat().filter((rule) => typeof rule === 'string'),
  issues: arrayAt(line, 'issues').flatMap((issue) => textAt(issue, 'keyword') ?? []),
});

function asText(models: readonly ModelCounts[]): string {
  const all = modelTable(models);
  const mistakes = mistakeTable(models);
  const list = mistakes.rows.length === 0 ? '' : `\n${table(mistakes.heading, mistakes.rows)}`;
  return `${table(all.heading, all.rows)}${list}\n${summary(models)}\n`;
}

function asMarkdown(models: readonly ModelCounts[]): string {
  const mistakes = mistakeTable(models);
  const all = modelTable(models);
  const list =
    mistakes.rows.length === 0
      ? ''
      : `\n## Mistakes\n\n${markdownTable(mistakes.heading, mistakes.rows)}\n`;
  return `# Tool calls\n\n${summary(models)}\n\n${markdownTable(all.heading, all.rows)}\n${list}`;
}

function summary(models: readonly ModelCounts[]): string {
  const calls = sumOf(models.map((model) => model.calls));
  const repairedCalls = sumOf(
    models.map(({ tools }) => totalOf(tools, 'statuses').get('repaired') ?? 0),
  );
  const savedTurns = sumOf(models.map((model) => model.savedTurns));
  return `${repairedCalls} of ${calls} calls were repaired, which saved ${savedTurns} ${savedTurns === 1 ? 'turn' : 'turns'}.`;
}
