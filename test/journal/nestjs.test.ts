import { setTimeout as delay } from 'node:timers/promises';
import { ToolRegistry } from 'toolmend';
import { openJournal } from 'toolmend/journal';
import { ToolmendHealth, type ToolmendModuleOptions } from 'toolmend/nestjs';
import { killableJournal } from './killable-journal.ts';
import { callTo, handleOf, never } from '../tools.ts';
import { providerOf, start } from '../adapters/nestjs/nest-app.ts';

const options = { name: 'work', background: 'always', effects: 'read' } as const;
const Work = providerOf(({ text }) => text.toUpperCase(), options);
const Slow = providerOf(never, options);

const call = callTo('work', { text: 'a' });

it('a journal of the options is used, and closed after the registry with the application', async () => {
  const journal = await openJournal();
  const order: string[] = [];
  const close = journal.close.bind(journal);
  journal.close = async () => {
    order.push('journal closed');
    await close();
  };
  const queue = {
    prepare: () => Promise.resolve(),
    send: () => Promise.resolve(),
    work: () => Promise.resolve(() => Promise.resolve(void order.push('worker stopped'))),
    isOutage: () => false,
    resend: () => Promise.resolve(),
    close: () => Promise.resolve(void order.push('queue closed')),
  };
  const { module } = await start([Work], {
    journal,
    background: { queue },
    worker: { concurrency: 2 },
  });
  const tools = module.get(ToolRegistry, { strict: false });
  expect((await tools.call(call)).status).toBe('in_background');
  expect(await journal.list({})).toMatchObject([{ tool: 'work', state: 'queued' }]);
  await module.close();
  expect(order).toEqual(['worker stopped', 'queue closed', 'journal closed']);
});

it('a worker without a queue ends the start with what to write', async () => {
  await expect(start([Work], { worker: {} })).rejects.toThrow(
    /ToolRegistry has no queue: construct it with a journal/,
  );
});

describe('calls of an application that was killed', () => {
  const killed = async () => {
    const { journal, kill, looks } = await killableJournal();
    const { module } = await start([Slow], { journal, closeTimeoutMs: 0 });
    const handle = handleOf(await module.get(ToolRegistry, { strict: false }).call(call));
    await kill();
    return { journal, looks, handle };
  };

  it('run again after its start, also later ones', async () => {
    const { journal, looks, handle } = await killed();
    const { module } = await start([Work], { journal, resume: { everyMs: 10 } });
    const tools = module.get(ToolRegistry, { strict: false });
    expect(await tools.background.wait(handle, 30_000)).toMatchObject({
      state: 'ended',
      outcome: { status: 'completed', result: 'A' },
    });
    const before = looks();
    while (looks() === before) await delay(5);
    expect(looks()).toBeGreaterThan(before);
  });

  it('run again without any option, and not with resume: off', async () => {
    const { journal, looks, handle } = await killed();
    const before = looks();
    await start([Work], { journal, resume: 'off' });
    await delay(20);
    expect(looks()).toBe(before);
    const { module } = await start([Work], { journal });
    const ended = await module.get(ToolRegistry, { strict: false }).background.wait(handle, 30_000);
    expect(ended).toMatchObject({ state: 'ended', outcome: { status: 'completed', result: 'A' } });
  });

  it('can’t be resumed without a journal', async () => {
    await expect(start([Work], { resume: {} })).rejects.toThrow(/has no journal/);
  });
});

describe('ToolmendHealth', () => {
  const check = async (
    given: ToolmendModuleOptions,
    ...asked: Parameters<ToolmendHealth['check']>
  ) => {
    const { module } = await start([Work], given);
    return module.get(ToolmendHealth, { strict: false }).check(...asked);
  };
  const idle = { running: 0, waiting: 0 };

  it('is up without a journal, with the numbers of calls', async () => {
    expect(await check({})).toEqual({ toolmend: { status: 'up', ...idle } });
  });

  it('is up with a journal that answers, and counts calls in doubt', async () => {
    const journal = await openJournal();
    expect(await check({ journal }, 'tools')).toEqual({
      tools: { status: 'up', ...idle, inDoubt: 0 },
    });
  });

  it.each<[string, () => Promise<never>]>([
    ['rejects', () => Promise.reject(new Error('postgres://secret@host'))],
    ['doesn’t answer', never],
  ])('is down with a journal that %s, and doesn’t say its address', async (_title, list) => {
    const journal = Object.assign(await openJournal(), { list });
    expect(await check({ journal }, 'toolmend', 5)).toEqual({
      toolmend: { status: 'down', message: 'the journal does not answer', ...idle },
    });
  });
});
