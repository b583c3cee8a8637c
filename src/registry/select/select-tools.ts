// Which of a registry's tools does one conversation have? Those that are enabled for it, in an order that stays.
import { contractDigest } from '../../contract/contract-digest.ts';
import type { ToolContract } from '../../contract/tool-contract.ts';
import { DefinitionError } from '../../errors/definition-error.ts';
import type { RegistrySetting } from '../registry-setting.ts';
import { mergeContext } from '../running/merge-context.ts';
import { withSetting } from '../with-setting/with-setting.ts';
import { searchTool } from './search-tool.ts';
import { ToolMap } from './tool-map.ts';
import { checkSelection, type ToolSelection } from './tool-selection.ts';

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
  checkSelection(selection);
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
