// Calls that go on in the background: their handles, progress, results and cancellation.
import * as accept from '../options/check-options.ts';
import { type OptionKinds, checkOptions } from '../options/check-options.ts';
import { type BackgroundCall, type EndedCall, endedCall } from '../execute/background-call.ts';
import type { JobQueue } from '../store/job-queue.ts';
import type { Journal } from '../store/journal.ts';
import type { AcceptedOutcome, InBackground } from '../execute/tool-outcome.ts';
import { defined } from '../collections/objects.ts';
import { runsInBackground } from '../messages/call-messages.ts';
import { randomId } from '../platform/random-id.ts';
import { notify } from '../telemetry/tool-event.ts';
import type { CallOptions } from './call-options.ts';
import type { AcceptedCall } from './interpreted-call.ts';
import { type OpenCalls, abortOf } from './open-calls.ts';
import {
  type LateScope,
  JournaledBackground,
  entryOfHandle,
  handleOfEntry,
} from './journaled-background.ts';

/** The registry option `background`. */
export interface BackgroundOptions {
  /**
   * Called with each progress update of a background call. What it throws or rejects with is
   * ignored.
   */
  readonly onProgress?: (call: BackgroundCall, update: unknown) => unknown;
  /**
   * Called when a background call has ended in this process. What it throws or rejects with is
   * ignored.
   */
  readonly onEnd?: (call: EndedCall) => unknown;
  /**
   * Background calls that run in this process at the same time, beside the registry's
   * `concurrencyLimit` of other calls; further ones wait. Default: 8.
   */
  readonly concurrencyLimit?: number;
  /** Milliseconds that ended calls are kept in memory, at most 10,000 of them. Default: one day. */
  readonly keepMs?: number;
  /**
   * `offered`: the registry has the tool `check_background`, with which a model asks for progress
   * and results, as soon as one of its tools may run in the background. Default: `offered`.
   */
  readonly checkTool?: 'offered' | 'off';
  /**
   * Calls run on workers (`startWorker`), for example `await openQueue(journal)` of
   * `toolmend/journal`. Default: they run in this process.
   */
  readonly queue?: JobQueue;
}

export const backgroundOptionKinds: OptionKinds<BackgroundOptions> = {
  onProgress: accept.callback('write a function that takes a call and an update'),
  onEnd: accept.callback('write a function that takes an ended call'),
  concurrencyLimit: accept.count(1),
  keepMs: accept.milliseconds,
  checkTool: accept.oneOf('offered', 'off'),
  queue: accept.having('send', "write await openQueue(journal) of 'toolmend/journal'"),
};

/** Whose background calls are meant. */
export type BackgroundScope = Pick<CallOptions, 'tenant' | 'conversation'>;

const scopeKinds: OptionKinds<BackgroundScope> = {
  tenant: accept.hinted(accept.string, 'write the tenant of the call'),
  conversation: accept.hinted(accept.string, 'write the conversation of the call'),
};

/** What a background call reports while it goes on. `entry`: its id in the journal. */
export interface BackgroundSteps {
  /**
   * It is approved, so that nothing but a slot keeps it from running.
   */
  readonly onApproved: (entry: string | undefined) => void;
  /** The journal knows the call: it goes on under this entry. */
  readonly onKnown: (entry: string) => void;
  readonly onStart: () => void;
}

type RunCall = (options: CallOptions, steps: BackgroundSteps) => Promise<AcceptedOutcome>;

/** A call that a worker runs. */
interface WorkedCall {
  readonly options: CallOptions;
  /** Its id in the journal. */
  readonly entry: string;
  readonly isRetried?: (outcome: AcceptedOutcome) => boolean;
}

/** Which calls `list` returns. */
export interface BackgroundQuery extends Pick<BackgroundScope, 'tenant'> {
  /** Older ones than the call with this handle. */
  readonly before?: string;
  /** Default: 100. */
  readonly limit?: number;
}

const queryKinds: OptionKinds<BackgroundQuery> = {
  tenant: scopeKinds.tenant,
  before: accept.hinted(accept.string, 'write a handle'),
  limit: accept.count(1),
};

const oneDay = 24 * 60 * 60_000;
/**
 * Calls that are kept. Beyond it, those that have ended go, oldest first; calls that run are always
 * kept.
 */
const mostCalls = 10_000;

/** The background calls of a registry. A handle of another tenant is unknown. */
export class BackgroundCalls {
  readonly #options: BackgroundOptions;
  readonly #openCalls: OpenCalls;
  readonly #started = new Map<string, StartedCall>();
  readonly #journaled: JournaledBackground | undefined;
  readonly #database: JournaledBackground | undefined;
  /** Milliseconds since 1970. */
  #nextLook = 0;

  /** Made by `ToolRegistry`. */
  constructor(options: BackgroundOptions, openCalls: OpenCalls, journal?: Journal) {
    this.#options = options;
    this.#openCalls = openCalls;
    this.#journaled = journal && new JournaledBackground(journal);
    this.#database = journal?.sql && this.#journaled;
  }

  /**
   * Milliseconds that ended calls are kept at least. Infinity in a database, where the journal's
   * retention decides.
   */
  get keepMs(): number {
    return this.#database === undefined ? (this.#options.keepMs ?? oneDay) : Infinity;
  }

  /** The call with this handle; undefined for an unknown one. */
  async get(
    handle: string,
    { tenant = '' }: Pick<BackgroundScope, 'tenant'> = {},
  ): Promise<BackgroundCall | undefined> {
    return this.#find(handle, tenant)?.call ?? this.#journaled?.get(handle, tenant);
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
    checkOptions('background.wait', { timeoutMs }, { timeoutMs: accept.millisecondsOrZero });
    const { tenant = '', signal } = scope;
    const over = new AbortController();
    const stop = (): void => over.abort();
    const timer = setTimeout(stop, timeoutMs);
    signal?.addEventListener('abort', stop, { once: true });
    const either = { signal: over.signal, entry: entryOfHandle(handle) };
    return this.#openCalls.answer(async () => {
      const settled = await this.#openCalls.wait(either, (ends) =>
        Promise.race([this.#settled(handle, tenant, ends), abortOf(ends)]),
      );
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      return settled?.state === 'ended' ? settled : this.get(handle, { tenant });
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
    const started = this.#find(handle, tenant);
    if (started === undefined) await this.#journaled?.cancel(handle, tenant);
    else await started.cancel(reason);
    return this.get(handle, { tenant });
  }

  /**
   * The ended calls of a conversation that neither `take` returned nor the model read with
   * `check_background`, in the order in which they ended. Put their `text` into the next message to
   * the model. Each is returned once. With a journal, also calls that ended after their approval,
   * and calls of other processes. With a journal in a database, results are taken until the
   * conversation goes on: with its next call or `take` in this process, or when the registry closes.
   * If the process dies before, they are returned again.
   */
  async take(scope: BackgroundScope = {}): Promise<readonly EndedCall[]> {
    checkOptions('background.take', scope, scopeKinds);
    const { tenant = '', conversation } = scope;
    const journaled = this.#journaled;
    if (journaled !== undefined) {
      return this.#openCalls.answer(async () => {
        await journaled.goOn(scope);
        return journaled.take(scope);
      });
    }
    const ended = [...this.#started.values()].filter(({ call, isTaken }) => {
      const isOwn = call.tenant === tenant && call.conversation === (conversation ?? '');
      return isOwn && !isTaken && call.state === 'ended';
    });
    return ended
      .toSorted((one, other) => one.endedAt - other.endedAt)
      .flatMap((started) => {
        started.isTaken = true;
        return started.call.state === 'ended' ? [started.call] : [];
      });
  }

  /** A call of the conversation is made: the model has read what was taken before. */
  async goOn(scope: LateScope): Promise<void> {
    await this.#journaled?.goOn(scope);
  }

  /** The late results for the outcome of a call. */
  async takeForCall(scope: LateScope): Promise<readonly EndedCall[]> {
    const { tenant, conversation } = scope;
    return this.#journaled === undefined
      ? this.take(defined({ tenant, conversation }))
      : this.#journaled.take(scope);
  }

  /** What was taken has been passed on. Called when the registry closes. */
  async close(): Promise<void> {
    await this.#journaled?.close();
  }

  /**
   * The calls of a tenant that run or are kept, the newest first. Rejects with a DefinitionError
   * for an invalid query.
   */
  async list(query: BackgroundQuery = {}): Promise<readonly BackgroundCall[]> {
    checkOptions('background.list', query, queryKinds);
    const { tenant = '', before, limit = 100 } = query;
    if (this.#database !== undefined) return this.#database.list(tenant, limit, before);
    const own = [...this.#started.values()].flatMap(({ call }) =>
      call.tenant === tenant ? [call] : [],
    );
    const end =
      before === undefined ? own.length : own.findIndex(({ handle }) => handle === before);
    return own.slice(0, Math.max(end, 0)).toReversed().slice(0, limit);
  }

  /** Resolves when a call that runs in this process has ended. Undefined for any other call. */
  endOf(handle: string): Promise<void> | undefined {
    return this.#started.get(handle)?.ended;
  }

  /** The result was read: `take` no longer returns it. */
  async markTaken(handle: string): Promise<void> {
    const started = this.#started.get(handle);
    if (started !== undefined) started.isTaken = true;
    await this.#journaled?.markTaken(handle);
  }

  /**
   * Starts a call and returns its handle as soon as it is approved. A call that needs an approval
   * or was denied doesn't start: its outcome is returned. From then on the signal and the parent of
   * the call no longer end it.
   */
  async start(
    accepted: AcceptedCall,
    options: CallOptions,
    run: RunCall,
  ): Promise<AcceptedOutcome | InBackground> {
    this.#removeOld();
    const started = new StartedCall(accepted, options, this.#options);
    const { parent: _outer, ...own } = options;
    const { signal, steps, progress } = started;
    const unlink = linkSignal(options.signal, started);
    const outcome = run({ ...own, signal, progress }, steps);
    const first = await Promise.race([started.approved, outcome]);
    unlink();
    if (typeof first !== 'string') return first;
    // A call that the journal knows goes on elsewhere.
    if (first === started.call.handle) {
      this.#started.set(first, started);
      void this.#journaled?.stopIfEnded(started);
    }
    void this.#openCalls.answer(async () => {
      const last = await outcome;
      if (started.isKnown && last.status === 'limit_exceeded') this.#started.delete(first);
      else started.end(last);
    });
    return this.inBackground(accepted, first);
  }

  /**
   * Runs a call of the journal to its end, in a worker or after a crash. A call that is tried again
   * has not ended.
   */
  async runHere(
    accepted: AcceptedCall,
    { options, entry, isRetried }: WorkedCall,
    run: RunCall,
  ): Promise<AcceptedOutcome> {
    this.#removeOld();
    const started = new StartedCall(accepted, options, this.#options);
    const { signal, steps, progress } = started;
    steps.onApproved(entry);
    const { handle } = started.call;
    this.#started.set(handle, started);
    void this.#journaled?.stopIfEnded(started);
    const outcome = await run({ ...options, signal, progress }, steps);
    const goesOn = isRetried?.(outcome) === true || outcome.status === 'approval_required';
    if (goesOn) this.#started.delete(handle);
    else started.end(outcome);
    return outcome;
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
    const started = this.#find(handle, tenant);
    if (started === undefined) return this.#journaled?.wait(handle, tenant, signal);
    await started.ended;
    return started.call;
  }

  #find(handle: string, tenant: string): StartedCall | undefined {
    const started = this.#started.get(handle);
    return started?.call.tenant === tenant ? started : undefined;
  }

  #removeOld(): void {
    const { keepMs = oneDay } = this.#options;
    const now = Date.now();
    let surplus = this.#started.size - mostCalls;
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

/** Returns a function that removes the listener. */
function linkSignal(signal: AbortSignal | undefined, started: StartedCall): () => void {
  const cancel = (): void => started.abort(signal?.reason);
  if (signal?.aborted === true) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  return () => signal?.removeEventListener('abort', cancel);
}

/** A background call of this process. */
class StartedCall {
  /** The handle, when nothing but a slot keeps the call from running. */
  readonly approved: Promise<string>;
  readonly ended: Promise<void>;
  readonly steps: BackgroundSteps;
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
    this.approved = promise;
    this.ended = this.#ended.promise;
    const facts = { tool, call, tenant, conversation, since: Date.now() };
    this.call = Object.freeze({ ...facts, handle: handleOfEntry(randomId()), state: 'waiting' });
    this.steps = {
      onApproved: (entry) => {
        if (this.signal.aborted) return;
        if (entry !== undefined)
          this.call = Object.freeze({ ...this.call, handle: handleOfEntry(entry) });
        resolve(this.call.handle);
      },
      onKnown: (entry) => {
        this.isKnown = true;
        this.steps.onApproved(entry);
      },
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
    const running = Object.freeze({ ...this.call, progress: update });
    this.call = running;
    notify(() => this.#progress?.(update));
    notify(() => this.#listeners.onProgress?.(running, update));
  };

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  async cancel(reason: unknown): Promise<void> {
    this.abort(reason);
    await this.ended;
  }

  end(outcome: AcceptedOutcome): void {
    this.endedAt = performance.timeOrigin + performance.now();
    const ended = endedCall(this.call, outcome, this.endedAt);
    this.call = ended;
    this.#ended.resolve();
    notify(() => this.#listeners.onEnd?.(ended));
  }
}
