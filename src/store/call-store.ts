import type { CallRecord } from '../interpret/records.ts';
import type { JsonObject } from '../json/value.ts';
import type { PendingApproval } from '../outcomes/approval.ts';
import type { PendingQuestion, StoredAnswer } from '../outcomes/question.ts';
import type { CallFacts, CallFiguresReader, FactsQuery } from './call-figures.ts';
import type { HintCounts } from './hint-counts.ts';
import type { StoredOutcome } from '../outcomes/stored-outcome.ts';

/**
 * `queued`: the call may run, and has not started. `running`: it has started, or is about to start.
 * `waiting`: it waits for an approval, or for the answer to a question. `in_doubt`: its process
 * ended while the call was running, and the call must not run again by itself. `ended`: it has an
 * outcome. `not_run`: nothing was executed, and the id may be used again.
 */
export type JournalState = 'queued' | 'running' | 'waiting' | 'in_doubt' | 'ended' | 'not_run';

/** A call as it is written before it runs. */
export interface NewEntry extends CallFacts {
  /** A UUID. */
  readonly id: string;
  readonly tenant: string;
  /** Absent: the call's id is not compared with those of other calls. */
  readonly conversation?: string;
  /**
   * The name of the model's answer. Ids of calls are compared within it. Absent: within the
   * conversation.
   */
  readonly turn?: string;
  readonly callId: string;
  /** The tool's own name; the model's spelling if no tool has it. */
  readonly tool: string;
  /** The arguments as the model sent them. Absent if the tool declares secrets. */
  readonly sent?: string;
  /** The interpretation, without declared secrets. Absent if the call was rejected. */
  readonly call?: CallRecord;
  /** The digest of the tool's contract. */
  readonly contract?: string;
  /** The version of toolmend that interpreted the call. */
  readonly interpreter: string;
  /**
   * `sha256:…` of tool and arguments, without declared secrets and meta arguments. Empty if the call is
   * compared with no other one.
   */
  readonly digest: string;
  /** Calls of a tenant with the same key run once. Absent: the tool derives none. */
  readonly idempotencyKey?: string;
  /** Whether the call may run again if its process ends before it does. */
  readonly rerun: 'allowed' | 'never';
  /**
   * Arguments were left out because they are secret, so the call can't run again from the journal.
   */
  readonly hasSecrets: boolean;
  /**
   * A digest of the arguments with their secrets, by `Journal.secretDigest`. Absent if the tool
   * declares none.
   */
  readonly secrets?: string;
}

/** A call as the journal knows it. */
export interface JournalEntry extends NewEntry {
  readonly state: JournalState;
  /** How often a process took the call: to ask for an approval, to run it, and to run it again. */
  readonly attempts: number;
  /** The digest of what was approved. */
  readonly approved?: string;
  /** The approval that the call waits for. */
  readonly approval?: PendingApproval;
  /** The question that the call waits for. */
  readonly question?: PendingQuestion;
  /** The answers to the questions that the call has asked, in their order. */
  readonly answers?: readonly StoredAnswer[];
  /**
   * The call before interceptors edited it, because another attempt passes them again. Absent if
   * none edited it.
   */
  readonly interpreted?: CallRecord;
  /**
   * A running call has an outcome if another process has cancelled it, and its code has not ended.
   */
  readonly outcome?: StoredOutcome;
  /** Who decided about the call, as the application names people. */
  readonly decidedBy?: string;
  /** Its process has not renewed its lease. */
  readonly isAbandoned: boolean;
  /** ISO 8601, in UTC, by the clock of the database. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A call that is written in the journal. */
export interface CallEntry {
  readonly id: string;
  /** The same for every attempt. */
  readonly idempotencyKey: string;
  /** The digest of what was approved before. */
  readonly approved?: string;
  /** The answers to the questions that the call has asked before. */
  readonly answers?: readonly StoredAnswer[];
}

/**
 * `begun`: the call was written. `known`: another call has the same id or idempotency key; nothing
 * was written. `limited`: a limit is reached; nothing was written. `unknown`: the connection broke,
 * and it is not known whether a queued call was written, so a worker may run it.
 */
export type BeginResult =
  | { readonly kind: 'begun' }
  | { readonly kind: 'known'; readonly entry: JournalEntry }
  | { readonly kind: 'limited'; readonly reason: 'busy' | 'rate_limit' }
  | { readonly kind: 'unknown'; readonly error: unknown };

/** How many calls with the same key may start and run. */
export interface StartLimit {
  readonly key: string;
  readonly rate?: { readonly calls: number; readonly perMs: number };
  /** Calls that run at the same time. */
  readonly running?: number;
  /** How long a call waits for its turn. Default: 0. */
  readonly waitMs?: number;
}

/** A call that waits for a worker. */
export interface QueuedCall {
  readonly id: string;
  readonly tool: string;
  readonly tenant: string;
}

/** How many calls may run in all processes. */
export interface RunningLimits {
  /** The most background calls of the tool and tenant. */
  readonly tenant?: number | undefined;
  /** The most calls with the same key of a limit. */
  readonly running?: number | undefined;
}

/** `limited`: the call is still queued. `taken`: it no longer is. */
export type StartInTurnResult =
  | { readonly kind: 'started'; readonly entry: JournalEntry }
  | { readonly kind: 'limited' | 'taken' };

export interface BeginOptions {
  /** Counted in the store, over all processes that use it. */
  readonly limit?: StartLimit | undefined;
  /** Ends the wait for a turn: the call is `limited`. */
  readonly signal?: AbortSignal | undefined;
  /** Default: `running`, with a lease of this process. */
  readonly state?: JournalState;
  /** The outcome of a call that ends without running. */
  readonly outcome?: StoredOutcome;
  /** Whether the outcome goes to `deliver` instead of the caller. */
  readonly isLate?: boolean;
  /** Runs in the same transaction if the journal is in a database. */
  readonly inTransaction?: (database: SqlDatabase) => Promise<unknown>;
}

/**
 * Which calls a registry writes into its store: all, or those that it has to know while they go on.
 */
export type Recording = 'every_call' | 'open_calls';

/** How an entry ends. */
export interface EntryEnd {
  readonly state: 'ended' | 'not_run';
  readonly outcome: StoredOutcome;
  /** `undone`: the work was rolled back, and the call doesn't keep its idempotency key. */
  readonly work?: 'undone';
  /** Who decided that it ends. */
  readonly by?: string | undefined;
}

/** An approval as it is stored, or a question, which is stored in the same way. */
export interface NewApproval {
  readonly id: string;
  readonly seal: string;
  /** Absent if the arguments hold secrets. */
  readonly approval?: PendingApproval;
  /** The question, in place of an approval. Absent if the arguments hold secrets. */
  readonly question?: PendingQuestion;
  /** The answers that the call keeps. Default: those that it has. */
  readonly answers?: readonly StoredAnswer[];
  /** Milliseconds from now, by the journal's clock. */
  readonly expiresAfter: number;
  /** The state of the call: `running` in this process. */
  readonly from: 'running' | 'waiting';
}

/** An approval or a question with its call. */
export interface StoredApproval {
  /**
   * `open`: undecided. `used`: a decision on its call has been made, by this or another approval.
   */
  readonly state: 'open' | 'used' | 'expired';
  readonly seal: string;
  readonly entry?: CallEntry;
  /** Absent if it holds secrets, and if it is a question. */
  readonly approval?: PendingApproval;
  /** Absent if it holds secrets, and if it is an approval. */
  readonly question?: PendingQuestion;
}

export interface UnknownApproval {
  readonly state: 'unknown' | 'other_tenant';
}

export type FoundApproval = StoredApproval | UnknownApproval;

/**
 * What becomes of the call whose approval is used. `answer`: it runs again with these answers, also
 * if its question has expired.
 */
export type ApprovalUse = { readonly by?: string | undefined } & (
  | { readonly kind: 'run'; readonly call: CallRecord; readonly approved: string }
  | { readonly kind: 'answer'; readonly answers: readonly StoredAnswer[] }
  | { readonly kind: 'end'; readonly outcome: StoredOutcome }
);

/**
 * Which abandoned calls a process takes over: one call, by `id`; or calls of its `definitions`, and
 * calls of its `tools` that can't run again. A process also takes every call that no process has
 * taken for twenty leases.
 */
export interface AbandonedCalls {
  readonly id?: string;
  readonly definitions?: readonly string[];
  readonly tools?: readonly string[];
}

/** Which entries `journal.list` returns. */
export interface JournalQuery extends FactsQuery {
  /** Those of one tenant. Default: of all. */
  readonly tenant?: string;
  /** Those of one conversation. */
  readonly conversation?: string;
  /** Those of one tool, by its name. */
  readonly tool?: string;
  /** Those in one state. */
  readonly state?: JournalState;
  /** Those with this id of a call. */
  readonly callId?: string;
  /**
   * Calls whose outcome comes after the answer to their caller, such as background calls. A journal
   * in memory ignores this option.
   */
  readonly isLate?: true;
  /** Older ones than the entry with this id. */
  readonly before?: string;
  /** Default: 100. */
  readonly limit?: number;
}

/** One connection or transaction of PostgreSQL or PGlite. */
export interface SqlDatabase {
  query(text: string, parameters?: readonly unknown[]): Promise<readonly SqlRow[]>;
}

export type SqlRow = Readonly<Record<string, unknown>>;

/**
 * Where calls are stored: in memory, PGlite or PostgreSQL. Every method is atomic, across
 * processes too. Clocks are those of the journal, never those of the callers.
 */
export interface CallStore extends CallFiguresReader<JournalEntry> {
  /** `undefined` in memory. `schema`: the PostgreSQL schema of the tables. */
  readonly sql:
    | (SqlDatabase & {
        readonly schema: string;
        transaction<Result>(work: (database: SqlDatabase) => Promise<Result>): Promise<Result>;
      })
    | undefined;
  /** Longest result in characters of JSON; longer ones are cut. */
  readonly maxResultChars: number;
  /**
   * `KEY:DIGEST` of a text with secrets, from which they can't be guessed. Two digests are
   * comparable if they have the same key.
   */
  secretDigest(text: string): string;
  /** The counts of hints that learn. */
  readonly hintCounts: HintCounts;
  /** Whether approvals are kept with the secrets of their calls. */
  readonly keepsSecrets: boolean;
  /** Whether all processes that use the journal have the same key for digests of secrets. */
  readonly sharesSecretsKey: boolean;

  /** Writes a call before it runs. */
  begin(entry: NewEntry, options?: BeginOptions): Promise<BeginResult>;
  /**
   * Starts a call that is in one of these states, in this process. Returns undefined if the call is
   * in another state by now. `by`: who decided that it runs.
   */
  start(id: string, from: readonly JournalState[], by?: string): Promise<JournalEntry | undefined>;
  /**
   * Rejects if another process may have taken the running call over, because this one could not
   * renew its lease.
   */
  requireLease(id: string): Promise<void>;
  /** Starts a queued call in this process, unless as many calls run already as `most` allows. */
  startInTurn(call: QueuedCall, most: RunningLimits): Promise<StartInTurnResult>;
  /**
   * Runs the work of a running call in a transaction, and commits it with the outcome that it
   * resolves to. Rejects, and nothing is done, if the work rejects, or if this process has lost the
   * call (`lease-lost`). Runs the work again if the database rolled it back because of another
   * transaction. `end` then returns true for the same outcome. Absent in memory. The signal ends
   * the wait for a connection.
   */
  runInTransaction?(
    id: string,
    work: (transaction: SqlDatabase) => Promise<StoredOutcome>,
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Puts the arguments of an interceptor in the place of those that were interpreted, before they
   * run. `interpreted` is kept for another attempt.
   */
  edit(id: string, call: CallRecord, interpreted: CallRecord): Promise<void>;
  /**
   * Returns false if the call is in none of these states by now. Default: `running` or `in_doubt`.
   */
  end(id: string, end: EntryEnd, from?: readonly JournalState[]): Promise<boolean>;
  /**
   * Notes the outcome that a running call is going to have, because another process cancels it. The
   * call keeps its idempotency key until its code has ended. Returns false for a call without a
   * derived key, and for one that is not running.
   */
  cancelWithKey(id: string, outcome: StoredOutcome): Promise<boolean>;
  /** Takes over running calls whose lease has ended. */
  takeAbandoned(limit: number, which: AbandonedCalls): Promise<readonly JournalEntry[]>;
  /** Marks a running call of this process as `in_doubt`. */
  doubt(id: string): Promise<void>;
  /** Waits until a call is not running any more, is abandoned, or the signal fires. */
  settled(id: string, signal?: AbortSignal): Promise<JournalEntry | undefined>;

  /** Keeps the definition that calls were made for, once for each digest. */
  define(contract: string, definition: JsonObject): Promise<void>;
  /** The definition with this digest. */
  definition(contract: string): Promise<JsonObject | undefined>;

  entry(id: string): Promise<JournalEntry | undefined>;
  /**
   * The entries, with the `approval` or `question` that each of them waits for, the newest first.
   * Rejects with a DefinitionError for a wrong query.
   */
  list(query: JournalQuery): Promise<readonly JournalEntry[]>;
  /** The outcomes were read: `deliver` no longer returns them. */
  delivered(...ids: readonly string[]): Promise<void>;
  /** Puts a call that runs in this process back to those that wait for a worker. */
  requeue(id: string): Promise<void>;
  /**
   * Takes the entries that ended after their caller had been answered, oldest first. Until
   * `delivered`, they are leased to this process: if it dies, they are taken again.
   */
  deliver(tenant: string, conversation: string | undefined): Promise<readonly JournalEntry[]>;

  /**
   * Opens an approval or a question, and lets the call wait for it. Returns false if the call is in
   * another state by now, or was cancelled.
   */
  openApproval(entry: string, approval: NewApproval): Promise<boolean>;
  findApproval(id: string, tenant: string): Promise<FoundApproval>;
  /**
   * Uses an approval. Returns false if its call doesn't wait any more, because this or another
   * approval of it was used, or if it has expired and the call would run.
   */
  useApproval(id: string, tenant: string, use: ApprovalUse): Promise<boolean>;
  /**
   * The calls of these tools that wait for the answer to a question that has expired, those first
   * whose question expired first. Calls with secrets are left out: their questions are not kept.
   */
  expiredQuestions(limit: number, tools: readonly string[]): Promise<readonly JournalEntry[]>;

  /**
   * Leaves a call of this process to others when its lease ends: its code may not end before the
   * process does.
   */
  letGo(id: string): void;
  /** Resolves when the calls of this process have been written. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A store that keeps every call: in memory, PGlite or PostgreSQL. Every method is atomic, across
 * processes too. Clocks are those of the journal, never those of the callers.
 */
export type Journal = CallStore;

/**
 * Whether a text is a UUID in lower case, as this package writes them. PostgreSQL would take the
 * same id in capitals for equal.
 */
export const isUuid = (text: string): boolean =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
