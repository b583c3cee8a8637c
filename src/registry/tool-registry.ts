import { checkOptions, millisecondsOrZero } from '../options/check-options.ts';
import { contractDigest } from '../outcomes/digests.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { checkBackgroundTool, checkToolName } from './check-background.ts';
import { type RegisteredTool, readRegistration, withSetting } from './register.ts';
import { type RegistryOptions, type RegistrySetting, readSetting } from './registry-options.ts';
import {
  type RegularResumeOptions,
  type ResumeOptions,
  type ResumeReport,
  resumeCalls,
  resumeRegularly,
} from '../background/resume.ts';
import { type DoubtDecision, type SettleOptions, settleCall } from '../background/settle-call.ts';
import { type LearnedHint, learnedHints } from '../learning/hint-report.ts';
import { idlePause } from '../platform/timers.ts';
import type { ToolOutcome } from '../outcomes/tool-outcome.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { InterpretedCall } from '../run/interpreted-call.ts';
import { type ToolSelection, selectTools } from './select-tools.ts';
import { type ToolWorker, type WorkerOptions, startWorker } from '../background/worker.ts';
import { ToolMap, ToolSet, mayRunInBackground } from './tool-set.ts';
import type { CallableTools } from '../run/resolve-approval.ts';

/** Milliseconds for code that was just told to stop. */
const codeToStop = 500;
/** Milliseconds for counts of hints, which may be lost. */
const maxCountsMs = 1_000;
/** Milliseconds for outcomes that a database out of reach has not taken yet. */
const maxWriteMs = 10_000;

/**
 * The tools of one application or tenant: shows them to a model and runs its calls. There is no
 * global registry.
 */
export class ToolRegistry extends ToolSet {
  readonly #contracts: ToolMap;
  readonly #setting: RegistrySetting;
  readonly #workers: ToolWorker[] = [];
  #stopResuming = (): void => undefined;

  /** Throws a DefinitionError with every problem of the options. */
  constructor(options: RegistryOptions = {}) {
    const contracts = new ToolMap();
    const setting = readSetting(options);
    super(contracts, setting);
    this.#contracts = contracts;
    this.#setting = setting;
  }

  /**
   * Adds tools and returns this registry. Throws a DefinitionError with every problem of the tools,
   * including two tools with one name; then none is added.
   */
  register(...tools: readonly RegisteredTool[]): this {
    for (const contract of readRegistration(tools, [...this.#contracts.values()], this.#setting)) {
      this.#put(contract);
    }
    this.#offerCheckTool();
    return this;
  }

  /**
   * Replaces tools of the same names, for example when a server's tools have changed, and adds the
   * others. Listeners get an event for each definition that changed. Throws as `register` does, and
   * then changes nothing.
   */
  replace(...tools: readonly RegisteredTool[]): this {
    const contracts = readRegistration(tools, [], this.#setting);
    const names = new Set(contracts.map(({ name }) => name));
    const otherContracts = [...this.#contracts.values()].filter(({ name }) => !names.has(name));
    readRegistration(contracts, otherContracts, this.#setting);
    for (const contract of contracts) this.#put(contract);
    this.#offerCheckTool();
    return this;
  }

  /**
   * Removes tools by name. Later calls to them have the outcome `unknown_tool`; selections that
   * were made before keep them. Unknown names are ignored.
   */
  unregister(...names: readonly string[]): this {
    for (const name of names) this.#contracts.delete(name);
    return this;
  }

  /**
   * The tools of one conversation: those that are enabled in its context, and deferred tools once
   * they are found. Make one for each conversation; tools that are registered later are not in it.
   * The registry itself has all tools, whatever their `enabled` and `deferred` options are.
   */
  select(selection: ToolSelection = {}): ToolSet {
    const selectedTools = selectTools(this.#contracts.values(), selection, this.#setting);
    const { model, conversation } = selection;
    const hints =
      conversation === undefined
        ? undefined
        : this.#setting.learnedHints?.conversation(model, conversation);
    return new ToolSet(selectedTools, this.#setting, hints);
  }

  /**
   * What models often get wrong in the tools of this registry, each place with the sentence that
   * would be in the description, or is, and between which rates the true one lies. All processes
   * with the same journal are counted. Empty with `hints: { learn: 'off' }`.
   */
  async learnedHints(): Promise<readonly LearnedHint[]> {
    return learnedHints((await this.#setting.learnedHints?.counts()) ?? []);
  }

  /** Adds `check_background` when a tool may run in the background. */
  #offerCheckTool(): void {
    const { checkTool, background, timeLimits, pinnedDefinitions } = this.#setting;
    const isNeeded = [...this.#contracts.values()].some(mayRunInBackground);
    if (!isNeeded || checkTool === 'off' || this.#contracts.has(checkToolName)) return;
    const tool = withSetting(checkBackgroundTool(background, timeLimits), this.#setting);
    // Our own tool needs no review.
    pinnedDefinitions.accept(tool.name, contractDigest(tool));
    this.#contracts.set(tool.name, tool);
  }

  #put(contract: ToolContract): void {
    const { pinnedDefinitions, listeners } = this.#setting;
    pinnedDefinitions.notifyChange(listeners, contract, this.#contracts.get(contract.name));
    this.#contracts.set(contract.name, contract);
  }

  /**
   * The digest of each tool's definition, by name. Store it as `pins` after a review of the tools.
   */
  digests(): ReturnType<RegistrySetting['pinnedDefinitions']['digestsOf']> {
    return this.#setting.pinnedDefinitions.digestsOf(this.#contracts.values());
  }

  /**
   * Accepts the definition with this digest, so that its calls are executed. Has no effect without
   * `pins`.
   */
  accept(tool: string, digest: string): void {
    this.#setting.pinnedDefinitions.accept(tool, digest);
  }

  /**
   * Takes over the calls of processes that have died, and returns the `outcomes` of those that ran
   * again, and the entries of those that are `inDoubt`. Calls of `read` and idempotent tools run
   * again, exactly as they were interpreted and with the same `context.idempotencyKey`; the others
   * are `in_doubt`. Calls whose questions have expired go on without an answer; their outcomes are
   * among the `outcomes`. See `resumeRegularly`. Rejects with a DefinitionError without a journal.
   */
  resume(options: ResumeOptions = {}): Promise<ResumeReport> {
    return this.#setting.openCalls.whileAnswering(() => resumeCalls(this.#resuming(), options));
  }

  /**
   * Resumes now and every 15 seconds (`everyMs`), until the registry is closed. Call it once, when
   * all tools are registered. Every replica may do it: a call is taken over once, and calls of
   * living processes are left to them. A worker does it too, and so does `ToolmendModule`. Throws a
   * DefinitionError without a journal.
   */
  resumeRegularly(options: RegularResumeOptions = {}): void {
    const stop = resumeRegularly(this.#resuming(), options);
    this.#stopResuming();
    this.#stopResuming = stop;
  }

  /**
   * Ends a call that is `in_doubt` by a person's decision, and returns its outcome. The first
   * decision counts. `id`: that of the journal's entry. Rejects with a DefinitionError for an
   * unknown id or tenant, an invalid decision, and a call that can't run again.
   */
  settle(id: string, decision: DoubtDecision, options: SettleOptions = {}): Promise<ToolOutcome> {
    const settle = () => settleCall(this.#resuming(), id, decision, options);
    return this.#setting.openCalls.whileAnswering(settle);
  }

  /**
   * Makes this process a worker: it runs the queued background calls of its tools, until it is
   * stopped or the registry is closed. Calls of `read` and idempotent tools that fail by an
   * exception or their time limit are tried again later. Rejects with a DefinitionError without
   * `background: { queue }`.
   */
  async startWorker(options: WorkerOptions = {}): Promise<ToolWorker> {
    const names = (): readonly string[] =>
      [...this.#contracts.values()].filter(mayRunInBackground).map(({ name }) => name);
    const worker = await startWorker({ ...this.#resuming(), names }, options);
    this.#workers.push(worker);
    return worker;
  }

  #resuming(): CallableTools {
    const interpret = (call: ToolCall): InterpretedCall => this.interpret(call, { counted: false });
    return { tools: this.#contracts, settings: this.#setting, interpret };
  }

  /** The numbers of running and waiting calls. */
  get load(): RegistrySetting['limiter']['load'] {
    return this.#setting.limiter.load;
  }

  /**
   * Refuses new and waiting calls, and resolves when the running calls have ended and all callers
   * have their outcomes: only then close the queue, the journal and what tools use. Running calls
   * are cancelled after `timeoutMs` milliseconds (default: 10,000; 0: at once); if `close` is called
   * again, the shorter limit applies. Rejects with a DefinitionError for an invalid limit, and then
   * closes nothing.
   */
  async close(options: { readonly timeoutMs?: number } = {}): Promise<void> {
    checkOptions('ToolRegistry.close', options, { timeoutMs: millisecondsOrZero });
    const { timeoutMs = 10_000 } = options;
    const { openCalls, limiter, store, background } = this.#setting;
    const start = performance.now();
    this.#stopResuming();
    const workerEnds = this.#workers.map((worker) => worker.stop());
    openCalls.startClosing();
    await limiter.close(timeoutMs);
    await Promise.all(workerEnds);
    await openCalls.answered(Math.max(timeoutMs, maxWriteMs));
    const remainingMs = timeoutMs - (performance.now() - start);
    for (const entry of await openCalls.overrunning(Math.max(remainingMs, codeToStop)))
      store.letGo(entry);
    await background.close();
    await Promise.race([this.#setting.learnedHints?.flush(), idlePause(maxCountsMs)]);
    await store.flush();
    openCalls.close();
  }
}
