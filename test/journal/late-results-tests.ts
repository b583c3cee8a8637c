import { setTimeout as sleep } from 'node:timers/promises';
import { type CallOptions, type ToolOutcome, ToolRegistry } from 'toolmend';
import type { Journal } from 'toolmend/journal';
import { callOf, callTo, handleOf, toolOf } from '../tools.ts';

const leaseMs = 1500;

/** Late results reach the model, whatever process dies. `open`: opens the same journal again. */
export function testLateResults(open: (leaseMs: number) => Promise<Journal>): void {
  let calls = 0;

  async function start(lease = leaseMs) {
    const journal = await open(lease);
    const tools = new ToolRegistry({ journal }).register(
      toolOf(() => 'built', { name: 'build', background: 'always' }),
      toolOf(() => 'text', { name: 'read' }),
    );
    const read = (options: CallOptions): Promise<ToolOutcome> =>
      tools.call(callOf({ id: `read_${(calls += 1)}`, name: 'read' }), options);
    // Without closing the registry: nothing is renewed any more, and nothing finished.
    return { tools, read, kill: () => journal.close() };
  }

  const notesOf = ({ notes = [] }: ToolOutcome): readonly string[] => notes;
  const built = [expect.stringContaining('has ended (completed):\nbuilt')];

  /** A process with a late result for the next call of a new conversation. */
  async function startWithResult(lease?: number) {
    const process = await start(lease);
    const scope = { conversation: crypto.randomUUID() };
    const handle = handleOf(await process.tools.call(callTo('build'), scope));
    await process.tools.background.wait(handle, 60_000);
    return { ...process, scope };
  }

  it('a result is shown again if the process dies before the conversation goes on', async () => {
    const first = await startWithResult();
    expect(notesOf(await first.read(first.scope))).toEqual(built);
    await first.kill();

    const second = await start();
    await sleep(leaseMs);
    expect(notesOf(await second.read(first.scope))).toEqual(built);
    expect(notesOf(await second.read(first.scope))).toEqual([]);
    await second.kill();

    const third = await start();
    await sleep(leaseMs);
    expect(notesOf(await third.read(first.scope))).toEqual([]);
    await third.kill();
  });

  it('a result that the program has taken is taken again if the process dies', async () => {
    const first = await startWithResult();
    const taken = await first.tools.background.takeResults(first.scope);
    expect(taken).toMatchObject([{ outcome: { result: 'built' } }]);
    await first.kill();

    const second = await start();
    await sleep(leaseMs);
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

    const second = await start();
    await sleep(leaseMs);
    expect(notesOf(await second.read({ ...turn, turn: 'answer 2' }))).toEqual(built);
    await second.kill();
  });

  it('parallel calls show a result once, and none of them lets the conversation go on', async () => {
    const first = await startWithResult();
    const outcomes = await Promise.all([1, 2, 3].map(() => first.read(first.scope)));
    expect(outcomes.flatMap(notesOf)).toEqual(built);
    await first.kill();

    const second = await start();
    await sleep(leaseMs);
    expect(notesOf(await second.read(first.scope))).toEqual(built);
    await second.kill();
  });

  it('a process that closes has passed on what it has taken', async () => {
    const first = await startWithResult();
    expect(notesOf(await first.read(first.scope))).toEqual(built);
    await first.tools.close();
    await first.kill();

    const second = await start();
    await sleep(leaseMs);
    expect(notesOf(await second.read(first.scope))).toEqual([]);
    await second.kill();
  });

  it('a process that lives keeps what it has taken, and has passed it on after twenty leases', async () => {
    const first = await startWithResult(100);
    expect(notesOf(await first.read(first.scope))).toEqual(built);
    await sleep(2600);
    await first.kill();

    const second = await start();
    await sleep(200);
    expect(notesOf(await second.read(first.scope))).toEqual([]);
    await second.kill();
  });
}
