import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release, type } from 'node:os';
import { join } from 'node:path';
import { type Section } from './section.ts';
import { renderSections } from './render-markdown.ts';

const root = join(import.meta.dirname, '..');
const begin = '<!-- made by npm run bench -- --write -->';
const end = '<!-- end -->';

/**
 * Replaces the tables of the benchmarks page, with the day, the machine and the Node they were made
 * on, and what the README says of each rule.
 */
export function writeBenchmarks(sections: readonly Section[]): void {
  const tables = renderSections(sections);
  writeBetweenMarkers('docs/internals/benchmarks.md', `${circumstances()}\n\n${tables}`);
  const eachRule = sections.find(({ columns }) => columns[0] === 'rule');
  if (eachRule !== undefined) writeBetweenMarkers('README.md', repairedRules(eachRule));
}

function writeBetweenMarkers(name: string, content: string): void {
  const file = join(root, name);
  const text = readFileSync(file, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${name} has lost its markers`);
  writeFileSync(file, `${before}${begin}\n\n${content}\n\n${end}${after}`);
}

/** Libraries of the README, with their columns in the table of each rule. */
const libraries = {
  toolmend: 1,
  '`@typia/utils` LlmJson': 4,
  'Ajv with `coerceTypes`': 2,
  'jsonrepair and Ajv': 5,
};

function repairedRules({ rows }: Section): string {
  const lines = Object.entries(libraries).map(([name, column]) => {
    const repaired = rows.filter((row) => row[column] !== '–').length;
    return `| ${name.padEnd(22)} | ${String(repaired).padStart(8)} |`;
  });
  return [
    `The benchmark sends one call for each of ${rows.length} rules.\n`,
    '| library                | repaired |',
    '| ---------------------- | -------: |',
    ...lines,
  ].join('\n');
}

function circumstances(): string {
  const day = new Date().toISOString().slice(0, 10);
  const processor = cpus()[0]?.model.trim() ?? 'an unknown processor';
  return `${day}, Node ${process.versions.node}, ${type()} ${release()}, ${processor}, ${availableParallelism()} cores.`;
}
