import { ToolmendError } from '../errors/errors.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import type { CallEntry, CallStore, SqlDatabase } from '../store/call-store.ts';
import type { Run } from './run-until-ended.ts';
import { storeOutcome } from '../outcomes/stored-outcome.ts';
import type { CallTransaction } from './tool-context.ts';
import type { ExecutedOutcome } from '../outcomes/tool-outcome.ts';

interface TransactionalCall {
  readonly contract: ToolContract;
  readonly store: CallStore;
  readonly entry: CallEntry;
  /** The outcome of a call that returned this value. */
  readonly outcomeOfValue: (value: unknown) => ExecutedOutcome;
}

/** Runs the code of a transactional tool, and commits its work with its outcome. */
export class TransactionalRun {
  readonly #call: TransactionalCall;
  /** The code has ended, and the journal could not commit its work. */
  failure: ToolmendError | undefined;
  #outcome: ExecutedOutcome | undefined;
  #endOfWork: Promise<unknown> = Promise.resolve();
  #code: Promise<unknown> = Promise.resolve();

  constructor(call: TransactionalCall) {
    this.#call = call;
  }

  /**
   * Ends as the code does, and rejects if its work can't be committed. The code may run several
   * times.
   */
  async run(run: Run, code: (transaction: CallTransaction) => Promise<unknown>): Promise<unknown> {
    const committing = this.#commit(run.signal, code);
    this.#endOfWork = committing.catch(() => undefined);
    try {
      await committing;
    } catch (error) {
      // The work was rolled back. The code itself goes on if it ignores its signal.
      if (error !== notCompleted && !run.isOver) throw error;
    }
    return this.#code;
  }

  /** The outcome that was committed; undefined if nothing was. Waits for a commit that goes on. */
  async commitOutcome(): Promise<ExecutedOutcome | undefined> {
    await this.#endOfWork;
    return this.#outcome;
  }

  async #commit(
    signal: AbortSignal,
    code: (transaction: CallTransaction) => Promise<unknown>,
  ): Promise<void> {
    const { contract, store, entry, outcomeOfValue } = this.#call;
    const whenStopped = whenAborted(signal);
    let outcome: ExecutedOutcome | undefined;
    let isDone = false;
    const work = async (database: SqlDatabase) => {
      const transaction = new OpenTransaction(database);
      isDone = false;
      try {
        this.#code = code(transaction);
        outcome = outcomeOfValue(await Promise.race([this.#code, whenStopped]));
      } finally {
        transaction.close();
      }
      if (outcome.status !== 'completed') throw notCompleted;
      isDone = true;
      return storeOutcome(outcome, { contract, maxResultChars: store.maxResultChars });
    };
    try {
      await store.runInTransaction?.(entry.id, work, signal);
      this.#outcome = outcome;
    } catch (error) {
      // What the code throws may be anything, and is not looked at.
      if (isDone && error instanceof ToolmendError) this.failure = error;
      throw error;
    }
  }
}

/** The code has returned, but not a result that a model may see. */
const notCompleted = new ToolmendError('not-completed', 'the call is not completed');

function whenAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}

/** Statements that would end the transaction before its outcome is written. */
const endsTransaction =
  /^\s*(begin|commit|end|abort|start\s+transaction|prepare\s+transaction|rollback(?!(\s+(work|transaction))?\s+to\b))\b/i;

/** Takes statements until the code has ended: its connection goes to other calls then. */
class OpenTransaction implements CallTransaction {
  #database: SqlDatabase | undefined;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  readonly query: CallTransaction['query'] = async (text, parameters) => {
    if (this.#database === undefined)
      throw new ToolmendError('transaction-over', 'the transaction of the call is over');
    if (endsTransaction.test(text)) {
      const instead = 'return to commit, throw to roll back, or use savepoints';
      throw new ToolmendError('transaction-ended', `a tool can't end its transaction: ${instead}`);
    }
    return this.#database.query(text, parameters);
  };

  close(): void {
    this.#database = undefined;
  }
}
