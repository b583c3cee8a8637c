// The table of the README is the one that `npm run agents` measured.
import { readFileSync } from 'node:fs';
import { readmeWithAgents } from '../../scripts/agents/agents-page.ts';

const textOf = (name: string): string =>
  readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const rowsOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => /^\| .* \d of 4 \|/.test(line))
    .map((line) => line.replaceAll(/\s+/g, ' '));

test('the README has the agents of docs/internals/agents.md', () => {
  const rows = rowsOf(textOf('docs/internals/agents.md'));
  expect(rows.length).toBeGreaterThan(5);
  expect(rowsOf(textOf('README.md'))).toEqual(rows);
});

test('an agent that did not start has no row, and the rest of the README stays', async () => {
  const run = (ran: number) => ({ ran, calls: 4, output: '' });
  const readme = 'before\n\n<!-- agents -->\n\nold\n\n<!-- end of agents -->\n\nafter\n';
  expect(
    await readmeWithAgents(readme, [
      { name: 'one', packageName: 'one', version: '1.0.0', directly: run(1), repaired: run(4) },
      { name: 'two', packageName: 'two', why: 'E404' },
    ]),
  ).toBe(
    `before

<!-- agents -->

| agent | version | calls that ran | through the gateway |
| ----- | ------- | -------------: | ------------------: |
| one   | 1.0.0   |         1 of 4 |              4 of 4 |

<!-- end of agents -->

after
`,
  );
  await expect(readmeWithAgents('no markers', [])).rejects.toThrow('<!-- agents -->');
});
