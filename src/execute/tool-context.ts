import type { MetaValues } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import type { Slot } from './concurrency.ts';
import type { Run } from './run-until-ended.ts';

/**
 * The context of one call, for `execute` and tool methods; frozen. `Meta` is the type of the application's meta arguments, for
 * example `ToolContext<StandardMeta & CallMeta>`; it is not checked against the registry's.
 */
export interface ToolContext<Meta extends object = MetaValues> {
  /**
   * Fires when the time limit is over (`signal.reason` is a `TimeLimitError` with the `limit`), when the application cancels the
   * call (`signal.reason` is the application's), or when the registry closes (a `ToolmendError` with the code `registry-closed`).
   */
  readonly signal: AbortSignal;
  /** Reports progress to the caller. Has no effect after the call has ended. */
  readonly progress: (update: unknown) => void;
  /** Meta arguments that the model sent, by name: `rationale`, `timeout_seconds`, … */
  readonly meta: Readonly<Meta>;
  /** The call as it came. */
  readonly call: ToolCall;
  /** Application values of the registry and the call. */
  readonly values: ApplicationContext;
  /**
   * Names the work of the call, for systems that do the same work once, such as payment APIs. With a journal it is the same in every
   * attempt: what the tool's `idempotencyKey` returned, else a UUID.
   */
  readonly idempotencyKey: string;
}

export interface ContextParts extends Pick<ToolContext, 'progress' | 'meta' | 'call' | 'values'> {
  readonly run: Run;
  readonly slot: Slot;
  readonly idempotencyKey: string | undefined;
}

/** The context of one run. Its signal is made on first access, because most tools don't use it. */
export class RunContext implements ToolContext {
  readonly progress: ToolContext['progress'];
  readonly meta: MetaValues;
  readonly call: ToolCall;
  readonly values: ApplicationContext;
  readonly #run: Run;
  readonly #slot: Slot;
  #idempotencyKey: string | undefined;

  constructor({ progress, meta, call, values, run, slot, idempotencyKey }: ContextParts) {
    this.progress = progress;
    this.meta = meta;
    this.call = call;
    this.values = values;
    this.#run = run;
    this.#slot = slot;
    this.#idempotencyKey = idempotencyKey;
    Object.freeze(this);
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }

  get idempotencyKey(): string {
    this.#idempotencyKey ??= crypto.randomUUID();
    return this.#idempotencyKey;
  }

  /** The slot of the call that a context belongs to; undefined for an object that is not a context. */
  static slotOf(context: object): Slot | undefined {
    return #slot in context ? context.#slot : undefined;
  }
}
