// Does src keep its layers, names and budgets? One answer for `npm run layers` and for the tests.
import { join } from 'node:path';
import { checkContents } from './check-contents.ts';
import { checkImports } from './check-imports.ts';
import { checkNames } from './check-names.ts';
import { importEdges } from './import-graph.ts';
import { readSourceTree } from './read-source-tree.ts';
import type { Violation } from './violation.ts';

export interface ArchitectureReport {
  /** How many files were read and how many imports between them were found: a check that reads nothing is no check. */
  readonly files: number;
  readonly edges: number;
  readonly violations: readonly Violation[];
}

/** Judges `<projectFolder>/src`. */
export function checkArchitecture(projectFolder: string): ArchitectureReport {
  const tree = readSourceTree(join(projectFolder, 'src'));
  const edges = importEdges(tree.modules).length;
  const violations = [
    ...checkNames(tree),
    ...checkImports(tree.modules),
    ...checkContents(tree.modules),
  ];
  if (edges === 0) violations.push({ law: 'nothing-read', where: 'src', what: 'has no imports to judge' });
  return { files: tree.modules.length, edges, violations };
}
