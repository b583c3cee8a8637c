import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { IsString } from 'class-validator';
import {
  type CallOptions,
  type RegistryOptions,
  type ToolContext,
  type ToolDefinition,
  Tool,
  toolMessage,
  ToolRegistry,
} from 'toolmend';
import { fc } from '../seeded-fast-check.ts';
import { callOf, never, RecordingListener, statusesOf, thrower, toolOf } from '../tools.ts';

type Values = { readonly path?: string; readonly paths?: readonly string[] };

const idle = { running: 0, waiting: 0 };
const concurrency = { key: () => 'same' };

/** A registry whose calls run until a test ends them; it records what was running at each start. */
class Stage {
  readonly running: string[] = [];
  readonly started: string[] = [];
  readonly beside: string[] = [];
  mostRunning = 0;
  readonly tools: ToolRegistry;
  readonly #calls: Promise<unknown>[] = [];
  readonly #ends = new Map<string, () => void>();

  constructor(options: RegistryOptions = {}, work: Partial<ToolDefinition<Values>> = {}) {
    const properties = {
      path: { type: 'string', default: 'the default' },
      paths: { type: 'array', items: { type: 'string' } },
    } as const;
    const execute: ToolDefinition<Values>['execute'] = async (_values, { call }) => {
      this.started.push(call.id);
      this.beside.push(this.running.join());
      this.running.push(call.id);
      this.mostRunning = Math.max(this.mostRunning, this.running.length);
      await new Promise<void>((resolve) => this.#ends.set(call.id, resolve));
      this.running.splice(this.running.indexOf(call.id), 1);
      return call.id;
    };
    this.tools = new ToolRegistry(options).register(
      toolOf(execute, { inputSchema: { type: 'object', properties }, ...work }),
      toolOf(execute, { name: 'solo', concurrency: 'exclusive' }),
    );
  }

  call(id: string, sent: CallOptions & { name?: string; values?: Values } = {}) {
    const { name = 'work', values = {}, ...options } = sent;
    const outcome = this.tools.call({ id, name, arguments: JSON.stringify(values) }, options);
    this.#calls.push(outcome);
    return outcome;
  }

  calls(tenant: string, ids: readonly string[]): void {
    for (const id of ids) void this.call(id, { tenant });
  }

  async end(...ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#ends.get(id)?.();
    await delay(0);
  }

  /**
   * Ends whatever runs, oldest first, until nothing does. Returns the order in which the calls
   * started.
   */
  async endAll(): Promise<readonly string[]> {
    for (await delay(0); this.running.length > 0; await delay(0))
      await this.end(this.running[0] ?? '');
    await Promise.all(this.#calls);
    return this.started;
  }
}

const numbered = (name: string, length: number) =>
  Array.from({ length }, (_, index) => `${name}${index}`);

describe('the limit of calls that run at once', () => {
  it('is 8 by default; later calls wait and start in order', async () => {
    const stage = new Stage();
    const ids = numbered('c', 20);
    const outcomes = ids.map((id) => stage.call(id));
    expect(stage.running).toEqual(ids.slice(0, 8));
    expect(stage.tools.load).toEqual({ running: 8, waiting: 12 });
    await stage.end('c3');
    expect([stage.running.length, stage.started.at(-1)]).toEqual([8, 'c8']);
    await stage.endAll();
    expect(await Promise.all(outcomes)).toMatchObject(
      ids.map((result) => ({ status: 'completed', result })),
    );
    expect([stage.mostRunning, stage.tools.load]).toEqual([8, idle]);
  });

  it('keeps outcomes in the order of the calls, whichever ends first', async () => {
    const tools = new ToolRegistry().register(toolOf<{ wait: number }>(({ wait }) => delay(wait)));
    const calls = [30, 1, 20, 5].map((wait) => callOf({ id: `w${wait}`, arguments: { wait } }));
    const outcomes = await tools.callAll([...calls, callOf({ id: 'x', name: 'nothing' })]);
    expect(outcomes.map(({ call }) => call.id)).toEqual(['w30', 'w1', 'w20', 'w5', 'x']);
    expect(outcomes.at(-1)?.status).toBe('unknown_tool');
  });

  it('refuses calls above the queue limit as busy, and tells listeners', async () => {
    const listener = new RecordingListener();
    const stage = new Stage({ concurrencyLimit: 1, queueLimit: 2, listeners: [listener] });
    const first = ['a', 'b', 'c'].map((id) => stage.call(id));
    const refused = await stage.call('d');
    expect(refused).toMatchObject({ status: 'limit_exceeded', reason: 'busy', tool: 'work' });
    const text =
      'work was not executed.\nToo many calls are waiting. Send fewer at a time, and send this one again later.';
    expect(toolMessage(refused)).toEqual({ text, notes: [], isError: true });
    const event = { type: 'tool_call_refused', tool: 'work', callId: 'd', reason: 'busy' };
    expect(listener.events).toEqual([event]);
    expect(await stage.endAll()).toEqual(['a', 'b', 'c']);
    expect(await statusesOf(first)).toEqual(['completed', 'completed', 'completed']);
  });

  it('lets a call start at once although the queue is full', async () => {
    const stage = new Stage(
      { queueLimit: 1 },
      { concurrency: { key: ({ path }: Values) => path } },
    );
    for (const id of ['a', 'b']) void stage.call(id, { values: { path: 'same' } });
    void stage.call('c', { values: { path: 'other' } });
    await delay(0);
    expect([stage.running, stage.tools.load.waiting]).toEqual([['a', 'c'], 1]);
    expect(await stage.call('d', { values: { path: 'same' } })).toMatchObject({ reason: 'busy' });
    await stage.endAll();
  });

  it('refuses the newest call of the tenant that fills the queue', async () => {
    const stage = new Stage({ concurrencyLimit: 1, queueLimit: 3 });
    stage.calls('greedy', numbered('g', 3));
    const surplus = stage.call('g3', { tenant: 'greedy' });
    void stage.call('m', { tenant: 'modest' });
    expect(await surplus).toMatchObject({ status: 'limit_exceeded', reason: 'busy' });
    expect(await stage.endAll()).toEqual(['g0', 'g1', 'm', 'g2']);
  });
});

describe('tenants take turns', () => {
  it('however many calls each has', async () => {
    const stage = new Stage({ concurrencyLimit: 1 });
    stage.calls('a', numbered('a', 50));
    stage.calls('b', ['b0']);
    stage.calls('c', ['c0']);
    stage.calls('b', ['b1']);
    expect((await stage.endAll()).slice(0, 6)).toEqual(['a0', 'a1', 'b0', 'c0', 'a2', 'b1']);
  });

  it('whatever they send', async () => {
    const tenants = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(tenants, fc.integer({ min: 1, max: 5 }), async (sent, concurrencyLimit) => {
        const stage = new Stage({ concurrencyLimit });
        for (const [index, tenant] of sent.entries())
          void stage.call(`${tenant}${index}`, { tenant });
        await stage.endAll();
        expect(stage.started).toHaveLength(sent.length);
        expect(stage.mostRunning).toBeLessThanOrEqual(concurrencyLimit);
        for (const [at, id] of stage.started.entries()) {
          if (at < concurrencyLimit) continue;
          const beside = (stage.beside[at] ?? '').split(',').map((other) => other[0]);
          const runningOf = (tenant: string | undefined) =>
            beside.filter((one) => one === tenant).length;
          const later = stage.started.slice(at + 1).map((other) => runningOf(other[0]));
          expect(runningOf(id[0])).toBeLessThanOrEqual(Math.min(...later));
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('an exclusive tool', () => {
  it('starts when earlier calls have ended, and later calls start after it', async () => {
    const stage = new Stage();
    for (const id of ['a', 'b', 's', 'c', 'd'])
      void stage.call(id, { name: id === 's' ? 'solo' : 'work' });
    const running = [stage.running.join()];
    for (const id of ['a', 'b', 's']) {
      await stage.end(id);
      running.push(stage.running.join());
    }
    expect(running).toEqual(['a,b', 'b', 's', 'c,d']);
    await stage.endAll();
  });

  it('is not starved by another tenant’s stream of calls', async () => {
    const stage = new Stage({ concurrencyLimit: 2 });
    stage.calls('a', numbered('a', 10));
    void stage.call('s', { name: 'solo', tenant: 'b' });
    const at = (await stage.endAll()).indexOf('s');
    expect(at).toBeLessThan(4);
    expect(stage.beside[at]).toBe('');
  });
});

describe('a lock key', () => {
  it('keeps calls with the same key apart and in order, and holds up no others', async () => {
    const stage = new Stage({}, { concurrency: { key: ({ path }: Values) => path } });
    const paths = { x1: 'x', x2: 'x', y1: 'y', x3: 'x', d1: undefined, d2: 'the default' };
    for (const [id, path] of Object.entries(paths))
      void stage.call(id, { values: path === undefined ? {} : { path } });
    await delay(0);
    expect(stage.running).toEqual(['x1', 'y1', 'd1']);
    await stage.end('x1');
    expect(stage.running).toEqual(['y1', 'd1', 'x2']);
    expect((await stage.endAll()).filter((id) => id.startsWith('x'))).toEqual(['x1', 'x2', 'x3']);
  });

  it('can be several keys, which are taken together, so that a call that needs several is not starved', async () => {
    const stage = new Stage({}, { concurrency: { key: ({ paths }: Values) => paths } });
    for (const id of ['x1', 'y1', 'xy', 'x2', 'y2', 'x3', 'y3']) {
      const paths = id.replace(/\d/, '').split('');
      void stage.call(id, { tenant: id === 'xy' ? 'b' : 'a', values: { paths } });
    }
    await delay(0);
    await stage.end('x1');
    await stage.end('y1');
    expect(stage.running).toEqual(['xy']);
    await stage.endAll();
  });

  it('of a class gets plain values and the context; without a key calls run side by side', async () => {
    let running = 0;
    let most = 0;
    @Tool<{ path: string }>({
      description: 'Edits.',
      concurrency: {
        key: ({ path }, { tenant }) => (path === 'free' ? undefined : [path, { tenant }]),
      },
    })
    class Edit {
      @IsString() path!: string;
      async execute(): Promise<void> {
        running += 1;
        most = Math.max(most, running);
        await delay(5);
        running -= 1;
      }
    }
    const tools = new ToolRegistry({ context: { tenant: 't' } }).register(Edit);
    const call = (path: string) => tools.call({ id: path, name: 'edit', arguments: { path } });
    await Promise.all([call('a'), call('a'), call('a')]);
    expect(most).toBe(1);
    await Promise.all([call('free'), call('free')]);
    expect(most).toBe(2);
  });

  it('that throws fails the call before it runs', async () => {
    const stage = new Stage({}, { concurrency: { key: thrower(new Error('SECRET')) } });
    const outcome = await stage.call('a');
    expect(outcome).toMatchObject({ status: 'failed', reason: 'exception' });
    expect(toolMessage(outcome).text).not.toContain('SECRET');
    expect(stage.started).toEqual([]);
  });
});

describe('a waiting call', () => {
  it('is cancelled at once, is never executed, and leaves no listener', async () => {
    const stage = new Stage({ concurrencyLimit: 1 });
    void stage.call('a');
    const controller = new AbortController();
    const waiting = stage.call('b', { signal: controller.signal });
    controller.abort('stop');
    expect(await waiting).toMatchObject({ status: 'cancelled', when: 'before', duration: 0 });
    expect(stage.tools.load).toEqual({ running: 1, waiting: 0 });
    void stage.call('c');
    expect(await stage.endAll()).toEqual(['a', 'c']);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('that is cancelled holds up no call behind it', async () => {
    const stage = new Stage();
    const controller = new AbortController();
    void stage.call('a');
    void stage.call('s', { name: 'solo', signal: controller.signal });
    void stage.call('b');
    expect(stage.running).toEqual(['a']);
    controller.abort();
    await delay(0);
    expect(stage.running).toEqual(['a', 'b']);
    await stage.endAll();
  });

  it('has its time limit from its start on', async () => {
    const execute = ({ wait }: { wait?: number }) => (wait === undefined ? 'done' : delay(wait));
    const tools = new ToolRegistry({ concurrencyLimit: 1 }).register(toolOf(execute));
    const first = tools.call(callOf({ arguments: { wait: 60 } }));
    expect(await tools.call(callOf(), { timeoutMs: 30 })).toMatchObject({ status: 'completed' });
    await first;
  });

  it('gets the slot of a handler that never returns when that one’s time is up', async () => {
    const tools = new ToolRegistry({ concurrencyLimit: 1, timeoutMs: 5 }).register(toolOf(never));
    expect(await statusesOf([1, 2, 3].map(() => tools.call(callOf())))).toEqual(
      Array(3).fill('timed_out'),
    );
    expect(tools.load).toEqual(idle);
  });
});

describe('a call from within a call', () => {
  /** The tools `outer` and `lonely` run `execute`; `inner` waits as long as its call says. */
  const nesting = (execute: (tools: ToolRegistry, context: ToolContext) => unknown) => {
    const tools = new ToolRegistry({ concurrencyLimit: 1 });
    return tools.register(
      toolOf((_values, context) => execute(tools, context), { name: 'outer', concurrency }),
      toolOf(({ wait }) => delay(Number(wait ?? 0)), { name: 'inner', concurrency }),
      toolOf((_values, context) => execute(tools, context), {
        name: 'lonely',
        concurrency: 'exclusive',
      }),
    );
  };
  const outer = callOf({ id: 'outer', name: 'outer' });
  const inner = callOf({ id: 'inner', name: 'inner' });
  const long = { ...inner, arguments: { wait: 1000 } };

  it.each(['outer', 'lonely'])('has the slot and the locks of %s', async (name) => {
    const tools = nesting(
      async (registry, parent) => (await registry.call(inner, { parent })).status,
    );
    expect(await tools.call({ ...outer, name })).toMatchObject({
      status: 'completed',
      result: 'completed',
    });
    expect(tools.load).toEqual(idle);
  });

  it('is cancelled with it, and starts although the registry is closing', async () => {
    const controller = new AbortController();
    let ended: unknown;
    const tools = nesting(async (registry, parent) => {
      await delay(5);
      ended = await registry.call(long, { parent });
    });
    const pending = tools.call(outer, { signal: controller.signal });
    const closed = tools.close();
    await delay(15);
    controller.abort();
    expect((await pending).status).toBe('cancelled');
    await closed;
    await delay(0);
    expect(ended).toMatchObject({ status: 'cancelled', when: 'during' });
  });

  it('is cancelled by its own signal and by the outer one', async () => {
    const [ofOuter, own] = [new AbortController(), new AbortController()];
    const ends: unknown[] = [];
    const tools = nesting(async (registry, parent) => {
      const first = registry.call(long, { parent, signal: own.signal });
      own.abort('its own');
      ends.push(await first);
      const second = registry.call(long, { parent, signal: new AbortController().signal });
      ofOuter.abort('the outer one’s');
      ends.push(await second);
    });
    await tools.call(outer, { signal: ofOuter.signal });
    await tools.close();
    await delay(0);
    const causes = ['its own', 'the outer one’s'];
    expect(ends).toMatchObject(
      causes.map((cause) => ({ status: 'cancelled', when: 'during', cause })),
    );
  });

  it('is a call like any other once the outer one has ended', async () => {
    let kept: ToolContext | undefined;
    const tools = nesting((_registry, context) => void (kept = context));
    await tools.call(outer);
    await tools.close();
    const outcome = await tools.call(inner, kept === undefined ? {} : { parent: kept });
    expect(outcome).toMatchObject({ status: 'limit_exceeded', reason: 'closed' });
  });
});

describe('the locks of calls from within calls', () => {
  type Plan = { readonly keys: readonly string[]; readonly inner?: readonly Plan[] };

  /** A registry in which a call makes the calls of its plan side by side. */
  class Nest {
    readonly running: { readonly id: string; readonly keys: readonly string[] }[] = [];
    readonly steps: string[] = [];
    readonly refused: string[] = [];
    /** Pairs that ran side by side with a common lock, neither inside the other. */
    readonly clashes: string[] = [];
    readonly tools = new ToolRegistry({ concurrencyLimit: 4 });
    onStart: (id: string) => void = () => {};

    constructor() {
      const work = toolOf<Plan>((plan, context) => this.#work(plan, context), {
        concurrency: { key: ({ keys }) => keys },
      });
      this.tools.register(work);
    }

    async #work({ keys, inner = [] }: Plan, context: ToolContext): Promise<void> {
      const { id } = context.call;
      for (const other of this.running) {
        const isAround = id.startsWith(`${other.id}.`);
        if (!isAround && other.keys.some((key) => keys.includes(key)))
          this.clashes.push(`${id} ${other.id}`);
      }
      const entry = { id, keys };
      this.running.push(entry);
      this.steps.push(`+${id}`);
      this.onStart(id);
      await delay(1);
      await Promise.all(
        inner.map((plan, at) => this.call(`${id}.${at}`, plan, { parent: context })),
      );
      this.running.splice(this.running.indexOf(entry), 1);
      this.steps.push(`-${id}`);
    }

    async call(id: string, plan: Plan, options: CallOptions = {}): Promise<void> {
      const outcome = await this.tools.call(
        callOf({ id, arguments: JSON.stringify(plan) }),
        options,
      );
      if (outcome.status === 'limit_exceeded') this.refused.push(`${id}: ${outcome.reason}`);
      else expect(outcome.status).toBe('completed');
    }
  }

  it('are released when the call that took them ends', async () => {
    const nest = new Nest();
    const others: Promise<void>[] = [];
    nest.onStart = (id) => {
      if (id === 'o.0') others.push(...['own', 'k'].map((key) => nest.call(key, { keys: [key] })));
    };
    await nest.call('o', { keys: ['k'], inner: [{ keys: ['k', 'own'] }] });
    await Promise.all(others);
    const at = (step: string) => nest.steps.indexOf(step);
    expect([at('-o.0') < at('+own'), at('-o') < at('+k')]).toEqual([true, true]);
  });

  it('stay with a call that outlives the outer one', async () => {
    const steps: string[] = [];
    const tools = new ToolRegistry();
    let left: Promise<unknown> = Promise.resolve();
    const inner = async (): Promise<void> => {
      steps.push('inner starts');
      await delay(5);
      steps.push('inner ends');
    };
    const leave = (parent: ToolContext) =>
      void (left = tools.call(callOf({ name: 'inner' }), { parent }));
    tools.register(
      toolOf((_values, context) => leave(context), { name: 'outer', concurrency }),
      toolOf(inner, { name: 'inner', concurrency }),
      toolOf(() => void steps.push('next'), { name: 'next', concurrency }),
    );
    await tools.callAll([callOf({ name: 'outer' }), callOf({ name: 'next' })]);
    await left;
    expect(steps).toEqual(['inner starts', 'inner ends', 'next']);
  });

  it('are not waited for while an outer call holds another lock, so that no two calls wait for each other', async () => {
    const nest = new Nest();
    const plans = {
      a: { keys: ['1'], inner: [{ keys: ['2'] }] },
      b: { keys: ['2'], inner: [{ keys: ['1'] }] },
    };
    await Promise.all(Object.entries(plans).map(([id, plan]) => nest.call(id, plan)));
    expect(nest.refused[0]).toBe('a.0: busy');
    expect(nest.steps).toEqual(expect.arrayContaining(['-a', '-b']));
  });

  it('are waited for if the outer calls hold none', async () => {
    const nest = new Nest();
    await Promise.all([
      nest.call('a', { keys: ['1'], inner: [{ keys: [] }] }),
      nest.call('b', { keys: [], inner: [{ keys: ['1'] }] }),
    ]);
    expect(nest.refused).toEqual([]);
    expect(nest.steps.indexOf('+b.0')).toBeGreaterThan(nest.steps.indexOf('-a'));
  });

  it('never make calls wait forever, and no two calls hold the same one', async () => {
    const keys = fc.uniqueArray(fc.constantFrom('1', '2', '3'), { maxLength: 2 });
    const { plan } = fc.letrec<{ plan: Plan }>((tie) => ({
      plan: fc.record({
        keys,
        inner: fc.oneof({ maxDepth: 2 }, fc.constant([]), fc.array(tie('plan'), { maxLength: 3 })),
      }),
    }));
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 4 }), async (plans) => {
        const nest = new Nest();
        await Promise.all(plans.map((one, at) => nest.call(String(at), one)));
        expect(nest.clashes).toEqual([]);
        expect(nest.refused.filter((refused) => !refused.endsWith(': busy'))).toEqual([]);
        expect(nest.tools.load).toEqual(idle);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ['are waited for while the registry closes', 10_000, ['completed', 'completed']],
    ['are refused when the time for closing is up', 1, ['cancelled', 'limit_exceeded']],
  ])('%s', async (_title, timeoutMs, expected) => {
    let inner: Promise<string> = Promise.resolve('');
    const { promise: first, resolve: end } = Promise.withResolvers<void>();
    const outer = (_values: object, parent: ToolContext): Promise<string> =>
      (inner = tools.call(callOf({ name: 'inner' }), { parent }).then(({ status }) => status));
    const tools = new ToolRegistry().register(
      toolOf(() => first, { concurrency }),
      toolOf(() => 'ran', { name: 'inner', concurrency }),
      toolOf(outer, { name: 'outer' }),
    );
    const [running] = ['work', 'outer'].map((name) => tools.call(callOf({ name })));
    expect(tools.load).toEqual({ running: 2, waiting: 1 });
    const closed = tools.close({ timeoutMs });
    if (timeoutMs > 1) end();
    expect([(await running)?.status, await inner]).toEqual(expected);
    await closed;
    expect(tools.load).toEqual(idle);
  });
});

describe('close', () => {
  it('lets running calls end, refuses waiting and new ones, and then resolves', async () => {
    const stage = new Stage({ concurrencyLimit: 1 });
    const [running, waiting] = [stage.call('a'), stage.call('b')];
    let isClosed = false;
    const closed = stage.tools.close().then(() => (isClosed = true));
    expect(await waiting).toMatchObject({ status: 'limit_exceeded', reason: 'closed' });
    const text =
      'work was not executed.\nThe program is shutting down. Do not send any more calls.';
    expect(toolMessage(await stage.call('c')).text).toBe(text);
    expect(isClosed).toBe(false);
    await stage.end('a');
    expect((await running).status).toBe('completed');
    await closed;
    expect(stage.started).toEqual(['a']);
  });

  it('cancels calls that do not end in time, and resolves though they never end', async () => {
    let reason: unknown;
    const execute = (_values: object, { signal }: ToolContext): Promise<never> => {
      signal.addEventListener('abort', () => (reason = signal.reason));
      return never();
    };
    const tools = new ToolRegistry().register(toolOf(execute));
    const pending = tools.call(callOf());
    await tools.close({ timeoutMs: 20 });
    expect(await pending).toMatchObject({ status: 'cancelled', when: 'during' });
    expect(reason).toMatchObject({ name: 'ToolmendError', code: 'registry-closed' });
  });

  it('can be called twice, and the shorter limit holds; it resolves at once if nothing runs', async () => {
    const stage = new Stage();
    const pending = stage.call('a');
    const patient = stage.tools.close({ timeoutMs: 60_000 });
    await stage.tools.close({ timeoutMs: 0 });
    await patient;
    expect((await pending).status).toBe('cancelled');
    await new ToolRegistry().close();
  });
});
