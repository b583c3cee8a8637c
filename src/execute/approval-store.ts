import { type ApprovalState, type PendingApproval, sealOfApproval } from './approval.ts';
import type { ApprovalUse, FoundApproval, Journal } from './journal.ts';

interface Entry {
  readonly seal: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
  state: 'open' | 'used';
}

/** Where open approvals are kept. Every method is atomic. */
export interface ApprovalStore {
  /** `entry`: the call in the journal, if there is one. */
  open(approval: PendingApproval, expiresAfter: number, entry: string | undefined): Promise<void>;
  find(approval: PendingApproval, tenant: string): Promise<FoundApproval>;
  /** The approval with this id. Undefined if it is unknown, or kept without its call. */
  load(id: string, tenant: string): Promise<PendingApproval | undefined>;
  /** Returns false if the approval was used before. */
  use(approval: PendingApproval, tenant: string, use: ApprovalUse): Promise<boolean>;
}

/** The approvals of one registry, in memory until they expire. */
export class MemoryApprovals implements ApprovalStore {
  // In the order of creation, which is the order of expiry: all have the same duration.
  readonly #entries = new Map<string, Entry>();

  open(approval: PendingApproval, expiresAfter: number): Promise<void> {
    const now = Date.now();
    this.#forget(now);
    const expires = now + expiresAfter;
    this.#entries.set(approval.id, { seal: sealOfApproval(approval), expires, state: 'open' });
    return Promise.resolve();
  }

  find(approval: PendingApproval): Promise<FoundApproval> {
    return Promise.resolve({ state: this.#stateOf(approval, Date.now()) });
  }

  /** Only digests are kept. */
  load(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  #stateOf(approval: PendingApproval, now: number): ApprovalState {
    const entry = this.#entries.get(approval.id);
    if (entry === undefined) return Date.parse(approval.expiresAt) <= now ? 'expired' : 'unknown';
    if (entry.state === 'used') return 'used';
    if (entry.seal !== sealOfApproval(approval)) return 'changed';
    return entry.expires <= now ? 'expired' : 'open';
  }

  use({ id }: PendingApproval): Promise<boolean> {
    const entry = this.#entries.get(id);
    const isOpen = entry?.state === 'open';
    if (isOpen) entry.state = 'used';
    return Promise.resolve(isOpen);
  }

  #forget(now: number): void {
    for (const [id, { expires }] of this.#entries) {
      if (expires > now) return;
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

  async open(approval: PendingApproval, expiresAfter: number, entry: string | undefined): Promise<void> {
    if (entry === undefined) return;
    const { id, nonce } = approval;
    const seal = sealOfApproval(approval);
    const stored = nonce === undefined ? { approval } : {};
    await this.#journal.openApproval(entry, { id, seal, expiresAfter, ...stored });
  }

  find(approval: PendingApproval, tenant: string): Promise<FoundApproval> {
    return this.#journal.findApproval(approval.id, tenant, sealOfApproval(approval));
  }

  async load(id: string, tenant: string): Promise<PendingApproval | undefined> {
    const { approval } = await this.#journal.findApproval(id, tenant, undefined);
    return approval;
  }

  use({ id }: PendingApproval, tenant: string, use: ApprovalUse): Promise<boolean> {
    return this.#journal.useApproval(id, tenant, use);
  }
}
