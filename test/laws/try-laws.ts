// Do the laws hold in many trials, and if not, which is the smallest trial that shows it?
import { fc } from '../seeded-fast-check.ts';
import { trials } from './generators/trials.ts';
import { judgeTrial, type LawCounts, type Trial } from './judge-trial.ts';
import { type Interpret, LawBroken } from './law.ts';
import { laws } from './laws.ts';

export interface LawsRequest {
  readonly interpret: Interpret;
  /** How often each law is to have something to say, at least. */
  readonly runs: number;
  readonly seed: number;
  /** Default `shrink`: looks for the smallest counterexample. */
  readonly onBreach?: 'shrink' | 'stop';
  /** Called after each part of the trials. */
  progress?(trials: number): void;
}

export interface LawsOutcome {
  readonly trials: number;
  /** How often each law had something to say, by its id. */
  readonly counts: LawCounts;
  readonly broken: BrokenLaw | undefined;
}

export interface BrokenLaw {
  readonly law: string;
  readonly message: string;
  /** Finds it again, among the first trials. */
  readonly seed: number;
}

/** Trials of one part; each part has a seed of its own. */
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
