// Lists files with their sizes, grouped by folder.
import type { WorkspaceFiles } from './workspace.ts';

/** One line a folder or file. */
export function fileTree(files: WorkspaceFiles): readonly string[] {
  const shown = new Set<string>();
  return Object.keys(files)
    .toSorted()
    .flatMap((path) => [...newFolders(path, shown), fileLine(path, files[path] ?? '')]);
}

function newFolders(path: string, shown: Set<string>): readonly string[] {
  const names = path.split('/').slice(0, -1);
  const folders = names.map((_, depth) => names.slice(0, depth + 1).join('/'));
  const unseen = folders.filter((folder) => !shown.has(folder));
  for (const folder of unseen) shown.add(folder);
  return unseen.map((folder) => `${indent(folder)}${nameOf(folder)}/`);
}

const fileLine = (path: string, text: string): string =>
  `${indent(path)}${nameOf(path)}  ${Buffer.byteLength(text)} bytes`;

const indent = (path: string): string => '  '.repeat(path.split('/').length - 1);
const nameOf = (path: string): string => path.split('/').at(-1) ?? '';
