import { DefinitionError } from '../errors/definition-error.ts';
import {
  type InvalidArguments,
  type ToolOutcome,
  type UnknownTool,
  rejectedCall,
} from '../execute/tool-outcome.ts';
import type { CallMemory } from '../interpret/call-memory.ts';
import { type FoundTool, findTool } from '../interpret/find-tool.ts';
import { type InterpretOptions, interpretChecked } from '../interpret/interpret.ts';
import type { Accepted, Interpretation, Rejected } from '../interpret/interpretation.ts';
import { type HistoryCall, acceptedInHistory, refusedInHistory } from '../interpret/history.ts';
import { type ToolCall, requireFlatCall } from '../interpret/tool-call.ts';
import { notExecuted, whyNotExecuted } from '../messages/call-messages.ts';
import {
  type ProviderName,
  argumentMapping,
  isProviderName,
  providerToolName,
  providers,
  toolsByProviderName,
} from '../providers/providers.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import type { TrustedDefinitions } from './trusted-definitions.ts';

// JavaScript callers and settings may name any.
/** Throws a DefinitionError for an unknown provider. */
export function knownProvider(provider: unknown, where: string): ProviderName {
  if (isProviderName(provider)) return provider;
  const known = Object.keys(providers).join(', ');
  const what = `has no provider ${JSON.stringify(provider) ?? String(provider)}`;
  throw new DefinitionError([{ where, what, instead: `ask for one of ${known}` }]);
}

/** The same of how tools were shown; undefined where they were shown as they are. */
const knownForm = (provider: ProviderName | undefined, where: string): ProviderName | undefined =>
  provider === undefined || provider === 'neutral' ? undefined : knownProvider(provider, where);

export interface FoundCall {
  readonly found: FoundTool<ToolContract>;
  /** With the tool's own name where the model knew it exactly by another one. */
  readonly call: ToolCall;
  /** How the tool was shown. */
  readonly options: InterpretOptions | undefined;
}

/** `asked`: how the tools were shown; else as the call says. Throws a DefinitionError for an unknown provider. */
function findCall(
  tools: ReadonlyMap<string, ToolContract>,
  sent: ToolCall,
  asked: ProviderName | undefined,
): FoundCall {
  const provider = knownForm(asked ?? sent.provider, 'ToolRegistry.call');
  if (provider === undefined) {
    return { found: findTool(tools, sent.name), call: Object.freeze({ ...sent }), options: undefined };
  }
  // A tool's own name is taken too: models read it elsewhere.
  const found = findTool(tools.has(sent.name) ? tools : toolsByProviderName(tools, provider), sent.name);
  const own = found.kind === 'unknown' ? sent.name : found.tool.name;
  const shown = providerToolName(tools.keys(), provider, own);
  return {
    found,
    call: Object.freeze({ ...sent, name: found.kind === 'exact' ? own : sent.name, provider }),
    options: { provider, shownName: shown === own ? undefined : shown },
  };
}

// Which tool, and which arguments; nothing is executed.
export type InterpretedCall = AcceptedCall | InvalidArguments | UnknownTool;

/** A call that would be executed. */
export interface AcceptedCall {
  readonly status: 'accepted';
  readonly call: ToolCall;
  /** The tool's own name, whatever the model wrote. */
  readonly tool: string;
  readonly contract: ToolContract;
  readonly interpretation: Accepted;
}

export interface InterpretingSet {
  readonly tools: ReadonlyMap<string, ToolContract>;
  readonly trusted: TrustedDefinitions;
}

/** What is known of a call beside what was sent. */
export interface CallFacts {
  /** What the conversation remembers of its calls; with it a model that repeats a wrong call is told so. */
  readonly memory?: CallMemory;
  /**
   * How the tools were shown to the model, as `schemas(provider)` gave them: names and arguments are read in that form, and
   * a refusal speaks of it. Default: the call's own `provider`, or as they are.
   */
  readonly provider?: ToolCall['provider'];
}

/** The outcome's call has the tool's own name where the model knew it by another one. */
export function interpretCall(
  { tools, trusted }: InterpretingSet,
  sent: ToolCall,
  { memory, provider }: CallFacts,
): InterpretedCall {
  requireFlatCall(sent, 'ToolRegistry');
  const { found, call, options } = findCall(tools, sent, provider);
  if (found.kind === 'unknown') {
    const { suggestions, message } = found;
    return Object.freeze({ status: 'unknown_tool', call, suggestions, message });
  }
  const { tool: contract } = found;
  const tool = contract.name;
  const { interpretation, failures } = trusted.isTrusted(contract)
    ? interpretWith(memory, contract, call, options)
    : { interpretation: untrusted(tool), failures: 1 };
  if (interpretation.status === 'rejected') {
    return rejectedCall({ call, tool, interpretation, failures });
  }
  return Object.freeze({ status: 'accepted', call, tool, contract, interpretation });
}

interface CountedInterpretation {
  readonly interpretation: Interpretation;
  /** How often in a row the call has failed in this way. */
  readonly failures: number;
}

function interpretWith(
  memory: CallMemory | undefined,
  contract: ToolContract,
  call: ToolCall,
  options: InterpretOptions | undefined,
): CountedInterpretation {
  if (memory === undefined) return { interpretation: interpretChecked(contract, call, options), failures: 1 };
  const { failureLimit } = memory;
  const failedBefore = memory.failedBefore(contract.name, call.arguments);
  const interpretation = interpretChecked(contract, call, { ...options, failedBefore, failureLimit });
  const failures = memory.remember(contract.name, call.arguments, interpretation);
  // The same arguments, but wrong in another way: an author's check may look at more than them.
  const isOther = interpretation.status === 'rejected' && failures !== failedBefore + 1;
  return { failures, interpretation: isOther ? interpretChecked(contract, call, options) : interpretation };
}

/** Nothing of the arguments is looked at: the schema is one that nobody has accepted. */
const untrusted = (tool: string): Rejected =>
  Object.freeze({
    status: 'rejected',
    meta: Object.freeze({}),
    repairs: Object.freeze([] as const),
    notes: Object.freeze([] as const),
    issues: Object.freeze([Object.freeze({ keyword: 'not_accepted', path: '' })]),
    message: notExecuted(tool, whyNotExecuted.definition_changed),
  });

/** A call that was accepted as it was interpreted; any other, and those of tools that are gone, as it came. */
export function historyOf(
  tools: ReadonlyMap<string, ToolContract>,
  outcome: ToolOutcome | InterpretedCall,
  asked: ProviderName | undefined,
): HistoryCall {
  const { call } = outcome;
  const provider = knownForm(asked ?? call.provider, 'ToolRegistry.history');
  const shown = (name: string): string =>
    provider === undefined ? name : providerToolName(tools.keys(), provider, name);
  if (outcome.status === 'unknown_tool') return refusedInHistory(call);
  const { tool, interpretation } = outcome;
  const contract = tools.get(tool);
  if (contract === undefined || interpretation.status === 'rejected')
    return refusedInHistory({ ...call, name: shown(call.name) });
  const mapping = provider === undefined ? undefined : argumentMapping(contract, provider);
  return acceptedInHistory(contract, { call, tool, interpretation }, { name: shown(tool), mapping });
}
