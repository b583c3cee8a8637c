import { nearestName } from '../json/nearest-name.ts';
import { printable } from '../json/preview.ts';
import { readLines } from './read-records.ts';
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
  type SuiteCase,
  SuiteCounts,
  type SuiteReport,
  type SuiteVerdict,
  isLevel,
  readSuiteCase,
  suiteLevels,
  suiteVerdict,
} from './suite-cases.ts';
import { startRunner } from './suite-runner.ts';

export const suiteUsage = `Usage: toolmend suite [FILE] --runner COMMAND [--level LEVEL] [--json]

Gives the near-miss suite to a library, and counts what comes out. FILE has a case a line; default:
suite/cases.jsonl. The runner is a program that reads a line of JSON and answers with one, as suite/README.md
says.

  --runner COMMAND   the program and its arguments, with blanks between them, such as 'python3 runner.py'
  --level LEVEL      only the cases of one level: json, types, keys, structure, notations, text or danger
  --json             one JSON object, with the id of each case that is not right, instead of a table

Exit code: 1 if a case came out wrong, 2 if a file can't be read or the runner doesn't answer, else 0.
`;

/** Runs a library over a file of cases. Exit code: 2 if it can't be run, 1 for wrong cases, else 0. */
export async function runSuite(args: readonly string[], streams: Streams): Promise<number> {
  const commandLine = parseCommand('suite', args, {
    runner: textOption,
    level: textOption,
    json: flagOption,
  });
  if (typeof commandLine === 'string') return refuseUsage(streams, commandLine);
  const { values, positionals } = commandLine;
  const [file = 'suite/cases.jsonl', ...others] = positionals;
  if (others.length > 0) return refuseUsage(streams, 'suite takes one file');
  const words = values.runner?.split(' ').filter((word) => word !== '') ?? [];
  if (words.length === 0)
    return refuseUsage(streams, "suite needs --runner 'COMMAND ARGUMENT …', the library's program");
  const { level } = values;
  if (level !== undefined && !isLevel(level)) return refuseUsage(streams, whyNoLevel(level));
  const why = await whyNoFile(file);
  if (why !== undefined)
    return refuseUsage(streams, `${why}; the suite is in the repository, not in the package`);
  const cases = await readCases(file);
  if (typeof cases === 'string') return refuseUsage(streams, cases);

  const runner = await startRunner(words);
  try {
    if ('problem' in runner) return refuseUsage(streams, runner.problem);
    const counts = new SuiteCounts();
    const askedCases = cases.filter((one) => level === undefined || one.level === level);
    for (const one of askedCases) {
      const answer = await runner.ask(one.question, one.numbers);
      if (typeof answer === 'string')
        return refuseUsage(streams, `the runner ${answer}, at the case ${printable(one.id)}`);
      counts.add(one, suiteVerdict(one, answer));
    }
    const report = counts.report();
    streams.stdout.write(
      values.json === true
        ? asJson({ implementation: runner.implementation, ...report })
        : toText(runner.implementation, report),
    );
    return report.total.wrong > 0 ? 1 : 0;
  } finally {
    await runner.close();
  }
}

function whyNoLevel(name: string): string {
  const nearest = nearestName(name, suiteLevels);
  const suggestion = nearest === undefined ? '' : `\ndid you mean ${nearest}?`;
  return `there is no level ${JSON.stringify(name)}${suggestion}\n--level takes one of ${suiteLevels.join(', ')}`;
}

/** The cases of a file, or which line is none. */
async function readCases(file: string): Promise<readonly SuiteCase[] | string> {
  const cases: SuiteCase[] = [];
  for await (const { number, text } of readLines(file)) {
    const one = text === undefined ? undefined : readSuiteCase(text);
    if (one === undefined)
      return `${printable(file, 400)}:${number} is not a case: see suite/case.schema.json`;
    cases.push(one);
  }
  return cases;
}

const mostShown = 10;

function toText(implementation: string, { levels, total, missed, wrong }: SuiteReport): string {
  const row = (
    name: string,
    counts: Readonly<Record<SuiteVerdict, number>>,
  ): readonly (string | number)[] => {
    const { right, missed: refused, wrong: accepted, skipped } = counts;
    return [name, right + refused + accepted + skipped, right, refused, accepted, skipped];
  };
  const rows = [
    ...suiteLevels.flatMap((level) => {
      const counts = levels[level];
      return counts === undefined ? [] : [row(level, counts)];
    }),
    row('all', total),
  ];
  const list = (name: string, ids: readonly string[]): string => {
    const others = ids.length > mostShown ? ` and ${ids.length - mostShown} more` : '';
    return ids.length === 0
      ? ''
      : `${name}: ${ids
          .slice(0, mostShown)
          .map((id) => printable(id))
          .join(', ')}${others}\n`;
  };
  const heading = ['level', 'cases', 'right', 'missed', 'wrong', 'skipped'];
  return [
    `${printable(implementation, 200)}\n\n`,
    table(heading, rows),
    '\n',
    list('wrong', wrong),
    list('missed', missed),
  ].join('');
}
