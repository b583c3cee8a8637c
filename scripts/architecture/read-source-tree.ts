// Which source files are there, and what is in them?
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseModule } from './parse-module.ts';
import type { SourceModule } from './source-module.ts';

export interface SourceTree {
  readonly modules: readonly SourceModule[];
  /** Paths of all folders below src, relative to it. */
  readonly folders: readonly string[];
  /** Files that are no TypeScript: nothing of src is skipped in silence. */
  readonly strangers: readonly string[];
}

/** Reads every file below `sourceFolder`; throws if there is no such folder. */
export function readSourceTree(sourceFolder: string): SourceTree {
  const entries = readdirSync(sourceFolder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name).slice(sourceFolder.length + 1) }))
    .map(({ entry, path }) => ({ isFolder: entry.isDirectory(), path: path.replaceAll('\\', '/') }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const files = entries.filter(({ isFolder }) => !isFolder).map(({ path }) => path);
  return {
    modules: files
      .filter(isTypeScript)
      .map((path) => parseModule(path, readFileSync(join(sourceFolder, path), 'utf8'))),
    folders: entries.filter(({ isFolder }) => isFolder).map(({ path }) => path),
    strangers: files.filter((path) => !isTypeScript(path)),
  };
}

const isTypeScript = (path: string): boolean => path.endsWith('.ts');
