import { styleText } from 'node:util';
import { interpretArguments } from '../interpret/interpret-arguments.ts';
import { type ReportedCall, reportedCalls } from './reported-calls.ts';
import { type Streams, type Terminal, flagOption, parseCommand, refuseUsage } from './report.ts';

export const demoUsage = `Usage: toolmend demo [--json]

Shows ten tool calls that models have sent: what each of them sent, what its tool gets, and by which repairs.
Needs no model, no key and no network.

  --json   a line of JSON for each call, without colours

Exit code: 2 for wrong usage, else 0.
`;

/** What somebody may want to repair: the command to begin with, and where to read on. */
const nextSteps: readonly (readonly [wish: string, command: string, page: string])[] = [
  ['Your own tools', 'npm install toolmend', 'docs/guide/getting-started.md'],
  ['Your own loop', 'npm install toolmend', 'docs/guide/repair-alone.md'],
  ['A finished agent', 'npx toolmend gateway --upstream URL', 'docs/guide/gateway.md'],
  ['An MCP server', 'npx toolmend mcp -- COMMAND', 'docs/guide/mcp-proxy.md'],
  ['Calls on record', 'npx toolmend cases calls.jsonl', 'npx toolmend cases --help'],
];

/** Interprets reported calls, and shows what became of them. */
export async function runDemo(args: readonly string[], streams: Streams): Promise<number> {
  const commandLine = parseCommand('demo', args, { json: flagOption });
  if (typeof commandLine === 'string') return refuseUsage(streams, commandLine);
  if (commandLine.positionals.length > 0) return refuseUsage(streams, 'demo takes no file');

  const { stdout } = streams;
  if (commandLine.values.json === true) {
    for (const call of reportedCalls) stdout.write(`${JSON.stringify(resultOf(call))}\n`);
    return 0;
  }
  for (const [index, call] of reportedCalls.entries())
    stdout.write(`${linesOf(call, index + 1, stdout).join('\n')}\n\n`);
  stdout.write(linesOfNextSteps(stdout).join(''));
  return 0;
}

interface DemoResult extends Omit<ReportedCall, 'schema'> {
  readonly status: 'unchanged' | 'repaired' | 'rejected';
  /** What the tool gets; absent if it isn't called. */
  readonly value?: unknown;
  /** Each repair: its rule, and where it acted. */
  readonly repairs: readonly string[];
  /** What the model reads instead of a result. */
  readonly message?: string;
}

function resultOf({ schema, ...call }: ReportedCall): DemoResult {
  const result = interpretArguments(schema, { text: call.text }, { tool: call.tool });
  const { status } = result;
  if (result.status === 'rejected')
    return { ...call, status, repairs: [], message: result.message };
  const repairs = result.repairs.map(({ rule, path }) => `${rule} ${path}`.trimEnd());
  return { ...call, status, value: result.value, repairs };
}

/** Columns before the text of a line. */
const margin = 8;

/** Characters of a line if the terminal doesn't say, and the most that are used. */
const usualColumns = 100;
const leastColumns = 40;

function linesOf(call: ReportedCall, number: number, terminal: Terminal): readonly string[] {
  const { model, tool, thread, fault, text, value, repairs, message } = resultOf(call);
  const columns = columnsOf(terminal);
  const paint = (style: Style, line: string): string =>
    isColoured(terminal) ? styleText(style, line, { validateStream: false }) : line;
  const part = (label: string, style: Style, content: string): readonly string[] =>
    wrappedLines(content, columns - margin).map(
      (line, index) => `${(index === 0 ? label : '').padEnd(margin)}${paint(style, line)}`,
    );

  const [repository = '', issue = ''] = thread.split('#');
  return [
    ...part(`${number}/${reportedCalls.length}`, 'bold', `${model} calls ${tool}`),
    ...part('', 'dim', `https://github.com/${repository}/issues/${issue}`),
    ...part('', 'dim', fault),
    ...part('sent', 'red', text),
    ...(message === undefined
      ? [
          ...part('used', 'green', JSON.stringify(value)),
          ...part('why', 'cyan', summaryOf(repairs)),
        ]
      : part('told', 'yellow', message)),
  ];
}

const columnsOf = ({ columns = usualColumns }: Terminal): number =>
  Math.min(usualColumns, Math.max(leastColumns, columns));

/** https://no-color.org and https://force-color.org: a variable that is empty says nothing. */
function isColoured({ isTTY = false }: Terminal): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '' } = process.env;
  return NO_COLOR === '' && (isTTY || !['', '0'].includes(FORCE_COLOR));
}

/** A row for each wish, or on a narrow terminal a line for each part of it. */
function linesOfNextSteps(terminal: Terminal): readonly string[] {
  const rows = nextSteps.map(
    ([wish, command, page]) => `${wish.padEnd(19)}${command.padEnd(38)}${page}\n`,
  );
  return rows.every((row) => row.length <= columnsOf(terminal) + 1)
    ? rows
    : nextSteps.map(([wish, command, page]) => `${wish}\n  ${command}\n  ${page}\n`);
}

/** Each rule with its place, or how often it acted. */
function summaryOf(repairs: readonly string[]): string {
  const byRule = Map.groupBy(repairs, (repair) => repair.split(' ')[0] ?? '');
  return [...byRule]
    .map(([rule, [first = rule, ...others]]) =>
      others.length === 0 ? first : `${rule} ×${others.length + 1}`,
    )
    .join(', ');
}

type Style = Parameters<typeof styleText>[0];

/**
 * Lines of at most so many characters, broken at single blanks where there are any: several in a
 * row may be what a call is about.
 */
function wrappedLines(text: string, width: number): readonly string[] {
  const line = new RegExp(String.raw`.{1,${width}}(?:(?<=\S) (?=\S)|$)|.{1,${width}}`, 'gu');
  return text
    .split('\n')
    .flatMap((part) => part.match(line)?.map((one) => one.replace(/(?<=\S) $/, '')) ?? ['']);
}
