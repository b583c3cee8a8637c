// What does `npm run laws` do? Tries the laws; prints seed and progress, and how to see a counterexample again.
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { interpret } from 'toolmend';
import type { Interpret } from './law.ts';
import { laws } from './laws.ts';
import { type LawsOutcome, tryLaws } from './try-laws.ts';

const usage = 'npm run laws -- [--runs 100000] [--seed N] [--path P] [--engine FILE]';

/** The exit code. `--engine`: a module with an `interpret` of its own, to see the laws catch it. */
export async function lawsCommand(args: readonly string[], print: (line: string) => void): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: 'string', default: '100000' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
      path: { type: 'string' },
      engine: { type: 'string' },
    },
  });
  const [runs, seed] = [Number(values.runs), Number(values.seed)];
  if (!Number.isInteger(runs) || !Number.isInteger(seed) || runs < 1) throw new TypeError(usage);
  print(`laws: ${runs} runs each, seed ${seed}, node ${process.version}`);
  const started = performance.now();
  const asked = values.engine === undefined ? interpret : await interpretOf(values.engine);
  const outcome = tryLaws({
    interpret: asked,
    runs,
    seed,
    path: values.path,
    progress: teller(started, print),
  });
  for (const line of summaryOf(outcome)) print(line);
  print(`laws: ${outcome.trials} trials in ${secondsSince(started)}`);
  return outcome.broken === undefined ? 0 : 1;
}

async function interpretOf(file: string): Promise<Interpret> {
  const module: { readonly interpret: Interpret } = await import(pathToFileURL(file).href);
  return module.interpret;
}

const secondsSince = (started: number): string => `${((performance.now() - started) / 1000).toFixed(0)} s`;

/** A word every ten seconds. */
function teller(started: number, print: (line: string) => void): (trials: number) => void {
  let told = started;
  return (trials) => {
    if (performance.now() < told + 10_000) return;
    told = performance.now();
    print(`${trials} trials, ${secondsSince(started)}`);
  };
}

function summaryOf({ counts, broken }: LawsOutcome): readonly string[] {
  const rows = laws.map(({ id, title }) => `${String(counts.get(id) ?? 0).padStart(9)}  ${title}`);
  if (broken === undefined) return [...rows, 'laws: all hold'];
  const { message, seed, path } = broken;
  return [...rows, message, `see it again: npm run laws -- --seed ${seed} --path ${path}`];
}
