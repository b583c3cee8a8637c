// `npm run accuracy -- --count 100000 --seed 1 [--write]` counts how many generated calls to real tools, with two to four
// faults each, come out right. Ends with 1 if one is wrong; `--write` updates docs/internals/accuracy.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { main } from '../src/cli/main.ts';
import { accuracyPage, type CaseFile } from './accuracy/accuracy-page.ts';
import { contractsOf, tryFaults } from './accuracy/try-faults.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    /** Missed calls that are printed; wrong ones are all printed. */
    missed: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const tools = readFileSync(new URL('../test/cases/mcp-tools.jsonl', import.meta.url), 'utf8');
const tried = tryFaults(contractsOf(tools), { calls: Number(values.count), seed, faults: [2, 4] });
for (const call of tried.odd.missed.slice(0, Number(values.missed))) console.log(`missed: ${call}`);
for (const call of tried.odd.wrong) console.log(`wrong: ${call}`);
const { right, missed, wrong } = tried.counts;
console.log(`seed ${seed}: ${right} right, ${missed} missed, ${wrong} wrong`);
if (values.write) {
  const page = await accuracyPage(await caseFiles(), tried, seed);
  writeFileSync(new URL('../docs/internals/accuracy.md', import.meta.url), page);
}
if (wrong > 0) process.exitCode = 1;

async function caseFiles(): Promise<readonly CaseFile[]> {
  const files = ['systems', 'reported', 'mutants', 'ours'].map((name) =>
    fileURLToPath(new URL(`../test/cases/${name}.jsonl`, import.meta.url)),
  );
  let written = '';
  await main(['cases', '--json', ...files], {
    stdout: { write: (text) => (written += text) },
    stderr: process.stderr,
  });
  const report: { readonly files: readonly CaseFile[] } = JSON.parse(written);
  return report.files;
}
