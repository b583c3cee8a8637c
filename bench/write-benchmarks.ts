import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release, type } from 'node:os';
import { join } from 'node:path';

const file = join(import.meta.dirname, '..', 'docs', 'internals', 'benchmarks.md');
const begin = '<!-- made by npm run bench -- --write -->';
const end = '<!-- end -->';

/** Replaces the tables, with the day, the machine and the Node they were made on. */
export function writeBenchmarks(tables: string): void {
  const text = readFileSync(file, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${file} has lost its markers`);
  writeFileSync(file, `${before}${begin}\n\n${circumstances()}\n\n${tables}\n\n${end}${after}`);
}

function circumstances(): string {
  const day = new Date().toISOString().slice(0, 10);
  const processor = cpus()[0]?.model.trim() ?? 'an unknown processor';
  return `${day}, Node ${process.versions.node}, ${type()} ${release()}, ${processor}, ${availableParallelism()} cores.`;
}
