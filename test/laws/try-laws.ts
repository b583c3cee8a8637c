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

/** Trials with one seed. */
const trialsOfPart = 25;

/** Stops at the first breach. `counts`: how often each law applied, by its id. */
export function tryLaws({ interpret, runs, seed, onBreach, progress }: LawsRequest) {
  const counts: LawCounts = new Map();
  const property = fc.property(trials, (trial) => judgeTrial(trial, interpret, counts));
  let done = 0;
  while (laws.some(({ id }) => (counts.get(id) ?? 0) < runs)) {
    const endOnFailure = onBreach === 'stop';
    const details = fc.check(property, { numRuns: trialsOfPart, seed: seed + done, endOnFailure });
    if (details.failed) return { trials: done, counts, broken: brokenLaw(details) };
    done += trialsOfPart;
    progress?.(done);
  }
  return { trials: done, counts, broken: undefined };
}

/** The seed finds the breach again among the first trials. */
function brokenLaw({ errorInstance, seed }: fc.RunDetails<[Trial]>) {
  return errorInstance instanceof LawBroken
    ? { law: errorInstance.law, message: errorInstance.message, seed }
    : { law: '', message: String(errorInstance), seed };
}
