import { format } from 'prettier';
import type { TriedFaults } from './try-faults.ts';

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

/** docs/internals/accuracy.md, formatted. */
export const accuracyPage = (
  files: readonly CaseFile[],
  { counts, kinds }: TriedFaults,
  seed: number,
): Promise<string> =>
  format(
    `# Accuracy

A call is **wrong** if it is accepted with another value than the one that was meant, if it was valid and is changed, or if it should
have been rejected. Users can't notice a wrong call. A call is **missed** if it is rejected although it has one reading. The
model reads why and sends it again.

## Recorded calls

The files contain calls that models sent to coding agents, frameworks and MCP servers, valid calls to real tools with one fault
(mutants.jsonl), and handwritten calls (ours.jsonl) for what recorded calls don't tell apart and for what each rule leaves alone. \`npx toolmend
cases test/cases/*.jsonl\` prints the table. Refused calls are those right ones that had to be rejected.

| file | cases | right | refused | missed | wrong |
| --- | --: | --: | --: | --: | --: |
${files.map(({ file, judged: { cases, right, refused, missed, wrong } }) => `| ${file.replace(/^.*\//, '')} | ${cases} | ${right} | ${refused} | ${missed} | ${wrong} |`).join('\n')}

## Two to four faults in one call

The 968 tools of published MCP servers in test/cases/mcp-tools.jsonl get random valid arguments. Each call gets two to four faults at
places of their own. Each fault makes the call invalid and leaves one reading. \`npm run accuracy -- --count ${total(counts)} --seed ${seed} --write\` wrote this page.

**${total(counts)} calls: ${counts.right} right (${((counts.right * 100) / total(counts)).toFixed(2)}%), ${counts.missed} missed, ${counts.wrong} wrong.**

| kind of fault | calls with it | right | missed | wrong |
| --- | --: | --: | --: | --: |
${[...kinds]
  .toSorted(([left], [right]) => (left < right ? -1 : 1))
  .map(
    ([kind, row]) =>
      `| ${kind.replaceAll('_', ' ')} | ${total(row)} | ${row.right} | ${row.missed} | ${row.wrong} |`,
  )
  .join('\n')}
`,
    { parser: 'markdown', printWidth: 120, proseWrap: 'preserve' },
  );

const total = ({
  right,
  missed,
  wrong,
}: { readonly [verdict in 'right' | 'missed' | 'wrong']: number }): number => right + missed + wrong;
