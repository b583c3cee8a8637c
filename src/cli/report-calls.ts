import { CallCounts, type ModelCounts, sumOf, totalOf } from '../gateway/call-counts.ts';
import { mistakeTable, modelTable } from '../gateway/pages.ts';
import { arrayAt, numberAt, textAt } from '../json/members.ts';
import { plainJson } from '../json/parse.ts';
import { ownValue } from '../collections/objects.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import { readLines } from './read-records.ts';
import {
  type Streams,
  asJson,
  flagOption,
  parseCommand,
  refuseUsage,
  table,
  whyNoFile,
} from './report.ts';

export const reportUsage = `Usage: toolmend report FILE... [--markdown | --json]

Sums up logs of the gateway: what each model gets wrong, and how many turns the repairs saved.

  --markdown   tables in Markdown
  --json       one JSON object instead of tables

Exit code: 2 if a file can't be read or has no line of a log, else 0.
`;

/**
 * Sums up a log of the gateway. Exit code: 2 if a file can't be read or has no line of a log, else
 * 0.
 */
export async function runReport(args: readonly string[], streams: Streams): Promise<number> {
  const commandLine = parseCommand('report', args, { markdown: flagOption, json: flagOption });
  if (typeof commandLine === 'string') return refuseUsage(streams, commandLine);
  const { values, positionals: files } = commandLine;
  if (files.length === 0)
    return refuseUsage(streams, 'report needs a log that toolmend gateway --log wrote');
  const why = await whyNoFile(...files);
  if (why !== undefined) return refuseUsage(streams, why);
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
  const list = mistakes.rows.length === 0 ? '' : `\n## Mistakes\n\n${markdownTable(mistakes)}`;
  return `# Tool calls\n\n${summary(models)}\n\n${markdownTable(modelTable(models))}${list}`;
}

function summary(models: readonly ModelCounts[]): string {
  const calls = sumOf(models.map((model) => model.calls));
  const repairedCalls = sumOf(
    models.map(({ tools }) => totalOf(tools, 'statuses').get('repaired') ?? 0),
  );
  const savedTurns = sumOf(models.map((model) => model.savedTurns));
  return `${repairedCalls} of ${calls} calls were repaired, which saved ${savedTurns} ${savedTurns === 1 ? 'turn' : 'turns'}.`;
}

function markdownTable({ heading, rows }: ReturnType<typeof modelTable>): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll(/[|\n]/g, ' ')).join(' | ')} |\n`;
  return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('');
}
