// Compares the job with what is expected: repairs, messages, counts and files. One sentence for
// each difference.
import { answerText, type PlayedCall } from './chat-history.ts';
import type { JobReport } from './job-report.ts';
import type { ModelScript, RecordedCall } from './recorded-calls.ts';
import { modelTotals } from './stats-table.ts';
import type { WorkspaceFiles } from './workspace.ts';

/** Empty if there is no difference. */
export const differencesFrom = (
  scripts: readonly ModelScript[],
  files: WorkspaceFiles,
  report: JobReport,
): readonly string[] => [
  ...scripts.flatMap((script) => callDifferences(script, report)),
  ...scripts.flatMap((script) => countDifferences(script, report)),
  ...fileDifferences(files, report.files),
];

function callDifferences({ model, calls }: ModelScript, report: JobReport): readonly string[] {
  const played = report.calls.filter(({ call }) => call.model === model);
  if (played.length !== calls.length) {
    return [`${model}: ${calls.length} calls were expected, ${played.length} were played.`];
  }
  return calls.flatMap((expected, index) => {
    const came = played[index];
    const where = `${model}, call ${index + 1} (${expected.tool})`;
    return came === undefined ? [] : oneCall(expected, came).map((what) => `${where}: ${what}`);
  });
}

function oneCall({ tool, expect }: RecordedCall, { call, outcome }: PlayedCall): readonly string[] {
  const repairs = repairsOf(outcome).join(', ') || 'none';
  const expectedRepairs = (expect.repairs ?? []).join(', ') || 'none';
  const ending = expect.input === 'rejected' ? 'invalid_arguments' : 'completed';
  const answer = answerText(outcome);
  return [
    ...difference('the tool', tool, call.name),
    ...difference('the arguments', expect.input, inputOf(outcome)),
    ...difference('the repairs', expectedRepairs, repairs),
    ...difference('the outcome', ending, outcome.status),
    ...expect.answer
      .filter((text) => !answer.includes(text))
      .map((text) => `the model should read “${text}”, and reads “${answer}”.`),
  ];
}

const difference = (what: string, expected: string, came: string): readonly string[] =>
  expected === came ? [] : [`${what} should be ${expected}, and came out as ${came}.`];

type Outcome = PlayedCall['outcome'];

const inputOf = (outcome: Outcome): string =>
  outcome.status === 'unknown_tool' ? 'rejected' : outcome.interpretation.status;

const repairsOf = (outcome: Outcome): readonly string[] =>
  outcome.status === 'unknown_tool'
    ? []
    : outcome.interpretation.repairs.map(({ rule, path }) => `${rule} ${path}`);

/** The table must agree with the calls. */
function countDifferences({ model, calls }: ModelScript, { stats }: JobReport): readonly string[] {
  const totals = modelTotals(stats, model);
  const inputs = (['unchanged', 'repaired', 'rejected'] as const).flatMap((input) => {
    const expected = calls.filter(({ expect }) => expect.input === input).length;
    return difference(`${model}: the count of ${input}`, String(expected), String(totals[input]));
  });
  return [...inputs, ...difference(`${model}: the rules`, rulesOf(calls), rulesText(totals.rules))];
}

function rulesOf(calls: readonly RecordedCall[]): string {
  const counts = new Map<string, number>();
  for (const { expect } of calls) {
    for (const rule of new Set(
      (expect.repairs ?? []).map((repair) => repair.split(' ')[0] ?? ''),
    )) {
      counts.set(rule, (counts.get(rule) ?? 0) + 1);
    }
  }
  return rulesText(counts);
}

const rulesText = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .map(([rule, count]) => `${rule} ${count}`)
    .toSorted()
    .join(', ') || 'none';

function fileDifferences(expected: WorkspaceFiles, came: WorkspaceFiles): readonly string[] {
  const paths = [...new Set([...Object.keys(expected), ...Object.keys(came)])].toSorted();
  return paths.flatMap((path) => {
    if (expected[path] === came[path]) return [];
    if (expected[path] === undefined) return [`${path} should not be there.`];
    return [
      came[path] === undefined
        ? `${path} is missing.`
        : `${path} has another content than expected.`,
    ];
  });
}
