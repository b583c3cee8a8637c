// Which tests are asked of a mutant, and in which order? The likeliest to notice it first.
import type { MutantCoverage } from './bundle-runner.ts';
import type { CollectedTest } from './collected-tests.ts';

/** What a run without mutants has shown. */
export interface RunFacts {
  /** The tests that take part, those that differ most first. */
  readonly order: readonly string[];
  /** Of the mutants that run while tests are declared, the tests that run them once more. */
  readonly runAgain: { readonly [mutant: string]: readonly string[] };
}

/** When a mutant runs: in tests, or while they are declared too. */
export type Activation = 'runtime' | 'static';

export class AskedTests {
  readonly #runAgain: RunFacts['runAgain'];
  /** Of each test, its place among those that differ most. */
  readonly #places: ReadonlyMap<string, number>;
  /** The tests that noticed a mutant of each kind, the latest first. */
  readonly #killers: { [activation in Activation]: readonly string[] } = { runtime: [], static: [] };

  constructor({ order, runAgain }: RunFacts) {
    this.#runAgain = runAgain;
    this.#places = new Map(order.map((name, place) => [name, place]));
  }

  /**
   * Of those that were declared. `testFilter`: those that run the mutant; none for one that runs while tests are declared,
   * which any of them may notice: first those that run it once more.
   */
  of(
    mutant: string,
    declared: readonly CollectedTest[],
    { testFilter, mutantActivation }: Asking,
  ): readonly CollectedTest[] {
    const asked = testFilter === undefined ? undefined : new Set(testFilter);
    const likely = asked ?? new Set(this.#runAgain[mutant]);
    // What noticed the mutant before is likely to notice the next one, which is near it.
    const ranks = new Map(
      this.#killers[mutantActivation].slice(0, mostKillers).map((name, index) => [name, index]),
    );
    const last = ranks.size + this.#places.size;
    const rankOf = ({ name }: CollectedTest): number =>
      (ranks.get(name) ?? ranks.size + (this.#places.get(name) ?? 0)) + (likely.has(name) ? 0 : last);
    return declared
      .filter(({ name }) => asked?.has(name) ?? this.#places.has(name))
      .toSorted((one, other) => rankOf(one) - rankOf(other));
  }

  noticed(test: string, activation: Activation): void {
    this.#killers[activation] = [test, ...this.#killers[activation].filter((name) => name !== test)];
  }
}

/** Of the tests that noticed a mutant, those that are asked before the others, at most. */
const mostKillers = 40;

interface Asking {
  readonly testFilter?: readonly string[] | undefined;
  readonly mutantActivation: Activation;
}

/** What is kept of the coverage: little, as each process of tests reads it. `tests`: those that take part. */
export function runFactsOf(coverage: MutantCoverage, tests: readonly string[]): RunFacts {
  const runAgain = Object.keys(coverage.static).map((mutant): readonly [string, readonly string[]] => [
    mutant,
    Object.entries(coverage.perTest).flatMap(([name, hits]) => ((hits[mutant] ?? 0) > 0 ? [name] : [])),
  ]);
  // A test that runs no mutant may still look at what was declared.
  const order = [...new Set([...mostDifferentFirst(coverage), ...tests])];
  return { order, runAgain: Object.fromEntries(runAgain) };
}

/** Each test runs the most mutants that none before it runs; then those that add nothing, in their order. */
function mostDifferentFirst({ perTest }: MutantCoverage): readonly string[] {
  const fresh = new Map(
    Object.entries(perTest).map(([name, hits]) => [
      name,
      Object.keys(hits).filter((mutant) => (hits[mutant] ?? 0) > 0),
    ]),
  );
  const places: string[] = [];
  const seen = new Set<string>();
  for (;;) {
    let best = { name: '', mutants: [] as readonly string[] };
    for (const [name, mutants] of fresh) {
      if (mutants.length <= best.mutants.length) continue;
      const left = mutants.filter((mutant) => !seen.has(mutant));
      fresh.set(name, left);
      if (left.length > best.mutants.length) best = { name, mutants: left };
    }
    if (best.mutants.length === 0) return [...places, ...fresh.keys()];
    for (const mutant of best.mutants) seen.add(mutant);
    places.push(best.name);
    fresh.delete(best.name);
  }
}
