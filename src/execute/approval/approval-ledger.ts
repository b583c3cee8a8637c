// Which approvals has this process asked for, and which of them are used? Kept in memory until they expire.
import { readPlainValue } from '../../json/plain-value.ts';
import { sealOf } from './approval-digest.ts';
import type { PendingApproval } from './pending-approval.ts';

/** `open`: as it was made, and nobody has decided. `changed`: something in it is not as it was made. */
export type ApprovalState = 'open' | 'used' | 'expired' | 'changed' | 'unknown';

interface Entry {
  readonly seal: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
  state: 'open' | 'used';
}

/** The approvals of one registry. */
export class ApprovalLedger {
  // In the order in which they were made, and so, with one duration for all, in which they expire.
  readonly #entries = new Map<string, Entry>();

  open(approval: PendingApproval, now: number): void {
    this.#forget(now);
    const expires = Date.parse(approval.expiresAt);
    this.#entries.set(approval.id, { seal: sealOfApproval(approval), expires, state: 'open' });
  }

  stateOf(approval: PendingApproval, now: number): ApprovalState {
    const entry = this.#entries.get(approval.id);
    if (entry === undefined) return Date.parse(approval.expiresAt) <= now ? 'expired' : 'unknown';
    if (entry.state === 'used') return 'used';
    if (entry.seal !== sealOfApproval(approval)) return 'changed';
    return entry.expires <= now ? 'expired' : 'open';
  }

  /** Whoever comes first: true once for each approval. */
  use({ id }: PendingApproval): boolean {
    const entry = this.#entries.get(id);
    if (entry?.state !== 'open') return false;
    entry.state = 'used';
    return true;
  }

  #forget(now: number): void {
    for (const [id, { expires }] of this.#entries) {
      if (expires > now) return;
      this.#entries.delete(id);
    }
  }
}

const deepest = 256;

/** Over every member, those that only people read too. */
function sealOfApproval(approval: PendingApproval): string {
  const reading = readPlainValue(approval, deepest);
  return reading.kind === 'plain' ? sealOf(reading.value) : reading.kind;
}
