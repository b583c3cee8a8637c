import { definitionError } from '../errors/definition-error.ts';
import type { MetaValues } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { randomId } from '../platform/random-id.ts';
import type { ApplicationContext } from '../tool/tool-contract.ts';
import type { Slot } from './concurrency.ts';
import type { SqlDatabase } from '../store/call-store.ts';
import type { Run } from './run-until-ended.ts';

/**
 * The context of one call, for `execute` and tool methods; frozen. `Meta` is the type of the
 * application's meta arguments, for example `ToolContext<StandardMeta & CallMeta>`; this type is
 * not checked against the registry's `meta`.
 */
export interface ToolContext<Meta extends object = MetaValues> {
  /**
   * Fires when the time limit is over (`signal.reason` is a `TimeLimitError` with the `limit`),
   * when the application cancels the call (`signal.reason` is the application's), or when the
   * registry closes (a `ToolmendError` with the code `registry-closed`).
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
   * Names the work of the call, for systems that do the same work once, such as payment APIs. With
   * a journal it is the same in every attempt: what the tool's `idempotencyKey` returned, else a
   * UUID.
   */
  readonly idempotencyKey: string;
  /**
   * The transaction that commits the work of the call with its outcome, in the journal's database.
   * It is committed if the call is `completed`, and rolled back otherwise, or if another process
   * has the call by now. Only for tools with `transactional: true`; others get a DefinitionError.
   */
  readonly transaction: CallTransaction;
}

/** Runs SQL: one statement with parameters (`$1`), or several without. Resolves to the rows. */
export type CallTransaction = Pick<SqlDatabase, 'query'>;

export interface ContextParts extends Pick<ToolContext, 'progress' | 'meta' | 'call' | 'values'> {
  readonly run: Run;
  readonly slot: Slot | undefined;
  readonly idempotencyKey: string | undefined;
  readonly transaction: CallTransaction | undefined;
}

/** The context of one run. Its signal is made on first access, because most tools don't use it. */
export class RunContext implements ToolContext {
  readonly progress: ToolContext['progress'];
  readonly meta: MetaValues;
  readonly call: ToolCall;
  readonly values: ApplicationContext;
  readonly #run: Run;
  readonly #slot: Slot | undefined;
  #idempotencyKey: string | undefined;
  readonly #transaction: CallTransaction | undefined;

  constructor(parts: ContextParts) {
    const { progress, meta, call, values, run, slot, idempotencyKey, transaction } = parts;
    this.progress = progress;
    this.meta = meta;
    this.call = call;
    this.values = values;
    this.#run = run;
    this.#slot = slot;
    this.#idempotencyKey = idempotencyKey;
    this.#transaction = transaction;
    Object.freeze(this);
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }

  get idempotencyKey(): string {
    this.#idempotencyKey ??= randomId();
    return this.#idempotencyKey;
  }

  get transaction(): CallTransaction {
    if (this.#transaction !== undefined) return this.#transaction;
    const instead = "write transactional: true in the tool's options";
    throw definitionError(this.call.name, 'reads context.transaction without one', instead);
  }

  /** Whether an object is the context of a call with a transaction. */
  static hasTransaction(context: object): boolean {
    return #transaction in context && context.#transaction !== undefined;
  }

  /**
   * The slot of the call that a context belongs to; undefined for an object that is not a context.
   */
  static slotOf(context: object): Slot | undefined {
    return #slot in context ? context.#slot : undefined;
  }
}
