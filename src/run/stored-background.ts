// Background calls as the store knows them, also those of other processes.
import { type BackgroundCall, type EndedCall, endedCall } from '../outcomes/background-call.ts';
import type { CallStore, JournalEntry } from '../store/call-store.ts';
import { storeOutcome } from '../outcomes/stored-outcome.ts';
import type { AcceptedOutcome } from '../outcomes/tool-outcome.ts';
import { acceptedOf, fromRecord } from '../interpret/records.ts';
import { defined } from '../collections/objects.ts';
import { notExecuted, whyNotExecuted } from '../messages/call-messages.ts';
import type { CallOptions } from './call-options.ts';
import { idlePause, pause } from '../platform/timers.ts';
import { outcomeOfFacts } from './entry-outcome.ts';

const prefix = 'bg_';
/** Milliseconds between looks whether another process has cancelled a call. */
const cancelCheckMs = 1000;
/** Milliseconds between looks whether another process has taken over a call. */
const takeOverCheckMs = 500;

/** A background call that runs in this process. */
interface RunningHere {
  readonly call: BackgroundCall;
  readonly whenEnded: Promise<void>;
  abort(reason: unknown): void;
}

/** Where late results are handed out. */
export type LateScope = Pick<CallOptions, 'tenant' | 'conversation' | 'turn'>;

/** Late results that are remembered until their conversations go on. */
const maxTaken = 10_000;

export const handleOfEntry = (id: string): string => prefix + id;

export const entryOfHandle = (handle: string): string => handle.slice(prefix.length);

/** Reads background calls from a store. */
export class StoredBackground {
  readonly #store: CallStore;
  /** By the id of the entry. */
  readonly #taken = new Map<string, LateScope>();

  constructor(store: CallStore) {
    this.#store = store;
  }

  async get(handle: string, tenant: string): Promise<BackgroundCall | undefined> {
    const entry = await this.#entry(handle, tenant);
    return entry && backgroundCallOf(entry);
  }

  /** The newest first. `before`: older ones than this handle. */
  async list(
    tenant: string,
    limit: number,
    olderThan: string | undefined,
  ): Promise<readonly BackgroundCall[]> {
    const id = olderThan && entryOfHandle(olderThan);
    const query = {
      tenant,
      isLate: true,
      limit,
      ...(id === undefined ? {} : { before: id }),
    } as const;
    return (await this.#store.list(query)).flatMap((entry) => backgroundCallOf(entry) ?? []);
  }

  /**
   * The call when it is not running any more; undefined for an unknown one. When the signal fires,
   * the call as it is then.
   */
  async wait(
    handle: string,
    tenant: string,
    signal: AbortSignal,
  ): Promise<BackgroundCall | undefined> {
    let entry = await this.#entry(handle, tenant);
    while (entry?.outcome === undefined && entry !== undefined && !signal.aborted) {
      entry = await this.#store.settled(entry.id, signal);
      if (entry?.isAbandoned !== true) break;
      // Another process takes it over soon.
      await pause(takeOverCheckMs, signal);
    }
    return entry && backgroundCallOf(entry);
  }

  /** Cancels a call that waits for a worker, or runs in another process, which notices soon. */
  async cancel(handle: string, tenant: string): Promise<void> {
    const entry = await this.#entry(handle, tenant);
    if (entry?.call === undefined) return;
    const { id, tool, call: record } = entry;
    const facts = {
      call: fromRecord(record),
      tool,
      interpretation: acceptedOf(record, 'value'),
      duration: 0,
      status: 'cancelled',
      cause: undefined,
    } as const;
    const store = (outcome: AcceptedOutcome) =>
      storeOutcome(outcome, { contract: undefined, maxResultChars: this.#store.maxResultChars });
    const outcomeBefore = store({
      ...facts,
      when: 'before',
      message: notExecuted(tool, whyNotExecuted.cancelled),
    });
    if (await this.#store.end(id, { state: 'ended', outcome: outcomeBefore }, ['queued'])) return;
    const message = `${tool} was cancelled while it was running. Part of its work may be done.`;
    const during = store({ ...facts, when: 'during', message });
    if (await this.#store.cancelWithKey(id, during)) return;
    await this.#store.end(id, { state: 'ended', outcome: during }, ['running']);
  }

  /** Stops a call of this process that was cancelled by another one. */
  async stopIfEnded(startedCall: RunningHere): Promise<void> {
    if (this.#store.sql === undefined) return;
    const { handle, tenant } = startedCall.call;
    for (;;) {
      const noEnd = idlePause(cancelCheckMs).then(() => 'pause' as const);
      if ((await Promise.race([startedCall.whenEnded, noEnd])) !== 'pause') return;
      const now = await this.get(handle, tenant).catch(() => undefined);
      if (now?.state !== 'ended') continue;
      startedCall.abort('it was cancelled elsewhere');
      return;
    }
  }

  /**
   * The results, until the conversation goes on: if this process dies before it does, they are
   * taken again.
   */
  async take(scope: LateScope): Promise<readonly EndedCall[]> {
    const { tenant = '', conversation = '', turn } = scope;
    const entries = await this.#store.deliver(
      tenant,
      conversation === '' ? undefined : conversation,
    );
    // In memory, a result that was taken is gone.
    if (this.#store.sql !== undefined)
      for (const { id } of entries)
        this.#remember(id, { tenant, conversation, ...defined({ turn }) });
    return entries.flatMap((entry) => {
      const call = backgroundCallOf(entry);
      return call?.state === 'ended' ? [call] : [];
    });
  }

  /**
   * The conversation goes on: the model has read what was taken before, but for calls of the same
   * turn. What can't be written now is written when it goes on the next time. Never rejects.
   */
  async acknowledgeTaken({ tenant = '', conversation = '', turn }: LateScope): Promise<void> {
    const read = [...this.#taken].filter(
      ([, { tenant: owner = '', conversation: of = '', turn: takingTurn }]) =>
        owner === tenant && of === conversation && (turn === undefined || takingTurn !== turn),
    );
    await this.#finish(read.map(([id]) => id));
  }

  /** What was taken has been passed on. */
  async close(): Promise<void> {
    await this.#finish([...this.#taken.keys()]);
  }

  /** Of conversations that never go on, the oldest are forgotten: the journal finishes them. */
  #remember(id: string, scope: LateScope): void {
    this.#taken.set(id, scope);
    const [oldest] = this.#taken.keys();
    if (this.#taken.size > maxTaken && oldest !== undefined) this.#taken.delete(oldest);
  }

  async #finish(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    try {
      await this.#store.delivered(...ids);
      for (const id of ids) this.#taken.delete(id);
    } catch {
      // They are leased to this process meanwhile.
    }
  }

  markTaken(handle: string): Promise<void> {
    return this.#store.delivered(entryOfHandle(handle));
  }

  async #entry(handle: string, tenant: string): Promise<JournalEntry | undefined> {
    if (!handle.startsWith(prefix)) return undefined;
    const entry = await this.#store.entry(entryOfHandle(handle));
    return entry?.tenant === tenant ? entry : undefined;
  }
}

/** The call of an entry; undefined for one that was not accepted. */
function backgroundCallOf(entry: JournalEntry): BackgroundCall | undefined {
  const { id, tool, tenant, conversation = '', call: record, state, createdAt } = entry;
  if (record === undefined) return undefined;
  const call = fromRecord(record);
  const facts = {
    handle: handleOfEntry(id),
    tool,
    call,
    tenant,
    conversation,
    since: Date.parse(createdAt),
  };
  if (state === 'queued' || state === 'waiting') {
    const waiting = { waitsFor: waitsFor(entry), ...defined({ question: entry.question }) };
    return Object.freeze({ ...facts, state: 'waiting', ...waiting });
  }
  if (state === 'running' && entry.outcome === undefined)
    return Object.freeze({
      ...facts,
      state: 'running',
      ...(entry.isAbandoned ? { isAbandoned: true } : {}),
    });
  const outcome = outcomeOfFacts(
    { call, tool, interpretation: acceptedOf(record, 'value') },
    entry,
  );
  const wasDenied = outcome.status === 'denied' && outcome.by === 'approver';
  const wasDecided = entry.approved !== undefined || wasDenied;
  const why = entry.answers === undefined ? 'background' : 'answer';
  return endedCall(facts, outcome, Date.parse(entry.updatedAt), wasDecided ? 'decision' : why);
}

function waitsFor({ state, question }: JournalEntry): 'worker' | 'approval' | 'answer' {
  if (state === 'queued') return 'worker';
  return question === undefined ? 'approval' : 'answer';
}
