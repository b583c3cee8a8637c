// Which tests are asked of a mutant, and in which order? The likeliest to notice it first.
import type { MutantCoverage } from './bundle-runner.ts';
import type { CollectedTest } from './collected-tests.ts';

export class AskedTests {
  readonly #coverage: MutantCoverage;
  /** The tests that noticed a mutant, the latest first. */
  #killers: readonly string[] = [];

  constructor(coverage: MutantCoverage) {
    this.#coverage = coverage;
  }

  /**
   * Of those that were declared. `testFilter`: those that run the mutant; none for one that runs while tests are declared,
   * which any of them may notice: first those that run it once more.
   */
  of(
    mutant: string,
    declared: readonly CollectedTest[],
    testFilter: readonly string[] | undefined,
  ): readonly CollectedTest[] {
    const { perTest } = this.#coverage;
    const asked = testFilter === undefined ? undefined : new Set(testFilter);
    // What noticed the mutant before is likely to notice the next one, which is near it.
    const ranks = new Map(this.#killers.map((name, index) => [name, index]));
    const rankOf = ({ name }: CollectedTest): number =>
      (ranks.get(name) ?? ranks.size) + ((perTest[name]?.[mutant] ?? 0) > 0 ? 0 : ranks.size + 1);
    return declared
      .filter(({ name }) => asked?.has(name) ?? Object.hasOwn(perTest, name))
      .toSorted((one, other) => rankOf(one) - rankOf(other));
  }

  noticed(test: string): void {
    this.#killers = [test, ...this.#killers.filter((name) => name !== test)];
  }
}
