// Finds the tool of a call, checks that its definition is trusted, and interprets the arguments.
import { contractDigest } from '../execute/digests.ts';
import type { CallOptions } from '../run/call-options.ts';
import type { InterpretedCall } from '../run/interpreted-call.ts';
import { definitionError } from '../errors/definition-error.ts';
import { type ToolOutcome, rejectedCall } from '../execute/tool-outcome.ts';
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
import { defined, objectOf } from '../collections/objects.ts';
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
import type { ToolContract } from '../tool/tool-contract.ts';

/** `resolved`: the model sent another spelling of `name`, the tool's own name. */
export type FoundTool<Tool> =
  | { readonly kind: 'exact' | 'resolved'; readonly name: string; readonly tool: Tool }
  | { readonly kind: 'unknown'; readonly suggestions: readonly string[]; readonly message: string };

/**
 * Finds a tool by its exact name, else by one that means exactly one tool: another spelling, or the
 * name in models' markup.
 */
export function findTool<Tool>(tools: ReadonlyMap<string, Tool>, wanted: string): FoundTool<Tool> {
  const exact = tools.get(wanted);
  if (exact !== undefined) return { kind: 'exact', name: wanted, tool: exact };
  const [only, ...others] = toolsSpelledAs(tools, wanted);
  if (only !== undefined && others.length === 0)
    return { kind: 'resolved', name: only[0], tool: only[1] };
  const names = [...tools.keys()];
  const suggestions = nearestNames(wanted, names);
  return { kind: 'unknown', suggestions, message: unknownToolMessage(wanted, names, suggestions) };
}

/** By the first of these spellings that any tool has: the whole name, without markup, written once. */
function toolsSpelledAs<Tool>(
  tools: ReadonlyMap<string, Tool>,
  wanted: string,
): readonly (readonly [string, Tool])[] {
  const single = halfOfDoubled(wanted);
  const attempts = [
    [wanted],
    bareNames(wanted),
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
  const normalized = new Set(spellings.map(normalizeKey));
  return [...tools].filter(([name]) => {
    const key = normalizeKey(name);
    return key !== undefined && normalized.has(key);
  });
}

/** Namespaces of OpenAI's and Google's prompts, and those that models make up. */
const namespace = /^(?:functions?|tools?|default_api)[.:]/iu;
/**
 * Kimi numbers its calls (`x:0`), others write parentheses, and gpt-oss lets tokens of its format
 * slip in.
 */
const trailer = /(?:<[|｜].*|:\d+|\(\s*\))$/su;
const longestName = 256;

/**
 * A name without what models put around it. MCP hosts show tools as `mcp__server__name`; each part
 * may contain `__`.
 */
function bareNames(wanted: string): readonly string[] {
  if (wanted.length > longestName) return [];
  const bare = wanted.trim().replace(trailer, '').replace(namespace, '');
  const [host, , ...rest] = bare.split('__');
  return host === 'mcp' ? rest.map((_part, index) => rest.slice(index).join('__')) : [bare];
}

/**
 * Servers that join the deltas of a stream write a name twice (`read_fileread_file`) if the model's
 * server repeats it in each delta.
 */
function halfOfDoubled(wanted: string): string | undefined {
  const half = wanted.slice(0, wanted.length / 2);
  return half !== '' && wanted === half + half ? half : undefined;
}

function unknownToolMessage(
  wanted: string,
  names: readonly string[],
  suggestions: readonly string[],
): string {
  const name = /^[\w.-]{1,64}$/.test(wanted) ? wanted : quote(wanted);
  const suggestion = suggestions.length === 0 ? '' : ` Did you mean ${suggestions.join(' or ')}?`;
  const all = names.length === 0 ? 'There are no tools.' : `The tools are: ${listOf(names)}.`;
  return notExecuted(name, `There is no tool of this name.${suggestion}\n${all}`);
}

const longestList = 1_000;

/** As many names as fit, in their order, and how many are left out. */
function listOf(names: readonly string[]): string {
  let length = 0;
  const shown = names.filter((name) => (length += name.length + 2) <= longestList);
  const left = names.length - shown.length;
  return left === 0 ? shown.join(', ') : `${shown.join(', ')} and ${left} more`;
}

/**
 * Throws a DefinitionError for an unknown provider: JavaScript callers and configuration may name
 * any.
 */
export function knownProvider(provider: unknown, where: string): ProviderName {
  if (isProviderName(provider)) return provider;
  const known = Object.keys(providers).join(', ');
  const what = `has no provider ${JSON.stringify(provider) ?? String(provider)}`;
  throw definitionError(where, what, `ask for one of ${known}`);
}

/** The provider whose form was shown; undefined if the tools were shown as they are. */
const knownForm = (provider: ProviderName | undefined, where: string): ProviderName | undefined =>
  provider === undefined || provider === 'neutral' ? undefined : knownProvider(provider, where);

/**
 * `asked` wins over the call's own provider. The call gets the tool's own name if the model sent
 * the provider's name exactly. Throws a DefinitionError for an unknown provider.
 */
function findCall(
  tools: ReadonlyMap<string, ToolContract>,
  sent: ToolCall,
  asked: ProviderName | undefined,
) {
  const provider = knownForm(asked ?? sent.provider, 'ToolRegistry.call');
  if (provider === undefined) {
    return {
      found: findTool(tools, sent.name),
      call: Object.freeze({ ...sent }),
      options: undefined,
    };
  }
  // A tool's own name is accepted too: models read it elsewhere.
  const found = findTool(
    tools.has(sent.name) ? tools : toolsByProviderName(tools, provider),
    sent.name,
  );
  const own = found.kind === 'unknown' ? sent.name : found.tool.name;
  const shown = providerToolName(tools.keys(), provider, own);
  return {
    found,
    call: Object.freeze({ ...sent, name: found.kind === 'exact' ? own : sent.name, provider }),
    options: { provider, shownName: shown === own ? undefined : shown },
  };
}

/** A call before it is checked. `type`: of an item of OpenAI's Responses. */
type SentCall = Readonly<Partial<Record<'id' | 'name' | 'arguments' | 'type', unknown>>>;

export function interpretCall(
  { tools, trusted }: { tools: ReadonlyMap<string, ToolContract>; trusted: TrustedDefinitions },
  sent: ToolCall,
  { memory, provider }: Pick<CallOptions, 'memory' | 'provider'>,
): InterpretedCall {
  const { id, name, arguments: args, type }: SentCall = Object(sent);
  if (typeof name !== 'string') throw notFlatCall(sent, 'ToolRegistry');
  if (args === undefined) requireArguments(sent, 'ToolRegistry');
  if (typeof id !== 'string' || type === 'function_call') requireCallId(sent, 'ToolRegistry');
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
  return interpretation.status === 'rejected'
    ? rejectedCall({ call, tool, interpretation, failures })
    : Object.freeze({ status: 'accepted', call, tool, contract, interpretation });
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
  return interpretSentCall(contract, call, options, { mapping, take: takeMeta });
}

/** The arguments are not interpreted: the schema was not accepted. */
const untrusted = (tool: string): Rejected =>
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
  return acceptedInHistory(
    contract,
    { call, tool, interpretation },
    { name: shown(tool), mapping },
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
    before: ToolContract | undefined,
  ): void {
    const { name: tool } = contract;
    const blocked = this.#accepted !== undefined;
    // Without pins, the first definition of a name has not changed; computing its digest would cost
    // time.
    if (!blocked && before === undefined) return;
    const former = blocked ? this.#accepted?.get(tool) : before && digestOf(before);
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
