import type { ServerResponse } from 'node:http';

/** The responses of which clients don't have the end yet. */
export class OpenResponses<Response extends ServerResponse = ServerResponse> {
  readonly #responses = new Set<Response>();
  readonly #idleListeners: (() => void)[] = [];

  get size(): number {
    return this.#responses.size;
  }

  values(): readonly Response[] {
    return [...this.#responses];
  }

  add(response: Response): void {
    this.#responses.add(response);
    response.once('close', () => {
      this.#responses.delete(response);
      if (this.size > 0) return;
      for (const resolve of this.#idleListeners.splice(0)) resolve();
    });
  }

  /** Resolves when no response is open, at the latest after this time. */
  async idle(limitMs: number): Promise<void> {
    if (this.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idleListeners.push(resolve);
    const timer = setTimeout(resolve, limitMs);
    await promise;
    clearTimeout(timer);
  }
}
