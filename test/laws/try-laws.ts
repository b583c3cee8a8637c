// Do the laws hold in many trials, and if not, which is the smallest trial that shows it?
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { trials } from './generators/trials.ts';
import { judgeTrial, type LawCounts } from './judge-trial.ts';
import { type Interpret, LawBroken } from './law.ts';

export interface LawsRequest {
  readonly interpret: Interpret;
  readonly runs: number;
  readonly seed: number;
  /** Of a counterexample, to see it again. */
  readonly path?: string | undefined;
  progress?(done: number): void;
}

export interface LawsOutcome {
  /** How often each law had something to say, by its id. */
  readonly counts: LawCounts;
  readonly broken: BrokenLaw | undefined;
}

export interface BrokenLaw {
  readonly law: string;
  readonly message: string;
  readonly seed: number;
  readonly path: string;
}

/** Trials between two words of progress; each such part has a seed of its own. */
const part = 5000;

/** Stops at the first breach. */
export function tryLaws({ interpret, runs, seed, path, progress }: LawsRequest): LawsOutcome {
  const counts: LawCounts = new Map();
  const property = fc.property(trials, (trial) => {
    judgeTrial(trial, interpret, counts);
  });
  for (let done = 0; done < runs;) {
    const numRuns = Math.min(part, runs - done);
    const details = fc.check(property, {
      numRuns,
      seed: seed + done,
      ...(path === undefined ? {} : { path }),
    });
    if (details.failed) {
      const error = details.errorInstance;
      const [law, message] = error instanceof LawBroken ? [error.law, error.message] : ['', String(error)];
      return { counts, broken: { law, message, seed: details.seed, path: details.counterexamplePath ?? '' } };
    }
    done += numRuns;
    progress?.(done);
  }
  return { counts, broken: undefined };
}

/** The `interpret` of a module file. */
export async function interpretOf(file: string): Promise<Interpret> {
  const module: { readonly interpret: Interpret } = await import(pathToFileURL(file).href);
  return module.interpret;
}
