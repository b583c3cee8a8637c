// Statistics of rates: pure functions of counts.

/** Calls, and how many of them had a miss. */
export interface Arm {
  readonly calls: number;
  readonly misses: number;
}

/** Rates from 0 to 1, between which the true one lies. */
export interface Interval {
  readonly least: number;
  readonly most: number;
}

/**
 * The Wilson score interval of a rate: https://doi.org/10.1080/01621459.1927.10502953. `z`: 1.96 for
 * 95 percent, 2.58 for 99. Without calls, any rate is possible.
 */
export function wilsonInterval({ calls, misses }: Arm, z: number): Interval {
  if (calls === 0) return { least: 0, most: 1 };
  const rate = misses / calls;
  const square = z * z;
  const center = rate + square / (2 * calls);
  const width = z * Math.sqrt((rate * (1 - rate)) / calls + square / (4 * calls * calls));
  const scale = 1 + square / calls;
  return {
    least: Math.max(0, (center - width) / scale),
    most: Math.min(1, (center + width) / scale),
  };
}

/** Steps of a posterior. */
const stepCount = 200;
/** Standard deviations at each side of the mean beyond which a posterior has nothing to speak of. */
const widest = 8;

/** A distribution in equal steps from `first` on, whose weights sum up to 1. */
interface Posterior {
  readonly first: number;
  readonly stepSize: number;
  readonly weights: readonly number[];
}

/** What is known of a rate: a Beta distribution with Jeffreys' prior. */
function posterior({ calls, misses }: Arm): Posterior {
  const [alpha, beta] = [misses + 0.5, calls - misses + 0.5];
  const mean = alpha / (alpha + beta);
  const deviation = Math.sqrt((mean * (1 - mean)) / (alpha + beta + 1));
  const first = Math.max(0, mean - widest * deviation);
  const stepSize = (Math.min(1, mean + widest * deviation) - first) / stepCount;
  const logarithms = Array.from({ length: stepCount }, (_none, at) => {
    const rate = first + (at + 0.5) * stepSize;
    return (alpha - 1) * Math.log(rate) + (beta - 1) * Math.log1p(-rate);
  });
  const highest = Math.max(...logarithms);
  const densities = logarithms.map((one) => Math.exp(one - highest));
  const total = densities.reduce((sum, one) => sum + one, 0);
  return { first, stepSize, weights: densities.map((one) => one / total) };
}

/** The probability that the rate of `shown` is below `share` of that of `control`. */
export function probabilityBelow(shownArm: Arm, control: Arm, share: number): number {
  const low = posterior(shownArm);
  const sums = [0];
  for (const weight of low.weights) sums.push((sums.at(-1) ?? 0) + weight);
  const probabilityBelowRate = (rate: number): number => {
    const place = (rate - low.first) / low.stepSize;
    if (place <= 0) return 0;
    const whole = Math.floor(place);
    return (sums[whole] ?? 1) + (place - whole) * (low.weights[whole] ?? 0);
  };
  const { first, stepSize, weights } = posterior(control);
  return weights.reduce(
    (sum, weight, at) =>
      sum + weight * probabilityBelowRate(share * (first + (at + 0.5) * stepSize)),
    0,
  );
}
