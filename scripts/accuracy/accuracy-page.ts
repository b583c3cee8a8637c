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
    `# How much comes out right

Wrong is what users can't see coming: a call that is accepted with another value than the one that was meant, a valid
call that was changed, or one that should have been rejected. A missed call is rejected, though it could be read in one
way; the model reads why and sends it again.

## Recorded calls

What models sent to coding agents, frameworks and MCP servers; valid calls to real tools with one fault put in; and
(ours.jsonl) calls written by hand for what no recorded one tells apart, and for what each rule leaves alone.
\`npx toolmend cases test/cases/*.jsonl\` prints it. Refused calls are the part of the right ones that had to be rejected.

| file | cases | right | refused | missed | wrong |
| --- | --: | --: | --: | --: | --: |
${files.map(({ file, judged: { cases, right, refused, missed, wrong } }) => `| ${file.replace(/^.*\//, '')} | ${cases} | ${right} | ${refused} | ${missed} | ${wrong} |`).join('\n')}

## Two to four faults in one call

Valid arguments are made by chance for the 968 tools of published MCP servers in test/cases/mcp-tools.jsonl, and two to
four faults put into each, at places of their own, each of which makes the call invalid and leaves one reading. This
page was written by \`npm run accuracy -- --count ${total(counts)} --seed ${seed} --write\`.

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
