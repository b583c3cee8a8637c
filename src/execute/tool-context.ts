import type { Accepted, MetaValues } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { ApplicationContext, ToolContract } from '../tool/tool-contract.ts';
import type { CallInstances } from './call-instances.ts';
import type { ConcurrencyLimiter, Slot } from './concurrency.ts';
import type { TimeLimit } from './limits.ts';
import type { Run, Settled } from './run-until-ended.ts';

/**
 * Handed to `execute` and to tool methods; frozen, and made anew for each call. `Meta` is what the application says its
 * meta arguments are: `ToolContext<StandardMeta & CallMeta>`; nothing checks that the registry has them.
 */
export interface ToolContext<Meta extends object = MetaValues> {
  /**
   * Fires when the time limit is over (`signal.reason` is a `TimeLimitError`, whose `limit` says how long it was and who
   * set it), when the application cancels (`signal.reason` is then the application's own), or when the registry is closed
   * (a `ToolmendError` with the code `registry-closed`).
   */
  readonly signal: AbortSignal;
  /** Reports progress to whoever made the call; of no effect once the call has ended. */
  readonly progress: (update: unknown) => void;
  /** Meta arguments that the model sent, by name: `rationale`, `timeout_seconds`, … */
  readonly meta: Readonly<Meta>;
  /** The call as it came. */
  readonly call: ToolCall;
  /** The application's values for this call. */
  readonly values: ApplicationContext;
}

/** What a context is made of. */
export interface ContextParts extends Pick<ToolContext, 'progress' | 'meta' | 'call' | 'values'> {
  readonly run: Run;
  readonly slot: Slot;
}

/** The context of one run. Its signal is made when it is first asked for: most tools never do. */
export class RunContext implements ToolContext {
  readonly progress: ToolContext['progress'];
  readonly meta: MetaValues;
  readonly call: ToolCall;
  readonly values: ApplicationContext;
  readonly #run: Run;
  readonly #slot: Slot;

  constructor({ progress, meta, call, values, run, slot }: ContextParts) {
    this.progress = progress;
    this.meta = meta;
    this.call = call;
    this.values = values;
    this.#run = run;
    this.#slot = slot;
    Object.freeze(this);
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }

  /** The slot of the call that a context belongs to; undefined for an object that is not a context. */
  static slotOf(context: object): Slot | undefined {
    return #slot in context ? context.#slot : undefined;
  }
}

/** One call that is ready to run. */
export interface Execution {
  readonly contract: ToolContract;
  readonly call: ToolCall;
  readonly interpretation: Accepted;
  readonly values: ApplicationContext;
  readonly instances: CallInstances;
  readonly limiter: ConcurrencyLimiter;
  /** Whose call it is. */
  readonly tenant: string;
  /** The context of the running call whose code makes this one. */
  readonly parent?: ToolContext | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly limit?: TimeLimit | undefined;
  readonly progress?: ((update: unknown) => void) | undefined;
  /** Told when the call has had its turn, right before its code runs. */
  readonly onStart?: (() => void) | undefined;
  /** Told what the tool's code came to after the call had ended. */
  readonly onLate?: ((late: Settled) => void) | undefined;
}
