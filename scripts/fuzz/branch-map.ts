// Did a run take a way that no run before it took, or one of them many times more often?
import { countersName } from './count-branches.ts';

const mostBranches = 2 ** 15;

/** Counts since the last look, and which magnitudes of each were ever seen. */
export class BranchMap {
  readonly #counters = new Uint32Array(mostBranches);
  readonly #seen = new Uint32Array(mostBranches);
  #used = 0;

  constructor() {
    Reflect.set(globalThis, countersName, this.#counters);
  }

  /** Numbers for the branches of one more file. */
  reserve(count: (first: number) => number): void {
    this.#used += count(this.#used);
    if (this.#used > mostBranches) throw new RangeError(`more than ${mostBranches} branches`);
  }

  get size(): number {
    return this.#used;
  }

  /** Branches that were ever taken. */
  get taken(): number {
    return this.#seen.subarray(0, this.#used).reduce((sum, seen) => sum + (seen > 0 ? 1 : 0), 0);
  }

  /** Whether the run since the last look was new in any branch; the counters start anew. */
  isNew(): boolean {
    let isNew = false;
    for (let at = 0; at < this.#used; at += 1) {
      const count = this.#counters[at] ?? 0;
      if (count === 0) continue;
      const seen = this.#seen[at] ?? 0;
      // 1, 2, 3, 4 to 7, 8 to 15, … are magnitudes of their own.
      const magnitude = 1 << (count < 4 ? count : Math.min(31, 34 - Math.clz32(count)));
      if ((seen & magnitude) === 0) {
        this.#seen[at] = seen | magnitude;
        isNew = true;
      }
    }
    this.#counters.fill(0, 0, this.#used);
    return isNew;
  }
}
