import { tell } from '../telemetry/tool-event.ts';
import type { ToolContract } from '../tool/tool-contract.ts';

/** Called after the tools have changed; what it throws or rejects with is dropped. */
export type ToolsListener = () => unknown;

/** The contracts of a set, in the order in which they are shown. Changes that are made together are told once, soon after. */
export class ToolMap extends Map<string, ToolContract> {
  readonly #listeners = new Set<ToolsListener>();
  #isToBeTold = false;

  override set(name: string, contract: ToolContract): this {
    if (this.get(name) !== contract) this.#changed();
    return super.set(name, contract);
  }

  override delete(name: string): boolean {
    const wasThere = super.delete(name);
    if (wasThere) this.#changed();
    return wasThere;
  }

  /** A new list of the contracts. */
  list(): ToolContract[] {
    return [...this.values()];
  }

  /** Returns what ends it. */
  onChange(listener: ToolsListener): () => void {
    const own: ToolsListener = () => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  #changed(): void {
    if (this.#listeners.size === 0 || this.#isToBeTold) return;
    this.#isToBeTold = true;
    queueMicrotask(() => {
      this.#isToBeTold = false;
      for (const listener of this.#listeners) tell(listener);
    });
  }
}
