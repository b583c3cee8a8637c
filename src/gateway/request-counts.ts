// Counts the requests of clients: their answers' statuses, and the time to the first byte.
import type { RequestEnd } from './open-requests.ts';

/** How many took at most each bound, and all of it. */
export interface Histogram {
  readonly count: number;
  readonly seconds: number;
  readonly atMost: readonly { readonly seconds: number; readonly count: number }[];
}

/** Adds up times. */
export class TimeHistogram {
  readonly #bounds: readonly number[];
  readonly #atMost: number[];
  #count = 0;
  #seconds = 0;

  /** `bounds`: in seconds. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#atMost = bounds.map(() => 0);
  }

  add(seconds: number): void {
    this.#count += 1;
    this.#seconds += seconds;
    for (const [index, upperBound] of this.#bounds.entries())
      if (seconds <= upperBound) this.#atMost[index] = (this.#atMost[index] ?? 0) + 1;
  }

  snapshot(): Histogram {
    return {
      count: this.#count,
      seconds: this.#seconds,
      atMost: this.#bounds.map((seconds, index) => ({ seconds, count: this.#atMost[index] ?? 0 })),
    };
  }
}

/** Upper bounds in seconds of the time to the first byte of an answer. */
const firstByteBounds: readonly number[] = [
  0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120,
];

/** A copy of the counts. */
export interface RequestStats {
  /** Answers by API and status. The status 0 is that of clients that left before there was one. */
  readonly answers: readonly {
    readonly protocol: string;
    readonly status: number;
    readonly count: number;
  }[];
  /** By API. */
  readonly firstByte: readonly { readonly protocol: string; readonly times: Histogram }[];
}

export class RequestCounts {
  readonly #answers = new Map<string, { protocol: string; status: number; count: number }>();
  readonly #firstByte = new Map<string, TimeHistogram>();

  add({ protocol, status, firstByteMs }: RequestEnd): void {
    const key = `${protocol} ${status}`;
    const answers = this.#answers.get(key) ?? { protocol, status, count: 0 };
    answers.count += 1;
    this.#answers.set(key, answers);
    if (firstByteMs === undefined) return;
    const times = this.#firstByte.get(protocol) ?? new TimeHistogram(firstByteBounds);
    times.add(firstByteMs / 1_000);
    this.#firstByte.set(protocol, times);
  }

  snapshot(): RequestStats {
    return {
      answers: Array.from(this.#answers.values(), (answers) => ({ ...answers })),
      firstByte: Array.from(this.#firstByte, ([protocol, times]) => ({
        protocol,
        times: times.snapshot(),
      })),
    };
  }
}
