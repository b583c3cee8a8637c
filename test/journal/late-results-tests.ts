import { setTimeout as sleep } from 'node:timers/promises';
import { type CallOptions, type ToolOutcome, ToolRegistry } from 'toolmend';
import type { Journal } from 'toolmend/journal';
import { callOf, callTo, handleOf, toolOf } from '../tools.ts';

/** So long that a lease ends only when a test says so. */
const longLease = 600_000;

/** Time goes on: nobody has renewed a lease for as long as it lasts. */
export const endLeases = async ({ sql }: Journal): Promise<void> => {
  await sql?.query("update toolmend.calls set lease_until = lease_until - interval '1 day'", []);
};

/** Late results reach the model, whatever process dies. `open`: opens the same journal again. */
export function testLateResults(open: (leaseMs: number) => Promise<Journal>): void {
  let calls = 0;

  async function start(leaseMs = longLease) {
    const journal = await open(leaseMs);
    const tools = new ToolRegistry({ journal }).register(
      toolOf(() => 'built', { name: 'build', background: 'always' }),
      toolOf(() => 'text', { name: 'read' }),
    );
    const read = (options: CallOptions): Promise<ToolOutcome> =>
      tools.call(callOf({ id: `read_${(calls += 1)}`, name: 'read' }), options);
    // Without closing the registry: nothing is renewed any more, and nothing finished.
    return { journal, tools, read, kill: () => journal.close() };
  }

  /** A process that starts when another one has been dead for the time of a lease. */
  async function startLater() {
    const process = await start();
    await endLeases(process.journal);
    return process;
  }

  const notesOf = ({ notes = [] }: ToolOutcome): readonly string[] => notes;
  const built = [expect.stringContaining('has ended (completed):\nbuilt')];

  /** A process with a late result for the next call of a new conversation. */
  async function startWithResult(leaseMs?: number) {
    const process = await start(leaseMs);
    const scope = { conversation: crypto.randomUUID() };
    const handle = handleOf(await process.tools.call(callTo('build'), scope));
    await process.tools.background.wait(handle, 60_000);
    return { ...process, scope };
  }

  it('a result is shown again if the process dies before the conversation goes on', async () => {
    const first = await startWithResult();
    expect(notesOf(await first.read(first.scope))).toEqual(built);
    await first.kill();

    const second = await startLater();
    expect(notesOf(await second.read(first.scope))).toEqual(built);
    expect(notesOf(await second.read(first.scope))).toEqual([]);
    await second.kill();

    const third = await startLater();
    expect(notesOf(await third.read(first.scope))).toEqual([]);
    await third.kill();
  });

  it('a result that the program has taken is taken again if the process dies', async () => {
    const first = await startWithResult();
    const taken = await first.tools.background.takeResults(first.scope);
    expect(taken).toMatchObject([{ outcome: { result: 'built' } }]);
    await first.kill();

    const second = await startLater();
    const again = await second.tools.background.takeResults(first.scope);
    expect(again).toEqual(taken);
    expect(await second.tools.background.takeResults(first.scope)).toEqual([]);
    await second.kill();
  });

  it('calls of the same turn don’t count: the model has not read the result', async () => {
    const first = await startWithResult();
    const turn = { ...first.scope, turn: 'answer 1' };
    expect(notesOf(await first.read(turn))).toEqual(built);
    expect(notesOf(await first.read(turn))).toEqual([]);
    await first.kill();

    const second = await startLater();
    expect(notesOf(await second.read({ ...turn, turn: 'answer 2' }))).toEqual(built);
    await second.kill();
  });

  it('parallel calls show a result once, and none of them lets the conversation go on', async () => {
    const first = await startWithResult();
    const outcomes = await Promise.all([1, 2, 3].map(() => first.read(first.scope)));
    expect(outcomes.flatMap(notesOf)).toEqual(built);
    await first.kill();

    const second = await startLater();
    expect(notesOf(await second.read(first.scope))).toEqual(built);
    await second.kill();
  });

  it('a process that closes has passed on what it has taken', async () => {
    const first = await startWithResult();
    expect(notesOf(await first.read(first.scope))).toEqual(built);
    await first.tools.close();
    await first.kill();

    const second = await startLater();
    expect(notesOf(await second.read(first.scope))).toEqual([]);
    await second.kill();
  });

  it('a process that lives keeps what it has taken, and has passed it on after twenty leases', async () => {
    const first = await startWithResult(50);
    expect(notesOf(await first.read(first.scope))).toEqual(built);
    const { sql } = first.journal;
    const isPassedOn = async (): Promise<boolean> => {
      const rows = await sql?.query(
        'select from toolmend.calls where conversation = $1 and is_late and delivered_at is null',
        [first.scope.conversation],
      );
      return rows?.length === 0;
    };
    while (!(await isPassedOn())) await sleep(50);
    await first.kill();

    const second = await startLater();
    expect(notesOf(await second.read(first.scope))).toEqual([]);
    await second.kill();
  });

  it('a process takes a result once, though it could not renew its lease', async () => {
    const first = await startWithResult();
    expect(await first.tools.background.takeResults(first.scope)).toHaveLength(1);
    await endLeases(first.journal);

    expect(await first.journal.deliver('', first.scope.conversation)).toEqual([]);
    await first.kill();
  });
}
