// Calls that go on in the background: their handles, progress, results and cancellation.
import {
  type OptionKinds,
  checkOptions,
  count,
  kindWithHint,
  millisecondsOrZero,
  string,
} from '../options/check-options.ts';
import type { BackgroundCall, EndedCall } from '../outcomes/background-call.ts';
import type { CallStore, Recording } from '../store/call-store.ts';
import type { InBackground } from '../outcomes/tool-outcome.ts';
import { runsInBackground } from '../messages/call-messages.ts';
import type { CallOptions } from './call-options.ts';
import type { AcceptedCall } from './interpreted-call.ts';
import { type OpenCalls, abortOf } from './open-calls.ts';
import { type LateScope, StoredBackground, entryOfHandle } from './stored-background.ts';
import type { BackgroundOptions } from './background-options.ts';
import { StartedCall } from './started-call.ts';

/** Whose background calls are meant. */
export type BackgroundScope = Pick<CallOptions, 'tenant' | 'conversation'>;

const scopeKinds: OptionKinds<BackgroundScope> = {
  tenant: kindWithHint(string, 'write the tenant of the call'),
  conversation: kindWithHint(string, 'write the conversation of the call'),
};

/** Which calls `list` returns. */
export interface BackgroundQuery extends Pick<BackgroundScope, 'tenant'> {
  /** Older ones than the call with this handle. */
  readonly before?: string;
  /** Default: 100. */
  readonly limit?: number;
}

const queryKinds: OptionKinds<BackgroundQuery> = {
  tenant: scopeKinds.tenant,
  before: kindWithHint(string, 'write a handle'),
  limit: count(1),
};

const oneDay = 24 * 60 * 60_000;
/**
 * Calls that are kept. Beyond it, those that have ended go, oldest first; calls that run are always
 * kept.
 */
const maxCalls = 10_000;

/** The background calls of a registry. A handle of another tenant is unknown. */
export class BackgroundCalls {
  readonly #options: BackgroundOptions;
  readonly #openCalls: OpenCalls;
  readonly #started = new Map<string, StartedCall>();
  readonly #store: CallStore;
  readonly #recording: Recording;
  readonly #stored: StoredBackground;
  /** Milliseconds since 1970. */
  #nextLook = 0;
  #hasAsked = false;

  /** Made by `ToolRegistry`. */
  constructor(
    options: BackgroundOptions,
    openCalls: OpenCalls,
    store: CallStore,
    recording: Recording,
  ) {
    this.#options = options;
    this.#openCalls = openCalls;
    this.#store = store;
    this.#recording = recording;
    this.#stored = new StoredBackground(store);
  }

  /**
   * Milliseconds that ended calls are kept at least. Infinity in a database, where the journal's
   * retention decides.
   */
  get keepMs(): number {
    return this.#store.sql === undefined ? (this.#options.keepMs ?? oneDay) : Infinity;
  }

  /** The call with this handle; undefined for an unknown one. */
  async get(
    handle: string,
    { tenant = '' }: Pick<BackgroundScope, 'tenant'> = {},
  ): Promise<BackgroundCall | undefined> {
    return this.#find(handle, tenant)?.call ?? this.#stored.get(handle, tenant);
  }

  /**
   * Waits for the end of a call, at most `timeoutMs` milliseconds, and returns it as it is then;
   * undefined for an unknown handle. Rejects with a DefinitionError for an invalid time.
   */
  async wait(
    handle: string,
    timeoutMs: number,
    scope: Pick<BackgroundScope, 'tenant'> & { readonly signal?: AbortSignal } = {},
  ): Promise<BackgroundCall | undefined> {
    checkOptions('background.wait', { timeoutMs }, { timeoutMs: millisecondsOrZero });
    const { tenant = '', signal } = scope;
    const deadline = new AbortController();
    const stop = (): void => deadline.abort();
    const timer = setTimeout(stop, timeoutMs);
    if (signal?.aborted === true) stop();
    signal?.addEventListener('abort', stop);
    const either = { signal: deadline.signal, entry: entryOfHandle(handle) };
    return this.#openCalls.whileAnswering(async () => {
      const settledCall = await this.#openCalls.wait(either, (ends) =>
        Promise.race([this.#settled(handle, tenant, ends), abortOf(ends)]),
      );
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      return settledCall?.state === 'ended' ? settledCall : this.get(handle, { tenant });
    });
  }

  /**
   * Cancels a call that has not ended, and returns it; undefined for an unknown handle. With a
   * journal, a call that runs in another process is `cancelled` at once, and its code is stopped
   * there soon.
   */
  async cancel(
    handle: string,
    scope: Pick<BackgroundScope, 'tenant'> & { readonly reason?: unknown } = {},
  ): Promise<BackgroundCall | undefined> {
    const { tenant = '', reason } = scope;
    const startedCall = this.#find(handle, tenant);
    if (startedCall === undefined) await this.#stored.cancel(handle, tenant);
    else await startedCall.cancel(reason);
    return this.get(handle, { tenant });
  }

  /**
   * The ended calls of a conversation that neither `takeResults` returned nor the model read with
   * `check_background`, in the order in which they ended. Put their `text` into the next message to
   * the model. Each is returned once. With a journal, also calls that ended after their approval,
   * and calls of other processes. With a journal in a database, results are taken until the
   * conversation goes on: with its next call or `takeResults` in this process, or when the registry
   * closes. If the process dies before, they are returned again.
   */
  async takeResults(scope: BackgroundScope = {}): Promise<readonly EndedCall[]> {
    checkOptions('background.takeResults', scope, scopeKinds);
    return this.#openCalls.whileAnswering(async () => {
      await this.#stored.acknowledgeTaken(scope);
      return this.takeForCall(scope);
    });
  }

  /** @deprecated Its name is `takeResults`. */
  take(scope: BackgroundScope = {}): Promise<readonly EndedCall[]> {
    return this.takeResults(scope);
  }

  /** Whether a tool of this process has asked something: then its result comes late. */
  get hasAsked(): boolean {
    return this.#hasAsked;
  }

  /** A call waits for an answer, or has got one. */
  noteQuestion(): void {
    this.#hasAsked = this.#recording === 'every_call';
  }

  /** A call of the conversation is made: the model has read what was taken before. */
  async acknowledgeTaken(scope: LateScope): Promise<void> {
    await this.#stored.acknowledgeTaken(scope);
  }

  /** The late results for the outcome of a call. */
  async takeForCall(scope: LateScope): Promise<readonly EndedCall[]> {
    return this.#recording === 'every_call' ? this.#stored.take(scope) : this.#takeStarted(scope);
  }

  /** Results of this process, whole and as the tools returned them. */
  #takeStarted({ tenant = '', conversation = '' }: LateScope): readonly EndedCall[] {
    const endedCalls = [...this.#started.values()].filter(({ call, isTaken }) => {
      const isOwn = call.tenant === tenant && call.conversation === conversation;
      return isOwn && !isTaken && call.state === 'ended';
    });
    return endedCalls
      .toSorted((one, other) => one.endedAt - other.endedAt)
      .flatMap((startedCall) => {
        startedCall.isTaken = true;
        return startedCall.call.state === 'ended' ? [startedCall.call] : [];
      });
  }

  /** What was taken has been passed on. Called when the registry closes. */
  async close(): Promise<void> {
    await this.#stored.close();
  }

  /**
   * The calls of a tenant that run or are kept, the newest first. Rejects with a DefinitionError
   * for an invalid query.
   */
  async list(query: BackgroundQuery = {}): Promise<readonly BackgroundCall[]> {
    checkOptions('background.list', query, queryKinds);
    const { tenant = '', before, limit = 100 } = query;
    if (this.#store.sql !== undefined) return this.#stored.list(tenant, limit, before);
    const tenantCalls = [...this.#started.values()].flatMap(({ call }) =>
      call.tenant === tenant ? [call] : [],
    );
    const end =
      before === undefined
        ? tenantCalls.length
        : tenantCalls.findIndex(({ handle }) => handle === before);
    return tenantCalls.slice(0, Math.max(end, 0)).toReversed().slice(0, limit);
  }

  /** Resolves when a call that runs in this process has ended. Undefined for any other call. */
  endOf(handle: string): Promise<void> | undefined {
    return this.#started.get(handle)?.whenEnded;
  }

  /** The result was read: `takeResults` no longer returns it. */
  async markTaken(handle: string): Promise<void> {
    const startedCall = this.#started.get(handle);
    if (startedCall !== undefined) startedCall.isTaken = true;
    await this.#stored.markTaken(handle);
  }

  /** A call that is about to run in this process. */
  newCall(acceptedCall: AcceptedCall, options: CallOptions): StartedCall {
    this.#removeOld();
    return new StartedCall(acceptedCall, options, this.#options);
  }

  /** From now on the call has its handle. */
  put(startedCall: StartedCall): void {
    this.#started.set(startedCall.call.handle, startedCall);
    void this.#stored.stopIfEnded(startedCall);
  }

  remove(handle: string): void {
    this.#started.delete(handle);
  }

  /** The call waits for a person: the store has it. */
  suspend(startedCall: StartedCall): void {
    this.remove(startedCall.call.handle);
    startedCall.suspend();
  }

  /** The outcome of a call that goes on under this handle. */
  inBackground({ call, tool, interpretation }: AcceptedCall, handle: string): InBackground {
    const message = runsInBackground(tool, handle, this.#options.checkTool ?? 'offered');
    return Object.freeze({ status: 'in_background', call, tool, interpretation, handle, message });
  }

  /**
   * The journal has the end of a call that a worker runs in this process before the worker knows of
   * it.
   */
  async #settled(
    handle: string,
    tenant: string,
    signal: AbortSignal,
  ): Promise<BackgroundCall | undefined> {
    const startedCall = this.#find(handle, tenant);
    if (startedCall === undefined) return this.#stored.wait(handle, tenant, signal);
    await startedCall.whenEnded;
    return startedCall.call;
  }

  #find(handle: string, tenant: string): StartedCall | undefined {
    const startedCall = this.#started.get(handle);
    return startedCall?.call.tenant === tenant ? startedCall : undefined;
  }

  #removeOld(): void {
    const { keepMs = oneDay } = this.#options;
    const now = Date.now();
    let surplus = this.#started.size - maxCalls;
    const isDue = now >= this.#nextLook;
    if (!isDue && surplus <= 0) return;
    if (isDue) this.#nextLook = now + keepMs / 10;
    for (const [handle, { endedAt }] of this.#started) {
      if (!isDue && surplus <= 0) return;
      const isSurplus = surplus > 0 && endedAt !== Infinity;
      if (!isSurplus && endedAt >= now - keepMs) continue;
      this.#started.delete(handle);
      surplus -= 1;
    }
  }
}
