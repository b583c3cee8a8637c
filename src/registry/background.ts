// Calls that go on in the background: their handles, progress, results and cancellation. In the memory of this process.
import { randomUUID } from 'node:crypto';
import {
  type OptionKinds,
  callback,
  checkOptions,
  hinted,
  milliseconds,
  oneOf,
  string,
} from '../errors/check-options.ts';
import { type AcceptedOutcome, type InBackground, toolMessage } from '../execute/tool-outcome.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { endedInBackground, runsInBackground } from '../messages/call-messages.ts';
import { notify } from '../telemetry/tool-event.ts';
import type { CallOptions } from './call-options.ts';
import type { AcceptedCall } from './interpret-call.ts';

/** The registry option `background`. */
export interface BackgroundOptions {
  /** Called with each progress update of a background call. What it throws or rejects with is ignored. */
  readonly onProgress?: (call: BackgroundCall, update: unknown) => unknown;
  /** Called when a background call has ended. What it throws or rejects with is ignored. */
  readonly onEnd?: (call: EndedCall) => unknown;
  /** Milliseconds that ended calls are kept. Default: one day. */
  readonly keepMs?: number;
  /**
   * `offered`: the registry has the tool `check_background`, with which a model asks for progress and results, as soon as one of its
   * tools may run in the background. Default: `offered`.
   */
  readonly checkTool?: 'offered' | 'off';
}

export const backgroundOptionKinds: OptionKinds<BackgroundOptions> = {
  onProgress: callback('write a function that takes a call and an update'),
  onEnd: callback('write a function that takes an ended call'),
  keepMs: milliseconds,
  checkTool: oneOf('offered', 'off'),
};

/** A call that runs in the background, or has ended there; frozen. */
export type BackgroundCall = RunningCall | EndedCall;

interface CallInBackground {
  /** Names the call to the model and the application. It can't be guessed. */
  readonly handle: string;
  /** The tool's own name. */
  readonly tool: string;
  readonly call: ToolCall;
  readonly tenant: string;
  readonly conversation: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** A background call that has not ended. `waiting`: it has no slot yet. */
export interface RunningCall extends CallInBackground {
  readonly state: 'waiting' | 'running';
  /** The last update that the tool reported. */
  readonly progress?: unknown;
}

/** A background call that has ended. */
export interface EndedCall extends CallInBackground {
  readonly state: 'ended';
  readonly outcome: AcceptedOutcome;
  /** For the model: which call has ended, and its result. */
  readonly text: string;
}

/** Whose background calls are meant. */
export type BackgroundScope = Pick<CallOptions, 'tenant' | 'conversation'>;

const scopeKinds: OptionKinds<BackgroundScope> = {
  tenant: hinted(string, 'write the tenant of the call'),
  conversation: hinted(string, 'write the conversation of the call'),
};

/** What a background call reports while it goes on. */
export interface BackgroundSteps {
  /** It is approved, so that nothing but a slot keeps it from running. */
  readonly onApproved: () => void;
  readonly onStart: () => void;
}

interface Entry {
  readonly call: BackgroundCall;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  /** Milliseconds since 1970; undefined before the end. */
  readonly endedAt?: number;
  readonly isTaken: boolean;
}

const oneDay = 24 * 60 * 60_000;

/** The background calls of a registry. A handle of another tenant is unknown. */
export class BackgroundCalls {
  readonly #options: BackgroundOptions;
  readonly #entries = new Map<string, Entry>();

  /** Made by `ToolRegistry`. */
  constructor(options: BackgroundOptions = {}) {
    this.#options = options;
  }

  /** The call with this handle; undefined for an unknown one. */
  async get(
    handle: string,
    scope: Pick<BackgroundScope, 'tenant'> = {},
  ): Promise<BackgroundCall | undefined> {
    return this.#find(handle, scope)?.call;
  }

  /** Waits for the end of a call, at most `timeoutMs` milliseconds, and returns it as it is then; undefined for an unknown handle. */
  async wait(
    handle: string,
    timeoutMs: number,
    scope: Pick<BackgroundScope, 'tenant'> & { readonly signal?: AbortSignal } = {},
  ): Promise<BackgroundCall | undefined> {
    const { signal, ...owner } = scope;
    const entry = this.#find(handle, owner);
    if (entry === undefined || entry.call.state === 'ended') return entry?.call;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = (): void => resolve();
    const timer = setTimeout(stop, timeoutMs);
    signal?.addEventListener('abort', stop, { once: true });
    await Promise.race([entry.ended, promise]);
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    return this.#find(handle, owner)?.call;
  }

  /** Cancels a call that has not ended, and returns it; undefined for an unknown handle. */
  async cancel(
    handle: string,
    scope: Pick<BackgroundScope, 'tenant'> & { readonly reason?: unknown } = {},
  ): Promise<BackgroundCall | undefined> {
    const { reason, ...owner } = scope;
    const entry = this.#find(handle, owner);
    if (entry === undefined) return undefined;
    entry.controller.abort(reason);
    await entry.ended;
    return this.#find(handle, owner)?.call;
  }

  /**
   * The ended calls of a conversation that neither `take` returned nor the model read with `check_background`, in the order in which
   * they ended. Put their `text` into the next message to the model. Each is returned once.
   */
  async take(scope: BackgroundScope = {}): Promise<readonly EndedCall[]> {
    checkOptions('background.take', scope, scopeKinds);
    const { tenant = '', conversation = '' } = scope;
    const calls = [...this.#entries.values()].flatMap(({ call, isTaken, endedAt = 0 }) => {
      const isOwn = call.tenant === tenant && call.conversation === conversation;
      return isOwn && !isTaken && call.state === 'ended' ? [{ call, endedAt }] : [];
    });
    const ended = calls.toSorted((one, other) => one.endedAt - other.endedAt).map(({ call }) => call);
    for (const { handle } of ended) this.markTaken(handle);
    return ended;
  }

  /** The result was read: `take` no longer returns it. */
  markTaken(handle: string): void {
    this.#change(handle, () => ({ isTaken: true }));
  }

  /**
   * Starts a call and returns its handle as soon as it is approved. A call that needs an approval or was denied doesn't start: its
   * outcome is returned. From then on the signal and the parent of the call no longer end it.
   */
  async start(
    accepted: AcceptedCall,
    options: CallOptions,
    run: (options: CallOptions, steps: BackgroundSteps) => Promise<AcceptedOutcome>,
  ): Promise<AcceptedOutcome | InBackground> {
    this.#removeOld();
    const { call, tool } = accepted;
    const { signal, tenant = '', conversation = '' } = options;
    const handle = `bg_${randomUUID()}`;
    const controller = new AbortController();
    const cancel = (): void => controller.abort(signal?.reason);
    if (signal?.aborted === true) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    const approved = Promise.withResolvers<'approved'>();
    const ended = Promise.withResolvers<void>();
    const progress = (update: unknown): void => {
      notify(() => options.progress?.(update));
      const running = this.#change(handle, (entry) =>
        entry.call.state === 'ended' ? {} : { call: Object.freeze({ ...entry.call, progress: update }) },
      );
      if (running !== undefined) notify(() => this.#options.onProgress?.(running, update));
    };
    const facts = { handle, tool, call, tenant, conversation, since: Date.now() };
    const entry: Entry = {
      call: Object.freeze({ ...facts, state: 'waiting' }),
      controller,
      ended: ended.promise,
      isTaken: false,
    };
    const steps: BackgroundSteps = {
      onApproved: () => {
        if (controller.signal.aborted) return;
        this.#entries.set(handle, entry);
        approved.resolve('approved');
      },
      onStart: () =>
        void this.#change(handle, (now) =>
          now.call.state === 'waiting' ? { call: Object.freeze({ ...now.call, state: 'running' }) } : {},
        ),
    };
    const { parent: _outer, ...own } = options;
    const outcome = run({ ...own, signal: controller.signal, progress }, steps);
    const first = await Promise.race([approved.promise, outcome]);
    signal?.removeEventListener('abort', cancel);
    if (first !== 'approved') return first;
    void outcome.then((last) => {
      this.#end(handle, last);
      ended.resolve();
    });
    const { interpretation } = accepted;
    const message = runsInBackground(tool, handle, this.#options.checkTool ?? 'offered');
    return Object.freeze({ status: 'in_background', call, tool, interpretation, handle, message });
  }

  #end(handle: string, outcome: AcceptedOutcome): void {
    const ended = this.#change(handle, ({ call }) => {
      const { handle: own, tool, call: sent, tenant, conversation, since } = call;
      const facts = { handle: own, tool, call: sent, tenant, conversation, since };
      const { text, notes } = toolMessage(outcome);
      const shown = [endedInBackground(tool, handle, outcome.status), text, ...notes].join('\n');
      return {
        call: Object.freeze({ ...facts, state: 'ended', outcome, text: shown } as const),
        endedAt: performance.timeOrigin + performance.now(),
      };
    });
    if (ended?.state === 'ended') notify(() => this.#options.onEnd?.(ended));
  }

  /** undefined for an unknown handle. */
  #change(handle: string, changes: (entry: Entry) => Partial<Entry>): BackgroundCall | undefined {
    const entry = this.#entries.get(handle);
    if (entry === undefined) return undefined;
    const changed = { ...entry, ...changes(entry) };
    this.#entries.set(handle, changed);
    return changed.call;
  }

  #find(handle: string, scope: Pick<BackgroundScope, 'tenant'>): Entry | undefined {
    const entry = this.#entries.get(handle);
    return entry?.call.tenant === (scope.tenant ?? '') ? entry : undefined;
  }

  #removeOld(): void {
    const { keepMs = oneDay } = this.#options;
    const oldest = Date.now() - keepMs;
    for (const [handle, { endedAt = Infinity }] of this.#entries)
      if (endedAt < oldest) this.#entries.delete(handle);
  }
}
