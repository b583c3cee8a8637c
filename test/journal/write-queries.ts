// The page about the queries of a journal.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { ExplainedStatement } from './statement-plans.ts';

const file = join(import.meta.dirname, '..', '..', 'docs', 'internals', 'journal-queries.md');
const begin = '<!-- made by npm run test:slow -- test/journal/query-plans -->';
const end = '<!-- end -->';

/** Replaces the table: for each kind of work, the most that one of its statements did. */
export function writeQueries(
  measured: readonly (readonly [string, readonly ExplainedStatement[]])[],
): void {
  const text = readFileSync(file, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${file} has lost its markers`);
  const lines = measured.map(([what, statements]) => {
    const most = (read: (statement: ExplainedStatement) => number): number =>
      Math.max(...statements.map(read));
    const scanned = most(({ nodes }) => Math.max(...nodes.map(({ rows }) => rows)));
    const milliseconds = most((statement) => statement.milliseconds).toFixed(1);
    const blocks = most((statement) => statement.blocks);
    return `| \`${what}\` | ${statements.length} | ${scanned} | ${blocks} | ${milliseconds} |`;
  });
  const day = new Date().toISOString().slice(0, 10);
  const table = [
    `${day}, PostgreSQL 15, ${availableParallelism()} cores.`,
    '',
    '| work | statements | rows | blocks | ms |',
    '| --- | --: | --: | --: | --: |',
    ...lines,
  ];
  writeFileSync(file, `${before}${begin}\n\n${table.join('\n')}\n\n${end}${after}`);
}
