import type { PendingApproval } from '../outcomes/approval.ts';
import type { PendingQuestion } from '../outcomes/question.ts';
import type {
  ApprovalUse,
  BeginResult,
  BeginOptions,
  EntryEnd,
  FoundApproval,
  CallStore,
  JournalEntry,
  JournalQuery,
  JournalState,
  NewApproval,
  NewEntry,
  QueuedCall,
  StartInTurnResult,
  StoredApproval,
} from './call-store.ts';
import { type StoredOutcome, isDone } from '../outcomes/stored-outcome.ts';
import { defined } from '../collections/objects.ts';
import type { CallRecord } from '../interpret/records.ts';
import type { JsonObject } from '../json/value.ts';
import { randomId } from '../platform/random-id.ts';
import type { ChangesQuery, EntryChanges, StatsQuery, StatsRow } from './call-figures.ts';
import { missesOf, statusOf } from './call-facts.ts';
import { checkChanges, checkQuery, unknownCursor } from './check-query.ts';
import { countEntries, isWithin } from './count-entries.ts';
import { MemoryHintCounts } from './hint-counts.ts';
import { MemoryLimits } from './memory-limits.ts';

interface OpenApproval {
  readonly entry: string;
  readonly seal: string;
  readonly approval: PendingApproval | undefined;
  readonly question: PendingQuestion | undefined;
  readonly expires: number;
  state: 'open' | 'used';
}

/**
 * How many entries are kept. If there are more, the oldest are forgotten that have ended, or whose
 * approvals have expired.
 */
const mostEntries = 10_000;
/** How long `flush` waits: calls of another registry on this store may never end. */
const longestFlush = 1000;
/** How many approvals are kept with open calls. */
const mostApprovals = 10_000;
/** Milliseconds for which an expired approval is kept. */
const keptAfterExpiry = 24 * 60 * 60_000;
/** How many calls begin between two clean-ups. */
const callsBetweenLooks = 1000;

interface MemoryStoreSettings extends Pick<CallStore, 'maxResultChars' | 'secretDigest'> {
  /**
   * `open_calls`: a call is forgotten when it has ended, or some time after its approval has
   * expired. At most 10,000 calls wait then, with their secrets.
   */
  readonly keeps: 'all_calls' | 'open_calls';
  /** The clock: milliseconds since 1970. Default: the system's. */
  readonly clock?: () => number;
}

/** A store that ends with its process. */
export class MemoryStore implements CallStore {
  readonly sql = undefined;
  readonly maxResultChars: number;
  readonly secretDigest: CallStore['secretDigest'];
  readonly sharesSecretsKey = true;
  readonly hintCounts = new MemoryHintCounts();
  readonly keepsSecrets: boolean;
  readonly #keeps: MemoryStoreSettings['keeps'];
  readonly #clock: () => number;
  readonly #entries = new Map<string, JournalEntry>();
  readonly #ids = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  readonly #approvals = new Map<string, OpenApproval>();
  /** Ids of late entries by tenant and conversation. */
  readonly #late = new Map<string, Set<string>>();
  #nextLook = mostEntries + callsBetweenLooks;
  #begunCount = 0;
  readonly #definitions = new Map<string, JsonObject>();
  readonly #limits = new MemoryLimits();
  /** Calls that run on in a registry that is closed. */
  readonly #letGo = new Set<string>();
  readonly #waiters = new Map<string, PromiseWithResolvers<void>>();
  /** The number of the last change of each entry, the newest last. */
  readonly #changes = new Map<string, number>();
  #lastChange = 0;
  /** Cursors of another store are unknown here. Made when it is first asked for. */
  #cursorPrefix: string | undefined;

  constructor({ maxResultChars, secretDigest, keeps, clock }: MemoryStoreSettings) {
    this.maxResultChars = maxResultChars;
    this.secretDigest = secretDigest;
    this.#keeps = keeps;
    this.#clock = clock ?? (() => Date.now());
    this.keepsSecrets = keeps === 'open_calls';
  }

  async begin(entry: NewEntry, options: BeginOptions = {}): Promise<BeginResult> {
    const { state = 'running', limit, signal } = options;
    const existingEntry = state === 'not_run' ? undefined : this.#known(entry);
    if (existingEntry !== undefined) return { kind: 'known', entry: existingEntry };
    if (state === 'waiting' && !this.#mayWait()) return { kind: 'limited', reason: 'busy' };
    if (limit === undefined) return this.#begin(entry, options);
    const reason = await this.#limits.start(entry, limit, signal);
    if (reason !== undefined) return { kind: 'limited', reason };
    const meanwhile = this.#known(entry);
    if (meanwhile === undefined) return this.#begin(entry, options);
    this.#limits.change(entry.id, 'running', 'not_run');
    return { kind: 'known', entry: meanwhile };
  }

  #begin(
    entry: NewEntry,
    { state = 'running', outcome, isLate = false }: BeginOptions,
  ): BeginResult {
    const now = this.#now();
    const attempts = state === 'running' ? 1 : 0;
    const endMembers = outcome === undefined ? {} : { outcome };
    const times = { createdAt: now, updatedAt: now };
    this.#put({ ...entry, ...endMembers, ...times, state, attempts, isAbandoned: false }, now);
    if (isLate) this.#addLate(entry);
    this.#forget();
    return { kind: 'begun' };
  }

  start(id: string, from: readonly JournalState[], by?: string): Promise<JournalEntry | undefined> {
    const entry = this.#entries.get(id);
    if (entry === undefined || !from.includes(entry.state)) return Promise.resolve(undefined);
    const { outcome: _before, attempts, ...call } = entry;
    const decision = defined({ decidedBy: by });
    return Promise.resolve(
      this.#put({ ...call, ...decision, state: 'running', attempts: attempts + 1 }),
    );
  }

  requireLease(): Promise<void> {
    return Promise.resolve();
  }

  /** Calls in memory are not queued. */
  async startInTurn({ id }: QueuedCall): Promise<StartInTurnResult> {
    const entry = await this.start(id, ['queued']);
    return entry === undefined ? { kind: 'taken' } : { kind: 'started', entry };
  }

  edit(id: string, call: CallRecord, interpreted: CallRecord): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#put({ ...entry, call, interpreted });
    return Promise.resolve();
  }

  end(
    id: string,
    { state, outcome, by }: EntryEnd,
    from: readonly JournalState[] = ['running', 'in_doubt'],
  ): Promise<boolean> {
    const entry = this.#entries.get(id);
    const ends = entry !== undefined && from.includes(entry.state);
    if (ends) this.#put({ ...entry, ...defined({ decidedBy: by }), state, outcome });
    return Promise.resolve(ends);
  }

  cancelWithKey(id: string, outcome: StoredOutcome): Promise<boolean> {
    const entry = this.#entries.get(id);
    const keeps = entry?.state === 'running' && entry.idempotencyKey !== undefined;
    if (keeps) this.#put({ ...entry, outcome });
    return Promise.resolve(keeps);
  }

  /** The process is alive as long as its memory is. */
  takeAbandoned(): Promise<readonly JournalEntry[]> {
    return Promise.resolve([]);
  }

  doubt(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry?.state === 'running') this.#put({ ...entry, state: givenUp(entry, 'in_doubt') });
    return Promise.resolve();
  }

  async settled(id: string, signal?: AbortSignal): Promise<JournalEntry | undefined> {
    for (;;) {
      const entry = this.#entries.get(id);
      const isRunning = entry?.state === 'running' || entry?.state === 'queued';
      if (!isRunning || signal?.aborted === true) return entry;
      const waiter = this.#waiters.get(id) ?? Promise.withResolvers<void>();
      this.#waiters.set(id, waiter);
      const stop = (): void => waiter.resolve();
      signal?.addEventListener('abort', stop, { once: true });
      await waiter.promise;
      signal?.removeEventListener('abort', stop);
      // Others that wait for the call wait on.
      if (this.#waiters.get(id) === waiter) this.#waiters.delete(id);
    }
  }

  define(contract: string, definition: JsonObject): Promise<void> {
    this.#definitions.set(contract, definition);
    return Promise.resolve();
  }

  definition(contract: string): Promise<JsonObject | undefined> {
    return Promise.resolve(this.#definitions.get(contract));
  }

  entry(id: string): Promise<JournalEntry | undefined> {
    return Promise.resolve(this.#entries.get(id));
  }

  async list(query: JournalQuery): Promise<readonly JournalEntry[]> {
    checkQuery(query);
    const { limit = 100, before, ...filter } = query;
    const all = [...this.#entries.values()];
    const end = before === undefined ? all.length : all.findIndex(({ id }) => id === before);
    const matchingEntries = all
      .slice(0, Math.max(end, 0))
      .filter((entry) => matches(entry, filter));
    return matchingEntries.toReversed().slice(0, limit);
  }

  async stats(query: StatsQuery): Promise<readonly StatsRow[]> {
    return countEntries(this.#entries.values(), query);
  }

  async changes(query: ChangesQuery = {}): Promise<EntryChanges<JournalEntry>> {
    checkChanges(query);
    const { after, tenant, limit = 100 } = query;
    const from = after === undefined ? this.#lastChange : this.#changeOf(after);
    const changedEntries = [...this.#changes].filter(([, change]) => change > from);
    const page = changedEntries.slice(0, limit);
    const entries = page.flatMap(([id]) => this.#entries.get(id) ?? []);
    const hasMore = changedEntries.length > page.length;
    const last = hasMore ? (page.at(-1)?.[1] ?? from) : this.#lastChange;
    return {
      entries: entries.filter((entry) => tenant === undefined || entry.tenant === tenant),
      cursor: `${(this.#cursorPrefix ??= randomId())}.${last}`,
      hasMore,
    };
  }

  /** All entries have changed since the cursor of an earlier process. */
  #changeOf(cursor: string): number {
    const [, prefix, change] = /^([\da-f-]{36})\.(\d+)$/.exec(cursor) ?? [];
    if (change === undefined) throw unknownCursor();
    return prefix === this.#cursorPrefix ? Number(change) : 0;
  }

  deliver(tenant: string, conversation: string | undefined): Promise<readonly JournalEntry[]> {
    const ids = this.#late.get(scopeOf({ tenant, conversation })) ?? [];
    const late = [...ids].flatMap((id) => this.#entries.get(id) ?? []);
    const mine = late.filter(({ state }) => state === 'ended' || state === 'not_run');
    for (const entry of mine) this.#removeLate(entry);
    return Promise.resolve(mine);
  }

  delivered(...ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry !== undefined) this.#removeLate(entry);
    }
    return Promise.resolve();
  }

  requeue(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry?.state === 'running') this.#put({ ...entry, state: givenUp(entry, 'queued') });
    return Promise.resolve();
  }

  openApproval(
    id: string,
    { id: approval, seal, expiresAfter, from, ...rest }: NewApproval,
  ): Promise<boolean> {
    const entry = this.#entries.get(id);
    if (entry?.state !== from || entry.outcome !== undefined) return Promise.resolve(false);
    const expires = this.#clock() + expiresAfter;
    this.#approvals.set(approval, {
      entry: id,
      seal,
      expires,
      approval: rest.approval,
      question: rest.question,
      state: 'open',
    });
    const { approval: _decided, question: _answered, ...call } = entry;
    this.#put({ ...call, ...rest, state: 'waiting' });
    if (this.#keeps === 'all_calls') this.#addLate(entry);
    return Promise.resolve(true);
  }

  findApproval(id: string, tenant: string): Promise<FoundApproval> {
    const open = this.#approvals.get(id);
    const entry = open === undefined ? undefined : this.#entries.get(open.entry);
    if (open === undefined || entry === undefined) return Promise.resolve({ state: 'unknown' });
    if (entry.tenant !== tenant) return Promise.resolve({ state: 'other_tenant' });
    return Promise.resolve({
      state: entry.state === 'waiting' ? stateOf(open, this.#clock()) : 'used',
      seal: open.seal,
      entry: {
        id: entry.id,
        idempotencyKey: entry.idempotencyKey ?? entry.id,
        ...defined({ approved: entry.approved, answers: entry.answers }),
      },
      ...defined({ approval: open.approval, question: open.question }),
    });
  }

  useApproval(id: string, tenant: string, use: ApprovalUse): Promise<boolean> {
    const open = this.#approvals.get(id);
    const entry = open === undefined ? undefined : this.#entries.get(open.entry);
    if (open?.state !== 'open' || entry?.tenant !== tenant || entry.state !== 'waiting')
      return Promise.resolve(false);
    if (use.kind === 'run' && open.expires <= this.#clock()) return Promise.resolve(false);
    open.state = 'used';
    const decidedEntry = { ...entry, ...defined({ decidedBy: use.by }) };
    if (use.kind === 'end') this.#put({ ...decidedEntry, state: 'ended', outcome: use.outcome });
    else
      this.#put({ ...decidedEntry, ...runs(use), state: 'running', attempts: entry.attempts + 1 });
    return Promise.resolve(true);
  }

  expiredQuestions(limit: number, tools: readonly string[]): Promise<readonly JournalEntry[]> {
    const now = this.#clock();
    const expiredApprovals = [...this.#approvals.values()].filter(
      (open) => open.question !== undefined && stateOf(open, now) === 'expired',
    );
    const entries = expiredApprovals
      .toSorted((one, other) => one.expires - other.expires)
      .map(({ entry }) => this.#entries.get(entry))
      .filter((entry) => entry !== undefined)
      .filter(({ state, question, tool }) => {
        const isWaiting = state === 'waiting' && question !== undefined;
        return isWaiting && tools.includes(tool);
      });
    return Promise.resolve(entries.slice(0, limit));
  }

  letGo(id: string): void {
    this.#letGo.add(id);
  }

  async flush(): Promise<void> {
    const runningEntries = [...this.#entries.values()].filter(
      ({ id, state }) => state === 'running' && !this.#letGo.has(id),
    );
    const over = AbortSignal.timeout(longestFlush);
    await Promise.all(runningEntries.map(({ id }) => this.settled(id, over)));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #known({
    tenant,
    conversation,
    turn = '',
    callId,
    tool,
    idempotencyKey,
  }: NewEntry): JournalEntry | undefined {
    const byId =
      conversation === undefined
        ? undefined
        : this.#ids.get(indexKey(tenant, conversation, turn, callId));
    const byKey =
      idempotencyKey === undefined
        ? undefined
        : this.#keys.get(indexKey(tenant, tool, idempotencyKey));
    return this.#entries.get(byId ?? byKey ?? '');
  }

  #now(): string {
    return new Date(this.#clock()).toISOString();
  }

  #put(entry: JournalEntry, now?: string): JournalEntry {
    const { id, state } = entry;
    const stateBefore = this.#entries.get(id)?.state;
    if (stateBefore !== undefined) this.#limits.change(id, stateBefore, state);
    if (state !== 'running' && state !== 'queued') {
      this.#letGo.delete(id);
      this.#waiters.get(id)?.resolve();
      this.#waiters.delete(id);
    }
    const isOver = state === 'ended' || state === 'not_run';
    if (this.#keeps === 'open_calls' && isOver && pendingId(entry) === undefined) {
      this.#remove(entry);
      return entry;
    }
    const updatedEntry = Object.freeze({
      ...entry,
      status: statusOf(entry, entry.outcome),
      updatedAt: now ?? this.#now(),
    });
    this.#entries.set(id, updatedEntry);
    this.#changes.delete(id);
    this.#changes.set(id, (this.#lastChange += 1));
    this.#index(updatedEntry);
    return updatedEntry;
  }

  #index(entry: JournalEntry): void {
    const { id, tenant, conversation, turn = '', callId, tool, idempotencyKey, state } = entry;
    if (conversation !== undefined) {
      const key = indexKey(tenant, conversation, turn, callId);
      if (state !== 'not_run') this.#ids.set(key, id);
      else if (this.#ids.get(key) === id) this.#ids.delete(key);
    }
    if (idempotencyKey !== undefined) {
      const key = indexKey(tenant, tool, idempotencyKey);
      if (holdsKey(entry)) this.#keys.set(key, id);
      else if (this.#keys.get(key) === id) this.#keys.delete(key);
    }
  }

  #addLate(entry: NewEntry): void {
    const scope = scopeOf(entry);
    const ids = this.#late.get(scope) ?? new Set();
    this.#late.set(scope, ids.add(entry.id));
  }

  #removeLate(entry: NewEntry): void {
    const scope = scopeOf(entry);
    const ids = this.#late.get(scope);
    ids?.delete(entry.id);
    if (ids?.size === 0) this.#late.delete(scope);
  }

  /** Whether one more call may wait for its approval. Forgets old ones to make room. */
  #mayWait(): boolean {
    if (this.#keeps === 'all_calls') return true;
    const now = this.#clock();
    for (const [id, { expires }] of this.#approvals) {
      if (expires + keptAfterExpiry > now) break;
      this.#forgetApproval(id);
    }
    for (const [id, { expires, state, entry }] of this.#approvals) {
      if (this.#approvals.size < mostApprovals) return true;
      const isDecided = state === 'used' || this.#entries.get(entry)?.state !== 'waiting';
      if (isDecided || expires <= now) this.#forgetApproval(id);
    }
    return this.#approvals.size < mostApprovals;
  }

  /** Forgets its call, too, unless that runs or waits for a later approval. */
  #forgetApproval(id: string): void {
    const entry = this.#entries.get(this.#approvals.get(id)?.entry ?? '');
    this.#approvals.delete(id);
    if (entry !== undefined && pendingId(entry) === id && entry.state !== 'running')
      this.#remove(entry);
  }

  #remove(entry: JournalEntry): void {
    this.#index({ ...entry, state: 'not_run' });
    if (this.#late.size > 0) this.#removeLate(entry);
    this.#entries.delete(entry.id);
    this.#changes.delete(entry.id);
    this.#limits.forget(entry.id);
  }

  #forget(): void {
    this.#begunCount += 1;
    if (this.#begunCount < this.#nextLook) return;
    this.#nextLook = this.#begunCount + callsBetweenLooks;
    let surplus = this.#entries.size - mostEntries;
    const open = new Set<string>();
    const now = this.#clock();
    for (const { state, expires, entry } of this.#approvals.values())
      if (state === 'open' && expires > now) open.add(entry);
    for (const entry of this.#entries.values()) {
      if (surplus <= 0) break;
      const { id, state } = entry;
      if (state !== 'ended' && state !== 'not_run' && (state !== 'waiting' || open.has(id)))
        continue;
      this.#remove(entry);
      surplus -= 1;
    }
    for (const [id, { entry }] of this.#approvals)
      if (!this.#entries.has(entry)) this.#approvals.delete(id);
  }
}

/** A call that was cancelled meanwhile has ended. */
const givenUp = ({ outcome }: JournalEntry, state: JournalState): JournalState =>
  outcome === undefined ? state : 'ended';

const indexKey = (...parts: readonly string[]): string => JSON.stringify(parts);

const scopeOf = ({
  tenant,
  conversation,
}: {
  tenant: string;
  conversation?: string | undefined;
}): string => JSON.stringify([tenant, conversation ?? null]);

/** A call that failed before its work was done may be made again with its key. */
const holdsKey = ({ state, outcome }: JournalEntry): boolean =>
  state !== 'not_run' && (state !== 'ended' || (outcome !== undefined && isDone(outcome)));

function stateOf(open: OpenApproval, now: number): StoredApproval['state'] {
  if (open.state === 'used') return 'used';
  return open.expires <= now ? 'expired' : 'open';
}

/** What of an entry changes when its call runs. */
const runs = (use: Exclude<ApprovalUse, { readonly kind: 'end' }>) =>
  use.kind === 'run' ? { call: use.call, approved: use.approved } : { answers: use.answers };

/** What a call waits for, or has waited for last. */
const pendingId = ({ approval, question }: JournalEntry): string | undefined =>
  (approval ?? question)?.id;

const matches = (
  entry: JournalEntry,
  filter: Omit<JournalQuery, 'limit' | 'before' | 'isLate'>,
): boolean =>
  equalMembers.every(
    (member) => filter[member] === undefined || filter[member] === entry[member],
  ) &&
  (filter.rule === undefined || entry.rules.includes(filter.rule)) &&
  (filter.issue === undefined || hasIssue(entry, filter.issue, filter.field)) &&
  isWithin(entry, filter);

const hasIssue = (entry: JournalEntry, issue: string, field: string | undefined): boolean =>
  missesOf(entry).some(
    ({ kind, name, fields }) =>
      kind === 'issue' && name === issue && (field === undefined || fields.includes(field)),
  );

const equalMembers = [
  'tenant',
  'conversation',
  'tool',
  'state',
  'callId',
  'model',
  'status',
  'run',
  'release',
] as const;
