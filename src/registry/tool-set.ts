import { memoize } from '../json/value.ts';
import { checkOptions } from '../errors/check-options.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import type { ToolOutcome } from '../execute/tool-outcome.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { type HintOptions, describeTool } from '../messages/describe-tool.ts';
import { type Finding, checkSet } from '../providers/check-tools.ts';
import {
  type DescribedTool,
  type ProviderName,
  type ProviderTools,
  argumentMapping,
  providerTools,
} from '../providers/providers.ts';
import type { CallTelemetry } from '../telemetry/call-telemetry.ts';
import { tell } from '../telemetry/tool-event.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import {
  type ApprovalDecision,
  type ApprovalSettings,
  resolveCall,
  wouldRequireApproval,
} from './approve.ts';
import { type CallOptions, callOptionKinds, checkCallOptions, mergeContext } from './call-options.ts';
import { type CallSettings, callTool, runResolved } from './call-tool.ts';
import {
  type CallFacts,
  type InterpretedCall,
  historyOf,
  interpretCall,
  knownProvider,
} from './interpret-call.ts';
import { observeCall } from './observe-call.ts';
import type { TrustedDefinitions } from './trusted-definitions.ts';

/** Called after the tools have changed; what it throws or rejects with is dropped. */
export type ToolsListener = () => unknown;

/** The contracts of a set, in the order in which they are shown. Changes that are made together are told once, soon after. */
export class ToolMap extends Map<string, ToolContract> {
  readonly #listeners = new Set<ToolsListener>();
  #isToBeTold = false;

  override set(name: string, contract: ToolContract): this {
    if (this.get(name) !== contract) this.#changed();
    return super.set(name, contract);
  }

  override delete(name: string): boolean {
    const wasThere = super.delete(name);
    if (wasThere) this.#changed();
    return wasThere;
  }

  /** A new list of the contracts. */
  list(): ToolContract[] {
    return [...this.values()];
  }

  /** Returns what ends it. */
  onChange(listener: ToolsListener): () => void {
    const own: ToolsListener = () => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  #changed(): void {
    if (this.#listeners.size === 0 || this.#isToBeTold) return;
    this.#isToBeTold = true;
    queueMicrotask(() => {
      this.#isToBeTold = false;
      for (const listener of this.#listeners) tell(listener);
    });
  }
}

// Made once for each contract; asking again costs nothing.
/**
 * The tools as one provider takes them, in their order: a new list of frozen schemas, the same ones every time. Throws a
 * DefinitionError for an unknown provider.
 */
function showTools(
  contracts: Iterable<ToolContract>,
  provider: ProviderName,
  hints: HintOptions,
): ProviderTools[ProviderName][] {
  const known = knownProvider(provider, 'ToolRegistry.schemas');
  return providerTools(Array.from(contracts, describedIn(known, hints)), known);
}

/** What the providers would refuse of the tools, one after the other. */
export const checkTools = (
  contracts: readonly ToolContract[],
  asked: readonly ProviderName[],
): readonly Finding[] =>
  asked.flatMap((provider) => checkSet(contracts, knownProvider(provider, 'ToolRegistry.check')));

const byProvider = new Map<ProviderName, (hints: HintOptions) => (contract: ToolContract) => DescribedTool>();

/** With the keys that the provider's models know. */
function describedIn(provider: ProviderName, hints: HintOptions): (contract: ToolContract) => DescribedTool {
  const made =
    byProvider.get(provider) ??
    memoize((said: HintOptions) =>
      memoize((contract: ToolContract): DescribedTool => {
        const mapping = argumentMapping(contract, provider);
        const shownPath = (pointer: string) => mapping?.placeOf(pointer).path ?? pointer;
        return { contract, description: describeTool(contract, said, shownPath) };
      }),
    );
  byProvider.set(provider, made);
  return made(hints);
}

/** What a registry says of all that it shows. */
export interface ShownSetting {
  readonly hints: HintOptions;
}

// The same object for all registries: what is shown of a contract is made once for each.
const defaultHints: HintOptions = Object.freeze({});
const noHints: HintOptions = Object.freeze({ longest: 0 });

export function hintOptions(hints: 'off' | HintOptions | undefined): HintOptions {
  if (hints === 'off') return noHints;
  return hints === undefined ? defaultHints : Object.freeze({ ...hints });
}

export interface ToolSetSettings extends CallSettings, ShownSetting {
  readonly telemetry: CallTelemetry | undefined;
  readonly trusted: TrustedDefinitions;
}

const interpretKinds = { memory: callOptionKinds.memory, provider: callOptionKinds.provider };
const historyKinds = { provider: callOptionKinds.provider };
const asksKinds = { context: callOptionKinds.context };

/** Tools as they are shown to a model, and as it calls them: all of a registry's, or a selection. */
export class ToolSet {
  readonly #contracts: ToolMap;
  readonly #settings: ToolSetSettings;

  /** Made by a registry. */
  constructor(contracts: ToolMap, settings: ToolSetSettings) {
    this.#contracts = contracts;
    this.#settings = settings;
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
    return showTools(this.#contracts.values(), provider, this.#settings.hints);
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
    return this.#interpret(call, options);
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
    checkCallOptions(options);
    const settings = this.#settings;
    if (settings.telemetry === undefined) return this.#answer(this.#interpret(call, options), options);
    return observeCall(settings.telemetry, {
      tools: this.#contracts,
      repairs: 'new',
      interpret: () => this.#interpret(call, options),
      answer: (interpreted) => this.#answer(interpreted, options),
    });
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
    const { approval, context } = this.#settings;
    const interpreted = this.#interpret(call);
    if (approval === undefined || interpreted.status !== 'accepted') return false;
    return wouldRequireApproval(approval, interpreted, mergeContext(context, options.context));
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
    checkCallOptions(options);
    const settings = this.#settings;
    const resolved = resolveCall(approval, decision, {
      settings: requireApprovals(settings.approval),
      values: mergeContext(settings.context, options.context),
      interpret: (call) => this.#interpret(call),
    });
    const answer = (): Promise<ToolOutcome> => runResolved(resolved, options, settings);
    if (settings.telemetry === undefined) return answer();
    return observeCall(settings.telemetry, {
      tools: this.#contracts,
      repairs: 'known',
      interpret: () => (resolved.kind === 'invalid' ? resolved.outcome : resolved.accepted),
      answer,
    });
  }

  #interpret(call: ToolCall, options: CallFacts = {}): InterpretedCall {
    return interpretCall({ tools: this.#contracts, trusted: this.#settings.trusted }, call, options);
  }

  #answer(interpreted: InterpretedCall, options: CallOptions): Promise<ToolOutcome> {
    const contract =
      interpreted.status === 'unknown_tool' ? undefined : this.#contracts.get(interpreted.tool);
    return callTool(interpreted, contract, options, this.#settings);
  }
}

function requireApprovals(approval: ApprovalSettings | undefined): ApprovalSettings {
  if (approval !== undefined) return approval;
  const what = 'asks for no approval';
  throw new DefinitionError([{ where: 'ToolRegistry', what, instead: 'construct it with approval: {}' }]);
}
