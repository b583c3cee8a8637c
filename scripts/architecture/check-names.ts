// Does every folder and file carry a name that says what is in it, once?
import { posix } from 'node:path';
import { isEntry, layerOf, rungOf } from './layers.ts';
import type { SourceTree } from './read-source-tree.ts';
import type { Violation } from './violation.ts';

const emptyWords = ['utils', 'common', 'core', 'shared', 'helpers'];

/** Every name that is no kebab-case, says nothing, is taken, or stands in no layer. */
export function checkNames({ modules, folders, strangers }: SourceTree): Violation[] {
  const paths = modules.map(({ path }) => path);
  return [
    ...strangers.map((where) => ({ law: 'file-name', where, what: 'is no TypeScript source file' })),
    ...[...folders, ...paths].flatMap(checkWording),
    ...paths.flatMap(checkPlace),
    ...checkUniqueness(paths),
  ];
}

function checkWording(path: string): Violation[] {
  const name = posix.basename(path).replace(/(\.decorator|\.d)?\.ts$/, '');
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    return [{ law: 'kebab-case', where: path, what: 'is not in kebab-case' }];
  }
  return emptyWords.includes(name)
    ? [{ law: 'empty-name', where: path, what: `is named ${name}, which says nothing of what is in it` }]
    : [];
}

function checkPlace(path: string): Violation[] {
  const folder = path.split('/').slice(0, -1);
  if (folder.length > 2) {
    return [{ law: 'depth', where: path, what: 'lies deeper than two folders below src' }];
  }
  const isLoose = folder.length === 0 && !isEntry(path);
  return isLoose || rungOf(layerOf(path)) === -1
    ? [{ law: 'unknown-layer', where: path, what: 'belongs to no layer that layers.ts knows' }]
    : [];
}

function checkUniqueness(paths: readonly string[]): Violation[] {
  const named = Map.groupBy(
    paths.filter((path) => !isEntry(path)),
    (path) => posix.basename(path),
  );
  return [...named].flatMap(([name, [first = '', ...others]]) =>
    others.map((where) => ({ law: 'unique-name', where, what: `shares the name ${name} with ${first}` })),
  );
}
