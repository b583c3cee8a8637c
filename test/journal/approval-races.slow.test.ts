// One call that several people decide about at the same moment, in several processes.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type PendingApproval, ToolRegistry } from 'toolmend';
import { type Journal, openJournal } from 'toolmend/journal';
import { callOf, toolOf } from '../tools.ts';
import { type PostgresServer, describeWithPostgres, startPostgres } from './postgres-server.ts';

describeWithPostgres(() => {
  let server: PostgresServer;
  let journals: readonly Journal[] = [];
  let held: Client;
  let ran = 0;
  beforeAll(async () => {
    server = await startPostgres();
    const { connectionString } = server;
    journals = await Promise.all([0, 1].map(() => openJournal({ connectionString })));
    held = new Client({ connectionString });
    await held.connect();
  });
  afterAll(async () => {
    await held.end();
    await Promise.all(journals.map((journal) => journal.close()));
    server.remove();
  });
  beforeEach(() => void (ran = 0));

  const replica = (at: number, expiresAfter: number): ToolRegistry =>
    new ToolRegistry({ journal: journalAt(at), approval: { expiresAfter } }).register(
      toolOf(() => (ran += 1), { effects: 'destructive' }),
    );
  function journalAt(at: number): Journal {
    const journal = journals[at];
    if (journal === undefined) throw new Error('is not open');
    return journal;
  }

  /** An expired approval, of which two people get two new ones of the same call. */
  async function twoApprovals(id: string): Promise<readonly PendingApproval[]> {
    const first = await replica(0, 1).call(callOf({ id }), { conversation: 'c' });
    if (first.status !== 'approval_required') throw new Error(first.status);
    await sleep(20);
    const renew = async (at: number): Promise<PendingApproval> => {
      const again = await replica(at, 60_000).resolveApproval(first.approval.id, {
        decision: 'approve',
      });
      if (again.status !== 'approval_required') throw new Error(again.status);
      return again.approval;
    };
    return Promise.all([renew(0), renew(1)]);
  }

  test.each([
    ['approve', 'approve'],
    ['approve', 'deny'],
    ['deny', 'approve'],
    ['deny', 'deny'],
  ] as const)(
    'of two approvals of one call, one decision counts: %s and %s at once',
    async (...decisions) => {
      const id = decisions.join('_');
      const approvals = await twoApprovals(id);
      // Both statements wait for the row of the call, so that they meet.
      await held.query('begin');
      await held.query('select 1 from toolmend.calls where call_id = $1 for update', [id]);
      const decided = approvals.map((approval, at) =>
        replica(at, 60_000).resolveApproval(approval, { decision: decisions[at] ?? 'deny' }),
      );
      const waiting = "select from pg_stat_activity where wait_event_type = 'Lock'";
      while ((await held.query(waiting)).rowCount !== 2) await sleep(10);
      await held.query('commit');
      const outcomes = await Promise.all(decided);
      const counted = outcomes.filter(
        (one) => one.status === 'completed' || (one.status === 'denied' && one.by === 'approver'),
      );
      expect(counted).toHaveLength(1);
      expect(ran).toBe(counted.filter(({ status }) => status === 'completed').length);
    },
  );
});
