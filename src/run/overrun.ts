import type { Settled } from './run-until-ended.ts';

/**
 * The tool's code of a call that has ended, by its time limit or a cancellation, before its code
 * did.
 */
export class Overrun {
  #runningCount = 0;
  readonly #whenEnded = Promise.withResolvers<Settled>();

  get isRunning(): boolean {
    return this.#runningCount > 0;
  }

  /** How the code ended. */
  get whenEnded(): Promise<Settled> {
    return this.#whenEnded.promise;
  }

  begin(): void {
    this.#runningCount += 1;
  }

  /** An interceptor may have run the tool several times. */
  end(settledRun: Settled): void {
    this.#runningCount -= 1;
    if (this.#runningCount === 0) this.#whenEnded.resolve(settledRun);
  }
}
