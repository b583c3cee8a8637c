// Finds the tool of a call, checks that its definition is trusted, and interprets the arguments.
import { contractDigest } from '../outcomes/digests.ts';
import type { CallOptions } from '../run/call-options.ts';
import type { AcceptedCall, InterpretedCall, JudgedArguments } from '../run/interpreted-call.ts';
import { definitionError } from '../errors/definition-error.ts';
import { type ToolOutcome, rejectedCall } from '../outcomes/tool-outcome.ts';
import type { CallMemory } from '../interpret/call-memory.ts';
import { interpretSentCall } from '../interpret/interpret.ts';
import { takeMeta } from '../interpret/take-meta.ts';
import type { InterpretOptions } from '../interpret/interpret-arguments.ts';
import type { Interpretation, Rejected } from '../interpret/interpretation.ts';
import { type HistoryCall, acceptedInHistory, refusedInHistory } from '../interpret/records.ts';
import {
  type SentArguments,
  type ToolCall,
  notFlatCall,
  requireArguments,
  requireCallId,
} from '../interpret/tool-call.ts';
import { nearestNames } from '../json/nearest-name.ts';
import { quote } from '../json/preview.ts';
import { memoize } from '../collections/memoize.ts';
import { defined, objectOf, ownValue } from '../collections/objects.ts';
import { normalizeKey } from '../json/key-spelling.ts';
import { notExecuted, whyNotExecuted } from '../messages/call-messages.ts';
import {
  type ProviderName,
  argumentMapping,
  isProviderName,
  providers,
  providerToolName,
  toolsByProviderName,
} from '../providers/providers.ts';
import { type ToolListener, emitEvent } from '../telemetry/tool-event.ts';
import {
  interpretInner,
  rejectInnerName,
  withInnerEffects,
} from '../interpret/dispatched-arguments.ts';
import { type ToolContract, isContract } from '../tool/tool-contract.ts';

/** `resolved`: the model sent another spelling of `name`, the tool's own name. */
export type FoundTool<Tool> =
  | { readonly kind: 'exact' | 'resolved'; readonly name: string; readonly tool: Tool }
  | { readonly kind: 'unknown'; readonly suggestions: readonly string[]; readonly message: string };

/**
 * Finds a tool by its exact name, else by one that means exactly one tool: another spelling, or the
 * name in models' markup.
 */
export function findTool<Tool>(
  tools: ReadonlyMap<string, Tool>,
  requestedName: string,
): FoundTool<Tool> {
  const exact = tools.get(requestedName);
  if (exact !== undefined) return { kind: 'exact', name: requestedName, tool: exact };
  const [only, ...others] = toolsSpelledAs(tools, requestedName);
  if (only !== undefined && others.length === 0)
    return { kind: 'resolved', name: only[0], tool: only[1] };
  const names = [...tools.keys()];
  const suggestions = nearestNames(requestedName, names);
  return {
    kind: 'unknown',
    suggestions,
    message: unknownToolMessage(requestedName, names, suggestions),
  };
}

/** By the first of these spellings that any tool has: the whole name, without markup, written once. */
function toolsSpelledAs<Tool>(
  tools: ReadonlyMap<string, Tool>,
  requestedName: string,
): readonly (readonly [string, Tool])[] {
  const single = halfOfDoubled(requestedName);
  const attempts = [
    [requestedName],
    bareNames(requestedName),
    ...(single === undefined ? [] : [[single], bareNames(single)]),
  ];
  for (const spellings of attempts) {
    const spelledTools = spelledAs(tools, spellings);
    if (spelledTools.length > 0) return spelledTools;
  }
  return [];
}

function spelledAs<Tool>(
  tools: ReadonlyMap<string, Tool>,
  spellings: readonly string[],
): readonly (readonly [string, Tool])[] {
  const normalizedNames = new Set(spellings.map(normalizeKey));
  return [...tools].filter(([name]) => {
    const key = normalizeKey(name);
    return key !== undefined && normalizedNames.has(key);
  });
}

/** Namespaces of OpenAI's and Google's prompts, and those that models make up. */
const namespace = /^(?:functions?|tools?|default_api)[.:]/iu;
/**
 * Kimi numbers its calls (`x:0`), others write parentheses, and gpt-oss lets tokens of its format
 * slip in.
 */
const trailer = /(?:<[|｜].*|:\d+|\(\s*\))$/su;
const maxNameLength = 256;

/**
 * A name without what models put around it. MCP hosts show tools as `mcp__server__name`; each part
 * may contain `__`.
 */
function bareNames(requestedName: string): readonly string[] {
  if (requestedName.length > maxNameLength) return [];
  const bare = requestedName.trim().replace(trailer, '').replace(namespace, '');
  const [host, , ...rest] = bare.split('__');
  return host === 'mcp' ? rest.map((_part, index) => rest.slice(index).join('__')) : [bare];
}

/**
 * Servers that join the deltas of a stream write a name twice (`read_fileread_file`) if the model's
 * server repeats it in each delta.
 */
function halfOfDoubled(requestedName: string): string | undefined {
  const half = requestedName.slice(0, requestedName.length / 2);
  return half !== '' && requestedName === half + half ? half : undefined;
}

function unknownToolMessage(
  requestedName: string,
  names: readonly string[],
  suggestions: readonly string[],
): string {
  const name = /^[\w.-]{1,64}$/.test(requestedName) ? requestedName : quote(requestedName);
  const suggestion = suggestions.length === 0 ? '' : ` Did you mean ${suggestions.join(' or ')}?`;
  const all = names.length === 0 ? 'There are no tools.' : `The tools are: ${listOf(names)}.`;
  return notExecuted(name, `There is no tool of this name.${suggestion}\n${all}`);
}

const maxListLength = 1_000;

/** As many names as fit, in their order, and how many are left out. */
function listOf(names: readonly string[]): string {
  let length = 0;
  const listedNames = names.filter((name) => (length += name.length + 2) <= maxListLength);
  const surplus = names.length - listedNames.length;
  return surplus === 0 ? listedNames.join(', ') : `${listedNames.join(', ')} and ${surplus} more`;
}

/**
 * Throws a DefinitionError for an unknown provider: JavaScript callers and configuration may name
 * any.
 */
export function knownProvider(provider: unknown, where: string): ProviderName {
  if (isProviderName(provider)) return provider;
  const providerNames = Object.keys(providers).join(', ');
  const what = `has no provider ${JSON.stringify(provider) ?? String(provider)}`;
  throw definitionError(where, what, `ask for one of ${providerNames}`);
}

/** The provider whose form was shown; undefined if the tools were shown as they are. */
const knownForm = (provider: ProviderName | undefined, where: string): ProviderName | undefined =>
  provider === undefined || provider === 'neutral' ? undefined : knownProvider(provider, where);

/**
 * `requestedProvider` wins over the call's own provider. The call gets the tool's own name if the model sent
 * the provider's name exactly. Throws a DefinitionError for an unknown provider.
 */
function findCall(
  tools: ReadonlyMap<string, ToolContract>,
  sentCall: ToolCall,
  requestedProvider: ProviderName | undefined,
) {
  const provider = knownForm(requestedProvider ?? sentCall.provider, 'ToolRegistry.call');
  if (provider === undefined) {
    return {
      found: findTool(tools, sentCall.name),
      call: Object.freeze({ ...sentCall }),
      options: undefined,
    };
  }
  // A tool's own name is accepted too: models read it elsewhere.
  const match = findTool(
    tools.has(sentCall.name) ? tools : toolsByProviderName(tools, provider),
    sentCall.name,
  );
  const ownName = match.kind === 'unknown' ? sentCall.name : match.tool.name;
  const shownName = providerToolName(tools.keys(), provider, ownName);
  return {
    found: match,
    call: Object.freeze({
      ...sentCall,
      name: match.kind === 'exact' ? ownName : sentCall.name,
      provider,
    }),
    options: { provider, shownName: shownName === ownName ? undefined : shownName },
  };
}

/** A call before it is checked. `type`: of an item of OpenAI's Responses. */
type SentCall = Readonly<Partial<Record<'id' | 'name' | 'arguments' | 'type', unknown>>>;

interface CallableContracts {
  readonly tools: ReadonlyMap<string, ToolContract>;
  readonly trusted: TrustedDefinitions;
  /** Default: the tools that the dispatcher lists, else the other ones of `tools`. */
  readonly findInner?: FindInnerTool;
}

export function interpretCall(
  { tools, trusted, findInner = registeredInnerTool(tools) }: CallableContracts,
  sentCall: ToolCall,
  { memory, provider }: Pick<CallOptions, 'memory' | 'provider'>,
): InterpretedCall {
  const { id, name, arguments: args, type }: SentCall = Object(sentCall);
  if (typeof name !== 'string') throw notFlatCall(sentCall, 'ToolRegistry');
  if (args === undefined) requireArguments(sentCall, 'ToolRegistry');
  if (typeof id !== 'string' || type === 'function_call') requireCallId(sentCall, 'ToolRegistry');
  const { found: match, call, options } = findCall(tools, sentCall, provider);
  if (match.kind === 'unknown') {
    const { suggestions, message } = match;
    return Object.freeze({ status: 'unknown_tool', call, suggestions, message });
  }
  const { tool: contract } = match;
  const tool = contract.name;
  const { interpretation, failures } = trusted.isTrusted(contract)
    ? interpretWith(memory, contract, call, options)
    : { interpretation: untrustedDefinition(tool), failures: 1 };
  if (interpretation.status === 'rejected')
    return rejectedCall({ call, tool, interpretation, failures });
  const acceptedCall = { status: 'accepted', call, tool, contract, interpretation } as const;
  return contract.dispatches === undefined
    ? Object.freeze(acceptedCall)
    : dispatchedCall(acceptedCall, findInner, options);
}

/**
 * The tool that the call of a dispatcher names. `unlisted`: nothing says that there is no such tool,
 * so its arguments are not judged.
 */
export type InnerTool =
  | { readonly kind: 'known'; readonly contract: ToolContract }
  | { readonly kind: 'unlisted' }
  /** `advice`: for the model. */
  | { readonly kind: 'unknown'; readonly advice: string };

export type FindInnerTool = (outer: ToolContract, name: string) => InnerTool;

/** Judges the arguments of a call by this contract. */
type InterpretBy = (contract: ToolContract) => Interpretation;

/**
 * The call of a dispatcher, with the arguments of the inner tool judged as those of its own call.
 * `contract`: that of the dispatcher with the effects of the inner tool.
 */
export function interpretDispatched(
  outer: ToolContract,
  interpretation: Interpretation,
  {
    findInner,
    interpretBy,
  }: { readonly findInner: FindInnerTool; readonly interpretBy: InterpretBy },
): JudgedArguments {
  const { dispatches } = outer;
  if (dispatches === undefined || interpretation.status === 'rejected')
    return { contract: outer, interpretation };
  const sentName = ownValue(interpretation.value, dispatches.name);
  if (typeof sentName !== 'string') return { contract: outer, interpretation };
  const inner = findInner(outer, sentName);
  if (inner.kind === 'unlisted') return { contract: outer, interpretation };
  if (inner.kind === 'unknown') {
    const { meta } = interpretation;
    return { contract: outer, interpretation: rejectInnerName(outer, meta, inner.advice) };
  }
  const contract = withInnerEffects(outer, inner.contract);
  // The call of a dangerous inner tool takes only the repairs that such a tool does.
  const whole = contract === outer ? interpretation : interpretBy(contract);
  return {
    contract,
    interpretation:
      whole.status === 'rejected' ? whole : interpretInner(contract, inner.contract, whole),
  };
}

/** A call whose tool is a dispatcher. A name of no tool is rejected. */
function dispatchedCall(
  { call, tool, contract: outer, interpretation }: AcceptedCall,
  findInner: FindInnerTool,
  options: InterpretOptions | undefined,
): InterpretedCall {
  const judgement = interpretDispatched(outer, interpretation, {
    findInner,
    interpretBy: (contract) => interpretChecked(contract, call, options),
  });
  if (judgement.interpretation.status === 'rejected')
    return rejectedCall({ call, tool, interpretation: judgement.interpretation, failures: 1 });
  const judgeEdit = (sentArguments: SentArguments): JudgedArguments => {
    const interpretBy: InterpretBy = (contract) => interpretChecked(contract, sentArguments);
    return interpretDispatched(outer, interpretBy(outer), { findInner, interpretBy });
  };
  const { contract, interpretation: inner } = judgement;
  return Object.freeze({
    status: 'accepted',
    call,
    tool,
    contract,
    interpretation: inner,
    judgeEdit,
  });
}

/** The inner tools that a dispatcher lists, else the other ones of its registry. */
const registeredInnerTool =
  (tools: ReadonlyMap<string, ToolContract>): FindInnerTool =>
  (outer, name) =>
    innerToolIn(innerToolsOf(outer, tools), name);

export function innerToolIn(tools: ReadonlyMap<string, ToolContract>, name: string): InnerTool {
  const match = findTool(tools, name);
  return match.kind === 'unknown'
    ? { kind: 'unknown', advice: unknownInnerTool([...tools.keys()], match.suggestions) }
    : { kind: 'known', contract: match.tool };
}

function innerToolsOf(
  outer: ToolContract,
  registeredTools: ReadonlyMap<string, ToolContract>,
): ReadonlyMap<string, ToolContract> {
  const listedTools = outer.dispatches?.tools;
  if (listedTools !== undefined) return givenInnerTools(listedTools);
  return new Map([...registeredTools].filter(([name]) => name !== outer.name));
}

/** Registration has made contracts of them. */
const givenInnerTools = memoize(
  (tools: readonly object[]): ReadonlyMap<string, ToolContract> =>
    new Map(tools.filter(isContract).map((contract) => [contract.name, contract] as const)),
);

function unknownInnerTool(names: readonly string[], suggestions: readonly string[]): string {
  const suggestion = suggestions.length === 0 ? '' : `, did you mean ${suggestions.join(' or ')}?`;
  return `names no tool${suggestion || ';'} the tools are ${listOf(names)}`;
}

/** `failures`: those of this kind in a row, this call included. */
function interpretWith(
  memory: CallMemory | undefined,
  contract: ToolContract,
  call: ToolCall,
  options: InterpretOptions | undefined,
): { readonly interpretation: Interpretation; readonly failures: number } {
  if (memory === undefined)
    return { interpretation: interpretChecked(contract, call, options), failures: 1 };
  const { failureLimit } = memory;
  const failedBefore = memory.failedBefore(contract.name, call.arguments);
  const interpretation = interpretChecked(contract, call, {
    ...options,
    failedBefore,
    failureLimit,
  });
  const failures = memory.remember(contract.name, call.arguments, interpretation);
  // The same arguments can fail in another way: an author's check may depend on more than the
  // arguments.
  const isOther = interpretation.status === 'rejected' && failures !== failedBefore + 1;
  return {
    failures,
    interpretation: isOther ? interpretChecked(contract, call, options) : interpretation,
  };
}

/** By the form of the provider that the options name. Takes options that were checked. */
export function interpretChecked(
  contract: ToolContract,
  call: SentArguments,
  options?: InterpretOptions,
): Interpretation {
  const mapping = options?.provider && argumentMapping(contract, options.provider);
  return interpretSentCall(contract, call, options, { mapping, takeMeta });
}

/** The arguments are not interpreted: the schema was not accepted. */
const untrustedDefinition = (tool: string): Rejected =>
  Object.freeze({
    status: 'rejected',
    meta: Object.freeze({}),
    repairs: Object.freeze([] as const),
    notes: Object.freeze([] as const),
    issues: Object.freeze([Object.freeze({ keyword: 'not_accepted', path: '' })]),
    message: notExecuted(tool, whyNotExecuted.definition_changed),
  });

/**
 * Accepted calls with their arguments as interpreted; all other calls, and calls of tools that were
 * removed, as they came.
 */
export function historyOf(
  tools: ReadonlyMap<string, ToolContract>,
  outcome: ToolOutcome | InterpretedCall,
  requestedProvider: ProviderName | undefined,
): HistoryCall {
  const { call } = outcome;
  const provider = knownForm(requestedProvider ?? call.provider, 'ToolRegistry.history');
  const shownNameOf = (name: string): string =>
    provider === undefined ? name : providerToolName(tools.keys(), provider, name);
  if (outcome.status === 'unknown_tool') return refusedInHistory(call);
  const { tool, interpretation } = outcome;
  const contract = tools.get(tool);
  if (contract === undefined || interpretation.status === 'rejected')
    return refusedInHistory({ ...call, name: shownNameOf(call.name) });
  const mapping = provider === undefined ? undefined : argumentMapping(contract, provider);
  return acceptedInHistory(
    contract,
    { call, tool, interpretation },
    { name: shownNameOf(tool), mapping },
  );
}

/** The digests of reviewed definitions, by tool name. */
export type Pins = Readonly<Record<string, string>>;

/**
 * Which definitions may be called: all without pins; with pins, those that are pinned or were
 * accepted since.
 */
export class TrustedDefinitions {
  readonly #accepted: Map<string, string> | undefined;

  constructor(pins: Pins | undefined) {
    this.#accepted = pins === undefined ? undefined : new Map(Object.entries(pins));
  }

  isTrusted(contract: ToolContract): boolean {
    return this.#accepted === undefined || this.#accepted.get(contract.name) === digestOf(contract);
  }

  accept(name: string, digest: string): void {
    this.#accepted?.set(name, digest);
  }

  /**
   * Notifies listeners of a definition that differs from the accepted one; without pins, from the
   * one before.
   */
  notifyChange(
    listeners: readonly ToolListener[],
    contract: ToolContract,
    previousContract: ToolContract | undefined,
  ): void {
    const { name: tool } = contract;
    const blocked = this.#accepted !== undefined;
    // Without pins, the first definition of a name has not changed; computing its digest would cost
    // time.
    if (!blocked && previousContract === undefined) return;
    const former = blocked
      ? this.#accepted?.get(tool)
      : previousContract && digestOf(previousContract);
    const digest = digestOf(contract);
    if (former === digest) return;
    emitEvent(listeners, {
      type: 'tool_definition_changed',
      tool,
      digest,
      ...defined({ former }),
      blocked,
    });
  }

  digestsOf(contracts: Iterable<ToolContract>): Pins {
    return Object.freeze(
      objectOf(Array.from(contracts, (contract) => [contract.name, digestOf(contract)] as const)),
    );
  }
}

const digestOf = memoize(contractDigest);
