// `npm run accuracy -- --count 100000 --texts 30000 --seed 1 [--write]` counts how many generated
// calls to real tools come out right: a third of them with one fault, the others with two to four.
// `--count` is the number of argument texts, and of those with faults as models make them, `--texts`
// that of answers with a call in markup. `--tools` is another file of tools, a line each of
// `{ tool, schema }`. Ends with 1 if one is wrong; `--write` updates docs/internals/accuracy.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { main } from '../src/cli/main.ts';
import { accuracyPage, type CaseFile } from './accuracy/accuracy-page.ts';
import { contractsOf, tryFaults } from './accuracy/try-faults.ts';
import { tryModelFaults } from './accuracy/try-model-faults.ts';
import { tryTexts } from './accuracy/try-written-calls.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    texts: { type: 'string', default: '30000' },
    seed: { type: 'string', default: '1' },
    tools: { type: 'string' },
    /** Missed calls that are printed; wrong ones are all printed. */
    missed: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const tools = readFileSync(
  values.tools ?? new URL('../test/cases/mcp-tools.jsonl', import.meta.url),
  'utf8',
);
const contracts = contractsOf(tools);
const count = Number(values.count);
const third = Math.round(count / 3);
const single = tryFaults(contracts, { calls: third, seed, faults: [1, 1] });
const several = tryFaults(contracts, { calls: count - third, seed, faults: [2, 4] });
const model = tryModelFaults(contracts, { calls: third, seed, faults: [1, 1] });
const severalModel = tryModelFaults(contracts, { calls: count - third, seed, faults: [2, 4] });
for (const { odd, counts } of [single, several, model, severalModel]) {
  for (const call of odd.missed.slice(0, Number(values.missed))) console.log(`missed: ${call}`);
  for (const call of odd.wrong) console.log(`wrong: ${call}`);
  console.log(
    `seed ${seed}: ${counts.right} right, ${counts.missed} missed, ${counts.wrong} wrong`,
  );
}
const texts = Number(values.texts);
const textThird = Math.round(texts / 3);
const singleTexts = tryTexts(contracts, { calls: textThird, seed, faults: [1, 1] });
const severalTexts = tryTexts(contracts, { calls: texts - textThird, seed, faults: [2, 4] });
for (const { odd, counts } of [singleTexts, severalTexts]) {
  for (const call of odd.missed.slice(0, Number(values.missed))) console.log(`missed: ${call}`);
  for (const call of odd.wrong) console.log(`wrong: ${call}`);
  for (const call of odd.differs) console.log(`in parts: ${call}`);
  const { right, missed, wrong, differs } = counts;
  console.log(
    `seed ${seed}: ${right} right, ${missed} missed, ${wrong} wrong, ${differs} differ in parts`,
  );
}
if (values.write) {
  const run = {
    seed,
    count,
    single,
    several,
    model,
    severalModel,
    texts,
    singleTexts,
    severalTexts,
  };
  const page = await accuracyPage(await caseFiles(), run);
  writeFileSync(new URL('../docs/internals/accuracy.md', import.meta.url), page);
}
const allTexts = [singleTexts.counts, severalTexts.counts];
const wrongTexts = allTexts.reduce((sum, { wrong, differs }) => sum + wrong + differs, 0);
const wrongArguments = [single, several, model, severalModel].reduce(
  (sum, { counts }) => sum + counts.wrong,
  0,
);
if (wrongArguments + wrongTexts > 0) process.exitCode = 1;

async function caseFiles(): Promise<readonly CaseFile[]> {
  const names = [
    'systems',
    'reported',
    'reported-2',
    'reported-3',
    'reported-4',
    'reported-5-arguments',
    'adversarial',
    'attack',
    'attack-2',
    'mutants',
    'ours',
  ];
  const files = names.map((name) =>
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
