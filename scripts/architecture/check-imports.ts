// Do imports go downwards, in no circle, to files that exist, and outside only where they may?
import { importCycles, importEdges } from './import-graph.ts';
import type { ImportEdge } from './import-graph.ts';
import { layerOf, rungOf } from './layers.ts';
import type { SourceModule } from './source-module.ts';
import type { Violation } from './violation.ts';

/** Every import that the layers, or the place of what is imported, forbid. */
export function checkImports(modules: readonly SourceModule[]): Violation[] {
  const edges = importEdges(modules);
  const known = new Set(modules.map(({ path }) => path));
  return [
    ...edges.filter(({ to }) => !known.has(to)).map(missingFile),
    ...edges.flatMap(checkDirection),
    ...checkMutualLayers(edges),
    ...importCycles(edges).map((cycle) => ({
      law: 'import-cycle',
      where: cycle[0] ?? '',
      what: `imports lead back to it: ${cycle.join(' → ')}`,
    })),
    ...modules.flatMap(checkForeignImports),
  ];
}

const missingFile = ({ from, to, line }: ImportEdge): Violation => ({
  law: 'missing-file',
  where: `${from}:${line}`,
  what: `imports ${to}, which is not a source file`,
});

function checkDirection({ from, to, line }: ImportEdge): Violation[] {
  const [upper, lower] = [layerOf(from), layerOf(to)];
  if (upper === lower) return [];
  const [here, there] = [rungOf(upper), rungOf(lower)];
  if (here < there) return [];
  const relation = here === there ? 'its neighbour' : 'upwards to';
  return [{ law: 'layer', where: `${from}:${line}`, what: `${upper} imports ${relation} ${lower} (${to})` }];
}

function checkMutualLayers(edges: readonly ImportEdge[]): Violation[] {
  const pairs = new Set(edges.map(({ from, to }) => `${layerOf(from)} ${layerOf(to)}`));
  return [...pairs].flatMap((pair) => {
    const [one = '', other = ''] = pair.split(' ');
    if (one >= other || !pairs.has(`${other} ${one}`)) return [];
    return [{ law: 'mutual-folders', where: one, what: `imports ${other} and is imported by it` }];
  });
}

function checkForeignImports({ path, imports }: SourceModule): Violation[] {
  const inMetadata = layerOf(path) === 'metadata';
  return imports.flatMap(({ specifier, names, line }) => {
    const where = `${path}:${line}`;
    if (specifier === undefined) {
      return [{ law: 'computed-import', where, what: 'imports a computed name, which no check can follow' }];
    }
    if (inMetadata) return [];
    if (specifier.startsWith('reflect-metadata')) {
      return [{ law: 'reflect-metadata', where, what: 'imports reflect-metadata outside metadata/' }];
    }
    return names.includes('getMetadataStorage')
      ? [{ law: 'metadata-storage', where, what: `reads the storage of ${specifier} outside metadata/` }]
      : [];
  });
}
