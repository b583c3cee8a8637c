// Undo calls wait in the journal, each for its approval, and are found there if nobody offered them.
import { DefinitionError, defineTool, ToolRegistry, ToolRun } from 'toolmend';
import { type Journal, openJournal } from 'toolmend/journal';
import { testUndo } from './undo-tests.ts';

let bookings: Set<string>;

/** As a process has it after it has started. */
function registryOn(journal: Journal): ToolRegistry {
  const text = { type: 'string' } as const;
  return new ToolRegistry({ approval: {}, journal }).register(
    defineTool({
      name: 'book',
      description: 'Book.',
      effects: 'write',
      inputSchema: { type: 'object', properties: { city: text }, required: ['city'] },
      execute: ({ city }) => void bookings.add(city),
      undo: ({ city }) => ({ tool: 'cancel', arguments: { city } }),
    }),
    defineTool({
      name: 'cancel',
      description: 'Cancel.',
      effects: 'write',
      inputSchema: { type: 'object', properties: { city: text }, required: ['city'] },
      execute: ({ city }) => bookings.delete(city),
    }),
  );
}

test('offered undo calls survive a restart, and each runs once when it is approved', async () => {
  bookings = new Set();
  const journal = await openJournal();
  const before = registryOn(journal);
  const run = new ToolRun();
  for (const city of ['Graz', 'Ghent'])
    await before.call({ id: city, name: 'book', arguments: { city } }, { run, conversation: 'c1' });
  await before.undo(run, { conversation: 'c1' });
  await before.close();

  const after = registryOn(journal);
  const waiting = await journal.list({ conversation: 'c1', state: 'waiting' });
  const ids = waiting.map(({ approval }) => approval?.id);
  expect(new Set(waiting.map(({ callId }) => callId))).toEqual(
    new Set(['undo_Ghent', 'undo_Graz']),
  );
  expect(bookings).toEqual(new Set(['Graz', 'Ghent']));
  const decide = (id: string | undefined, decision: 'approve' | 'deny') =>
    after.resolveApproval(
      id,
      decision === 'approve' ? { decision } : { decision, message: 'Keep it.' },
      { conversation: 'c1' },
    );
  const [first, second] = ids;
  const [kept] = waiting.map(({ callId }) => callId?.replace('undo_', ''));

  expect(await decide(first, 'deny')).toMatchObject({ status: 'denied' });
  expect(await decide(second, 'approve')).toMatchObject({ status: 'completed', result: true });
  expect(await decide(second, 'approve')).toMatchObject({ status: 'denied' });
  expect(bookings).toEqual(new Set([kept]));
});

describe('a run whose process has died', () => {
  let journal: Journal;
  beforeAll(async () => {
    journal = await openJournal();
  });

  testUndo(() => [journal, journal]);
});

test('a registry without a journal knows no run by its id', async () => {
  const tools = new ToolRegistry({ approval: {} });
  await expect(tools.undo('run-7')).rejects.toThrow(DefinitionError);
  await expect(tools.undo('run-7')).rejects.toThrow('pass the ToolRun');
});
