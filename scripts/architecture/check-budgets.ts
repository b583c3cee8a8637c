// Is every file, function and folder small enough to be read at once?
import { posix } from 'node:path';
import { isEntry } from './layers.ts';
import type { SourceModule } from './source-module.ts';
import type { Violation } from './violation.ts';

/** The limits; each is a hard one, well above what a file usually needs. */
const budgets = {
  linesOfFile: 250,
  linesOfFunction: 50,
  parametersOfFunction: 4,
  valuesExportedByFile: 6,
  importsOfFile: 10,
  filesOfFolder: 15,
} as const;

/** Folders that hold one unit of a long list in each file. */
const listFolders = ['repair/rules', 'decorators'];

/** Files that are such a list: one import a unit. */
const listFiles = ['repair/rule-table.ts'];

/** Files that are a table with a row, and so an import, for each unit of such a list. */
const tables = ['repair/rule-table.ts'];

/** Every budget that is exceeded, with the limit and by how much. */
export const checkBudgets = (modules: readonly SourceModule[]): Violation[] => [
  ...modules.flatMap(checkFile),
  ...modules.flatMap(checkFunctions),
  ...checkFolders(modules),
];

function checkFile(module: SourceModule): Violation[] {
  const { path, lines } = module;
  const over: Violation[] = [];
  if (lines > budgets.linesOfFile) over.push(exceeded(path, 'lines', lines, budgets.linesOfFile));
  if (isEntry(path) || listFiles.includes(path)) return over;
  const values = module.exportedValues;
  if (values > budgets.valuesExportedByFile) {
    over.push(exceeded(path, 'exported values', values, budgets.valuesExportedByFile));
  }
  const imported = new Set(module.imports.map(({ specifier }) => specifier)).size;
  const isTable = tables.some((table) => path.endsWith(table));
  if (imported > budgets.importsOfFile && !isTable)
    over.push(exceeded(path, 'imports', imported, budgets.importsOfFile));
  return over;
}

const checkFunctions = ({ path, functions }: SourceModule): Violation[] =>
  functions.flatMap(({ line, lines, parameters }) => [
    ...(lines > budgets.linesOfFunction
      ? [exceeded(`${path}:${line}`, 'lines in a function', lines, budgets.linesOfFunction)]
      : []),
    ...(parameters > budgets.parametersOfFunction
      ? [exceeded(`${path}:${line}`, 'parameters', parameters, budgets.parametersOfFunction)]
      : []),
  ]);

function checkFolders(modules: readonly SourceModule[]): Violation[] {
  const folders = Map.groupBy(modules, ({ path }) => posix.dirname(path));
  return [...folders].flatMap(([folder, files]) =>
    files.length > budgets.filesOfFolder && !listFolders.includes(folder)
      ? [exceeded(folder, 'files', files.length, budgets.filesOfFolder)]
      : [],
  );
}

const exceeded = (where: string, unit: string, count: number, limit: number): Violation => ({
  law: 'budget',
  where,
  what: `has ${count} ${unit}; the limit is ${limit}`,
});
