import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Inject, Post, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { defineTool, type ToolDefinition, toolMessage, ToolRegistry } from 'toolmend';
import type { Journal } from 'toolmend/journal';
import { ToolmendModule } from 'toolmend/nestjs';
import { moduleOf } from '../adapters/nestjs/nest-app.ts';
import { RecordingLogger } from '../adapters/nestjs/recording-logger.ts';
import { handleOf } from '../tools.ts';

/** The journals of two processes. `close`: removes what they leave. */
export interface OpenedJournals {
  readonly here: Journal | undefined;
  readonly there: Journal | undefined;
  readonly close?: () => Promise<void>;
}

interface Answer {
  readonly status: string;
  readonly text: string;
}

type Asked = Readonly<Record<'name' | 'id' | 'conversation', string>>;

/** So long that whatever waits for a lease, or for an idle connection, doesn't end in a test. */
export const longTime = 3_600_000;
/** More than a pool has connections. */
const callers = 25;
const refused = {
  status: 'limit_exceeded',
  text: expect.stringMatching(/The program is shutting down\. Do not send any more calls\.$/),
};

/**
 * A service whose requests await calls while it closes: each request gets its answer, in time.
 * `open`: opens the journals of a service and of another process.
 */
export function testShutdown(open: () => Promise<OpenedJournals>): void {
  const work = { asked: 0, started: 0, end: Promise.withResolvers<void>() };

  const tool = (name: string, options: Partial<ToolDefinition> = {}) =>
    defineTool({
      name,
      description: 'Works.',
      inputSchema: { type: 'object' },
      execute: async () => {
        work.started += 1;
        await work.end.promise;
        return `${name} is done`;
      },
      ...options,
    });

  const allTools = () => [
    tool('work'),
    tool('single', { limits: { running: 1, per: 'all', waitMs: longTime } }),
    tool('build', { background: 'always' }),
  ];

  @Controller()
  class Chat {
    constructor(@Inject(ToolRegistry) private readonly tools: ToolRegistry) {}

    @Post('call')
    async call(@Query() { id, name, conversation }: Asked): Promise<Answer> {
      work.asked += 1;
      const outcome = await this.tools.call({ id, name, arguments: {} }, { conversation });
      return { status: outcome.status, text: toolMessage(outcome).text };
    }

    @Post('twice')
    async twice(@Query() asked: Asked): Promise<readonly Answer[]> {
      const first = await this.call(asked);
      return [first, await this.call({ ...asked, id: `${asked.id}, again` })];
    }

    @Post('wait')
    async wait(@Query() { id }: Asked): Promise<{ readonly state: string | undefined }> {
      work.asked += 1;
      return { state: (await this.tools.background.wait(id, longTime))?.state };
    }
  }

  async function start(journal: Journal | undefined, forceCloseConnections: boolean) {
    const errors: unknown[] = [];
    const app = await NestFactory.create(
      moduleOf([], {
        controllers: [Chat],
        imports: [
          ToolmendModule.forRoot({
            ...(journal === undefined ? {} : { journal }),
            concurrencyLimit: callers + 1,
            tools: allTools(),
            listeners: [{ onError: ({ error }) => void errors.push(error) }],
            closeTimeoutMs: longTime,
            resume: 'off',
          }),
        ],
      }),
      { logger: new RecordingLogger(), forceCloseConnections },
    );
    await app.listen(0, '127.0.0.1');
    app.getHttpServer().keepAliveTimeout = longTime;
    const url = await app.getUrl();
    const post = async (path: string, asked: Partial<Asked>): Promise<unknown> => {
      const query = new URLSearchParams({ conversation: 'c', ...asked });
      try {
        const response = await fetch(`${url}/${path}?${query.toString()}`, { method: 'POST' });
        return await response.json();
      } catch (error) {
        return `lost: ${String(error)}`;
      }
    };
    return { app, errors, post };
  }

  it('code that goes on after its call holds up a close for a moment only', async () => {
    const { here, close } = await open();
    const code = Promise.withResolvers<string>();
    const tools = new ToolRegistry(here === undefined ? {} : { journal: here }).register(
      tool('refund', {
        idempotencyKey: () => 'order 1',
        timeoutMs: 20,
        execute: () => code.promise,
      }),
    );
    const stopped = await tools.call({ id: 'call_1', name: 'refund', arguments: {} });
    await tools.close({ timeoutMs: 20 });

    expect(stopped.status).toBe('timed_out');
    // The key is left to the process that takes the call over.
    if (here !== undefined) expect(await here.list({})).toMatchObject([{ state: 'running' }]);
    code.resolve('done late');
    await here?.close();
    await close?.();
  });

  it.each([
    ['waits for connections', false],
    ['ends connections', true],
  ])('no answer of a service that closes is lost or late: it %s', async (_title, isForced) => {
    Object.assign(work, { asked: 0, started: 0, end: Promise.withResolvers<void>() });
    const { here, there, close } = await open();
    const { app, errors, post } = await start(here, isForced);
    const other = there && new ToolRegistry({ journal: there }).register(...allTools());
    const scope = { conversation: 'c' };
    const elsewhere = other?.call({ id: 'elsewhere', name: 'work', arguments: {} }, scope);
    const built = other && (await other.call({ id: 'built', name: 'build', arguments: {} }, scope));
    const many = Array.from({ length: callers - 1 }, (_, index) =>
      post('call', { name: 'work', id: `many ${index}` }),
    );
    const single = post('call', { name: 'single', id: 'first' });
    const twice = post('twice', { name: 'work', id: 'twice' });
    while (work.started < callers + (other === undefined ? 1 : 3)) await delay(5);
    const turn = post('call', { name: 'single', id: 'second' });
    // Ids are compared by a journal.
    const ifJournaled = other === undefined ? [] : ['many 0', 'elsewhere'];
    const [same, joined] = ifJournaled.map((id) => post('call', { name: 'work', id }));
    const waited = built && post('wait', { id: handleOf(built) });
    const all = [...many, single, twice, turn, same, joined, waited];
    while (work.asked < all.filter((one) => one !== undefined).length) await delay(5);
    let isClosed = false;
    const closing = app.close().then(() => (isClosed = true));
    const late = post('call', { name: 'work', id: 'late' });

    expect(await late).toEqual(refused);
    expect(await turn).toEqual(refused);
    if (joined !== undefined) expect(await joined).toEqual(refused);
    if (waited !== undefined) expect(await waited).toEqual({ state: 'running' });
    expect(isClosed).toBe(false);
    work.end.resolve();
    const done = { status: 'completed', text: 'work is done' };
    expect(await Promise.all(many)).toEqual(many.map(() => done));
    expect(await single).toEqual({ status: 'completed', text: 'single is done' });
    expect(await twice).toEqual([done, refused]);
    if (same !== undefined) expect(await same).toEqual(done);
    await closing;
    expect(errors).toEqual([]);
    await elsewhere;
    await close?.();
  });
}
