import { type OptionKinds, boolean, checkOptions } from '../options/check-options.ts';
import { definitionError } from '../errors/definition-error.ts';
import { newErrorId } from '../errors/errors.ts';
import type { EndedCall } from '../outcomes/background-call.ts';
import type { QuestionAnswer } from '../outcomes/question.ts';
import { type InputRequired, type ToolOutcome, withNotes } from '../outcomes/tool-outcome.ts';
import type { ToolResult } from '../outcomes/tool-result.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { attachmentsLeftOut } from '../messages/call-messages.ts';
import type { HintOptions } from '../messages/describe-tool.ts';
import { type Finding, checkSet } from '../providers/check-tools.ts';
import { fieldMisses } from '../learning/field-misses.ts';
import type { ConversationHints, LearnedHints } from '../learning/learned-hints.ts';
import { describeTools } from '../providers/describe-tools.ts';
import {
  type DescribedTool,
  type ProviderName,
  type ProviderTools,
  providerTools,
} from '../providers/providers.ts';
import {
  type ToolCostOptions,
  type ToolSetCost,
  toolCostOptionKinds,
  toolSetCost,
} from '../providers/tool-cost.ts';
import type { CallEntry } from '../store/call-store.ts';
import { type CallTelemetry, emitError, notify } from '../telemetry/tool-event.ts';
import type { Constructor, ToolContract } from '../tool/tool-contract.ts';
import type { BackgroundCalls } from '../run/background-calls.ts';
import { listenersOfCall, notifyInterpretedAlone, observeCall } from '../run/call-events.ts';
import {
  type CallOptions,
  callOptionKinds,
  checkCallOptions,
  requireNoTransaction,
  mergeContext,
} from '../run/call-options.ts';
import {
  type TrustedDefinitions,
  historyOf,
  interpretCall,
  knownProvider,
} from './interpret-call.ts';
import type { InterpretedCall } from '../run/interpreted-call.ts';
import type { DefinedTool } from './define-tool.ts';
import { type CallSettings, receivedCall } from '../run/running-call.ts';
import { wouldRequireApproval } from '../run/open-approval.ts';
import {
  type ApprovalDecision,
  type ResolvedCall,
  resolveCall,
  runResolved,
  type CallableTools,
} from '../run/resolve-approval.ts';
import { answerQuestion } from '../run/answer-question.ts';
import type { ToolRun } from '../run/tool-run.ts';
import { answerCall } from '../run/call-steps.ts';
import { undoCallsOfRun } from './undo-calls.ts';
import { RunContext } from '../run/tool-context.ts';

/** A tool whose result type is known. */
export type KnownTool = Constructor<{ execute(...context: never[]): unknown }> | DefinedTool;

/** What a tool returns, at the end of a promise or a generator. */
export type ResultOf<Tool> =
  Tool extends Constructor<{ execute(...context: never[]): infer Returned }>
    ? ReturnedValue<Returned>
    : Tool extends DefinedTool<infer Returned>
      ? ReturnedValue<Returned>
      : unknown;

type ReturnedValue<Returned> =
  Returned extends AsyncGenerator<unknown, infer Result, never>
    ? Result
    : Returned extends Generator<unknown, infer Result, never>
      ? Result
      : Awaited<Returned> extends ToolResult
        ? unknown
        : Awaited<Returned>;

/** Also with another name, as `withPrefix` gives it. */
const isToolOf = ({ binding }: ToolContract, tool: KnownTool): boolean =>
  typeof tool === 'function'
    ? binding.kind === 'class' && binding.Class === tool
    : binding === tool.binding;

/** Called after the tools have changed. Exceptions and rejections are ignored. */
export type ToolsListener = () => unknown;

/**
 * The contracts of a set, in the order in which they are shown. Synchronous changes are reported
 * once, in a microtask.
 */
export class ToolMap extends Map<string, ToolContract> {
  readonly #listeners = new Set<ToolsListener>();
  #isScheduled = false;

  override set(name: string, contract: ToolContract): this {
    if (this.get(name) !== contract) this.#afterChange();
    return super.set(name, contract);
  }

  override delete(name: string): boolean {
    const wasThere = super.delete(name);
    if (wasThere) this.#afterChange();
    return wasThere;
  }

  /** Returns a function that removes the listener. */
  onChange(listener: ToolsListener): () => void {
    const ownListener: ToolsListener = () => listener();
    this.#listeners.add(ownListener);
    return () => void this.#listeners.delete(ownListener);
  }

  #afterChange(): void {
    if (this.#listeners.size === 0 || this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      for (const listener of this.#listeners) notify(listener);
    });
  }
}

// One object for all registries, because descriptions are cached by it.
const defaultHints: HintOptions = Object.freeze({});
const noHints: HintOptions = Object.freeze({ longest: 0 });

export function hintOptions(hints: 'off' | HintOptions | undefined): HintOptions {
  if (hints === 'off') return noHints;
  return hints?.longest === undefined ? defaultHints : Object.freeze({ longest: hints.longest });
}

export interface ToolSetSettings extends CallSettings {
  readonly hints: HintOptions;
  /** Undefined: nothing is counted for hints. */
  readonly learnedHints: LearnedHints | undefined;
  readonly telemetry: CallTelemetry | undefined;
  readonly pinnedDefinitions: TrustedDefinitions;
  readonly checkTool: 'offered' | 'off';
}

const { memory, provider: providerKind, context: contextKind } = callOptionKinds;

/** The options of `ToolRegistry.interpret`. */
export interface InterpretCallOptions extends Pick<
  CallOptions,
  'memory' | 'provider' | 'tenant' | 'conversation'
> {
  /**
   * `false`: no listener is told, and hints that learn don't count the call, because `call` or
   * another `interpret` does. Default: true.
   */
  readonly counted?: boolean;
}

const interpretOptionKinds: OptionKinds<InterpretCallOptions> = {
  memory,
  provider: providerKind,
  tenant: callOptionKinds.tenant,
  conversation: callOptionKinds.conversation,
  counted: boolean,
};

/** Tools that a model is shown and calls: all tools of a registry, or a selection. */
export class ToolSet {
  readonly #contracts: ToolMap;
  readonly #settings: ToolSetSettings;
  readonly #conversationHints: ConversationHints | undefined;

  /** Called by `ToolRegistry` and its `select`. */
  constructor(
    contracts: ToolMap,
    settings: ToolSetSettings,
    conversationHints?: ConversationHints,
  ) {
    this.#contracts = contracts;
    this.#settings = settings;
    this.#conversationHints = conversationHints;
  }

  /** The calls that run in the background: their progress, their results, cancellation. */
  get background(): BackgroundCalls {
    return this.#settings.background;
  }

  /** The names of the tools, in the order in which they are shown. */
  names(): string[] {
    return [...this.#contracts.keys()];
  }

  /** The contracts of the tools in the same order, for adapters and `standardSchema`. */
  contracts(): ToolContract[] {
    return [...this.#contracts.values()];
  }

  /**
   * Calls the listener after tools were registered, replaced or removed, or found in a selection.
   * Returns a function that removes the listener.
   */
  onChange(listener: ToolsListener): () => void {
    return this.#contracts.onChange(listener);
  }

  /**
   * The tools in a provider's format, in the order of registration: a new list of frozen schemas.
   * Default provider: `neutral`. Throws a DefinitionError for an unknown provider.
   */
  schemas(): ProviderTools['neutral'][];
  schemas<Name extends ProviderName>(provider: Name): ProviderTools[Name][];
  schemas(provider: ProviderName = 'neutral'): ProviderTools[ProviderName][] {
    const providerName = knownProvider(provider, 'ToolRegistry.schemas');
    return providerTools(this.#describedTools(providerName), providerName);
  }

  /**
   * What the tools cost in each request to a provider: bytes and tokens of each tool, field and
   * hint, and what sentences cost that several of them repeat. Throws a DefinitionError for an
   * unknown provider or option.
   */
  cost(provider: ProviderName, options: ToolCostOptions = {}): ToolSetCost {
    const providerName = knownProvider(provider, 'ToolRegistry.cost');
    checkOptions('ToolRegistry.cost', options, toolCostOptionKinds);
    return toolSetCost(this.#describedTools(providerName), providerName, options);
  }

  #describedTools(provider: ProviderName): readonly DescribedTool[] {
    const { hints } = this.#settings;
    return describeTools(this.contracts(), provider, hints, this.#conversationHints?.missesOf);
  }

  /**
   * Checks the whole set against each provider's limits: requests that the provider would refuse,
   * constraints that its schema can't express, and tools that are shown in another form. Throws a
   * DefinitionError for an unknown provider.
   */
  check(...providers: readonly ProviderName[]): readonly Finding[] {
    const contracts = this.contracts();
    return providers.flatMap((name) =>
      checkSet(contracts, knownProvider(name, 'ToolRegistry.check')),
    );
  }

  /**
   * Finds the tool of a call and interprets its arguments. Executes nothing. Listeners get
   * `tool_call_interpreted`, and hints that learn count the call; `memory` counts a rejected one.
   * Throws a DefinitionError for a call whose name is not a string.
   */
  interpret(call: ToolCall, options: InterpretCallOptions = {}): InterpretedCall {
    checkOptions('ToolRegistry.interpret', options, interpretOptionKinds);
    const interpretedCall = this.#interpret(call, options);
    if (options.counted === false) return interpretedCall;
    const contract =
      interpretedCall.status === 'unknown_tool'
        ? undefined
        : this.#contracts.get(interpretedCall.tool);
    const listeners = listenersOfCall(this.#settings, options, call.arguments);
    notifyInterpretedAlone(interpretedCall, contract, listeners);
    return this.#counted(interpretedCall);
  }

  /**
   * A call for the history that the model is sent. An accepted call has its arguments as
   * interpreted, with the meta arguments that the schema requires; any other call is as it came.
   * `provider`: the form in which the tools were shown. Default: the provider of the call.
   */
  history(
    call: ToolOutcome | InterpretedCall,
    options: Pick<CallOptions, 'provider'> = {},
  ): ReturnType<typeof historyOf> {
    checkOptions('ToolRegistry.history', options, { provider: providerKind });
    return historyOf(this.#contracts, call, options.provider);
  }

  /**
   * Interprets a call and executes it if it is accepted. With `conversation`, the outcome has the
   * results of background calls of the conversation that have ended since, as notes. Never rejects
   * because of what a model or a tool did. Rejects with a DefinitionError for a call whose name is
   * not a string, for example one that is still nested in its provider's shape.
   */
  async call(call: ToolCall, options: CallOptions = {}): Promise<ToolOutcome> {
    checkCallOptions(options);
    requireNoTransaction(options);
    return await this.#settings.openCalls.whileAnswering(() => this.#call(call, options));
  }

  #call(call: ToolCall, options: CallOptions): Promise<ToolOutcome> {
    const { background } = this.#settings;
    const hasLateResults = options.conversation !== undefined && this.#mayHaveLateResults;
    const goingOn = hasLateResults ? background.acknowledgeTaken(options) : undefined;
    const pendingOutcome = this.#callAlone(call, options);
    return goingOn === undefined && options.elicit === undefined
      ? pendingOutcome
      : this.#completed(pendingOutcome, goingOn, options);
  }

  /** Asks the user what the call waits for, and adds the results of ended background calls. */
  async #completed(
    pendingOutcome: Promise<ToolOutcome>,
    goingOn: Promise<void> | undefined,
    options: CallOptions,
  ): Promise<ToolOutcome> {
    const outcome = await this.#elicited(await pendingOutcome, options);
    if (goingOn === undefined) return outcome;
    await goingOn;
    return withLateResults(outcome, this.#settings, options);
  }

  /** Without the results of other calls, and without questions. */
  #callAlone(call: ToolCall, options: CallOptions): Promise<ToolOutcome> {
    const { telemetry } = this.#settings;
    if (telemetry === undefined)
      return this.#answer(this.#counted(this.#interpret(call, options)), options);
    return observeCall(telemetry, {
      tools: this.#contracts,
      conversation: options.conversation,
      areRepairsCounted: false,
      interpret: () => this.#counted(this.#interpret(call, options)),
      answer: (interpretedCall) => this.#answer(interpretedCall, options),
    });
  }

  /**
   * Calls a tool that the program knows: a `@Tool` class, or what `defineTool` returned. The
   * outcome's `result` has the type of what the tool returns, unless an interceptor answers in its
   * place. Rejects with a DefinitionError for a tool that is not in the set.
   */
  callAs<Tool extends KnownTool>(
    tool: Tool,
    call: Omit<ToolCall, 'name'>,
    options?: CallOptions,
  ): Promise<ToolOutcome<ResultOf<Tool>>>;
  async callAs(
    tool: KnownTool,
    call: Omit<ToolCall, 'name'>,
    options?: CallOptions,
  ): Promise<ToolOutcome> {
    const entry = [...this.#contracts].find(([, contract]) => isToolOf(contract, tool));
    if (entry !== undefined) return this.call({ ...call, name: entry[0] }, options);
    const what = `was given ${tool.name}, which is not in the set`;
    throw definitionError('ToolRegistry.callAs', what, 'register it first');
  }

  /**
   * Runs all calls of one answer concurrently. Returns their outcomes in the order of the calls.
   */
  async callAll(calls: readonly ToolCall[], options: CallOptions = {}): Promise<ToolOutcome[]> {
    return Promise.all(calls.map((call) => this.call(call, options)));
  }

  /**
   * Offers to undo the completed calls of a run whose tools have `undo`: makes the calls that undo
   * them, the last one first, and returns their outcomes. Each waits for approval, whatever
   * `approval.needed` says: pass the approvals to `resolveApproval` in this order.
   *
   * `run`: the `ToolRun`, which has nothing left to undo afterwards. Or its id, after its process has
   * died: the calls are then read from the journal, in any process, and a second time the outcomes
   * say what has become of each undo call. Rejects with what an `undo` throws, before any call is
   * made, with a ToolmendError if the journal lacks secret arguments of a call, and with a
   * DefinitionError in a registry without `approval`, or without a journal for an id.
   */
  async undo(
    run: ToolRun | string,
    options: Omit<CallOptions, 'run'> = {},
  ): Promise<ToolOutcome[]> {
    const { approval, openCalls } = this.#settings;
    if (approval === undefined) {
      const what = 'asks for no approval, and undo calls wait for one';
      throw definitionError('ToolRegistry.undo', what, 'construct it with approval: {}');
    }
    checkCallOptions(options);
    requireNoTransaction(options);
    const offers =
      typeof run === 'string'
        ? await undoCallsOfRun(run, this.#contracts, this.#settings, options)
        : run.takeUndoCalls();
    const outcomes: ToolOutcome[] = [];
    for (const { call, ids } of offers) {
      const undoOptions: CallOptions = { ...ids, ...options, approval: 'required' };
      // Late results of the conversation are for the model, not for the person who undoes.
      outcomes.push(await openCalls.whileAnswering(() => this.#callAlone(call, undoOptions)));
    }
    return outcomes;
  }

  /**
   * Whether the call would require approval: never in a registry without `approval`. Interceptors
   * are not run. Rejects with what `approval.needed` throws.
   */
  async wouldRequireApproval(
    call: ToolCall,
    options: Pick<CallOptions, 'context'> = {},
  ): Promise<boolean> {
    checkOptions('ToolRegistry.wouldRequireApproval', options, { context: contextKind });
    const { approval, context } = this.#settings;
    const interpretedCall = this.#interpret(call);
    if (approval === undefined || interpretedCall.status !== 'accepted') return false;
    return wouldRequireApproval(approval, interpretedCall, mergeContext(context, options.context));
  }

  /** @deprecated Its name is `wouldRequireApproval`. */
  async asks(call: ToolCall, options: Pick<CallOptions, 'context'> = {}): Promise<boolean> {
    return this.wouldRequireApproval(call, options);
  }

  /**
   * Resolves a call with the status `approval_required`: runs exactly what was approved, once, or
   * denies it. The call is the stored one: `approval` is its id, or the whole approval, which must
   * be as it was made. Anything else returns the true approval and changes nothing. If the call
   * would now run differently, approval is required again. A repeated decision is denied, and says
   * what became of the call. Rejects with a RecordError for data that is not an approval, an unknown
   * id, another tenant or another scope, with a DefinitionError for an invalid decision or in a
   * registry without `approval`, and with a ToolmendError if the registry is closed: the approval is
   * still open then.
   */
  async resolveApproval(
    approval: unknown,
    decision: ApprovalDecision,
    options: CallOptions = {},
  ): Promise<ToolOutcome> {
    checkCallOptions(options);
    const { openCalls } = this.#settings;
    return openCalls.whileAnswering(async () =>
      this.#elicited(await this.#resolveApproval(approval, decision, options), options),
    );
  }

  async #resolveApproval(
    data: unknown,
    decision: ApprovalDecision,
    options: CallOptions,
  ): Promise<ToolOutcome> {
    return this.#runResolved(await resolveCall(data, decision, this.#callable(), options), options);
  }

  #runResolved(resolvedCall: ResolvedCall, options: CallOptions): Promise<ToolOutcome> {
    const { interpretedCall } = resolvedCall.call;
    const answer = (): Promise<ToolOutcome> => runResolved(resolvedCall);
    const { telemetry } = this.#settings;
    if (telemetry === undefined) return answer();
    const tools = this.#contracts;
    return observeCall(telemetry, {
      tools,
      conversation: options.conversation,
      areRepairsCounted: true,
      interpret: () => interpretedCall,
      answer,
    });
  }

  /**
   * Answers the question of a call with the status `input_required`: the answer is repaired and
   * validated as arguments are, and the call goes on, once, in any process with the same journal.
   * Returns the outcome of the call, which may ask again. `question`: the question of the outcome,
   * or its id. If the answer is invalid, the question stays open, and `problem` says what is wrong.
   * A second answer is denied, and says what became of the call. After the question has expired, the
   * call goes on without an answer, and usually fails. Rejects with a RecordError for data that is
   * not a question, an unknown id, another tenant or another scope, with a DefinitionError for an
   * answer of another form, and with a ToolmendError if the registry is closed: the question is
   * still open then.
   */
  async answerQuestion(
    question: unknown,
    answer: QuestionAnswer,
    options: CallOptions = {},
  ): Promise<ToolOutcome> {
    checkCallOptions(options);
    return this.#settings.openCalls.whileAnswering(async () => {
      const resolvedCall = await answerQuestion(question, answer, this.#callable(), options);
      return this.#elicited(await this.#runResolved(resolvedCall, options), options);
    });
  }

  /** The outcome after the questions of the call have been answered, as far as `elicit` does. */
  async #elicited(asking: ToolOutcome, options: CallOptions): Promise<ToolOutcome> {
    const { elicit, signal } = options;
    if (elicit === undefined) return asking;
    let outcome = asking;
    while (outcome.status === 'input_required') {
      const { question } = outcome;
      const answer = await this.#elicit(outcome, options);
      if (answer === undefined || signal?.aborted === true) return outcome;
      const resolvedCall = await answerQuestion(question, answer, this.#callable(), options);
      outcome = await this.#runResolved(resolvedCall, options);
      if (resolvedCall.kind === 'approved') await this.#markDelivered(resolvedCall.call.entry);
    }
    return outcome;
  }

  /** The caller has the outcome now, and not once more as a late one. */
  async #markDelivered(entry: CallEntry | undefined): Promise<void> {
    if (entry !== undefined) await this.#settings.store.delivered(entry.id).catch(() => undefined);
  }

  /** Undefined if the function has no answer or throws. */
  async #elicit(
    { question, problem, tool, call }: InputRequired,
    { elicit, signal, parent }: CallOptions,
  ): Promise<QuestionAnswer | undefined> {
    try {
      return await elicit?.(question, { signal, problem });
    } catch (error) {
      const { listeners } = this.#settings;
      // The function has asked by the context of the calling tool, whose call waits then.
      if (parent === undefined || !RunContext.isWaiting(parent))
        emitError(listeners, { tool, callId: call.id, errorId: question.id, error });
      return undefined;
    }
  }

  /** A journal is asked for late results only if there may be some. */
  get #mayHaveLateResults(): boolean {
    const { approval, background, recording } = this.#settings;
    if ((recording === 'every_call' && approval !== undefined) || background.hasAsked) return true;
    return [...this.#contracts.values()].some(mayRunInBackground);
  }

  #interpret(
    call: ToolCall,
    options: Pick<CallOptions, 'memory' | 'provider'> = {},
  ): InterpretedCall {
    return interpretCall(
      { tools: this.#contracts, trusted: this.#settings.pinnedDefinitions },
      call,
      options,
    );
  }

  /** Counts what the model got wrong, for hints that learn. */
  #counted(interpretedCall: InterpretedCall): InterpretedCall {
    const { learnedHints } = this.#settings;
    if (learnedHints === undefined || interpretedCall.status === 'unknown_tool')
      return interpretedCall;
    const contract =
      interpretedCall.status === 'accepted'
        ? interpretedCall.contract
        : this.#contracts.get(interpretedCall.tool);
    if (contract === undefined) return interpretedCall;
    learnedHints.count({
      contract,
      model: interpretedCall.call.model,
      misses: fieldMisses(contract, interpretedCall.interpretation),
      shownHints: this.#conversationHints,
    });
    return interpretedCall;
  }

  #callable(): CallableTools {
    const interpret = (call: ToolCall): InterpretedCall => this.#interpret(call);
    return { tools: this.#contracts, settings: this.#settings, interpret };
  }

  #answer(interpretedCall: InterpretedCall, options: CallOptions): Promise<ToolOutcome> {
    const contract =
      interpretedCall.status === 'unknown_tool'
        ? undefined
        : this.#contracts.get(interpretedCall.tool);
    return answerCall(receivedCall(this.#settings, interpretedCall, contract, options));
  }
}

/**
 * The outcome, with the results of ended background calls as notes. If they can't be read now, a
 * later call has them.
 */
async function withLateResults(
  outcome: ToolOutcome,
  { background, checkTool, listeners, openCalls }: ToolSetSettings,
  options: CallOptions,
): Promise<ToolOutcome> {
  if (openCalls.isClosed) return outcome;
  try {
    const late = await background.takeForCall(options);
    const notes = late.map((endedCall) => lateNote(endedCall, checkTool));
    return withNotes(outcome, notes);
  } catch (error) {
    const { call } = outcome;
    const tool = 'tool' in outcome ? outcome.tool : call.name;
    emitError(listeners, { tool, callId: call.id, errorId: newErrorId(), error });
    return outcome;
  }
}

/** A note has text alone. */
function lateNote({ outcome, text, handle }: EndedCall, checkTool: 'offered' | 'off'): string {
  const { images = [], files = [] } = outcome.status === 'completed' ? outcome.content : {};
  const counts = { images: images.length, files: files.length };
  return counts.images + counts.files === 0
    ? text
    : `${text}\n${attachmentsLeftOut(counts, handle, checkTool)}`;
}

export const mayRunInBackground = ({ execution }: ToolContract): boolean =>
  (execution?.background ?? 'never') !== 'never';
