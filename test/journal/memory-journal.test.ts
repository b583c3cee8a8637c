import { ToolRegistry } from 'toolmend';
import { type Journal, openJournal } from 'toolmend/journal';
import type { NewEntry } from '../../src/store/call-store.ts';
import { callOf, toolOf } from '../tools.ts';
import { completed, entryOf, testJournal } from './port-tests.ts';
import { testReopening } from './reopening-tests.ts';

let journal: Journal;
beforeAll(async () => {
  journal = await openJournal();
});

testJournal(() => journal);
testReopening({ open: () => openJournal(), keeps: 'nothing' });

it('keeps about 10,000 calls: late results and expired approvals are forgotten, open ones are not', async () => {
  const full = await openJournal();
  const begin = async (more: Partial<NewEntry> = {}) => {
    const entry = entryOf(more);
    await full.begin(entry, { isLate: true });
    return entry.id;
  };
  const wait = async (expiresAfter: number) => {
    const id = await begin();
    await full.openApproval(id, {
      id: crypto.randomUUID(),
      seal: '',
      expiresAfter,
      from: 'running',
    });
    return id;
  };
  const open = await wait(60_000);
  const expired = await wait(-1);
  const running = await begin();
  const late = await begin({ conversation: 'c' });
  await full.end(late, completed);
  for (let made = 0; made < 12_000; made += 1) await full.end(await begin(), completed);

  expect((await full.list({ limit: 20_000 })).length).toBeLessThanOrEqual(11_000);
  expect(await full.entry(open)).toMatchObject({ state: 'waiting' });
  expect(await full.entry(running)).toMatchObject({ state: 'running' });
  expect(await full.entry(expired)).toBeUndefined();
  expect(await full.deliver('', 'c')).toEqual([]);
});

it('lets a registry close while another one that shares the journal goes on', async () => {
  const shared = await openJournal();
  const { promise, resolve } = Promise.withResolvers<string>();
  const busy = new ToolRegistry({ journal: shared }).register(toolOf(() => promise));
  const outcome = busy.call(callOf());

  await new ToolRegistry({ journal: shared }).close();
  resolve('done');
  expect(await outcome).toMatchObject({ result: 'done' });
});
