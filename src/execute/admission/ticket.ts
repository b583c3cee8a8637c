// What does the admission know of one call? How it may run, for whom, inside which other call, and how it is stopped.

/** How a call wants to run. */
export interface EntryRequest {
  /** Whose call it is; callers take turns. */
  readonly caller: string;
  readonly manner: 'parallel' | 'alone';
  /** Keys that no other running call may hold. */
  readonly locks: readonly string[];
  /** The call whose code makes this one. */
  readonly within: Ticket | undefined;
}

/** How an entry ends. */
export type Entrance =
  | { readonly kind: 'entered'; readonly ticket: Ticket }
  | { readonly kind: 'refused'; readonly reason: 'busy' | 'closed' | 'deadlock' }
  | { readonly kind: 'cancelled'; readonly reason: unknown };

/** One call, from its request to its end. */
export class Ticket {
  readonly caller: string;
  readonly manner: 'parallel' | 'alone';
  readonly locks: readonly string[];
  /** The running call whose code makes this one. */
  readonly parent: Ticket | undefined;
  /** Says how the waiting ended; set while the call waits. */
  answer: ((entrance: Entrance) => void) | undefined;
  /** Kept by whoever lists the running calls. */
  position = -1;
  #stopped: { readonly reason: unknown } | undefined;
  #stop: ((reason: unknown) => void) | undefined;

  constructor({ caller, manner, locks }: EntryRequest, parent: Ticket | undefined) {
    this.caller = caller;
    this.manner = manner;
    this.locks = locks;
    this.parent = parent;
  }

  /** Whether this call is the other one, or is made inside it. */
  isInside(other: Ticket): boolean {
    return this === other || this.parent?.isInside(other) === true;
  }

  /** Calls `stop` once the call has to end; at once if that is already so. */
  onStop(stop: (reason: unknown) => void): void {
    this.#stop = stop;
    if (this.#stopped !== undefined) stop(this.#stopped.reason);
  }

  stop(reason: unknown): void {
    this.#stopped ??= { reason };
    this.#stop?.(reason);
  }
}
