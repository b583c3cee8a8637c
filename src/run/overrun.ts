import type { Settled } from './run-until-ended.ts';

/**
 * The tool's code of a call that has ended, by its time limit or a cancellation, before its code
 * did.
 */
export class Overrun {
  #running = 0;
  readonly #ended = Promise.withResolvers<Settled>();

  get isRunning(): boolean {
    return this.#running > 0;
  }

  /** How the code ended. */
  get whenEnded(): Promise<Settled> {
    return this.#ended.promise;
  }

  begin(): void {
    this.#running += 1;
  }

  /** An interceptor may have run the tool several times. */
  end(settled: Settled): void {
    this.#running -= 1;
    if (this.#running === 0) this.#ended.resolve(settled);
  }
}
