import { RecordError } from '../errors/errors.ts';
import { type ApprovalState, type PendingApproval, sealOfApproval } from './approval.ts';
import type { ApprovalUse, FoundApproval, Journal } from './journal.ts';

/** The approvals of one call, of which one can be used. */
interface Call {
  isDecided: boolean;
}

interface Entry {
  readonly seal: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
  readonly call: Call;
  /** `other`: another registry made it, and one of this registry has taken its place. */
  readonly madeBy: 'this' | 'other';
}

/** What a new approval is for. */
export interface OpeningApproval {
  readonly expiresAfter: number;
  /** The call in the journal, if there is one. */
  readonly entry: string | undefined;
  /** The approval in whose place the call is asked about again. Undefined for a call that is running. */
  readonly replaced: PendingApproval | undefined;
}

/** Where open approvals are kept. Every method is atomic. */
export interface ApprovalStore {
  /** Returns false if a decision on the call has been made meanwhile. */
  open(approval: PendingApproval, opening: OpeningApproval): Promise<boolean>;
  find(approval: PendingApproval, tenant: string): Promise<FoundApproval>;
  /** The approval with this id. Rejects with a RecordError if it is unknown, or kept without its call. */
  load(id: string, tenant: string): Promise<PendingApproval>;
  /** Returns false if a decision on the call was made before. */
  use(approval: PendingApproval, tenant: string, use: ApprovalUse): Promise<boolean>;
}

/** Beyond it, approvals that have expired go, oldest first. */
const mostApprovals = 10_000;

/** The approvals of one registry, in memory. */
export class MemoryApprovals implements ApprovalStore {
  // In the order of creation, which is the order of expiry: all have the same duration.
  readonly #entries = new Map<string, Entry>();

  open(
    approval: PendingApproval,
    { expiresAfter, replaced }: Pick<OpeningApproval, 'expiresAfter' | 'replaced'>,
  ): Promise<boolean> {
    const now = Date.now();
    this.#forget(now);
    const call = replaced === undefined ? { isDecided: false } : this.#callOf(replaced, now + expiresAfter);
    if (call.isDecided) return Promise.resolve(false);
    const seal = sealOfApproval(approval);
    this.#entries.set(approval.id, { seal, expires: now + expiresAfter, call, madeBy: 'this' });
    return Promise.resolve(true);
  }

  find(approval: PendingApproval): Promise<FoundApproval> {
    return Promise.resolve({ state: this.#stateOf(approval, Date.now()) });
  }

  load(): Promise<PendingApproval> {
    return Promise.reject(new RecordError('', 'Without a journal, pass the whole approval of the outcome.'));
  }

  #callOf(replaced: PendingApproval, expires: number): Call {
    const known = this.#entries.get(replaced.id);
    if (known !== undefined) return known.call;
    const call = { isDecided: false };
    this.#entries.set(replaced.id, { seal: sealOfApproval(replaced), expires, call, madeBy: 'other' });
    return call;
  }

  #stateOf(approval: PendingApproval, now: number): ApprovalState {
    const entry = this.#entries.get(approval.id);
    const unknown = Date.parse(approval.expiresAt) <= now ? 'expired' : 'unknown';
    if (entry === undefined) return unknown;
    if (entry.call.isDecided) return 'used';
    if (entry.madeBy === 'other') return unknown;
    if (entry.seal !== sealOfApproval(approval)) return 'changed';
    return entry.expires <= now ? 'expired' : 'open';
  }

  use({ id }: PendingApproval): Promise<boolean> {
    const call = this.#entries.get(id)?.call;
    const isOpen = call?.isDecided === false;
    if (isOpen) call.isDecided = true;
    return Promise.resolve(isOpen);
  }

  #forget(now: number): void {
    for (const [id, { expires }] of this.#entries) {
      if (this.#entries.size < mostApprovals || expires > now) return;
      this.#entries.delete(id);
    }
  }
}

/** The approvals of a journal: they outlive the process, and any replica may use them. */
export class JournalApprovals implements ApprovalStore {
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  async open(
    approval: PendingApproval,
    { expiresAfter, entry, replaced }: OpeningApproval,
  ): Promise<boolean> {
    if (entry === undefined) return false;
    const { id, nonce } = approval;
    const seal = sealOfApproval(approval);
    const stored = nonce === undefined ? { approval } : {};
    const from = replaced === undefined ? 'running' : 'waiting';
    return this.#journal.openApproval(entry, { id, seal, expiresAfter, from, ...stored });
  }

  find(approval: PendingApproval, tenant: string): Promise<FoundApproval> {
    return this.#journal.findApproval(approval.id, tenant, sealOfApproval(approval));
  }

  async load(id: string, tenant: string): Promise<PendingApproval> {
    const { state, approval } = await this.#journal.findApproval(id, tenant, undefined);
    if (approval !== undefined) return approval;
    if (state === 'other_tenant') throw otherTenant();
    const why =
      state === 'unknown'
        ? 'The journal has no approval with this id'
        : 'The journal does not keep the arguments of this approval, which hold secrets';
    throw new RecordError('', `${why}: pass the whole approval of the outcome.`);
  }

  use({ id }: PendingApproval, tenant: string, use: ApprovalUse): Promise<boolean> {
    return this.#journal.useApproval(id, tenant, use);
  }
}

export const otherTenant = (): RecordError =>
  new RecordError(
    '',
    'The approval is of a call of another tenant: pass the tenant of that call, resolveApproval(approval, decision, { tenant }).',
  );
