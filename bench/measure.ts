/** A function to measure. Its result is ignored. */
export interface Subject {
  readonly name: string;
  readonly run: () => unknown;
}

export interface Measured {
  readonly name: string;
  /** Median over the rounds, in microseconds. */
  readonly microseconds: number;
  /** Median over the rounds of this time divided by each other subject's in the same round. */
  timesAsLongAs(name: string): number;
}

export interface MeasureSettings {
  /** Rounds for the medians. */
  readonly rounds: number;
  /** Of each subject in a round. */
  readonly milliseconds: number;
  /** Milliseconds of each subject before the first round, until the compiler has optimized it. */
  readonly warmUp: number;
}

/**
 * Measures subjects in turn, so that a machine that slows down slows all. Each round starts with
 * another subject.
 */
export function measure(
  subjects: readonly Subject[],
  settings: MeasureSettings,
): readonly Measured[] {
  const { rounds } = settings;
  const runs = subjects.map((subject) => ({ subject, count: runsWithin(subject, settings) }));
  const times = new Map(subjects.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < runs.length; turn += 1) {
      const run = runs[(round + turn) % runs.length];
      if (run !== undefined)
        times.get(run.subject.name)?.push(microsecondsFor(run.subject, run.count));
    }
  }
  return subjects.map(({ name }) => measuredFrom(name, times));
}

/** `times`: those of each round, by subject. */
export function measuredFrom(
  name: string,
  times: ReadonlyMap<string, readonly number[]>,
): Measured {
  const own = times.get(name) ?? [];
  return {
    name,
    microseconds: median(own),
    timesAsLongAs: (other) => {
      const others = times.get(other) ?? [];
      return median(own.map((time, round) => time / (others[round] ?? Number.NaN)));
    },
  };
}

function runsWithin(subject: Subject, { milliseconds, warmUp }: MeasureSettings): number {
  microsecondsWithin(subject, warmUp);
  return Math.max(
    1,
    Math.round((milliseconds * 1_000) / microsecondsWithin(subject, milliseconds)),
  );
}

function microsecondsWithin(subject: Subject, milliseconds: number): number {
  const start = performance.now();
  let count = 0;
  for (; performance.now() - start < milliseconds; count += 1) subject.run();
  return ((performance.now() - start) * 1_000) / Math.max(count, 1);
}

function microsecondsFor(subject: Subject, count: number): number {
  const start = performance.now();
  for (let run = 0; run < count; run += 1) subject.run();
  return ((performance.now() - start) * 1_000) / count;
}

/** Of an even number of values, the mean of the two in the middle. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  const upper = Math.floor(sorted.length / 2);
  const high = sorted[upper] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[upper - 1] ?? Number.NaN) + high) / 2;
}
