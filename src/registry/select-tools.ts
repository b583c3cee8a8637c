import {
  type OptionKinds,
  anyObject,
  callback,
  checkOptions,
  hinted,
  string,
} from '../errors/check-options.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { type ApplicationContext, type ToolContract, contractDigest } from '../tool/tool-contract.ts';
import { isPortableName } from '../tool/tool-options.ts';
import { mergeContext } from './call-options.ts';
import { contractsOf } from './contract-of.ts';
import { defineTool } from './define-tool.ts';
import { type RegisteredTool, withSetting } from './register.ts';
import type { RegistrySetting } from './registry-options.ts';
import { ToolMap } from './tool-set.ts';

// Those of one source get names with a prefix.
/**
 * The same tools under prefixed names, for `register`: `withPrefix('git_', Status)`. Throws a DefinitionError for names that
 * not every provider takes.
 */
export function withPrefix(prefix: string, ...tools: readonly RegisteredTool[]): readonly ToolContract[] {
  const contracts = tools.flatMap((tool) => (typeof tool === 'function' ? contractsOf(tool) : [tool]));
  const prefixed = contracts.map((contract) => Object.freeze({ ...contract, name: prefix + contract.name }));
  const problems = prefixed
    .filter(({ name }) => !isPortableName(name))
    .map(({ name }) => ({
      where: `withPrefix(${JSON.stringify(prefix)})`,
      what: `makes the name ${JSON.stringify(name)}, which not every provider takes`,
      instead: 'write a prefix of letters, digits, _ and -, with which names have at most 64',
    }));
  if (problems.length > 0) throw new DefinitionError(problems);
  return prefixed;
}

// Those whose name, description or arguments have them; names count most.
/** The tools that have at least one of the words, the best first; equally good ones in their order. */
function rankTools(tools: readonly ToolContract[], query: string): readonly ToolContract[] {
  const wanted = new Set(wordsOf(query));
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, wanted) }))
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .map(({ tool }) => tool);
}

const weights = { name: 4, description: 2, argument: 1 } as const;
/** Shorter beginnings of words mean nothing. */
const shortestStem = 3;

function scoreOf(
  { name, description, hints, inputSchema }: ToolContract,
  wanted: ReadonlySet<string>,
): number {
  const places = [
    [weights.name, wordsOf(name)],
    [weights.description, wordsOf([description, ...hints].join(' '))],
    [weights.argument, wordsOf(Object.keys(inputSchema.properties ?? {}).join(' '))],
  ] as const;
  let score = 0;
  for (const word of wanted) {
    for (const [weight, words] of places) {
      if (words.includes(word)) score += weight;
      else if (words.some((other) => isStem(word, other))) score += weight / 2;
    }
  }
  return score;
}

/** `file` and `files`, `search` and `searching`. */
const isStem = (left: string, right: string): boolean =>
  Math.min(left.length, right.length) >= shortestStem && (left.startsWith(right) || right.startsWith(left));

/** Of identifiers too: `readFiles`, `read_files`. */
const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

// By a tool that finds them, and loads what it has found.
/** Tools that one search loads, at most. */
const mostFound = 5;

/** `load` is told of every tool that was found, the best one first. */
const searchTool = (
  name: string,
  deferred: readonly ToolContract[],
  load: (name: string) => void,
): ToolContract =>
  defineTool<{ readonly query: string }>({
    name,
    description: `Find more tools by what they do. There are ${deferred.length} more; those that are found can be called from then on.`,
    effects: 'read',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'Words for what is to be done.' } },
      required: ['query'],
      additionalProperties: false,
    },
    execute: ({ query }) => {
      const found = rankTools(deferred, query).slice(0, mostFound);
      for (const tool of found) load(tool.name);
      return found.length === 0
        ? 'No tool fits. Try other words.'
        : found.map((tool) => ({ name: tool.name, description: tool.description }));
    },
  });

/** What of a registry is selected. */
export interface ToolSelection {
  /** Values of the conversation, for the tools' `enabled`; they stand before the registry's. */
  readonly context?: ApplicationContext;
  /** Tools for which this is false are left out. Default: all are taken. */
  readonly filter?: (tool: ToolContract) => boolean;
  /** Deferred tools that are there from the start, as those that were found before. */
  readonly loaded?: Iterable<string>;
  /** The name of the tool that finds deferred tools. Default: `find_tools`. */
  readonly searchName?: string;
}

const selectionKinds: OptionKinds<ToolSelection> = {
  context: anyObject('write an object of values by name'),
  filter: callback('write a function that says which tools are taken'),
  loaded: {
    accepts: (names) => typeof names !== 'string' && Symbol.iterator in Object(names),
    instead: 'write an array of names, as names() returns one',
  },
  searchName: hinted(string, 'write a name for the tool that finds tools'),
};

// Those that are enabled for it, in an order that stays.
/**
 * By name: the tools that are not deferred in the order of registration, then the search tool if any tool is deferred, then
 * the deferred ones in the order in which they were loaded. So what a model was shown stays the beginning of what it is
 * shown later. The map grows as tools are found. Throws what `enabled` and `filter` throw, and a DefinitionError for options
 * that are none.
 */
export function selectTools(
  contracts: Iterable<ToolContract>,
  selection: ToolSelection,
  setting: RegistrySetting,
): ToolMap {
  checkOptions('ToolRegistry.select', selection, selectionKinds);
  const { context, filter = () => true, loaded = [], searchName = 'find_tools' } = selection;
  const values = mergeContext(setting.context, context);
  const taken = [...contracts].filter((tool) => (tool.enabled?.(values) ?? true) && filter(tool));
  const deferred = new Map(taken.filter(isDeferred).map((tool) => [tool.name, tool] as const));
  const offered = new ToolMap();
  for (const tool of taken) if (!isDeferred(tool)) offered.set(tool.name, tool);
  if (deferred.size === 0) return offered;
  if (offered.has(searchName) || deferred.has(searchName)) throw nameIsTaken(searchName);
  const load = (name: string): void => {
    const tool = deferred.get(name);
    if (tool !== undefined) offered.set(name, tool);
  };
  const search = withSetting(searchTool(searchName, [...deferred.values()], load), setting);
  // It is ours: nobody has to look at it before it may be called.
  setting.trusted.accept(searchName, contractDigest(search));
  offered.set(searchName, search);
  for (const name of loaded) load(name);
  return offered;
}

const isDeferred = ({ deferred }: ToolContract): boolean => deferred === true;

const nameIsTaken = (name: string): DefinitionError =>
  new DefinitionError([
    {
      where: `the tool ${name}`,
      what: 'has the name of the tool that finds deferred tools',
      instead: "select with another one: select({ searchName: '…' })",
    },
  ]);
