import { format } from 'prettier';
import { modelFaults } from './model-faults.ts';
import type { TriedFaults } from './try-faults.ts';
import type { TextCounts, TriedTexts } from './try-written-calls.ts';

/** A case file's counts, as `toolmend cases --json` has them. */
export interface CaseFile {
  readonly file: string;
  readonly judged: {
    readonly cases: number;
    readonly right: number;
    readonly refused: number;
    readonly missed: number;
    readonly wrong: number;
  };
}

export interface AccuracyRun {
  readonly seed: number;
  readonly count: number;
  /** Calls with one fault. */
  readonly single: TriedFaults;
  /** Calls with two to four faults. */
  readonly several: TriedFaults;
  /** Calls with a fault as models make them, and those with others beside it. */
  readonly model: TriedFaults;
  readonly severalModel: TriedFaults;
  /** Answers with a call. */
  readonly texts: number;
  readonly singleTexts: TriedTexts;
  readonly severalTexts: TriedTexts;
}

/** docs/internals/accuracy.md, formatted. */
export const accuracyPage = (files: readonly CaseFile[], run: AccuracyRun): Promise<string> =>
  format(
    `# Accuracy

A call is **wrong** if it is accepted with another value than the one that was meant, if it was valid and is changed, or if it should
have been rejected. Users can't notice a wrong call. A call is **missed** if it is rejected although it has one reading. The
model reads why and sends it again.

## Recorded calls

The files contain calls that models sent to coding agents, frameworks and MCP servers, valid calls to real tools with one fault
(mutants.jsonl), calls that earlier versions accepted wrongly (attack.jsonl, attack-2.jsonl), and handwritten calls: adversarial.jsonl tempts the rules
about broken text and notations; ours.jsonl has what recorded calls don't tell apart, and what each rule leaves alone. \`npx toolmend
cases test/cases/*.jsonl\` prints the table. Refused calls are those right ones that had to be rejected.
The [near-miss suite](../../suite/README.md) has these cases for other libraries, and the calls in whole answers of
reported-3.jsonl.

| file | cases | right | refused | missed | wrong |
| --- | --: | --: | --: | --: | --: |
${files.map(({ file, judged: { cases, right, refused, missed, wrong } }) => `| ${file.replace(/^.*\//, '')} | ${cases} | ${right} | ${refused} | ${missed} | ${wrong} |`).join('\n')}

Of the reported calls, nine are missed: the text of an object for a list of strings, which may also be meant as the object; a quote
in a string of a list, after which the string could end; bare words without a slash (three), which could be the start of a longer text; two members
of one object with braces between them; quotes escaped around one string alone; an object
after reasoning with brackets of its own; and the members of the only parameter, whose keys are free, without the parameter.

## Generated calls

The 968 tools of published MCP servers in test/cases/mcp-tools.jsonl get random valid arguments, and faults at places of their own. Each
fault makes the call invalid and leaves one reading. \`npm run accuracy -- --count ${run.count} --seed ${run.seed} --write\` wrote this page.

- One fault: ${summary(run.single)}
- Two to four faults: ${summary(run.several)}

| fault | calls with one | missed | wrong | calls with several | missed | wrong |
| --- | --: | --: | --: | --: | --: | --: |
${[...new Set([...run.single.kinds.keys(), ...run.several.kinds.keys()])]
  .toSorted()
  .map(
    (kind) =>
      `| ${[kind.replaceAll('_', ' '), ...cells(run.single, kind), ...cells(run.several, kind)].join(' | ')} |`,
  )
  .join('\n')}

Faults that have no call with several leave one reading only by themselves.

### Faults as models make them

More faults of the text, each in a valid call, and beside one to three faults of values. Some leave one reading by themselves. After
the others, a call may be refused, but not accepted with another value: a token in the string beside it, a quote too many, an amount
with a unit, a call that was cut or taken back.

- One reading, one fault: ${summary(withReadings(run.model, 'one'))}
- Several readings, one fault: ${summary(withReadings(run.model, 'several'))}
- With other faults: ${summary(run.severalModel)}

| fault | readings | calls with one | refused | wrong | calls with several | refused | wrong |
| --- | --- | --: | --: | --: | --: | --: | --: |
${Object.entries(modelFaults)
  .map(
    ([kind, { readings }]) =>
      `| ${[kind.replaceAll('_', ' '), readings, ...cells(run.model, kind), ...cells(run.severalModel, kind)].join(' | ')} |`,
  )
  .join('\n')}

A call that had to be refused counts as right, not as refused.

## Generated answers

The same tools are called in the text of an answer, as the chat templates of ${run.singleTexts.models.size} families write calls
(test/notations/chat-templates.ts), with words and reasoning before and after. A quarter of the calls have markup inside a string: another call, or
the notation's own tag. The faults are in tags, JSON, literals, names and ids, and in the values. \`readCalls\` reads each answer as a whole, and
\`CallReader\` in random parts, with the same result. What a string makes uncertain isn't generated: the next parameter after a closing tag that
is lost, a closing tag twice, a value with blanks at its end.
\`npm run accuracy -- --texts ${run.texts} --seed ${run.seed} --write\` wrote this section.

- One fault: ${textSummary(run.singleTexts)}
- Two to four faults: ${textSummary(run.severalTexts)}

${textTable('models', run, 'models')}

${textTable('fault', run, 'faults')}

A million calls (\`--count 1000000 --seed 20261122\`, 22 November 2026, commit \`dd37fc2\`): 999,703 right, 297 missed, 0 wrong.
`,
    { parser: 'markdown', printWidth: 120, proseWrap: 'preserve' },
  );

/** The calls with faults that leave one reading, or several. */
function withReadings({ kinds }: TriedFaults, readings: 'one' | 'several') {
  const counts = { right: 0, missed: 0, wrong: 0 };
  for (const [kind, row] of kinds) {
    if (modelFaults[kind]?.readings !== readings) continue;
    counts.right += row.right;
    counts.missed += row.missed;
    counts.wrong += row.wrong;
  }
  return { counts };
}

function summary({ counts }: Pick<TriedFaults, 'counts'>): string {
  const { right, missed, wrong } = counts;
  const calls = right + missed + wrong;
  return `**${calls} calls: ${right} right (${((right * 100) / calls).toFixed(2)}%), ${missed} missed, ${wrong} wrong.**`;
}

function textSummary({ counts }: TriedTexts): string {
  const { right, missed, wrong, differs } = counts;
  const calls = right + missed + wrong + differs;
  return `**${calls} calls: ${right} right (${((right * 100) / calls).toFixed(2)}%), ${missed} missed, ${wrong} wrong, ${differs} other in parts.**`;
}

function textTable(title: string, run: AccuracyRun, rows: 'models' | 'faults'): string {
  const { singleTexts, severalTexts } = run;
  const keys = [...new Set([...singleTexts[rows].keys(), ...severalTexts[rows].keys()])].toSorted();
  const lines = keys.map((key) => {
    const counts = [singleTexts, severalTexts].map((tried) => textCells(tried[rows].get(key)));
    return `| ${[key.replaceAll('_', ' '), ...counts.flat()].join(' | ')} |`;
  });
  return [
    `| ${title} | calls with one | missed | wrong | calls with several | missed | wrong |`,
    '| --- | --: | --: | --: | --: | --: | --: |',
    ...lines,
  ].join('\n');
}

function textCells(counts: Readonly<TextCounts> | undefined): readonly number[] {
  const { right, missed, wrong, differs } = counts ?? { right: 0, missed: 0, wrong: 0, differs: 0 };
  return [right + missed + wrong + differs, missed, wrong + differs];
}

function cells({ kinds }: TriedFaults, kind: string): readonly number[] {
  const { right, missed, wrong } = kinds.get(kind) ?? { right: 0, missed: 0, wrong: 0 };
  return [right + missed + wrong, missed, wrong];
}
