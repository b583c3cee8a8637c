// Background calls as the journal knows them, also those of other processes.
import { setTimeout as sleep } from 'node:timers/promises';
import { type BackgroundCall, type EndedCall, endedCall } from '../../execute/background-call.ts';
import type { Journal, JournalEntry } from '../../execute/journal.ts';
import { storeOutcome } from '../../execute/stored-outcome.ts';
import type { AcceptedOutcome } from '../../execute/tool-outcome.ts';
import { acceptedOf, fromRecord } from '../../interpret/records.ts';
import { notExecuted, whyNotExecuted } from '../../messages/call-messages.ts';
import { outcomeOfFacts } from '../journal/journal-call.ts';

const prefix = 'bg_';
/** Milliseconds between looks whether another process has cancelled a call. */
const cancelCheckMs = 1000;
/** Milliseconds between looks whether another process has taken over a call. */
const takeOverCheckMs = 500;

/** A background call that runs in this process. */
interface RunningHere {
  readonly call: BackgroundCall;
  readonly ended: Promise<void>;
  abort(reason: unknown): void;
}

export const handleOfEntry = (id: string): string => prefix + id;

/** Reads background calls from a journal. */
export class JournaledBackground {
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  async get(handle: string, tenant: string): Promise<BackgroundCall | undefined> {
    const entry = await this.#entry(handle, tenant);
    return entry && callOfEntry(entry);
  }

  /** The newest first. `before`: older ones than this handle. */
  async list(tenant: string, limit: number, before: string | undefined): Promise<readonly BackgroundCall[]> {
    const id = before?.slice(prefix.length);
    const query = { tenant, isLate: true, limit, ...(id === undefined ? {} : { before: id }) } as const;
    return (await this.#journal.list(query)).flatMap((entry) => callOfEntry(entry) ?? []);
  }

  /** The call when it is not running any more; undefined for an unknown one. When the signal fires, the call as it is then. */
  async wait(handle: string, tenant: string, signal: AbortSignal): Promise<BackgroundCall | undefined> {
    let entry = await this.#entry(handle, tenant);
    while (entry !== undefined && !signal.aborted) {
      entry = await this.#journal.settled(entry.id, signal);
      if (entry?.isAbandoned !== true) break;
      // Another process takes it over soon.
      await sleep(takeOverCheckMs, undefined, { signal }).catch(() => undefined);
    }
    return entry && callOfEntry(entry);
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
      storeOutcome(outcome, { contract: undefined, maxResultChars: this.#journal.maxResultChars });
    const before = store({ ...facts, when: 'before', message: notExecuted(tool, whyNotExecuted.cancelled) });
    if (await this.#journal.end(id, { state: 'ended', outcome: before }, ['queued'])) return;
    const message = `${tool} was cancelled while it was running. Part of its work may be done.`;
    await this.#journal.end(id, { state: 'ended', outcome: store({ ...facts, when: 'during', message }) }, [
      'running',
    ]);
  }

  /** Stops a call of this process that was cancelled by another one. */
  async stopIfEnded(started: RunningHere): Promise<void> {
    if (this.#journal.sql === undefined) return;
    const { handle, tenant } = started.call;
    for (;;) {
      const pause = sleep(cancelCheckMs, 'pause', { ref: false });
      if ((await Promise.race([started.ended, pause])) !== 'pause') return;
      const now = await this.get(handle, tenant).catch(() => undefined);
      if (now?.state !== 'ended') continue;
      started.abort('it was cancelled elsewhere');
      return;
    }
  }

  async take(tenant: string, conversation: string | undefined): Promise<readonly EndedCall[]> {
    const entries = await this.#journal.deliver(tenant, conversation === '' ? undefined : conversation);
    return entries.flatMap((entry) => {
      const call = callOfEntry(entry);
      return call?.state === 'ended' ? [call] : [];
    });
  }

  markTaken(handle: string): Promise<void> {
    return this.#journal.delivered(handle.slice(prefix.length));
  }

  async #entry(handle: string, tenant: string): Promise<JournalEntry | undefined> {
    if (!handle.startsWith(prefix)) return undefined;
    const entry = await this.#journal.entry(handle.slice(prefix.length));
    return entry?.tenant === tenant ? entry : undefined;
  }
}

/** The call of an entry; undefined for one that was not accepted. */
function callOfEntry(entry: JournalEntry): BackgroundCall | undefined {
  const { id, tool, tenant, conversation = '', call: record, state, createdAt } = entry;
  if (record === undefined) return undefined;
  const call = fromRecord(record);
  const facts = { handle: handleOfEntry(id), tool, call, tenant, conversation, since: Date.parse(createdAt) };
  if (state === 'queued' || state === 'waiting') {
    const waitsFor = state === 'queued' ? 'worker' : 'approval';
    return Object.freeze({ ...facts, state: 'waiting', waitsFor });
  }
  if (state === 'running')
    return Object.freeze({ ...facts, state: 'running', ...(entry.isAbandoned ? { isAbandoned: true } : {}) });
  const outcome = outcomeOfFacts({ call, tool, interpretation: acceptedOf(record, 'value') }, entry);
  const wasDenied = outcome.status === 'denied' && outcome.by === 'approver';
  const wasDecided = entry.approved !== undefined || wasDenied;
  return endedCall(facts, outcome, Date.parse(entry.updatedAt), wasDecided ? 'decision' : 'background');
}
