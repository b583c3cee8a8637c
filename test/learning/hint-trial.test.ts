// Simulated with known rates, and computed where that is exact: which hints come, stay and go.
import { judgedTrial, missLine, surely } from '../../src/learning/hint-trial.ts';
import { type Arm, probabilityBelow, wilsonInterval } from '../../src/learning/intervals.ts';
import { type Trial, newTrial } from '../../src/store/hint-counts.ts';

/** A generator of numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Rates {
  readonly without: number;
  readonly with: number;
}

/** How many of the calls have a miss: drawn from one miss to the next. */
function missesIn(calls: number, rate: number, random: () => number): number {
  let misses = 0;
  for (let call = gap(rate, random); call < calls; call += 1 + gap(rate, random)) misses += 1;
  return misses;
}

const gap = (rate: number, random: () => number): number =>
  Math.floor(Math.log(1 - random()) / Math.log(1 - rate));

/** What becomes of a hint, from look to look. Four of five calls see it while it is on. */
function simulate(rates: Rates, mostCalls: number, random: () => number): Trial['state'] {
  const hidden = { calls: 0, misses: 0 };
  const shown = { calls: 0, misses: 0 };
  const add = (arm: typeof hidden, calls: number, rate: number): void => {
    arm.calls += calls;
    arm.misses += missesIn(calls, rate, random);
  };
  let trial = newTrial;
  while (trial.state === 'watched' && trial.look <= mostCalls) {
    add(hidden, trial.look - hidden.calls, rates.without);
    trial = judgedTrial(trial, hidden, shown);
  }
  while (trial.state === 'trial') {
    const calls = trial.look - shown.calls;
    add(shown, calls, rates.with);
    add(hidden, calls / 4, rates.without);
    trial = judgedTrial(trial, hidden, shown);
  }
  return trial.state;
}

/** How many of the runs end in each state. */
function endsOf(rates: Rates) {
  const random = randomNumbers(20_261_128);
  const ends = { watched: 0, trial: 0, kept: 0, dropped: 0 };
  for (let run = 0; run < 500; run += 1) ends[simulate(rates, 6_400, random)] += 1;
  return ends;
}

describe('which hints come', () => {
  /** The exact probability that a place with this rate gets a hint in 1,600 calls. */
  function probabilityOfHint(rate: number): number {
    let byMisses = [1];
    let comes = 0;
    let trial = newTrial;
    for (let calls = 1; calls <= 1_600; calls += 1) {
      byMisses = [...byMisses, 0].map(
        (stays, misses) => stays * (1 - rate) + (byMisses[misses - 1] ?? 0) * rate,
      );
      if (calls < trial.look) continue;
      byMisses = byMisses.map((probability, misses) => {
        const isOn =
          judgedTrial(trial, { calls, misses }, { calls: 0, misses: 0 }).state === 'trial';
        if (isOn) comes += probability;
        return isOn ? 0 : probability;
      });
      trial = judgedTrial(trial, { calls, misses: 0 }, { calls: 0, misses: 0 });
    }
    return comes;
  }

  test('at 1 percent of misses, one of 120,000', () => {
    expect(probabilityOfHint(0.01)).toBeLessThan(1 / 100_000);
    expect(endsOf({ without: 0.01, with: 0.01 })).toMatchObject({
      watched: 500,
    });
  });

  test('at 2 percent, at most one of a hundred', () => {
    expect(probabilityOfHint(0.02)).toBeLessThan(0.01);
  });

  test('at 8 percent, at least 99 of a hundred', () => {
    expect(probabilityOfHint(0.08)).toBeGreaterThan(0.99);
  });

  test('only if the whole interval is above the line', () => {
    const before = { calls: 99, misses: 20 };
    const [few, many] = [
      { calls: 100, misses: 7 },
      { calls: 100, misses: 8 },
    ];

    expect(judgedTrial(newTrial, before, noCalls)).toBe(newTrial);
    expect(judgedTrial(newTrial, few, noCalls)).toEqual({ ...newTrial, look: 200 });
    expect(wilsonInterval(few, surely).least).toBeLessThan(missLine);
    expect(judgedTrial(newTrial, many, noCalls)).toEqual({
      state: 'trial',
      look: 400,
      callsBefore: 100,
      missesBefore: 8,
    });
  });
});

describe('which hints stay', () => {
  test.each([
    ['from 8 to 3 percent', { without: 0.08, with: 0.03 }, 475],
    ['from 20 to 7 percent', { without: 0.2, with: 0.07 }, 475],
  ])('useful ones: %s', (_title, rates, least) => {
    expect(endsOf(rates).kept).toBeGreaterThanOrEqual(least);
  });

  test.each([0.08, 0.2])('useless ones hardly: %d', (rate) => {
    const ends = endsOf({ without: rate, with: rate });

    expect(ends.kept).toBeLessThanOrEqual(15);
    expect(ends.dropped + ends.kept).toBe(500);
  });

  test('harmful ones never', () => {
    expect(endsOf({ without: 0.08, with: 0.12 }).kept).toBe(0);
  });

  const onTrial: Trial = { state: 'trial', look: 400, callsBefore: 100, missesBefore: 20 };

  test('calls before the trial are not compared', () => {
    const hidden = { calls: 200, misses: 21 };

    expect(judgedTrial(onTrial, hidden, { calls: 400, misses: 30 }).state).toBe('dropped');
  });

  test('a kept or dropped hint is not looked at again', () => {
    for (const state of ['kept', 'dropped'] as const) {
      const trial = { ...onTrial, state };
      expect(judgedTrial(trial, { calls: 9_000, misses: 0 }, { calls: 9_000, misses: 900 })).toBe(
        trial,
      );
    }
  });
});

const noCalls: Arm = { calls: 0, misses: 0 };

describe('intervals', () => {
  // By R: binom.confint(8, 100, methods = "wilson") and prop.test(0, 30).
  test.each([
    [{ calls: 100, misses: 8 }, 1.96, [0.0411, 0.15]],
    [{ calls: 30, misses: 0 }, 1.96, [0, 0.1135]],
    [{ calls: 0, misses: 0 }, 1.96, [0, 1]],
  ])('%j', (arm, z, [least, most]) => {
    const interval = wilsonInterval(arm, z);

    expect(interval.least).toBeCloseTo(least ?? 0, 3);
    expect(interval.most).toBeCloseTo(most ?? 0, 3);
  });

  test('the probability of a fall is that of two Beta distributions', () => {
    // The share 1: the same counts are equally probable either way; swapped ones are complements.
    const [one, other] = [
      { calls: 400, misses: 12 },
      { calls: 100, misses: 8 },
    ];

    expect(probabilityBelow(one, one, 1)).toBeCloseTo(0.5, 2);
    expect(probabilityBelow(one, other, 1) + probabilityBelow(other, one, 1)).toBeCloseTo(1, 2);
    expect(probabilityBelow(one, other, 0.8)).toBeCloseTo(summedBelow(one, other, 0.8), 2);
    expect(probabilityBelow({ calls: 50, misses: 0 }, { calls: 50, misses: 50 }, 0.8)).toBeCloseTo(
      1,
      5,
    );
  });
});

/** By a sum over pairs of rates, each with the weight of its counts under Jeffreys' prior. */
function summedBelow(shown: Arm, control: Arm, share: number): number {
  let [below, all] = [0, 0];
  for (let rate = 0.0005; rate < 0.12; rate += 0.0005)
    for (let controlRate = 0.0005; controlRate < 0.3; controlRate += 0.001) {
      const weight = weightOf(rate, shown) * weightOf(controlRate, control);
      all += weight;
      if (rate < share * controlRate) below += weight;
    }
  return below / all;
}

const weightOf = (rate: number, { calls, misses }: Arm): number =>
  Math.exp(
    (misses - 0.5) * Math.log(rate / 0.05) + (calls - misses - 0.5) * Math.log((1 - rate) / 0.95),
  );
