// Is everything in its place inside the files? No barrels, one JSON reader, no lint rule silenced without a reason.
import { isEntry, layerOf } from './layers.ts';
import type { SourceModule } from './source-module.ts';
import type { Violation } from './violation.ts';

/** Every passage that stands in the wrong file. */
export const checkContents = (modules: readonly SourceModule[]): Violation[] =>
  modules.flatMap((module) => [
    ...module.errors.map((what) => ({ law: 'syntax', where: module.path, what })),
    ...checkPassedOn(module),
    ...checkJsonParse(module),
    ...module.silencedLines.map((line) => ({
      law: 'silenced-lint',
      where: `${module.path}:${line}`,
      what: 'switches off a lint rule without saying why (write `-- reason` after the rule)',
    })),
  ]);

function checkPassedOn({ path, passedOn, passedOnWhole }: SourceModule): Violation[] {
  const forbidden = isEntry(path) ? passedOnWhole : passedOn;
  const what = isEntry(path)
    ? 'exports * instead of name by name, from'
    : 'is a barrel: it passes on names of';
  return [...new Set(forbidden)].map((from) => ({ law: 'barrel', where: path, what: `${what} ${from}` }));
}

function checkJsonParse({ path, jsonParseLines }: SourceModule): Violation[] {
  if (layerOf(path) === 'json') return [];
  return jsonParseLines.map((line) => ({
    law: 'json-parse',
    where: `${path}:${line}`,
    what: 'calls JSON.parse outside json/',
  }));
}
