import { RecordError } from '../errors/errors.ts';
import { type PendingApproval, sealOfApproval } from '../execute/approval.ts';
import type {
  ApprovalUse,
  CallEntry,
  Journal,
  JournalState,
  StoredApproval,
  UnknownApproval,
} from './journal.ts';
import type { StoredOutcome } from '../execute/stored-outcome.ts';

/** A call that was decided on, as far as it has come. */
export interface DecidedCall {
  readonly state: JournalState;
  readonly outcome?: StoredOutcome | undefined;
}

/** What a new approval is for. */
export interface OpeningApproval {
  readonly expiresAfter: number;
  readonly tenant: string;
  /** The call in the journal, if there is one. */
  readonly entry: CallEntry | undefined;
  /** The approval of the same call that was not sufficient. */
  readonly previous: PreviousApproval | undefined;
}

/** `waiting`: it is still open. `running`: it was used, and the call has not started. */
export interface PreviousApproval {
  readonly id: string;
  readonly call: 'waiting' | 'running';
}

/** `full`: more calls wait than the store keeps. */
export type OpenedApproval =
  { readonly kind: 'opened' | 'full' } | { readonly kind: 'decided'; readonly call: DecidedCall };

export type UsedApproval =
  { readonly kind: 'used' } | { readonly kind: 'decided'; readonly call: DecidedCall };

/**
 * `open`: undecided. `used`: a decision on its call has been made, by this or another approval.
 * `approval` is absent if the store doesn't keep the arguments, which hold secrets.
 */
export type KnownApproval =
  | UnknownApproval
  | (Pick<StoredApproval, 'seal' | 'entry' | 'approval'> &
      (
        | { readonly state: 'open' | 'expired' }
        | { readonly state: 'used'; readonly call: DecidedCall }
      ));

/** Where approvals are kept, with their calls. Every method is atomic. */
export interface ApprovalStore {
  open(approval: PendingApproval, opening: OpeningApproval): Promise<OpenedApproval>;
  find(id: string, tenant: string): Promise<KnownApproval>;
  /** An expired approval can be used to end its call, but not to run it. */
  use(id: string, tenant: string, use: ApprovalUse): Promise<UsedApproval>;
  /** The approved call has ended. */
  end(id: string, outcome: StoredOutcome): void;
  /** What an application can do about an id that is not known. */
  readonly ifUnknown: string;
}

/** The call of one or more approvals, of which one can be used. */
interface MemoryCall {
  now: DecidedCall;
}

interface MemoryApproval {
  readonly approval: PendingApproval;
  readonly seal: string;
  readonly tenant: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
  readonly call: MemoryCall;
  readonly isUsed: boolean;
}

/**
 * Approvals that are kept. Beyond it, those that were decided or have expired go, oldest first;
 * if all are open, no further one is opened.
 */
const mostApprovals = 10_000;
/** Milliseconds for which an approval is kept after it has expired. */
const keptAfterExpiry = 24 * 60 * 60_000;

/** The approvals of one registry, in memory. They end with their process. */
export class MemoryApprovals implements ApprovalStore {
  readonly ifUnknown =
    'approvals end with their process unless the registry has a journal, and are forgotten some time after they were decided or have expired';
  // In the order of creation, which is the order of expiry: all have the same duration.
  readonly #approvals = new Map<string, MemoryApproval>();

  open(
    approval: PendingApproval,
    { expiresAfter, tenant, previous }: OpeningApproval,
  ): Promise<OpenedApproval> {
    const now = Date.now();
    const before = previous && (this.#approvals.get(previous.id)?.call ?? { now: forgotten });
    if (before !== undefined && before.now.state !== previous?.call)
      return Promise.resolve({ kind: 'decided', call: before.now });
    this.#forget(now);
    if (this.#approvals.size >= mostApprovals) return Promise.resolve({ kind: 'full' });
    const seal = sealOfApproval(approval);
    const expires = now + expiresAfter;
    const call = before ?? { now: waiting };
    call.now = waiting;
    this.#approvals.set(approval.id, { approval, seal, tenant, expires, call, isUsed: false });
    return Promise.resolve({ kind: 'opened' });
  }

  find(id: string, tenant: string): Promise<KnownApproval> {
    const known = this.#approvals.get(id);
    if (known === undefined) return Promise.resolve({ state: 'unknown' });
    if (known.tenant !== tenant) return Promise.resolve({ state: 'other_tenant' });
    const { approval, seal, expires, call } = known;
    if (!isUndecided(known))
      return Promise.resolve({ state: 'used', call: call.now, approval, seal });
    const state = expires <= Date.now() ? 'expired' : 'open';
    return Promise.resolve({ state, approval, seal });
  }

  use(id: string, tenant: string, use: ApprovalUse): Promise<UsedApproval> {
    const known = this.#approvals.get(id);
    if (known?.tenant !== tenant) return Promise.resolve({ kind: 'decided', call: waiting });
    const { call, expires } = known;
    if (!isUndecided(known) || (use.kind === 'run' && expires <= Date.now()))
      return Promise.resolve({ kind: 'decided', call: call.now });
    this.#approvals.set(id, { ...known, isUsed: true });
    call.now = use.kind === 'run' ? { state: 'running' } : { state: 'ended', outcome: use.outcome };
    return Promise.resolve({ kind: 'used' });
  }

  end(id: string, outcome: StoredOutcome): void {
    const call = this.#approvals.get(id)?.call;
    // A call that was asked about again waits for the new approval.
    if (call?.now.state === 'running') call.now = { state: 'ended', outcome };
  }

  #forget(now: number): void {
    for (const [id, { expires }] of this.#approvals) {
      if (expires + keptAfterExpiry > now) break;
      this.#approvals.delete(id);
    }
    for (const [id, known] of this.#approvals) {
      if (this.#approvals.size < mostApprovals) return;
      if (known.expires <= now || !isUndecided(known)) this.#approvals.delete(id);
    }
  }
}

const waiting: DecidedCall = { state: 'waiting' };
const forgotten: DecidedCall = { state: 'not_run' };

const isUndecided = ({ isUsed, call }: MemoryApproval): boolean =>
  !isUsed && call.now.state === 'waiting';

/** The approvals of a journal: they outlive the process, and any replica may use them. */
export class JournalApprovals implements ApprovalStore {
  readonly ifUnknown =
    'the journal has none, or no longer, because calls that are older than its retentionDays are deleted';
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  async open(
    approval: PendingApproval,
    { expiresAfter, entry, previous }: OpeningApproval,
  ): Promise<OpenedApproval> {
    if (entry === undefined) return { kind: 'decided', call: { state: 'not_run' } };
    const { id, nonce } = approval;
    const isOpen = await this.#journal.openApproval(entry.id, {
      id,
      seal: sealOfApproval(approval),
      expiresAfter,
      from: previous?.call ?? 'running',
      ...(nonce === undefined ? { approval } : {}),
    });
    return isOpen ? { kind: 'opened' } : { kind: 'decided', call: await this.#call(entry) };
  }

  async find(id: string, tenant: string): Promise<KnownApproval> {
    const found = await this.#journal.findApproval(id, tenant);
    if (!('seal' in found)) return found;
    const { state, ...stored } = found;
    return state === 'used'
      ? { ...stored, state, call: await this.#call(found.entry) }
      : { ...stored, state };
  }

  async use(id: string, tenant: string, use: ApprovalUse): Promise<UsedApproval> {
    if (await this.#journal.useApproval(id, tenant, use)) return { kind: 'used' };
    const found = await this.#journal.findApproval(id, tenant);
    const entry = 'seal' in found ? found.entry : undefined;
    return { kind: 'decided', call: await this.#call(entry) };
  }

  /** The journal has the outcome of each call. */
  end(): void {}

  async #call(entry: CallEntry | undefined): Promise<DecidedCall> {
    const known = entry && (await this.#journal.entry(entry.id));
    return known ?? { state: 'not_run' };
  }
}

export const unknownApproval = ({ ifUnknown }: ApprovalStore): RecordError =>
  new RecordError('id', `There is no approval with this id: ${ifUnknown}.`);

export const otherTenant = (): RecordError =>
  new RecordError(
    '',
    'The approval is of a call of another tenant: pass the tenant of that call, resolveApproval(approval, decision, { tenant }).',
  );

export const otherScope = (): RecordError =>
  new RecordError(
    'scope',
    'The approval is of a call of another scope: pass the context of that call, resolveApproval(approval, decision, { context }).',
  );

/** `given`: whether the application has passed the whole approval. */
export const withoutArguments = (given: 'whole' | 'id'): RecordError =>
  new RecordError(
    '',
    given === 'id'
      ? 'The journal does not keep the arguments of this approval, which hold secrets: pass the whole approval of the outcome.'
      : 'The approval differs from the one that was made, and the journal does not keep its arguments, which hold secrets: pass the approval of the outcome as it was.',
  );
