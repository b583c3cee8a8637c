import { checkOptions } from '../errors/check-options.ts';
import type { ToolOutcome } from '../execute/tool-outcome.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import type { ProviderName, ProviderTools } from '../providers/providers.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { answerDecided, asksAbout, readDecision } from './answer-decision.ts';
import type { ApprovalDecision } from './approve.ts';
import { type CallOptions, type CallSetting, callOptionKinds, checkCallOptions } from './call-options.ts';
import { answerToolCall } from './call-tool.ts';
import { type CallFacts, type InterpretedCall, historyOf, interpretCall } from './interpret-call.ts';
import { type ObservingSetting, observeCall } from './observe-call.ts';
import { type ShownSetting, checkTools, showTools } from './show-tools.ts';
import type { ToolMap, ToolsListener } from './tool-map.ts';

// Here both are interpreted, answered, and told to telemetry.
export interface DeskSetting extends CallSetting, ObservingSetting {}

/** For one set of tools. */
export class CallDesk {
  readonly #contracts: ReadonlyMap<string, ToolContract>;
  readonly #setting: DeskSetting;

  constructor(contracts: ReadonlyMap<string, ToolContract>, setting: DeskSetting) {
    this.#contracts = contracts;
    this.#setting = setting;
  }

  interpret(call: ToolCall, facts: CallFacts): InterpretedCall {
    return interpretCall({ tools: this.#contracts, trusted: this.#setting.trusted }, call, facts);
  }

  /** Throws a DefinitionError for options that are none; so does `decide`. */
  call(call: ToolCall, options: CallOptions): Promise<ToolOutcome> {
    checkCallOptions(options);
    return observeCall(this.#setting, {
      tools: this.#contracts,
      repairs: 'new',
      interpret: () => this.interpret(call, options),
      answer: (interpreted) => answerToolCall(this.#contracts, interpreted, options, this.#setting),
    });
  }

  asks(call: ToolCall, { context }: Pick<CallOptions, 'context'>): Promise<boolean> {
    return asksAbout(this.interpret(call, {}), context, this.#setting);
  }

  resolveApproval(approval: unknown, decision: ApprovalDecision, options: CallOptions): Promise<ToolOutcome> {
    checkCallOptions(options);
    const setting = this.#setting;
    const decided = readDecision(approval, decision, options, {
      setting,
      interpret: (call) => this.interpret(call, {}),
    });
    return observeCall(setting, {
      tools: this.#contracts,
      repairs: 'known',
      interpret: () => (decided.kind === 'refused' ? decided.outcome : decided.accepted),
      answer: () => answerDecided(decided, options, setting),
    });
  }
}

const interpretKinds = { memory: callOptionKinds.memory, provider: callOptionKinds.provider };
const historyKinds = { provider: callOptionKinds.provider };
const asksKinds = { context: callOptionKinds.context };

/** Tools as they are shown to a model, and as it calls them: all of a registry's, or a selection. */
export class ToolSet {
  readonly #contracts: ToolMap;
  readonly #hints: ShownSetting['hints'];
  readonly #desk: CallDesk;

  /** Made by a registry. */
  constructor(contracts: ToolMap, setting: DeskSetting & ShownSetting) {
    this.#contracts = contracts;
    this.#hints = setting.hints;
    this.#desk = new CallDesk(contracts, setting);
  }

  /** The names of the tools, in the order in which they are shown. */
  names(): string[] {
    return [...this.#contracts.keys()];
  }

  /** The contracts of the tools, in the same order: for adapters, and for `standardSchema`. */
  contracts(): ReturnType<ToolMap['list']> {
    return this.#contracts.list();
  }

  /**
   * Calls the listener each time after the tools have changed: registered, replaced, removed, or found in a selection.
   * Returns a function that ends it.
   */
  onChange(listener: ToolsListener): () => void {
    return this.#contracts.onChange(listener);
  }

  /**
   * What a model may see of the tools, in the order of registration: a new list of frozen schemas. Default provider:
   * `neutral`. Throws a DefinitionError for an unknown provider.
   */
  schemas(): ProviderTools['neutral'][];
  schemas<Name extends ProviderName>(provider: Name): ProviderTools[Name][];
  schemas(provider: ProviderName = 'neutral'): ProviderTools[ProviderName][] {
    return showTools(this.#contracts.values(), provider, this.#hints);
  }

  /**
   * Whether the providers would take these tools, all of them: what would lose a request, what can't be said or sent, and
   * what is shown in another form. Throws a DefinitionError for an unknown provider.
   */
  check(...providers: readonly ProviderName[]): ReturnType<typeof checkTools> {
    return checkTools(this.contracts(), providers);
  }

  /**
   * Which tool and which arguments a call means. Executes nothing and tells nobody; a rejected call is counted in the
   * `memory` of its conversation. Throws a DefinitionError for a call whose name is no text.
   */
  interpret(call: ToolCall, options: Pick<CallOptions, 'memory' | 'provider'> = {}): InterpretedCall {
    checkOptions('ToolRegistry.interpret', options, interpretKinds);
    return this.#desk.interpret(call, options);
  }

  /**
   * A call as it should stand in the history that the model is sent: an accepted one with its arguments as interpreted
   * and of its meta arguments only those that the schema requires, any other as it came. In the form in which the tools
   * were shown: `provider`, by default the one that the call was made in.
   */
  history(
    call: ToolOutcome | InterpretedCall,
    options: Pick<CallOptions, 'provider'> = {},
  ): ReturnType<typeof historyOf> {
    checkOptions('ToolRegistry.history', options, historyKinds);
    return historyOf(this.#contracts, call, options.provider);
  }

  /**
   * Interprets a call and, if it is accepted, executes it. Never rejects for what a model or a tool did; rejects with a
   * DefinitionError for a call whose name is no text, as one that is still nested as its provider sends it.
   */
  async call(call: ToolCall, options: CallOptions = {}): Promise<ToolOutcome> {
    return await this.#desk.call(call, options);
  }

  /** All calls of one answer, started in their order and side by side; their outcomes stand in the same order. */
  async callAll(calls: readonly ToolCall[], options: CallOptions = {}): Promise<ToolOutcome[]> {
    return Promise.all(calls.map((call) => this.call(call, options)));
  }

  /**
   * Whether somebody would be asked before this call runs: never in a registry without `approval`. Interceptors, which
   * stand before the approval, are not run. Rejects with what `approval.needed` throws.
   */
  async asks(call: ToolCall, options: Pick<CallOptions, 'context'> = {}): Promise<boolean> {
    checkOptions('ToolRegistry.asks', options, asksKinds);
    return this.#desk.asks(call, options);
  }

  /**
   * Goes on with a `waiting` call, or ends it: runs exactly what was approved, once. Whatever has changed since then is
   * asked about again, and an approval that was used is denied. Throws a RecordError for data that is no approval, and a
   * DefinitionError for what is no decision, and in a registry that asks for none.
   */
  async resolveApproval(
    approval: unknown,
    decision: ApprovalDecision,
    options: CallOptions = {},
  ): Promise<ToolOutcome> {
    return this.#desk.resolveApproval(approval, decision, options);
  }
}
