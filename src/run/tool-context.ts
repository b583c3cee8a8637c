import { definitionError } from '../errors/definition-error.ts';
import type { MetaValues } from '../interpret/interpretation.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { randomId } from '../platform/random-id.ts';
import type { ApplicationContext, ToolContract } from '../tool/tool-contract.ts';
import type { Slot } from './concurrency.ts';
import type { SqlDatabase } from '../store/call-store.ts';
import type { StoredAnswer } from '../outcomes/question.ts';
import type { JsonObject } from '../json/value.ts';
import type { FromSchema, ObjectSchema } from '../schema/from-schema-type.ts';
import type { OutputOf, StandardSchema } from '../schema/input-schema.ts';
import { type Ask, type OpenQuestion, type Question, CallQuestions } from './questions.ts';
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
  /**
   * Asks a person: `const { size } = await context.ask({ question, schema })`. The call ends as
   * `input_required` until it is answered, and then runs again from its start, in any process. So
   * ask first: what stands before the question is done again.
   */
  readonly ask: Ask;
}

/** Runs SQL: one statement with parameters (`$1`), or several without. Resolves to the rows. */
export type CallTransaction = Pick<SqlDatabase, 'query'>;

export interface ContextParts extends Pick<ToolContext, 'progress' | 'meta' | 'call' | 'values'> {
  readonly run: Run;
  readonly slot: Slot | undefined;
  readonly idempotencyKey: string | undefined;
  readonly transaction: CallTransaction | undefined;
  readonly contract: ToolContract;
  /** The answers to the questions that the call has asked before. */
  readonly answers: readonly StoredAnswer[] | undefined;
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
  readonly #asking: Pick<ContextParts, 'contract' | 'answers'>;
  #questions: CallQuestions | undefined;

  constructor(parts: ContextParts) {
    const { progress, meta, call, values, run, slot, idempotencyKey, transaction } = parts;
    this.#asking = parts;
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

  ask<Schema extends StandardSchema>(question: Question<Schema>): Promise<OutputOf<Schema>>;
  ask<const Schema extends ObjectSchema>(question: Question<Schema>): Promise<FromSchema<Schema>>;
  ask<Value extends object = JsonObject>(question: Question): Promise<Value>;
  ask(question: Question): Promise<unknown> {
    const { contract, answers } = this.#asking;
    this.#questions ??= new CallQuestions(contract, answers);
    return this.#questions.ask(question);
  }

  /** The question that keeps the call from going on; undefined if there is none. */
  get openQuestion(): OpenQuestion | undefined {
    return this.#questions?.open;
  }

  /** Throws if the code has asked, and has then returned all the same. */
  requireAnswers(): void {
    this.#questions?.requireAnswers();
  }

  /** Whether an object is the context of a run that ends at a question without an answer. */
  static isWaiting(context: object): boolean {
    return #questions in context && context.openQuestion !== undefined;
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
