import type { Journal } from '../../store/call-store.ts';
import type { ToolRegistry } from '../../registry/tool-registry.ts';

/** By the name of the check, as `@nestjs/terminus` takes it. */
export type ToolmendHealthResult = Readonly<Record<string, ToolmendHealthState>>;

/** The state of the tools. `up`: calls can run and be written down. */
export interface ToolmendHealthState {
  readonly status: 'up' | 'down';
  /** Calls that run now, and that wait for a slot. */
  readonly running: number;
  readonly waiting: number;
  /**
   * Calls that a person must decide about, at most 100 are counted. Absent without a journal, or if
   * it doesn't answer.
   */
  readonly inDoubt?: number;
  /** Why it is `down`. */
  readonly message?: string;
}

/**
 * Says whether the journal answers. For Terminus: `health.check([() => this.toolmend.check()])`.
 */
export class ToolmendHealth {
  readonly #registry: ToolRegistry;
  readonly #journal: Journal | undefined;

  /** Made by `ToolmendModule`. */
  constructor(registry: ToolRegistry, journal: Journal | undefined) {
    this.#registry = registry;
    this.#journal = journal;
  }

  /** `timeoutMs`: milliseconds in which the journal has to answer. Never rejects. */
  async check(name = 'toolmend', timeoutMs = 2000): Promise<ToolmendHealthResult> {
    return { [name]: { ...(await this.#state(timeoutMs)), ...this.#registry.load } };
  }

  async #state(
    timeoutMs: number,
  ): Promise<Pick<ToolmendHealthState, 'status' | 'inDoubt' | 'message'>> {
    if (this.#journal === undefined) return { status: 'up' };
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('no answer in time')), timeoutMs);
    try {
      const entries = await Promise.race([
        this.#journal.list({ state: 'in_doubt', limit: 100 }),
        late.promise,
      ]);
      return { status: 'up', inDoubt: entries.length };
    } catch {
      // The driver's message may have the address of the database.
      return { status: 'down', message: 'the journal does not answer' };
    } finally {
      clearTimeout(timer);
    }
  }
}
