// Which source file imports which? Relative specifiers resolved to paths below src; packages are left out.
import { posix } from 'node:path';
import type { SourceModule } from './source-module.ts';

export interface ImportEdge {
  readonly from: string;
  readonly to: string;
  readonly line: number;
}

/** Every import between source files, one edge an import statement; `to` may not exist. */
export function importEdges(modules: readonly SourceModule[]): ImportEdge[] {
  return modules.flatMap(({ path, imports }) =>
    imports.flatMap(({ specifier, line }) =>
      specifier?.startsWith('.') === true
        ? [{ from: path, to: posix.join(posix.dirname(path), specifier), line }]
        : [],
    ),
  );
}

/** One path for each place where imports lead back to where they came from: `a.ts`, `b.ts`, `a.ts`. */
export function importCycles(edges: readonly ImportEdge[]): string[][] {
  const targets = Map.groupBy(edges, ({ from }) => from);
  const finished = new Set<string>();
  const cycles: string[][] = [];
  const follow = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path]);
    if (finished.has(path) || trail.includes(path)) return;
    for (const { to } of targets.get(path) ?? []) follow(to, [...trail, path]);
    finished.add(path);
  };
  for (const path of targets.keys()) follow(path, []);
  return cycles;
}
