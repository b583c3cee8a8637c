// Registers the six tools and creates their instances.
import { RepairStats, ToolRegistry } from 'toolmend';
import { EditFile } from './tools/edit-file.ts';
import { ListDirectory } from './tools/list-directory.ts';
import { ReadFiles } from './tools/read-files.ts';
import { RunCommand } from './tools/run-command.ts';
import { SearchText } from './tools/search-text.ts';
import { WriteFile } from './tools/write-file.ts';
import type { Workspace } from './workspace.ts';

export interface Toolset {
  readonly tools: ToolRegistry;
  /** Counts what is repaired and rejected. */
  readonly stats: RepairStats;
}

/** The six tools on one workspace. */
export function createToolset(workspace: Workspace): Toolset {
  const stats = new RepairStats();
  const tools = new ToolRegistry({
    // One instance for each call. A service would use its container here.
    create: (Class) => Reflect.construct(Class, [workspace]),
    listeners: [stats],
    timeoutMs: 30_000,
  }).register(ReadFiles, ListDirectory, SearchText, EditFile, WriteFile, RunCommand);
  return { tools, stats };
}
