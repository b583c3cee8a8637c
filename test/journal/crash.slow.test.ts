import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JournalEntry } from '../../src/store/call-store.ts';
import { crash, whatIsWrong } from './crash.ts';
import { startPostgres, whyWithoutPostgres } from './postgres-server.ts';

const killsIn = ({ kills }: Awaited<ReturnType<typeof crash>>): number =>
  [...kills.values()].reduce((sum, count) => sum + count, 0);

const why = whyWithoutPostgres();
(why === undefined ? it : it.skip)(
  `loses nothing and runs nothing twice when 50 processes die on PostgreSQL, two at a time${why === undefined ? '' : ` (${why})`}`,
  async () => {
    const server = await startPostgres();
    try {
      const report = await crash({ connectionString: server.connectionString }, 50);

      expect(report.wrong).toEqual([]);
      expect(killsIn(report)).toBeGreaterThanOrEqual(50);
      expect(report.kills.size).toBeGreaterThanOrEqual(15);
      expect(report.calls).toBeGreaterThan(100);
    } finally {
      server.remove();
    }
  },
);

it('loses nothing and runs nothing twice when 8 processes die on PGlite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-crash-pglite-'));

  const report = await crash({ folder }, 8);
  rmSync(folder, { recursive: true });

  expect(report.wrong).toEqual([]);
  expect(killsIn(report)).toBe(8);
});

describe('what the crash test calls wrong', () => {
  const entry = (more: Partial<JournalEntry>): JournalEntry => ({
    id: '00000000-0000-0000-0000-000000000000',
    tenant: '',
    callId: 'call_0',
    tool: 'charge',
    interpreter: '',
    digest: '',
    rerun: 'never',
    hasSecrets: false,
    status: 'valid',
    rules: [],
    issues: [],
    state: 'ended',
    attempts: 1,
    isAbandoned: false,
    createdAt: '',
    updatedAt: '',
    ...more,
  });
  const paid = entry({
    outcome: { status: 'completed', duration: 1, content: { text: 'r1' }, returnDirect: false },
  });
  const ran = 'effect call_0 key r1';

  it.each([
    ['a second run', [paid], [ran, 'effect call_0 key r2'], 'ran 2 times'],
    ['a lost entry', [], [ran], 'is not in the journal'],
    ['a lost result', [entry({ state: 'in_doubt' })], [ran, 'returned call_0 r1'], 'does not have'],
    ['a made-up result', [paid], ['effect call_0 key r2'], 'has the result of no run'],
    ['a call that was left', [entry({ state: 'running' })], [ran], 'was left running'],
    [
      'a question whose time is over',
      [entry({ state: 'waiting', tool: 'lapse' })],
      [],
      'was left waiting',
    ],
    ['another key', [paid], [ran, 'effect call_0 other r1'], 'two idempotency keys'],
  ])('has %s', (_what, entries, lines, wrong) => {
    expect(whatIsWrong(entries, lines).join('\n')).toContain(wrong);
  });

  it('has nothing of a run that is in the journal', () => {
    expect(whatIsWrong([paid], [ran, 'returned call_0 r1'])).toEqual([]);
  });
});
