// When does a call start? As many at once as the limit says, callers in turn, some alone, and one for each lock.
import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { IsString } from 'class-validator';

import {
  defineTool,
  Tool,
  type CallOptions,
  type RegistryOptions,
  type ToolContext,
  type ToolDefinition,
  toolMessage,
  ToolRegistry,
} from 'toolmend';
import { fc } from '../seeded-fast-check.ts';
import { RecordingListener } from './recording-listener.ts';

type Values = { readonly path?: string; readonly paths?: readonly string[] };

/** A registry whose calls run until they are told to end, and what it looked like at each start. */
class Stage {
  readonly running: string[] = [];
  readonly started: string[] = [];
  readonly beside: string[] = [];
  mostRunning = 0;
  readonly tools: ToolRegistry;
  readonly #ends = new Map<string, () => void>();

  constructor(options: RegistryOptions = {}, facts: Partial<ToolDefinition<Values>> = {}) {
    const alone = { concurrency: 'exclusive' } as const;
    this.tools = new ToolRegistry(options).register(this.#tool('work', facts), this.#tool('solo', alone));
  }

  #tool(name: string, facts: Partial<ToolDefinition<Values>>) {
    const properties: NonNullable<ToolDefinition['inputSchema']['properties']> = {
      path: { type: 'string', default: 'the default' },
      paths: { type: 'array', items: { type: 'string' } },
    };
    return defineTool<Values>({
      name,
      description: 'Works.',
      inputSchema: { type: 'object', properties },
      ...facts,
      execute: async (_values, { call }) => {
        this.started.push(call.id);
        this.beside.push(this.running.join());
        this.running.push(call.id);
        this.mostRunning = Math.max(this.mostRunning, this.running.length);
        await new Promise<void>((resolve) => this.#ends.set(call.id, resolve));
        this.running.splice(this.running.indexOf(call.id), 1);
        return call.id;
      },
    });
  }

  call(
    id: string,
    { name = 'work', values = {}, ...options }: CallOptions & { name?: string; values?: Values } = {},
  ) {
    return this.tools.call({ id, name, arguments: JSON.stringify(values) }, options);
  }

  async end(...ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#ends.get(id)?.();
    await delay(0);
  }

  /** Ends whatever runs, oldest first, until nothing does. */
  async endAll(): Promise<readonly string[]> {
    for (await delay(0); this.running.length > 0; await delay(0)) await this.end(this.running[0] ?? '');
    return this.started;
  }
}

describe('a limit of calls that run at once', () => {
  it('is 8 unless said otherwise; the others wait, and start in their order', async () => {
    const stage = new Stage();
    const ids = Array.from({ length: 20 }, (_, index) => `c${index}`);
    const outcomes = ids.map((id) => stage.call(id));
    expect(stage.running).toEqual(ids.slice(0, 8));
    expect(stage.tools.load).toEqual({ running: 8, waiting: 12 });
    await stage.end('c3');
    expect(stage.running).toHaveLength(8);
    expect(stage.started.at(-1)).toBe('c8');
    await stage.endAll();
    expect(
      (await Promise.all(outcomes)).map((outcome) => outcome.status === 'completed' && outcome.result),
    ).toEqual(ids);
    expect([stage.mostRunning, stage.tools.load]).toEqual([8, { running: 0, waiting: 0 }]);
  });

  it('the outcomes of an answer stand in the order of its calls, whichever ends first', async () => {
    const tools = new ToolRegistry().register(
      defineTool<{ wait: number }>({
        name: 'wait',
        description: 'Waits.',
        inputSchema: { type: 'object', properties: { wait: { type: 'integer' } } },
        execute: async ({ wait }) => delay(wait, wait),
      }),
    );
    const waits = [30, 1, 20, 5];
    const calls = waits.map((wait) => ({ id: `w${wait}`, name: 'wait', arguments: { wait } }));
    const outcomes = await tools.callAll([...calls, { id: 'x', name: 'nothing', arguments: '{}' }]);
    expect(outcomes.map(({ call }) => call.id)).toEqual(['w30', 'w1', 'w20', 'w5', 'x']);
    expect(outcomes.map(({ status }) => status)).toEqual([...waits.map(() => 'completed'), 'unknown_tool']);
  });

  it('the queue is bounded: what is above is refused as busy at once, and the listeners are told', async () => {
    const listener = new RecordingListener();
    const stage = new Stage({ concurrencyLimit: 1, queueLimit: 2, listeners: [listener] });
    const first = ['a', 'b', 'c'].map((id) => stage.call(id));
    const refused = await stage.call('d');
    expect(refused).toMatchObject({ status: 'limit_exceeded', reason: 'busy', tool: 'work' });
    expect(toolMessage(refused)).toEqual({
      text: 'work was not executed.\nToo many calls are waiting. Send fewer at a time, and send this one again later.',
      notes: [],
      isError: true,
    });
    expect(listener.events).toEqual([
      { type: 'tool_call_refused', tool: 'work', callId: 'd', reason: 'busy' },
    ]);
    expect(await stage.endAll()).toEqual(['a', 'b', 'c']);
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([
      'completed',
      'completed',
      'completed',
    ]);
  });

  it('a full queue keeps out no call that can start at once', async () => {
    const key = ({ path }: Values) => path;
    const stage = new Stage({ queueLimit: 1 }, { concurrency: { key } });
    const calls = ['a', 'b'].map((id) => stage.call(id, { values: { path: 'same' } }));
    const other = stage.call('c', { values: { path: 'other' } });
    await delay(0);
    expect([stage.running, stage.tools.load.waiting]).toEqual([['a', 'c'], 1]);
    expect(await stage.call('d', { values: { path: 'same' } })).toMatchObject({ reason: 'busy' });
    await stage.endAll();
    await Promise.all([...calls, other]);
  });

  it('who fills the queue gives way to who does not', async () => {
    const stage = new Stage({ concurrencyLimit: 1, queueLimit: 3 });
    const greedy = ['g0', 'g1', 'g2', 'g3'].map((id) => stage.call(id, { tenant: 'greedy' }));
    const modest = stage.call('m', { tenant: 'modest' });
    expect(await greedy[3]).toMatchObject({ status: 'limit_exceeded', reason: 'busy' });
    expect(await stage.endAll()).toEqual(['g0', 'g1', 'm', 'g2']);
    expect((await modest).status).toBe('completed');
  });
});

describe('callers take turns', () => {
  it('one with a call waits for no more than one of each other, however many they have', async () => {
    const stage = new Stage({ concurrencyLimit: 1 });
    const all = Array.from({ length: 50 }, (_, index) => stage.call(`a${index}`, { tenant: 'a' }));
    all.push(
      stage.call('b0', { tenant: 'b' }),
      stage.call('c0', { tenant: 'c' }),
      stage.call('b1', { tenant: 'b' }),
    );
    const started = await stage.endAll();
    expect(started.slice(0, 6)).toEqual(['a0', 'a1', 'b0', 'c0', 'a2', 'b1']);
    await Promise.all(all);
  });

  it('places go to who has the fewest', async () => {
    const stage = new Stage({ concurrencyLimit: 4 });
    const all = ['a0', 'a1', 'a2', 'a3', 'a4'].map((id) => stage.call(id, { tenant: 'a' }));
    all.push(...['b0', 'b1'].map((id) => stage.call(id, { tenant: 'b' })));
    await stage.end('a0');
    await stage.end('a1');
    expect(stage.running).toEqual(['a2', 'a3', 'b0', 'b1']);
    await stage.endAll();
    await Promise.all(all);
  });

  it('as a property: whatever callers do, each start goes to a caller with the fewest running calls', async () => {
    const callers = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(callers, fc.integer({ min: 1, max: 5 }), async (sent, concurrencyLimit) => {
        const stage = new Stage({ concurrencyLimit });
        const all = sent.map((tenant, index) => stage.call(`${tenant}${index}`, { tenant }));
        await stage.endAll();
        await Promise.all(all);
        expect(stage.started).toHaveLength(sent.length);
        expect(stage.mostRunning).toBeLessThanOrEqual(concurrencyLimit);
        for (const [at, id] of stage.started.entries()) {
          if (at < concurrencyLimit) continue;
          const beside = (stage.beside[at] ?? '')
            .split(',')
            .filter(Boolean)
            .map((other) => other[0]);
          const later = new Set(stage.started.slice(at + 1).map((other) => other[0]));
          const own = beside.filter((other) => other === id[0]).length;
          const fewest = Math.min(...[...later].map((other) => beside.filter((one) => one === other).length));
          expect(own).toBeLessThanOrEqual(fewest);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('a tool that runs alone', () => {
  it('starts when the earlier calls have ended, and the later ones start after it', async () => {
    const stage = new Stage();
    const all = [
      stage.call('a'),
      stage.call('b'),
      stage.call('s', { name: 'solo' }),
      stage.call('c'),
      stage.call('d'),
    ];
    expect(stage.running).toEqual(['a', 'b']);
    await stage.end('a');
    expect(stage.running).toEqual(['b']);
    await stage.end('b');
    expect(stage.running).toEqual(['s']);
    await stage.end('s');
    expect(stage.running).toEqual(['c', 'd']);
    await stage.endAll();
    await Promise.all(all);
  });

  it('is not starved by another caller’s stream of calls', async () => {
    const stage = new Stage({ concurrencyLimit: 2 });
    const stream = Array.from({ length: 10 }, (_, index) => stage.call(`a${index}`, { tenant: 'a' }));
    const solo = stage.call('s', { name: 'solo', tenant: 'b' });
    const started = await stage.endAll();
    expect(started.indexOf('s')).toBeLessThan(4);
    expect(stage.beside[started.indexOf('s')]).toBe('');
    await Promise.all([...stream, solo]);
  });
});

describe('a lock per argument', () => {
  const locked = { concurrency: { key: ({ path }: Values) => path } };

  it('keeps calls with the same key apart, in their order, and no others', async () => {
    const stage = new Stage({}, locked);
    const all = [
      stage.call('x1', { values: { path: 'x' } }),
      stage.call('x2', { values: { path: 'x' } }),
      stage.call('y1', { values: { path: 'y' } }),
      stage.call('x3', { values: { path: 'x' } }),
      stage.call('d1'),
      stage.call('d2', { values: { path: 'the default' } }),
    ];
    await delay(0);
    expect(stage.running).toEqual(['x1', 'y1', 'd1']);
    await stage.end('x1');
    expect(stage.running).toEqual(['y1', 'd1', 'x2']);
    const started = await stage.endAll();
    expect(started.filter((id) => id.startsWith('x'))).toEqual(['x1', 'x2', 'x3']);
    await Promise.all(all);
  });

  it('may be several, taken together or not at all, and nobody who needs several is starved', async () => {
    const stage = new Stage({}, { concurrency: { key: ({ paths }: Values) => paths } });
    const send = (id: string, tenant: string, ...paths: string[]) =>
      stage.call(id, { tenant, values: { paths } });
    const all = [send('x1', 'a', 'x'), send('y1', 'a', 'y'), send('xy', 'b', 'x', 'y')];
    all.push(send('x2', 'a', 'x'), send('y2', 'a', 'y'), send('x3', 'a', 'x'), send('y3', 'a', 'y'));
    await delay(0);
    await stage.end('x1');
    await stage.end('y1');
    expect(stage.running).toEqual(['xy']);
    await stage.endAll();
    await Promise.all(all);
  });

  it('of a class: the key is made of plain values; none waits for nobody', async () => {
    let running = 0;
    let most = 0;
    @Tool<{ path: string }>({
      description: 'Edits.',
      concurrency: { key: ({ path }, { tenant }) => (path === 'free' ? undefined : [path, { tenant }]) },
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
    const tools = new ToolRegistry().register(Edit);
    const call = (path: string) =>
      tools.call({ id: path, name: 'edit', arguments: { path } }, { context: { tenant: 't' } });
    await Promise.all([call('a'), call('a'), call('a')]);
    expect(most).toBe(1);
    await Promise.all([call('free'), call('free')]);
    expect(most).toBe(2);
  });

  it('a key function that throws fails the call, which runs not at all', async () => {
    const stage = new Stage(
      {},
      {
        concurrency: {
          key: () => {
            throw new Error('SECRET');
          },
        },
      },
    );
    const outcome = await stage.call('a');
    expect(outcome).toMatchObject({ status: 'failed', reason: 'exception' });
    expect(toolMessage(outcome).text).not.toContain('SECRET');
    expect(stage.started).toEqual([]);
  });
});

describe('a call that waits', () => {
  it('is cancelled at once, was never executed, and leaves no listener', async () => {
    const stage = new Stage({ concurrencyLimit: 1 });
    const first = stage.call('a');
    const controller = new AbortController();
    const waiting = stage.call('b', { signal: controller.signal });
    controller.abort('stop');
    expect(await waiting).toMatchObject({ status: 'cancelled', when: 'before', duration: 0 });
    expect(stage.tools.load).toEqual({ running: 1, waiting: 0 });
    const last = stage.call('c', { signal: new AbortController().signal });
    expect(await stage.endAll()).toEqual(['a', 'c']);
    await Promise.all([first, last]);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('that is cancelled holds up nobody behind it', async () => {
    const stage = new Stage();
    const controller = new AbortController();
    const all = [
      stage.call('a'),
      stage.call('s', { name: 'solo', signal: controller.signal }),
      stage.call('b'),
    ];
    expect(stage.running).toEqual(['a']);
    controller.abort();
    await delay(0);
    expect(stage.running).toEqual(['a', 'b']);
    await stage.endAll();
    await Promise.all(all);
  });

  it('has its time limit from its start on', async () => {
    const tools = new ToolRegistry({ concurrencyLimit: 1, timeoutMs: 60 }).register(
      defineTool({
        name: 'work',
        description: 'Works.',
        inputSchema: { type: 'object' },
        execute: () => delay(40),
      }),
    );
    const calls = ['a', 'b', 'c'].map((id) => ({ id, name: 'work', arguments: '{}' }));
    expect((await tools.callAll(calls)).map(({ status }) => status)).toEqual([
      'completed',
      'completed',
      'completed',
    ]);
  });

  it('a handler that never returns gives its place back when its time is up', async () => {
    const never = (): Promise<never> => new Promise(() => {});
    const tool = defineTool({
      name: 'work',
      description: 'Works.',
      inputSchema: { type: 'object' },
      timeoutMs: 5,
      execute: never,
    });
    const tools = new ToolRegistry({ concurrencyLimit: 1 }).register(tool);
    const calls = ['a', 'b', 'c'].map((id) => ({ id, name: 'work', arguments: '{}' }));
    expect((await tools.callAll(calls)).map(({ status }) => status)).toEqual([
      'timed_out',
      'timed_out',
      'timed_out',
    ]);
    expect(tools.load).toEqual({ running: 0, waiting: 0 });
  });
});

describe('a call inside another one', () => {
  const nesting = (
    execute: (tools: ToolRegistry, context: ToolContext) => unknown,
    options: RegistryOptions = {},
  ) => {
    const tools = new ToolRegistry({ concurrencyLimit: 1, ...options });
    const inputSchema = { type: 'object' } as const;
    const concurrency = { key: () => 'same' };
    return tools.register(
      defineTool({
        name: 'outer',
        description: 'x',
        inputSchema,
        concurrency,
        execute: (_values, context) => execute(tools, context),
      }),
      defineTool({
        name: 'inner',
        description: 'x',
        inputSchema,
        concurrency,
        execute: ({ wait }) => delay(Number(wait ?? 0), 'inside'),
      }),
      defineTool({
        name: 'lonely',
        description: 'x',
        inputSchema,
        concurrency: 'exclusive',
        execute: (_values, context) => execute(tools, context),
      }),
    );
  };
  const outer = { id: 'outer', name: 'outer', arguments: '{}' };
  const inner = { id: 'inner', name: 'inner', arguments: '{}' };

  it.each(['outer', 'lonely'])(
    'has the place and the locks of %s, so that it need not wait for it',
    async (name) => {
      const tools = nesting((registry, context) =>
        registry.call(inner, { parent: context }).then((outcome) => outcome.status),
      );
      expect(await tools.call({ ...outer, name })).toMatchObject({
        status: 'completed',
        result: 'completed',
      });
      expect(tools.load).toEqual({ running: 0, waiting: 0 });
    },
  );

  it('is cancelled with it, and is let in while the registry closes', async () => {
    const controller = new AbortController();
    let ended: unknown;
    const tools = nesting(async (registry, context) => {
      await delay(5);
      ended = await registry.call({ ...inner, arguments: { wait: 1000 } }, { parent: context });
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

  it('is cancelled with it, though it has a signal of its own, and by that one too', async () => {
    const [ofOuter, own] = [new AbortController(), new AbortController()];
    const ends: unknown[] = [];
    const tools = nesting(async (registry, context) => {
      const wait = (signal: AbortSignal): Promise<unknown> =>
        registry.call({ ...inner, arguments: { wait: 1000 } }, { parent: context, signal });
      const first = wait(own.signal);
      own.abort('its own');
      ends.push(await first);
      const second = wait(new AbortController().signal);
      ofOuter.abort('the outer one’s');
      ends.push(await second);
    });
    await tools.call(outer, { signal: ofOuter.signal });
    await tools.close();
    await delay(0);
    expect(ends).toMatchObject([
      { status: 'cancelled', when: 'during', cause: 'its own' },
      { status: 'cancelled', when: 'during', cause: 'the outer one’s' },
    ]);
  });

  it('with the context of a call that has ended it is a call like any other', async () => {
    let kept: ToolContext | undefined;
    const tools = nesting((_registry, context) => void (kept = context));
    await tools.call(outer);
    await tools.close();
    expect(kept && (await tools.call(inner, { parent: kept }))).toMatchObject({
      status: 'limit_exceeded',
      reason: 'closed',
    });
  });
});

describe('the locks of calls inside calls', () => {
  type Plan = { readonly keys: readonly string[]; readonly inner?: readonly Plan[] };

  /** A registry in which a call makes the calls of its plan, side by side, and what became of each. */
  class Nest {
    readonly running: { readonly id: string; readonly keys: readonly string[] }[] = [];
    readonly steps: string[] = [];
    readonly refused: string[] = [];
    /** Pairs that ran side by side with a lock in common, neither being inside the other. */
    readonly clashes: string[] = [];
    readonly tools = new ToolRegistry({ concurrencyLimit: 4 });
    onStart: (id: string) => void = () => {};

    constructor() {
      const work = defineTool<Plan>({
        name: 'work',
        description: 'Works.',
        inputSchema: { type: 'object' },
        concurrency: { key: ({ keys }) => keys },
        execute: (plan, context) => this.#work(plan, context),
      });
      this.tools.register(work);
    }

    async #work({ keys, inner = [] }: Plan, context: ToolContext): Promise<void> {
      const { id } = context.call;
      for (const other of this.running) {
        const isAround = id.startsWith(`${other.id}.`);
        if (!isAround && other.keys.some((key) => keys.includes(key))) this.clashes.push(`${id} ${other.id}`);
      }
      const entry = { id, keys };
      this.running.push(entry);
      this.steps.push(`+${id}`);
      this.onStart(id);
      await delay(1);
      await Promise.all(inner.map((plan, at) => this.call(`${id}.${at}`, plan, { parent: context })));
      this.running.splice(this.running.indexOf(entry), 1);
      this.steps.push(`-${id}`);
    }

    async call(id: string, plan: Plan, options: CallOptions = {}): Promise<void> {
      const outcome = await this.tools.call({ id, name: 'work', arguments: JSON.stringify(plan) }, options);
      if (outcome.status === 'limit_exceeded') this.refused.push(`${id}: ${outcome.reason}`);
      else expect(outcome.status).toBe('completed');
    }
  }

  it('side by side with the same key run one after the other, whoever holds it around them', async () => {
    const nest = new Nest();
    await nest.call('o', { keys: ['k'], inner: [{ keys: ['k'] }, { keys: ['k'] }] });
    expect(nest.steps).toEqual(['+o', '+o.0', '-o.0', '+o.1', '-o.1', '-o']);
  });

  it('are their own, and are given back to the call around that has them', async () => {
    const nest = new Nest();
    const others: Promise<void>[] = [];
    nest.onStart = (id) => {
      if (id === 'o.0') others.push(...['own', 'k'].map((key) => nest.call(key, { keys: [key] })));
    };
    await nest.call('o', { keys: ['k'], inner: [{ keys: ['k', 'own'] }] });
    await Promise.all(others);
    const order = (...steps: readonly string[]) =>
      steps.toSorted((a, b) => nest.steps.indexOf(a) - nest.steps.indexOf(b));
    expect(order('+own', '-o.0')).toEqual(['-o.0', '+own']);
    expect(order('+k', '-o')).toEqual(['-o', '+k']);
  });

  it('stay with a call that goes on after the one around it', async () => {
    const steps: string[] = [];
    const tools = new ToolRegistry();
    const facts = {
      description: 'x',
      inputSchema: { type: 'object' },
      concurrency: { key: () => 'k' },
    } as const;
    let left: Promise<unknown> = Promise.resolve();
    tools.register(
      defineTool({
        ...facts,
        name: 'outer',
        execute: (_values, parent) => {
          left = tools.call({ id: 'i', name: 'inner', arguments: '{}' }, { parent });
        },
      }),
      defineTool({
        ...facts,
        name: 'inner',
        execute: async () => {
          steps.push('inner starts');
          await delay(5);
          steps.push('inner ends');
        },
      }),
      defineTool({ ...facts, name: 'next', execute: () => void steps.push('next') }),
    );
    await tools.callAll(['outer', 'next'].map((name) => ({ id: name, name, arguments: '{}' })));
    await left;
    expect(steps).toEqual(['inner starts', 'inner ends', 'next']);
  });

  it('are not waited for while the calls around hold other locks, so that no two calls wait for each other', async () => {
    const nest = new Nest();
    await Promise.all([
      nest.call('a', { keys: ['1'], inner: [{ keys: ['2'] }] }),
      nest.call('b', { keys: ['2'], inner: [{ keys: ['1'] }] }),
    ]);
    expect(nest.refused[0]).toBe('a.0: busy');
    expect(nest.steps).toEqual(expect.arrayContaining(['-a', '-b']));
  });

  it('are waited for by a nested call if the calls around it hold none', async () => {
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
        expect(nest.tools.load).toEqual({ running: 0, waiting: 0 });
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ['are waited for while the registry closes', 10_000, ['completed', 'completed']],
    ['are refused when the time for closing is up', 1, ['cancelled', 'limit_exceeded']],
  ])('%s', async (_title, timeoutMs, expected) => {
    let end = (): void => {};
    let inner: Promise<string> = Promise.resolve('');
    const facts = { description: 'x', inputSchema: { type: 'object' } } as const;
    const locked = { ...facts, concurrency: { key: () => 'k' } };
    const tools = new ToolRegistry().register(
      defineTool({
        ...locked,
        name: 'first',
        execute: () => new Promise<void>((resolve) => (end = resolve)),
      }),
      defineTool({ ...locked, name: 'inner', execute: () => 'ran' }),
      defineTool({
        ...facts,
        name: 'outer',
        execute: (_values, parent) => {
          inner = tools
            .call({ id: 'i', name: 'inner', arguments: '{}' }, { parent })
            .then(({ status }) => status);
          return inner;
        },
      }),
    );
    const [first] = ['first', 'outer'].map((name) => tools.call({ id: name, name, arguments: '{}' }));
    expect(tools.load).toEqual({ running: 2, waiting: 1 });
    const closed = tools.close({ timeoutMs });
    if (timeoutMs > 1) end();
    expect([(await first)?.status, await inner]).toEqual(expected);
    await closed;
    expect(tools.load).toEqual({ running: 0, waiting: 0 });
  });
});

describe('close', () => {
  it('lets running calls end, refuses waiting and new ones, and resolves then', async () => {
    const stage = new Stage({ concurrencyLimit: 1 });
    const [running, waiting] = [stage.call('a'), stage.call('b')];
    let isClosed = false;
    const closed = stage.tools.close().then(() => (isClosed = true));
    expect(await waiting).toMatchObject({ status: 'limit_exceeded', reason: 'closed' });
    expect(toolMessage(await stage.call('c')).text).toBe(
      'work was not executed.\nThe program is shutting down. Do not send any more calls.',
    );
    expect(isClosed).toBe(false);
    await stage.end('a');
    expect((await running).status).toBe('completed');
    await closed;
    expect(stage.started).toEqual(['a']);
  });

  it('cancels what does not end in time, and resolves though it never ends', async () => {
    let reason: unknown;
    const never = (_values: object, { signal }: ToolContext): Promise<never> => {
      signal.addEventListener('abort', () => (reason = signal.reason));
      return new Promise(() => {});
    };
    const tools = new ToolRegistry().register(
      defineTool({ name: 'work', description: 'Works.', inputSchema: { type: 'object' }, execute: never }),
    );
    const pending = tools.call({ id: 'a', name: 'work', arguments: '{}' });
    await tools.close({ timeoutMs: 20 });
    expect(await pending).toMatchObject({ status: 'cancelled', when: 'during' });
    expect(reason).toMatchObject({ name: 'ToolmendError', code: 'registry-closed' });
  });

  it('may be asked twice; the shorter limit holds; nothing runs: at once', async () => {
    const stage = new Stage();
    const pending = stage.call('a');
    const patient = stage.tools.close({ timeoutMs: 60_000 });
    await stage.tools.close({ timeoutMs: 0 });
    await patient;
    expect((await pending).status).toBe('cancelled');
    await new ToolRegistry().close();
  });
});
