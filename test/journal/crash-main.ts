// `npm run crash -- --kills 1000`: kills that many processes on PostgreSQL and a fifth as many on
// PGlite, and prints what became of their calls.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CrashReport, crash } from './crash.ts';
import { startPostgres } from './postgres-server.ts';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '50' } } });
const kills = Number(values.kills);

const server = await startPostgres();
const folder = mkdtempSync(join(tmpdir(), 'toolmend-crash-pglite-'));
try {
  const { connectionString } = server;
  const onPostgres = await timed('PostgreSQL, two workers', () =>
    crash({ connectionString }, kills, showProgress),
  );
  const onPglite = await timed('PGlite, one worker at a time', () =>
    crash({ folder }, Math.ceil(kills / 5), showProgress),
  );
  if ([onPostgres, onPglite].some(({ wrong }) => wrong.length > 0)) process.exitCode = 1;
} finally {
  server.remove();
  rmSync(folder, { recursive: true });
}

function showProgress(dead: number): void {
  if (dead % 50 === 0) console.log(`${dead} kills`);
}

async function timed(name: string, run: () => Promise<CrashReport>): Promise<CrashReport> {
  const start = performance.now();
  const report = await run();
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  const killed = [...report.kills.values()].reduce((sum, count) => sum + count, 0);
  const countsOf = (states: CrashReport['states']): string =>
    Object.entries(states)
      .map(([state, count]) => `${count} ${state}`)
      .join(', ');
  console.log(
    `${name}: ${killed} kills at ${report.kills.size} points in ${seconds} s, ${report.calls} calls: ${countsOf(report.states)}; transactional: ${countsOf(report.transactional)}`,
  );
  console.log(report.wrong.length === 0 ? 'nothing is wrong' : report.wrong.join('\n'));
  return report;
}
