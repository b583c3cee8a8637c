import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { IsString } from 'class-validator';
import { ToolMethod, ToolRegistry } from 'toolmend';
import { openJournal } from 'toolmend/journal';
import { ToolmendHealth } from 'toolmend/nestjs';
import { killableJournal } from '../../journal/killable-journal.ts';
import { start } from './nest-app.ts';

class Text {
  @IsString() text!: string;
}

@Injectable()
class Work {
  @ToolMethod(Text, { description: 'Work.', background: 'always' })
  work({ text }: Text): string {
    return text.toUpperCase();
  }
}

const call = { id: 'call_1', name: 'work', arguments: { text: 'a' } };

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
    resend: () => Promise.resolve(),
    close: () => Promise.resolve(void order.push('queue closed')),
  };
  const { module } = await start([Work], { journal, background: { queue }, worker: { concurrency: 2 } });
  const tools = module.get(ToolRegistry, { strict: false });
  const outcome = await tools.call(call);
  if (outcome.status !== 'in_background') throw new Error(outcome.status);
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
  @Injectable()
  class Reports {
    @ToolMethod(Text, { description: 'Report.', effects: 'read', background: 'always' })
    report({ text }: Text): string {
      return text.toUpperCase();
    }
  }

  @Injectable()
  class SlowReports {
    @ToolMethod(Text, { description: 'Report.', effects: 'read', background: 'always' })
    report(_text: Text): Promise<string> {
      return new Promise(() => {});
    }
  }

  const killed = async () => {
    const { journal, kill, looks } = await killableJournal();
    const { module } = await start([SlowReports], { journal, closeTimeoutMs: 0 });
    const outcome = await module.get(ToolRegistry, { strict: false }).call({ ...call, name: 'report' });
    if (outcome.status !== 'in_background') throw new Error(outcome.status);
    await kill();
    return { journal, looks, handle: outcome.handle };
  };

  it('run again after its start, also later ones', async () => {
    const { journal, looks, handle } = await killed();
    const { module } = await start([Reports], { journal, resume: { everyMs: 10 } });
    const tools = module.get(ToolRegistry, { strict: false });
    expect(await tools.background.wait(handle, 1000)).toMatchObject({
      state: 'ended',
      outcome: { status: 'completed', result: 'A' },
    });
    const before = looks();
    await delay(50);
    expect(looks()).toBeGreaterThan(before);
  });

  it('run again without any option, and not with resume: off', async () => {
    const { journal, looks, handle } = await killed();
    const before = looks();
    await start([Reports], { journal, resume: 'off' });
    await delay(20);
    expect(looks()).toBe(before);
    const { module } = await start([Reports], { journal });
    const ended = await module.get(ToolRegistry, { strict: false }).background.wait(handle, 1000);
    expect(ended).toMatchObject({ state: 'ended', outcome: { status: 'completed', result: 'A' } });
  });

  it('can’t be resumed without a journal', async () => {
    await expect(start([Reports], { resume: {} })).rejects.toThrow(/has no journal/);
  });
});

describe('ToolmendHealth', () => {
  it('is up without a journal, with the numbers of calls', async () => {
    const { module } = await start([Work]);
    expect(await module.get(ToolmendHealth, { strict: false }).check()).toEqual({
      toolmend: { status: 'up', running: 0, waiting: 0 },
    });
  });

  it('is up with a journal that answers, and counts calls in doubt', async () => {
    const journal = await openJournal();
    const { module } = await start([Work], { journal });
    expect(await module.get(ToolmendHealth, { strict: false }).check('tools')).toEqual({
      tools: { status: 'up', running: 0, waiting: 0, inDoubt: 0 },
    });
  });

  it.each<[string, () => Promise<never>]>([
    ['rejects', () => Promise.reject(new Error('postgres://secret@host'))],
    ['doesn’t answer', () => new Promise(() => {})],
  ])('is down with a journal that %s, and doesn’t say its address', async (_title, list) => {
    const journal = await openJournal();
    journal.list = list;
    const { module } = await start([Work], { journal });
    expect(await module.get(ToolmendHealth, { strict: false }).check('toolmend', 5)).toEqual({
      toolmend: { status: 'down', message: 'the journal does not answer', running: 0, waiting: 0 },
    });
  });
});
