import { type BackgroundCall, endedCall } from '../outcomes/background-call.ts';
import type { BackgroundOptions } from './background-options.ts';
import type { CallOptions } from './call-options.ts';
import type { AcceptedCall } from './interpreted-call.ts';
import { entryOfHandle, handleOfEntry } from './stored-background.ts';
import { randomId } from '../platform/random-id.ts';
import { notify } from '../telemetry/tool-event.ts';
import type { AcceptedOutcome } from '../outcomes/tool-outcome.ts';
/** What a background call reports while it goes on. `entry`: its id in the journal. */
export interface BackgroundReports {
  /** It is approved, so that nothing but a slot keeps it from running. */
  readonly onApproved: (entry: string | undefined) => void;
  /** The journal knows the call: it goes on under this entry. */
  readonly onEntry: (entry: string) => void;
  readonly onStart: () => void;
  /** The id of the entry under which the call goes on, if it isn't written yet. */
  readonly entry: () => string;
}

/** A background call of this process. */
export class StartedCall {
  /** The handle, when nothing but a slot keeps the call from running. */
  readonly whenApproved: Promise<string>;
  /** Also when it waits for a person. */
  readonly whenEnded: Promise<void>;
  readonly reports: BackgroundReports;
  call: BackgroundCall;
  /** Milliseconds since 1970, with fractions. */
  endedAt = Infinity;
  isTaken = false;
  /** Another call with the same id goes on: it may end after this registry is closed. */
  isKnown = false;
  readonly #controller = new AbortController();
  readonly #listeners: BackgroundOptions;
  readonly #progress: CallOptions['progress'];
  readonly #ended = Promise.withResolvers<void>();

  constructor({ call, tool }: AcceptedCall, options: CallOptions, listeners: BackgroundOptions) {
    const { tenant = '', conversation = '' } = options;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#listeners = listeners;
    this.#progress = options.progress;
    this.whenApproved = promise;
    this.whenEnded = this.#ended.promise;
    const facts = { tool, call, tenant, conversation, since: Date.now() };
    this.call = Object.freeze({ ...facts, handle: handleOfEntry(randomId()), state: 'waiting' });
    this.reports = {
      onApproved: (entry) => {
        if (this.signal.aborted) return;
        if (entry !== undefined)
          this.call = Object.freeze({ ...this.call, handle: handleOfEntry(entry) });
        resolve(this.call.handle);
      },
      onEntry: (entry) => {
        this.isKnown = true;
        this.reports.onApproved(entry);
      },
      entry: () => entryOfHandle(this.call.handle),
      onStart: () => {
        if (this.call.state === 'waiting')
          this.call = Object.freeze({ ...this.call, state: 'running' });
      },
    };
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly progress = (update: unknown): void => {
    if (this.call.state === 'ended') return;
    const runningCall = Object.freeze({ ...this.call, progress: update });
    this.call = runningCall;
    notify(() => this.#progress?.(update));
    notify(() => this.#listeners.onProgress?.(runningCall, update));
  };

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  async cancel(reason: unknown): Promise<void> {
    this.abort(reason);
    await this.whenEnded;
  }

  /** It waits for a person, and goes on as another call of this process or of another one. */
  suspend(): void {
    this.#ended.resolve();
  }

  end(outcome: AcceptedOutcome): void {
    this.endedAt = performance.timeOrigin + performance.now();
    const endOfCall = endedCall(this.call, outcome, this.endedAt);
    this.call = endOfCall;
    this.#ended.resolve();
    notify(() => this.#listeners.onEnd?.(endOfCall));
  }
}
