import { setTimeout as delay } from 'node:timers/promises';
import { DefinitionError, type ToolDefinition, type ToolOutcome, ToolRegistry } from 'toolmend';
import type { Journal } from 'toolmend/journal';
import { type KillableJournal, killableJournal } from '../journal/killable-journal.ts';
import { callTo, handleOf, never, toolOf } from '../tools.ts';

const processOf = (
  journal: Journal,
  execute: ToolDefinition['execute'],
  options: Partial<ToolDefinition> = {},
): ToolRegistry =>
  new ToolRegistry({ journal }).register(
    toolOf(execute, { name: 'report', background: 'always', effects: 'read', ...options }),
  );

/** The handle of a call whose process was killed. */
async function leaveCall({ journal, kill }: KillableJournal, options?: Partial<ToolDefinition>) {
  const handle = handleOf(await processOf(journal, never, options).call(callTo('report')));
  await kill();
  return handle;
}

const check = (tools: ToolRegistry, handle: string): Promise<ToolOutcome> =>
  tools.call(callTo('check_background', { handle }));

it('a call whose process has died is not said to be running', async () => {
  const journal = await killableJournal();
  const handle = await leaveCall(journal);
  const tools = processOf(journal.journal, () => 'done');

  const outcome = await check(tools, handle);

  expect(outcome).toMatchObject({
    result: expect.stringMatching(
      /^report was started \d+ s ago, and the process that ran it has stopped answering\. When another process takes the call over, it runs again if that does no harm; otherwise a person decides\. Do not send it again\.$/,
    ),
  });
  expect(await tools.background.get(handle)).toMatchObject({ state: 'running', isAbandoned: true });
});

it('resumes at once and then regularly, until the registry is closed', async () => {
  const journal = await killableJournal();
  const tools = processOf(journal.journal, () => 'done');
  const first = await leaveCall(journal);

  tools.resumeRegularly({ everyMs: 10 });
  await delay(0);
  const second = await leaveCall(journal);

  for (const handle of [first, second]) {
    const call = await tools.background.wait(handle, 30_000);
    expect(call).toMatchObject({
      state: 'ended',
      outcome: { status: 'completed', result: 'done' },
    });
  }
  await tools.close();
  const looks = journal.looks();
  await delay(30);
  expect(journal.looks()).toBe(looks);
});

it('leaves a call that may have done its work to a person', async () => {
  const journal = await killableJournal();
  const handle = await leaveCall(journal, { effects: 'destructive' });
  const tools = processOf(journal.journal, () => 'done', { effects: 'destructive' });

  tools.resumeRegularly();
  const call = await tools.background.wait(handle, 30_000);

  expect(call).toMatchObject({ state: 'ended', outcome: { status: 'failed', reason: 'in_doubt' } });
  await tools.close();
});

it('takes over no call after the registry was closed', async () => {
  const journal = await killableJournal();
  await leaveCall(journal);
  const tools = processOf(journal.journal, () => 'done');
  await tools.close();

  expect(await tools.resume()).toEqual({ outcomes: [], inDoubt: [] });
  expect(journal.looks()).toBe(0);
});

it('needs a journal, and takes no misspelt option', async () => {
  const { journal } = await killableJournal();
  expect(() => new ToolRegistry().resumeRegularly()).toThrow(/has no journal/);
  const options: object = { every: 10 };
  expect(() => new ToolRegistry({ journal }).resumeRegularly(options)).toThrow(DefinitionError);
});
