import {
  type OptionKinds,
  anyObject,
  callback,
  checkOptions,
  kindWithHint,
  string,
} from '../options/check-options.ts';
import { definitionError, DefinitionError } from '../errors/definition-error.ts';
import { contractDigest } from '../outcomes/digests.ts';
import { wordsIn } from '../json/nearest-name.ts';
import type { ApplicationContext, ToolContract } from '../tool/tool-contract.ts';
import { isPortableName } from '../tool/tool-options.ts';
import { mergeContext } from '../run/call-options.ts';
import { type RegisteredTool, contractsOf, withSetting } from './register.ts';
import { defineTool } from './define-tool.ts';
import type { RegistrySetting } from './registry-options.ts';
import { ToolMap } from './tool-set.ts';

/**
 * Tools with prefixed names, for `register`: `withPrefix('git_', Status)`. Throws a DefinitionError
 * for names that some provider refuses.
 */
export function withPrefix(
  prefix: string,
  ...tools: readonly RegisteredTool[]
): readonly ToolContract[] {
  const contracts = tools.flatMap((tool) =>
    typeof tool === 'function' ? contractsOf(tool) : [tool],
  );
  const prefixedContracts = contracts.map((contract) =>
    Object.freeze({ ...contract, name: prefix + contract.name }),
  );
  const problems = prefixedContracts
    .filter(({ name }) => !isPortableName(name))
    .map(({ name }) => ({
      where: `withPrefix(${JSON.stringify(prefix)})`,
      what: `makes the name ${JSON.stringify(name)}, which some providers refuse`,
      instead:
        'write a prefix of letters, digits, _ and - that keeps names at 64 characters at most',
    }));
  if (problems.length > 0) throw new DefinitionError(problems);
  return prefixedContracts;
}

/**
 * The tools whose name, description or argument names have at least one of the words, best first.
 * Names count most.
 */
function rankTools(tools: readonly ToolContract[], query: string): readonly ToolContract[] {
  const queryWords = new Set(wordsIn(query));
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, queryWords) }))
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .map(({ tool }) => tool);
}

const shortestStem = 3;

function scoreOf(
  { name, description, hints, inputSchema }: ToolContract,
  queryWords: Iterable<string>,
): number {
  const places = [
    [4, wordsIn(name)],
    [2, wordsIn([description, ...hints].join(' '))],
    [1, wordsIn(Object.keys(inputSchema.properties ?? {}).join(' '))],
  ] as const;
  let score = 0;
  for (const word of queryWords) {
    for (const [weight, words] of places) {
      if (words.includes(word)) score += weight;
      else if (words.some((other) => isStem(word, other))) score += weight / 2;
    }
  }
  return score;
}

/** `file` and `files`, `search` and `searching`. */
const isStem = (left: string, right: string): boolean =>
  Math.min(left.length, right.length) >= shortestStem &&
  (left.startsWith(right) || right.startsWith(left));

const maxMatches = 5;

/** The tool that finds deferred tools. `load` is called for each found tool, best first. */
const searchTool = (
  name: string,
  deferredTools: readonly ToolContract[],
  load: (name: string) => void,
): ToolContract =>
  defineTool<{ readonly query: string }>({
    name,
    description: `Find more tools by what they do. There are ${deferredTools.length} more; those that are found can be called from then on.`,
    effects: 'read',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'Words for what is to be done.' } },
      required: ['query'],
      additionalProperties: false,
    },
    execute: ({ query }) => {
      const bestTools = rankTools(deferredTools, query).slice(0, maxMatches);
      for (const tool of bestTools) load(tool.name);
      return bestTools.length === 0
        ? 'No tool fits. Try other words.'
        : bestTools.map((tool) => ({ name: tool.name, description: tool.description }));
    },
  });

/** The options of `ToolRegistry.select`. */
export interface ToolSelection {
  /** Values of the conversation for the tools' `enabled`; they override the registry's. */
  readonly context?: ApplicationContext;
  /** Tools for which it returns false are left out. Default: none. */
  readonly filter?: (tool: ToolContract) => boolean;
  /**
   * Names of deferred tools that are shown from the start, for example those found earlier.
   * Default: none.
   */
  readonly loaded?: Iterable<string>;
  /** The name of the tool that finds deferred tools. Default: `find_tools`. */
  readonly searchName?: string;
  /** The model that the tools are shown to, as in its calls: learned hints are by model. */
  readonly model?: string;
  /**
   * The conversation that the tools are shown in. Its learned hints never change. Default: learned
   * hints are not shown.
   */
  readonly conversation?: string;
}

const selectionKinds: OptionKinds<ToolSelection> = {
  context: anyObject('write an object of values by name'),
  filter: callback('write a function that returns whether a tool is selected'),
  loaded: {
    accepts: (names) => typeof names !== 'string' && Symbol.iterator in Object(names),
    instead: 'write an array of names, as names() returns one',
  },
  searchName: kindWithHint(string, 'write a name for the tool that finds tools'),
  model: kindWithHint(string, "write the name of the model, 'qwen3'"),
  conversation: kindWithHint(string, 'write a string, such as the id of a conversation'),
};

/**
 * The tools of one conversation: first the tools that are not deferred in the order of
 * registration, then the search tool if a tool is deferred, then deferred tools in the order in
 * which they are found. The shown list only grows at its end, which keeps a provider's prompt
 * cache. Throws what `enabled` and `filter` throw, and a DefinitionError for invalid options.
 */
export function selectTools(
  contracts: Iterable<ToolContract>,
  selection: ToolSelection,
  setting: RegistrySetting,
): ToolMap {
  checkOptions('ToolRegistry.select', selection, selectionKinds);
  const { context, filter = () => true, loaded = [], searchName = 'find_tools' } = selection;
  const values = mergeContext(setting.context, context);
  const candidates = [...contracts].filter(
    (tool) => (tool.enabled?.(values) ?? true) && filter(tool),
  );
  const deferredTools = new Map(
    candidates.filter(isDeferred).map((tool) => [tool.name, tool] as const),
  );
  const offeredTools = new ToolMap();
  for (const tool of candidates) if (!isDeferred(tool)) offeredTools.set(tool.name, tool);
  if (deferredTools.size === 0) return offeredTools;
  if (offeredTools.has(searchName) || deferredTools.has(searchName)) {
    const what = 'has the name of the tool that finds deferred tools';
    const instead = "select with another one: select({ searchName: '…' })";
    throw definitionError(`the tool ${searchName}`, what, instead);
  }
  const load = (name: string): void => {
    const tool = deferredTools.get(name);
    if (tool !== undefined) offeredTools.set(name, tool);
  };
  const search = withSetting(searchTool(searchName, [...deferredTools.values()], load), setting);
  // Our own tool needs no review.
  setting.pinnedDefinitions.accept(searchName, contractDigest(search));
  offeredTools.set(searchName, search);
  for (const name of loaded) load(name);
  return offeredTools;
}

const isDeferred = ({ deferred }: ToolContract): boolean => deferred === true;
