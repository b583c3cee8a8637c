import { format } from 'prettier';
import { type SuiteReport, suiteLevels } from '../../src/cli/suite-cases.ts';
import type { LibraryRun } from './runners.ts';

/** suite/RESULTS.md, formatted. */
export async function resultsPage(results: readonly LibraryRun[]): Promise<string> {
  const table = (name: string, cells: (report: SuiteReport) => Counts | undefined): string =>
    `## ${name}

| library | cases | right | missed | wrong | skipped |
| --- | --: | --: | --: | --: | --: |
${results.map(({ implementation, report }) => row(implementation, cells(report))).join('\n')}
`;
  const page = `# Results

\`npm run suite -- --results\` wrote this page. **Right**: accepted with the value that was meant, or refused if it must be.
**Missed**: refused although it has one reading; the model reads why and sends the call again. **Wrong**: accepted with another
value, or accepted although it must be refused; nobody notices. **Skipped**: the library has nothing for such cases.

toolmend's authors wrote down what is expected, and its rules were made with these cases at hand: toolmend's own row says that it does what
it promises, and not how it does on calls that it has not seen. See [Accuracy](../docs/internals/accuracy.md) for those.

Every JavaScript library but toolmend is followed by a strict validation with Ajv, and is used as its documentation says. Python's json
has no schema, so it accepts whatever is a JSON object.

${table('All levels', ({ total }) => total)}
${suiteLevels.map((level) => table(level, ({ levels }) => levels[level])).join('\n')}
`;
  return format(page, { parser: 'markdown', printWidth: 140, proseWrap: 'preserve' });
}

type Counts = SuiteReport['total'];

function row(library: string, counts: Counts | undefined): string {
  const { right, missed, wrong, skipped } = counts ?? { right: 0, missed: 0, wrong: 0, skipped: 0 };
  const cells = [right + missed + wrong + skipped, right, missed, wrong, skipped];
  return `| ${[library, ...cells].join(' | ')} |`;
}
