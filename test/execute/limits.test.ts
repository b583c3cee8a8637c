// When does a call end? Before, during and after a cancellation, at its time limit, and with nothing left behind.
import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DefinitionError,
  defineTool,
  standardMetaArguments,
  TimeLimitError,
  Tool,
  toolMessage,
  ToolRegistry,
  type CallOptions,
  type ToolContext,
} from 'toolmend';
import { RecordingListener } from './recording-listener.ts';

const call = { id: 'call_1', name: 'work', arguments: '{}' };

const toolOf = (execute: (context: ToolContext) => unknown, timeoutMs?: number) =>
  defineTool({
    name: 'work',
    description: 'Works.',
    inputSchema: { type: 'object', properties: {} },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    execute: (_values, context) => execute(context),
  });

const registryOf = (execute: (context: ToolContext) => unknown, timeoutMs?: number): ToolRegistry =>
  new ToolRegistry().register(toolOf(execute, timeoutMs));

const never = (): Promise<never> => new Promise(() => {});
// Of the whole process: the test runner has a few of its own, which come and go.
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

const unhandled: unknown[] = [];
const remember = (reason: unknown): void => {
  unhandled.push(reason);
};
beforeAll(() => process.on('unhandledRejection', remember));
afterAll(async () => {
  await delay(20);
  process.off('unhandledRejection', remember);
  expect(unhandled).toEqual([]);
});

describe('a call that ends in time', () => {
  it('leaves no timer and no listener', async () => {
    const before = timers();
    const { signal } = new AbortController();
    const tools = registryOf(async () => 'done', 60_000);
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => tools.call(call, { signal })));
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect(timers() - before).toBeLessThan(10);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('abort after: has no effect, and reaches nobody', async () => {
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    const outcome = await registryOf(({ signal }) => {
      seen = signal;
      return 'done';
    }).call(call, { signal: controller.signal });
    controller.abort(new Error('too late'));
    await delay(1);
    expect(outcome).toMatchObject({ status: 'completed', result: 'done' });
    expect(seen?.aborted).toBe(false);
  });

  it('measures its time in milliseconds', async () => {
    const outcome = await registryOf(async () => delay(30)).call(call);
    if (outcome.status !== 'completed') throw new Error(outcome.status);
    // Less than this test may take at all: seconds would be too small, microseconds too large.
    expect(outcome.duration).toBeGreaterThan(25);
    expect(outcome.duration).toBeLessThan(25_000);
  });
});

describe('abort', () => {
  it('before: the tool never runs, and create is never asked', async () => {
    let ran = 0;
    @Tool({ description: 'Works.' })
    class Work {
      execute(): void {
        ran += 1;
      }
    }
    const create = (): Work => {
      ran += 1;
      return new Work();
    };
    const outcome = await new ToolRegistry({ create })
      .register(Work)
      .call(call, { signal: AbortSignal.abort('stop') });
    expect(outcome).toMatchObject({ status: 'cancelled', when: 'before', tool: 'work' });
    expect(outcome.status === 'cancelled' && outcome.cause).toBe('stop');
    expect(toolMessage(outcome)).toEqual({
      text: 'work was not executed.\nThe call was cancelled before it started.',
      notes: [],
      isError: true,
    });
    expect(ran).toBe(0);
  });

  it('before: arguments that do not fit are still what the model is told', async () => {
    const outcome = await registryOf(never).call(
      { ...call, arguments: '[1, 2' },
      { signal: AbortSignal.abort() },
    );
    expect(outcome.status).toBe('invalid_arguments');
  });

  it('during: ends at once though the tool ignores it; the tool reads the reason', async () => {
    const controller = new AbortController();
    const reason = new Error('SECRET-reason');
    let seen: unknown;
    const pending = registryOf(({ signal }) => {
      signal.addEventListener('abort', () => (seen = signal.reason));
      return never();
    }, 60_000).call(call, { signal: controller.signal });
    await delay(5);
    controller.abort(reason);
    const outcome = await pending;
    expect(outcome).toMatchObject({ status: 'cancelled', when: 'during' });
    expect(outcome.status === 'cancelled' && outcome.cause).toBe(reason);
    expect(JSON.stringify([outcome, toolMessage(outcome)])).not.toContain('SECRET');
    expect(toolMessage(outcome).text).toBe(
      'work was cancelled while it was running. Part of its work may be done.',
    );
    expect(seen).toBe(reason);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('during: what the tool throws because of it, or later, is dropped', async () => {
    const controller = new AbortController();
    const pending = registryOf(async ({ signal }) => {
      await delay(1_000, undefined, { signal });
    }).call(call, { signal: controller.signal });
    controller.abort();
    expect(await pending).toMatchObject({ status: 'cancelled', when: 'during' });
    await delay(5);
    expect(unhandled).toEqual([]);
  });

  it('while create is at work: the tool never starts', async () => {
    const controller = new AbortController();
    let started = false;
    @Tool({ description: 'Works.' })
    class Work {
      execute(): void {
        started = true;
      }
    }
    const create = async (): Promise<Work> => delay(10, new Work());
    const pending = new ToolRegistry({ create }).register(Work).call(call, { signal: controller.signal });
    controller.abort();
    expect(await pending).toMatchObject({ status: 'cancelled', when: 'during' });
    await delay(20);
    expect(started).toBe(false);
  });
});

describe('time limit', () => {
  it('ends a tool that never does; signal.reason says that it was the time', async () => {
    let reason: unknown;
    const outcome = await registryOf(({ signal }) => {
      signal.addEventListener('abort', () => (reason = signal.reason));
      return never();
    }, 20).call(call);
    expect(outcome).toMatchObject({ status: 'timed_out', tool: 'work', timeoutMs: 20 });
    expect(toolMessage(outcome)).toEqual({
      text: 'work did not finish within its time limit of 20 ms and was told to stop. Part of its work may be done.',
      notes: [],
      isError: true,
    });
    expect(reason).toBeInstanceOf(DOMException);
    expect(reason).toBeInstanceOf(TimeLimitError);
    expect(reason).toMatchObject({ name: 'TimeoutError', limit: { milliseconds: 20, setBy: 'tool' } });
  });

  it("the tool's own stands before the registry's", async () => {
    const slow = async (): Promise<string> => delay(40, 'done');
    const patient = new ToolRegistry({ timeoutMs: 5 }).register(toolOf(slow, 5_000));
    const strict = new ToolRegistry({ timeoutMs: 5 }).register(toolOf(slow));
    expect((await patient.call(call)).status).toBe('completed');
    expect(await strict.call(call)).toMatchObject({ status: 'timed_out', timeoutMs: 5 });
  });

  it.each<[string, { tool?: number; registry?: number; call?: number; model?: number }, object]>([
    [
      'the tool’s, which stands before the registry’s',
      { tool: 20, registry: 5 },
      { timeoutMs: 20, setBy: 'tool' },
    ],
    ['the registry’s', { registry: 20, call: 5_000 }, { timeoutMs: 20, setBy: 'registry' }],
    ['the call’s', { tool: 5_000, call: 20, model: 3 }, { timeoutMs: 20, setBy: 'call' }],
    ['the model’s', { tool: 5_000, model: 1 }, { timeoutMs: 1000, setBy: 'model' }],
    ['the tool’s, whatever the model asks for', { tool: 20, model: 3600 }, { timeoutMs: 20, setBy: 'tool' }],
  ])('the shortest holds: %s; signal.reason says whose', async (_title, limits, expected) => {
    const seen: unknown[] = [];
    const work = ({ signal }: ToolContext): Promise<never> => {
      signal.addEventListener('abort', () => seen.push(signal.reason));
      return never();
    };
    const { registry: timeoutMs, call: own, model } = limits;
    const tools = new ToolRegistry({
      meta: standardMetaArguments,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    const options: CallOptions = own === undefined ? {} : { timeoutMs: own };
    const sent = { ...call, arguments: model === undefined ? {} : { _timeout_seconds: model } };
    const outcome = await tools.register(toolOf(work, limits.tool)).call(sent, options);
    expect(outcome).toMatchObject({ status: 'timed_out', ...expected });
    if (outcome.status !== 'timed_out') throw new Error(outcome.status);
    expect(seen).toMatchObject([{ limit: { milliseconds: outcome.timeoutMs, setBy: outcome.setBy } }]);
    expect(outcome.message.includes('which the call asked for')).toBe(outcome.setBy === 'model');
  });

  it('a create that never ends is ended too', async () => {
    @Tool({ description: 'Works.', timeoutMs: 10 })
    class Work {
      execute(): void {}
    }
    expect((await new ToolRegistry({ create: never }).register(Work).call(call)).status).toBe('timed_out');
  });

  it('a late result and a late exception are dropped, and told to be counted', async () => {
    const listener = new RecordingListener();
    const lateOf = (execute: () => unknown): ReturnType<ToolRegistry['call']> =>
      new ToolRegistry({ listeners: [listener] }).register(toolOf(execute, 5)).call(call);
    const late = await lateOf(async () => delay(20, 'late'));
    const failing = await lateOf(async () => {
      await delay(20);
      throw new Error('late');
    });
    await delay(40);
    const told = listener.events.filter(({ type }) => type === 'tool_ended_late');
    expect(told).toEqual([
      { type: 'tool_ended_late', tool: 'work', callId: 'call_1', dropped: 'result' },
      { type: 'tool_ended_late', tool: 'work', callId: 'call_1', dropped: 'error' },
    ]);
    expect([late.status, failing.status]).toEqual(['timed_out', 'timed_out']);
    expect(unhandled).toEqual([]);
  });

  it('a model’s that is longer than any timer can wait does not fire at once', async () => {
    const tools = new ToolRegistry({ meta: standardMetaArguments }).register(toolOf(async () => delay(5)));
    const sent = { ...call, arguments: { _timeout_seconds: 2 ** 40 } };
    expect((await tools.call(sent)).status).toBe('completed');
  });

  it.each([0, -1, Number.NaN, Infinity, 2 ** 31, '5'])('%p is refused where it is written', (timeoutMs) => {
    expect(() => Reflect.construct(ToolRegistry, [{ timeoutMs }])).toThrow(
      /^ToolRegistry has .* for timeoutMs: write milliseconds, more than 0 and at most 2147483647\.$/,
    );
  });

  it('refused options take no place', async () => {
    const tools = new ToolRegistry({
      concurrencyLimit: 1,
      interceptors: [(_call, next) => next()],
    }).register(toolOf(() => 'done'));
    for (const sent of [call, { ...call, name: 'nothing' }]) {
      await expect(Reflect.apply(tools.call, tools, [sent, { signal: {} }])).rejects.toThrow(DefinitionError);
    }
    expect((await tools.call(call)).status).toBe('completed');
  });
});

describe('a handler', () => {
  it('that resolves twice has given its first result', async () => {
    class Twice {
      // oxlint-disable-next-line unicorn/no-thenable -- what a handler may return
      then(resolve: (value: string) => void): void {
        resolve('first');
        resolve('second');
      }
    }
    expect(await registryOf(() => new Twice()).call(call)).toMatchObject({
      status: 'completed',
      result: 'first',
    });
  });

  it('that blocks the loop for a second takes nothing from a call beside it', async () => {
    const blocked = registryOf(() => {
      const until = performance.now() + 1_000;
      while (performance.now() < until);
      return 'done';
    }, 50);
    const beside = registryOf(async () => delay(20, 'done'), 500).call(call);
    const outcome = await blocked.call(call);
    expect(outcome.status).toBe('completed');
    expect((await beside).status).toBe('completed');
  });

  it('whose listeners throw changes nothing', async () => {
    const refuse = (): never => {
      throw new Error('no');
    };
    const listeners = [{ onEvent: refuse, onError: refuse }, { onEvent: async () => refuse() }];
    const tools = new ToolRegistry({ listeners, queueLimit: 0, concurrencyLimit: 1 }).register(
      toolOf(async () => delay(20), 5),
    );
    const outcomes = await tools.callAll([call, call, { ...call, name: 'nothing' }]);
    expect(outcomes.map(({ status }) => status)).toEqual(['timed_out', 'limit_exceeded', 'unknown_tool']);
    await delay(30);
  });
});

it('a hundred calls that time out or are cancelled leave nothing behind', async () => {
  const before = timers();
  const { signal } = new AbortController();
  const timedOut = registryOf(never, 1);
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => timedOut.call(call, { signal })));
  const controller = new AbortController();
  const cancelled = Array.from({ length: 100 }, () =>
    registryOf(never, 60_000).call(call, { signal: controller.signal }),
  );
  controller.abort();
  outcomes.push(...(await Promise.all(cancelled)));
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['timed_out', 'cancelled']));
  expect(timers() - before).toBeLessThan(10);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
});

describe('progress', () => {
  it('reaches whoever made the call, until the call has ended', async () => {
    const updates: unknown[] = [];
    const outcome = await registryOf(async ({ progress }) => {
      progress({ done: 1 });
      void delay(5).then(() => progress({ done: 2 }));
      await Promise.resolve();
      return 'done';
    }).call(call, { progress: (update) => updates.push(update) });
    await delay(15);
    expect(outcome.status).toBe('completed');
    expect(updates).toEqual([{ done: 1 }]);
  });

  it('a progress function that throws changes nothing; none at all is fine', async () => {
    const tool = registryOf(({ progress }) => {
      progress(1);
      return 'done';
    });
    const refuse = (): never => {
      throw new Error('no');
    };
    expect((await tool.call(call, { progress: refuse })).status).toBe('completed');
    expect((await tool.call(call)).status).toBe('completed');
  });
});
