import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolRegistry } from 'toolmend';
import { type Journal, openJournal } from 'toolmend/journal';
import { closedTool, never } from '../tools.ts';
import { testJournal } from './port-tests.ts';
import { testQuestions } from './question-tests.ts';
import { testReopening } from './reopening-tests.ts';
import { testReplicas } from './replica-tests.ts';
import { testUndo } from './undo-tests.ts';
import { testRetention } from './retention-tests.ts';
import { pgliteFolder } from './pglite-folder.ts';
import { type PostgresServer, startPostgres, describeWithPostgres } from './postgres-server.ts';

/** So long that a busy machine loses none. */
const leaseMs = 600_000;

test('PGlite takes neither a folder with other files nor one that another process uses', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-pglite-'));
  writeFileSync(join(folder, 'package.json'), '{}');
  await expect(openJournal({ folder })).rejects.toThrow('has other files than those of a journal');
  rmSync(join(folder, 'package.json'));
  writeFileSync(join(folder, 'toolmend.pid'), String(process.ppid));
  await expect(openJournal({ folder })).rejects.toThrow(`is in use by the process ${process.ppid}`);
  rmSync(folder, { recursive: true });
});

describe('PGlite in a folder', () => {
  let journal: Journal;
  let folder = '';
  beforeAll(async () => {
    folder = await pgliteFolder();
    journal = await openJournal({ folder, leaseMs });
  });
  afterAll(() => journal.close());

  // First: a registry that closes waits for the calls that the other tests leave in its journal.
  testQuestions(() => [journal, journal]);
  testJournal(() => journal);
  testReplicas(() => [journal, journal]);
  testUndo(() => [journal, journal]);
  testRetention(() => journal);

  describe('that is opened again', () => {
    const again = mkdtempSync(join(tmpdir(), 'toolmend-pglite-'));
    afterAll(() => rmSync(again, { recursive: true }));
    testReopening({ open: () => openJournal({ folder: again, leaseMs: 1000 }), keeps: 'all' });
  });

  it('has the calls of a run whose process was killed, for tools.undo', async () => {
    const killed = await pgliteFolder();
    const worker = join(import.meta.dirname, 'undo-worker.ts');
    expect(spawnSync(process.execPath, [worker, killed, 'run-7'])).toMatchObject({
      signal: 'SIGKILL',
    });
    const tools = new ToolRegistry({
      approval: {},
      journal: await openJournal({ folder: killed }),
    }).register(
      closedTool(
        'book',
        never,
        { city: { type: 'string' } },
        { undo: (_values, result) => ({ tool: 'cancel', arguments: { ...Object(result) } }) },
      ),
      closedTool('cancel', ({ booking }) => ['canceled', booking], { booking: {} }),
    );

    const offered = await tools.undo('run-7');
    const outcomes: unknown[] = [];
    for (const outcome of offered)
      outcomes.push(
        outcome.status === 'approval_required'
          ? await tools.resolveApproval(outcome.approval.id, { decision: 'approve' })
          : outcome,
      );
    await tools.close();

    expect(outcomes).toMatchObject([
      { status: 'completed', result: ['canceled', 'hotel in Ghent'] },
      { status: 'completed', result: ['canceled', 'hotel in Graz'] },
    ]);
  });

  it('is opened once in a process', async () => {
    const what = 'is in use by this process: share one journal between the registries of a process';
    await expect(openJournal({ folder })).rejects.toThrow(what);
  });
});

describeWithPostgres(() => {
  let server: PostgresServer;
  let journal: Journal;
  let other: Journal;
  beforeAll(async () => {
    server = await startPostgres();
    const options = {
      connectionString: server.connectionString,
      secretsKey: 'a key of all replicas',
      leaseMs,
    };
    journal = await openJournal(options);
    other = await openJournal(options);
  });
  afterAll(async () => {
    await Promise.all([journal.close(), other.close()]);
    server.remove();
  });

  // First: a registry that closes waits for the calls that the other tests leave in its journal.
  testQuestions(() => [journal, other]);
  testJournal(() => journal);
  testReplicas(() => [journal, other]);
  testUndo(() => [journal, other]);
  testRetention(() => journal);

  describe('that is opened again', () => {
    const open = () => {
      const { connectionString } = server;
      return openJournal({ connectionString, schema: 'opened_again', leaseMs: 1000 });
    };
    testReopening({ open, keeps: 'all' });
  });
});
