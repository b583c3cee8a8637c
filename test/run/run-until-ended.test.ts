import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DefinitionError,
  standardMetaArguments,
  TimeLimitError,
  Tool,
  toolMessage,
  ToolRegistry,
  type CallOptions,
  type ToolContext,
} from 'toolmend';
import {
  callOf,
  never,
  RecordingListener,
  statusesOf,
  thrower,
  toolOf,
  unhandledDuring,
} from '../tools.ts';

const call = callOf();
const workOf = (execute: (context: ToolContext) => unknown, timeoutMs?: number) =>
  toolOf((_values, context) => execute(context), timeoutMs === undefined ? {} : { timeoutMs });
const registryOf = (execute: (context: ToolContext) => unknown, timeoutMs?: number): ToolRegistry =>
  new ToolRegistry().register(workOf(execute, timeoutMs));

// Of the whole process: the test runner has a few of its own, which come and go.
const timers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

it.each<[string, () => unknown, CallOptions]>([
  ['completed', async () => 'done', { timeoutMs: 60_000 }],
  ['timed_out', never, { timeoutMs: 1 }],
  ['cancelled', never, { timeoutMs: 60_000 }],
])(
  'a hundred calls that end as %s leave no timer and no listener',
  async (status, execute, options) => {
    const before = timers();
    const controller = new AbortController();
    const { signal } = controller;
    const calls = Array.from({ length: 100 }, () =>
      registryOf(execute).call(call, { ...options, signal }),
    );
    if (status === 'cancelled') controller.abort();
    expect(new Set(await statusesOf(calls))).toEqual(new Set([status]));
    expect(timers() - before).toBeLessThan(10);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  },
);

it('the duration of a call is in milliseconds', async () => {
  const outcome = await registryOf(() => delay(30)).call(call);
  if (outcome.status !== 'completed') throw new Error(outcome.status);
  // Less than this test may take at all: seconds would be too small, microseconds too large.
  expect(outcome.duration).toBeGreaterThan(25);
  expect(outcome.duration).toBeLessThan(25_000);
});

const ran: string[] = [];
beforeEach(() => ran.splice(0));

@Tool({ description: 'Works.' })
class Work {
  execute(): void {
    ran.push('execute');
  }
}

describe('an abort', () => {
  it('before the call: neither create nor the tool runs', async () => {
    const create = (): Work => {
      ran.push('create');
      return new Work();
    };
    const tools = new ToolRegistry({ create }).register(Work);
    const outcome = await tools.call(call, { signal: AbortSignal.abort('stop') });
    expect(outcome).toMatchObject({
      status: 'cancelled',
      when: 'before',
      tool: 'work',
      cause: 'stop',
    });
    const text = 'work was not executed.\nThe call was cancelled before it started.';
    expect(toolMessage(outcome)).toEqual({ text, notes: [], isError: true });
    expect(ran).toEqual([]);
  });

  it('before the call: invalid arguments are still reported as such', async () => {
    const signal = AbortSignal.abort();
    const outcome = await registryOf(never).call(callOf({ arguments: '[1, 2' }), { signal });
    expect(outcome.status).toBe('invalid_arguments');
  });

  it('during the call: ends it at once though the tool goes on; the tool reads the reason', async () => {
    const controller = new AbortController();
    const reason = new Error('SECRET-reason');
    let seen: unknown;
    const pending = registryOf(({ signal }) => {
      signal.addEventListener('abort', () => (seen = signal.reason));
      return never();
    }).call(call, { signal: controller.signal });
    controller.abort(reason);
    const outcome = await pending;
    expect(outcome).toMatchObject({ status: 'cancelled', when: 'during' });
    expect(outcome.status === 'cancelled' && outcome.cause).toBe(reason);
    expect(JSON.stringify([outcome, toolMessage(outcome)])).not.toContain('SECRET');
    const text = 'work was cancelled while it was running. Part of its work may be done.';
    expect(toolMessage(outcome).text).toBe(text);
    expect(seen).toBe(reason);
  });

  it('during the call: what the tool throws because of it is dropped', async () => {
    const controller = new AbortController();
    const tools = registryOf(({ signal }) => delay(1_000, undefined, { signal }));
    const unhandled = await unhandledDuring(async () => {
      const pending = tools.call(call, { signal: controller.signal });
      controller.abort();
      expect(await pending).toMatchObject({ status: 'cancelled', when: 'during' });
    });
    expect(unhandled).toEqual([]);
  });

  it('during create: the tool never starts', async () => {
    const controller = new AbortController();
    const { promise, resolve } = Promise.withResolvers<object>();
    const tools = new ToolRegistry({ create: () => promise }).register(Work);
    const pending = tools.call(call, { signal: controller.signal });
    controller.abort();
    expect(await pending).toMatchObject({ status: 'cancelled', when: 'during' });
    resolve(new Work());
    await delay(1);
    expect(ran).toEqual([]);
  });

  it('after the call: has no effect', async () => {
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    const tools = registryOf(({ signal }) => void (seen = signal));
    const outcome = await tools.call(call, { signal: controller.signal });
    controller.abort(new Error('too late'));
    expect([outcome.status, seen?.aborted]).toEqual(['completed', false]);
  });
});

describe('a time limit', () => {
  it('ends a call whose tool never does; signal.reason says that it was the time', async () => {
    let reason: unknown;
    const outcome = await registryOf(({ signal }) => {
      signal.addEventListener('abort', () => (reason = signal.reason));
      return never();
    }, 20).call(call);
    expect(outcome).toMatchObject({ status: 'timed_out', tool: 'work', timeoutMs: 20 });
    const text =
      'work did not finish within its time limit of 20 ms and was told to stop. Part of its work may be done.';
    expect(toolMessage(outcome)).toEqual({ text, notes: [], isError: true });
    expect(reason).toBeInstanceOf(DOMException);
    expect(reason).toBeInstanceOf(TimeLimitError);
    expect(reason).toMatchObject({
      name: 'TimeoutError',
      limit: { milliseconds: 20, setBy: 'tool' },
    });
  });

  interface Limits {
    readonly tool?: number;
    readonly toolMax?: number;
    readonly registry?: number;
    readonly registryMax?: number;
    readonly call?: number;
    /** Seconds. */
    readonly model?: number;
  }

  const limited = (
    { tool, toolMax, registry, registryMax }: Limits,
    seen: unknown[] = [],
  ): ToolRegistry => {
    const wait = ({ signal }: ToolContext): Promise<never> => {
      signal.addEventListener('abort', () => seen.push(signal.reason));
      return never();
    };
    const options = (timeoutMs?: number, maxTimeoutMs?: number) => ({
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(maxTimeoutMs === undefined ? {} : { maxTimeoutMs }),
    });
    return new ToolRegistry({
      meta: standardMetaArguments,
      ...options(registry, registryMax),
    }).register(toolOf((_values, context) => wait(context), options(tool, toolMax)));
  };

  it.concurrent.each<[string, Limits, number, string]>([
    ['the tool’s, which replaces the registry’s', { tool: 20, registry: 5 }, 20, 'tool'],
    ['the registry’s', { registry: 20, call: 5_000 }, 20, 'registry'],
    ['the call’s', { tool: 5_000, call: 20, model: 3 }, 20, 'call'],
    ['the model’s, if it is shorter', { tool: 5_000, model: 1 }, 1000, 'model'],
    ['the model’s, if the tool allows more', { tool: 5, toolMax: 9_000, model: 1 }, 1000, 'model'],
    [
      'the model’s, if the registry allows more',
      { registry: 5, registryMax: 9e3, model: 1 },
      1000,
      'model',
    ],
    [
      'the call’s, whatever the model may ask for',
      { toolMax: 9_000, call: 20, model: 3 },
      20,
      'call',
    ],
    ['the tool’s, if it is below one second', { tool: 20, model: 1 }, 20, 'tool'],
  ])('is %s', async (_title, limits, timeoutMs, setBy) => {
    const seen: unknown[] = [];
    const sent = callOf({
      arguments: limits.model === undefined ? {} : { _timeout_seconds: limits.model },
    });
    const options = limits.call === undefined ? {} : { timeoutMs: limits.call };
    const outcome = await limited(limits, seen).call(sent, options);
    expect(outcome).toMatchObject({ status: 'timed_out', timeoutMs, setBy });
    expect(seen).toMatchObject([{ limit: { milliseconds: timeoutMs, setBy } }]);
    expect(toolMessage(outcome).text.includes('which the call asked for')).toBe(setBy === 'model');
  });

  const toolMaximum = { tool: 1_500, toolMax: 6e5, registryMax: 5_000 };

  it.each<[string, Limits, number | undefined, string]>([
    ['any time without a limit', {}, undefined, ''],
    ['at most the tool’s own limit', { tool: 30_000 }, 30, ' At most 30. Without it: 30.'],
    ['up to the tool’s maximum', toolMaximum, 600, ' At most 600. Without it: 1.5.'],
    [
      'up to the registry’s maximum',
      { registry: 1e4, registryMax: 6e4 },
      60,
      ' At most 60. Without it: 10.',
    ],
    [
      'up to the tool’s limit above it',
      { tool: 9e4, registryMax: 6e4 },
      90,
      ' At most 90. Without it: 90.',
    ],
    ['up to a maximum, without a limit', { registryMax: 60_000 }, 60, ' At most 60.'],
  ])('a model may ask for: %s, which its schema says', (_title, limits, maximum, says) => {
    const { properties } = limited(limits).schemas()[0]?.inputSchema ?? {};
    const description = `Seconds this call may take.${says}`;
    const bounds = { type: 'integer', minimum: 1, ...(maximum === undefined ? {} : { maximum }) };
    expect(properties).toMatchObject({ _timeout_seconds: { ...bounds, description } });
  });

  it('refuses more time than a model may ask for, and says how much it may', async () => {
    const sent = callOf({ arguments: { _timeout_seconds: 3600 } });
    const outcome = await limited({ tool: 30_000, toolMax: 600_000 }).call(sent);
    const problem = '_timeout_seconds cannot be used: expected an integer from 1 to 600, got 3600';
    expect(outcome.status).toBe('invalid_arguments');
    expect(toolMessage(outcome).text).toContain(problem);
  });

  it('keeps the bounds of a meta argument that has its own maximum', () => {
    const schema = { type: 'integer', maximum: 5, description: 'Seconds.' } as const;
    const meta = standardMetaArguments.map((argument) =>
      argument.key === '_timeout_seconds' ? { ...argument, schema } : argument,
    );
    const tools = new ToolRegistry({ meta, timeoutMs: 60_000 }).register(toolOf(() => 'done'));
    expect(tools.schemas()[0]?.inputSchema.properties).toMatchObject({ _timeout_seconds: schema });
  });

  it('can’t be longer than the maximum', () => {
    const limits = { timeoutMs: 9, maxTimeoutMs: 8 };
    const problem =
      'has maxTimeoutMs: 8, which is less than timeoutMs: 9: write at least timeoutMs.';
    expect(() => new ToolRegistry(limits)).toThrow(`ToolRegistry ${problem}`);
    expect(() => toolOf(() => 'done', limits)).toThrow(`work ${problem}`);
  });

  it('ends a create that never ends', async () => {
    const tools = new ToolRegistry({ create: never, timeoutMs: 10 }).register(Work);
    expect((await tools.call(call)).status).toBe('timed_out');
  });

  it('drops a late result and a late exception, and reports them to listeners', async () => {
    const listener = new RecordingListener();
    const lateEvents = () => listener.events.filter(({ type }) => type === 'tool_ended_late');
    const late = (execute: () => unknown) =>
      new ToolRegistry({ listeners: [listener] }).register(workOf(execute, 5)).call(call);
    const unhandled = await unhandledDuring(async () => {
      await late(() => delay(20));
      await late(() => delay(20).then(thrower(new Error('late'))));
      for (let wait = 0; wait < 500 && lateEvents().length < 2; wait += 1) await delay(10);
    });
    expect(lateEvents()).toEqual([
      { type: 'tool_ended_late', tool: 'work', callId: 'call_1', dropped: 'result' },
      { type: 'tool_ended_late', tool: 'work', callId: 'call_1', dropped: 'error' },
    ]);
    expect(unhandled).toEqual([]);
  });

  it('of a model that is longer than any timer can wait does not fire at once', async () => {
    const tools = new ToolRegistry({ meta: standardMetaArguments }).register(
      workOf(() => delay(5)),
    );
    const sent = callOf({ arguments: { _timeout_seconds: 2 ** 40 } });
    expect((await tools.call(sent)).status).toBe('completed');
  });
});

it('a call with invalid options takes no slot', async () => {
  const tools = new ToolRegistry({ concurrencyLimit: 1, interceptors: [(_call, next) => next()] });
  tools.register(workOf(() => 'done'));
  for (const sent of [call, callOf({ name: 'nothing' })])
    await expect(Reflect.apply(tools.call, tools, [sent, { signal: {} }])).rejects.toThrow(
      DefinitionError,
    );
  expect((await tools.call(call)).status).toBe('completed');
});

it('a handler that blocks the event loop makes no other call time out', async () => {
  const blocked = registryOf(() => {
    const until = Date.now() + 600;
    while (Date.now() < until);
  }, 50);
  const beside = registryOf(() => delay(20), 500).call(call);
  expect(await statusesOf([blocked.call(call), beside])).toEqual(['completed', 'completed']);
});

describe('progress', () => {
  it('is reported until the call has ended', async () => {
    const updates: unknown[] = [];
    const tools = registryOf(({ progress }) => {
      progress({ done: 1 });
      void delay(5).then(() => progress({ done: 2 }));
    });
    await tools.call(call, { progress: (update) => updates.push(update) });
    await delay(15);
    expect(updates).toEqual([{ done: 1 }]);
  });

  it('to a function that throws, or to none, changes nothing', async () => {
    const tools = registryOf(({ progress }) => progress(1));
    for (const options of [{ progress: thrower(new Error('no')) }, {}])
      expect((await tools.call(call, options)).status).toBe('completed');
  });
});
