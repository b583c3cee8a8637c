// `npm run laws`: does every law hold in many trials? Prints seed and progress, and how to see a counterexample again.
import { parseArgs } from 'node:util';
import { interpret } from 'toolmend';
import { interpretOf, tryLaws } from '../test/laws/try-laws.ts';
import { laws } from '../test/laws/laws.ts';

const usage = 'npm run laws -- [--runs 100000] [--seed N] [--path P] [--engine FILE]';

/** `--engine`: a module with another `interpret`, to see the laws catch it. */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    path: { type: 'string' },
    engine: { type: 'string' },
  },
});
const [runs, seed] = [Number(values.runs), Number(values.seed)];
if (!Number.isInteger(runs) || !Number.isInteger(seed) || runs < 1) throw new TypeError(usage);

const started = performance.now();
let told = started;
const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`;
console.log(`laws: ${runs} runs each, seed ${seed}, node ${process.version}`);

const outcome = tryLaws({
  interpret: values.engine === undefined ? interpret : await interpretOf(values.engine),
  runs,
  seed,
  path: values.path,
  progress: (trials) => {
    if (performance.now() < told + 10_000) return;
    told = performance.now();
    console.log(`${trials} trials, ${seconds()}`);
  },
});

for (const { id, title } of laws) console.log(`${String(outcome.counts.get(id) ?? 0).padStart(9)}  ${title}`);
if (outcome.broken === undefined) {
  console.log(`laws: all hold in ${outcome.trials} trials, ${seconds()}`);
} else {
  console.error(`${outcome.broken.message}\n`);
  console.error(`see it again: npm run laws -- --seed ${outcome.broken.seed} --path ${outcome.broken.path}`);
  process.exitCode = 1;
}
