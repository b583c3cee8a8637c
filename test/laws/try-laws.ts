import { fc } from '../seeded-fast-check.ts';
import { type Trial, trials } from './generators/trials.ts';
import { judgeTrial, type LawCounts } from './judge-trial.ts';
import { type Interpret, LawBroken } from './law.ts';
import { laws } from './laws.ts';

export interface LawsRequest {
  readonly interpret: Interpret;
  /** How often each law must apply, at least. */
  readonly runs: number;
  readonly seed: number;
  /** Default `shrink`: looks for the smallest counterexample. */
  readonly onBreach?: 'shrink' | 'stop';
  /** Called after each part of the trials. */
  progress?(trials: number): void;
}

export interface LawsOutcome {
  readonly trials: number;
  /** How often each law applied, by its id. */
  readonly counts: LawCounts;
  readonly broken: BrokenLaw | undefined;
}

export interface BrokenLaw {
  readonly law: string;
  readonly message: string;
  /** Finds the breach again among the first trials. */
  readonly seed: number;
}

/** Trials with one seed. */
const trialsOfPart = 25;

/** Stops at the first breach. */
export function tryLaws({ interpret, runs, seed, onBreach, progress }: LawsRequest): LawsOutcome {
  const counts: LawCounts = new Map();
  const property = fc.property(trials, (trial) => {
    judgeTrial(trial, interpret, counts);
  });
  let done = 0;
  while (laws.some(({ id }) => (counts.get(id) ?? 0) < runs)) {
    const details = fc.check(property, {
      numRuns: trialsOfPart,
      seed: seed + done,
      endOnFailure: onBreach === 'stop',
    });
    if (details.failed) return { trials: done, counts, broken: brokenLaw(details) };
    done += trialsOfPart;
    progress?.(done);
  }
  return { trials: done, counts, broken: undefined };
}

function brokenLaw({ errorInstance, seed }: fc.RunDetails<[Trial]>): BrokenLaw {
  const [law, message] =
    errorInstance instanceof LawBroken
      ? [errorInstance.law, errorInstance.message]
      : ['', String(errorInstance)];
  return { law, message, seed };
}
