import { setTimeout as delay } from 'node:timers/promises';
import {
  type BackgroundOptions,
  type Interceptor,
  type RegistryOptions,
  type ToolContext,
  type ToolContract,
  standardMetaArguments,
  toolMessage,
  ToolFailure,
  ToolRegistry,
  ToolResult,
} from 'toolmend';
import { openJournal } from 'toolmend/journal';
import { chatCompletions } from 'toolmend/openai';
import { playScript, ScriptedModel } from 'toolmend/testing';
import {
  callOf,
  callTo,
  closedTool,
  handleOf,
  never,
  RecordingListener,
  statusesOf,
  toolOf,
} from '../tools.ts';

const inBackground = callOf({ arguments: { _background: true } });

/** The tool `work`, which may run in the background. */
const workOf = (
  execute: (context: ToolContext) => unknown,
  options: Parameters<typeof toolOf>[1] = {},
) => toolOf((_values, context) => execute(context), { background: 'allowed', ...options });

const registryOf = (tool: ToolContract, options: RegistryOptions = {}): ToolRegistry =>
  new ToolRegistry(options).register(tool);

/** A registry with the tool `work`, whose calls go on until `finish`. */
function unfinished(options: RegistryOptions = {}, more?: Parameters<typeof toolOf>[1]) {
  const { promise, resolve: finish } = Promise.withResolvers<string>();
  return {
    tools: registryOf(
      workOf(() => promise, more),
      options,
    ),
    finish,
  };
}

/** How the model reads the end of a background call. */
const ended = (handle: string, end: string, tool = 'work'): string =>
  `${tool}, which ran in the background as ${handle}, has ended ${end}`;

const checkOf = (handle: string, more: object = {}) =>
  callOf({ id: 'call_2', name: 'check_background', arguments: { handle, ...more } });

it('a scripted model starts a build in the background, works on, and reads the result with check_background', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const build = workOf(() => promise, { name: 'build' });
  const read = toolOf(() => 'text', { name: 'read' });
  const model = new ScriptedModel([
    { calls: [{ name: 'build', arguments: { _background: true } }] },
    { calls: [{ name: 'read', arguments: {} }] },
    ([result]) => {
      resolve('3 files built');
      expect(result?.text).toBe('text');
      const handle = /bg_[-\w]+/.exec(model.received[1]?.[0]?.text ?? '')?.[0];
      return { calls: [{ name: 'check_background', arguments: { handle, wait_seconds: 5 } }] };
    },
    { text: 'Done.' },
  ]);
  const tools = new ToolRegistry({ meta: standardMetaArguments }).register(build, read);
  const outcomes = await playScript(model, tools);
  expect(outcomes.map(({ status }) => status)).toEqual(['in_background', 'completed', 'completed']);
  const handle = handleOf(outcomes[0]);
  expect(model.received[1]).toEqual([
    {
      text: `build runs in the background as ${handle}. It has no result yet: go on with other work. The result will follow. To look after it sooner, call check_background with this handle.`,
      notes: [],
      isError: false,
    },
  ]);
  expect(model.received[3]?.[0]?.text).toBe(ended(handle, '(completed):\n3 files built', 'build'));
  expect(await tools.background.takeResults()).toEqual([]);
});

describe('the option background', () => {
  it('never, the default: the schema has no _background, and the key is unknown', async () => {
    const tools = registryOf(closedTool('work', never), { meta: standardMetaArguments });
    expect(tools.names()).toEqual(['work']);
    const shown = Object.keys(tools.schemas()[0]?.inputSchema.properties ?? {});
    expect(shown).toEqual(['_rationale', '_timeout_seconds']);
    expect((await tools.call(inBackground)).status).toBe('invalid_arguments');
  });

  it('allowed: the schema has _background, also without other meta arguments, and it decides', async () => {
    const tools = registryOf(workOf(() => 'done'));
    expect(tools.schemas()[0]?.inputSchema.properties).toEqual({
      _background: {
        type: 'boolean',
        description: 'Whether to answer at once and let the call go on in the background.',
      },
    });
    const statusesFor = (...sent: readonly object[]) =>
      statusesOf(sent.map((given) => tools.call(callTo('work', given))));
    const atOnce = await statusesFor({}, { _background: false }, { _background: null });
    expect(atOnce).toEqual(['completed', 'completed', 'completed']);
    const later = await statusesFor({ _background: 'true' }, { background: true });
    expect(later).toEqual(['in_background', 'in_background']);
  });

  it('always: every call, and the schema has no _background', async () => {
    const tools = registryOf(workOf(never, { background: 'always' }), {
      meta: standardMetaArguments,
    });
    expect(tools.schemas()[0]?.inputSchema.properties).not.toHaveProperty('_background');
    expect((await tools.call(callOf())).status).toBe('in_background');
  });
});

describe('a background call', () => {
  it('is told to the application: its progress and its end', async () => {
    const told: unknown[] = [];
    const background: BackgroundOptions = {
      onProgress: ({ tool, tenant, state }, update) =>
        void told.push([tool, tenant, state, update]),
      onEnd: ({ handle, outcome, state }) => void told.push([handle, state, outcome.status]),
    };
    const tools = registryOf(
      workOf(async ({ progress }) => {
        progress(1);
        await delay(1);
        progress({ done: 2 });
        return 'done';
      }),
      { background },
    );
    const progress: unknown[] = [];
    const outcome = await tools.call(inBackground, {
      tenant: 'a',
      progress: (update) => {
        progress.push(update);
        throw new Error('of the application');
      },
    });
    const handle = handleOf(outcome);
    await tools.background.wait(handle, 30_000, { tenant: 'a' });
    expect(told).toEqual([
      ['work', 'a', 'running', 1],
      ['work', 'a', 'running', { done: 2 }],
      [handle, 'ended', 'completed'],
    ]);
    expect(progress).toEqual([1, { done: 2 }]);
  });

  it('shows its progress, and is told to listeners as any call when it ends', async () => {
    const listener = new RecordingListener();
    const { promise, resolve } = Promise.withResolvers<string>();
    const tools = registryOf(
      workOf(({ progress }) => {
        progress({ step: 'link' });
        return promise;
      }),
      { listeners: [listener] },
    );
    const handle = handleOf(await tools.call(inBackground));
    const text = async (more?: object) => toolMessage(await tools.call(checkOf(handle, more))).text;
    const report = /^work is still running, for \d+ s so far\.\nIts last report: {"step":"link"}$/;
    expect(await text()).toMatch(report);
    const waiting = text({ wait_seconds: 60 });
    resolve('done');
    expect(await waiting).toBe(ended(handle, '(completed):\ndone'));
    expect(listener.events.filter(({ type }) => type === 'tool_executed')).toMatchObject([
      { tool: 'check_background' },
      { tool: 'work', status: 'completed', callId: 'call_1' },
      { tool: 'check_background' },
    ]);
  });

  it('outlives the signal of its call', async () => {
    const { tools, finish } = unfinished();
    const controller = new AbortController();
    const handle = handleOf(await tools.call(inBackground, { signal: controller.signal }));
    controller.abort();
    finish('done');
    expect(await tools.background.wait(handle, 30_000)).toMatchObject({
      state: 'ended',
      outcome: { status: 'completed', result: 'done' },
    });
  });

  it('is not started if its signal has fired before', async () => {
    const tools = registryOf(workOf(never));
    const outcome = await tools.call(inBackground, { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ status: 'cancelled', when: 'before' });
  });

  it('outlives the call from which it was made, and takes a slot of its own', async () => {
    const { tools, finish } = unfinished();
    const start = (parent: ToolContext) => tools.call(inBackground, { parent });
    tools.register(
      toolOf(async (_values, context) => handleOf(await start(context)), { name: 'outer' }),
    );
    const outcome = await tools.call(callTo('outer'));
    if (outcome.status !== 'completed') throw new Error(outcome.status);
    finish('done');
    const last = await tools.background.wait(String(outcome.result), 30_000);
    expect(last).toMatchObject({ outcome: { status: 'completed', result: 'done' } });
  });

  it('is refused by a closed registry', async () => {
    const tools = registryOf(workOf(never));
    await tools.close();
    expect(await tools.call(inBackground)).toMatchObject({
      status: 'limit_exceeded',
      reason: 'closed',
    });
  });

  it('ends at its time limit', async () => {
    const tools = registryOf(workOf(never, { timeoutMs: 5 }));
    const handle = handleOf(await tools.call(inBackground));
    expect(await tools.background.wait(handle, 30_000)).toMatchObject({
      outcome: { status: 'timed_out' },
    });
  });

  it.each<[string, (tools: ToolRegistry, handle: string) => Promise<unknown>]>([
    ['the application', (tools, handle) => tools.background.cancel(handle, { reason: 'enough' })],
    ['the model', (tools, handle) => tools.call(checkOf(handle, { cancel: true }))],
    ['close', (tools) => tools.close({ timeoutMs: 1 })],
  ])('is cancelled by %s', async (_title, cancel) => {
    let isAborted = false;
    const tools = registryOf(
      workOf(({ signal }) => {
        signal.addEventListener('abort', () => (isAborted = true));
        return never();
      }),
    );
    const handle = handleOf(await tools.call(inBackground));
    await cancel(tools, handle);
    expect(isAborted).toBe(true);
    expect(await tools.background.get(handle)).toMatchObject({
      state: 'ended',
      outcome: { status: 'cancelled', when: 'during' },
    });
  });

  it.each(['before', 'while'])(
    'is waited for until the signal fires, %s one waits',
    async (when) => {
      const { tools } = unfinished();
      const handle = handleOf(await tools.call(inBackground));
      const aborting = new AbortController();
      if (when === 'before') aborting.abort();
      const state = tools.background.wait(handle, 2_000_000, { signal: aborting.signal });
      aborting.abort();
      expect(await state).toMatchObject({ state: 'running' });
      await tools.close({ timeoutMs: 0 });
    },
  );

  it('that a model asks for while it waits for a slot doesn’t keep the slot from it', async () => {
    const { tools, finish } = unfinished({ background: { concurrencyLimit: 2 } });
    const handles = await Promise.all(
      [1, 2, 3].map(async () => handleOf(await tools.call(inBackground))),
    );
    const asked = tools.call(checkOf(handles[2] ?? '', { wait_seconds: 60 }));
    finish('done');
    expect(toolMessage(await asked).text).toMatch(/^work, which ran|^work waits for other calls/);
  });

  it('has slots of its own: long calls don’t hold up others, and no more than 8 run at once', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    let running = 0;
    let most = 0;
    const work = workOf(async ({ meta }) => {
      if (meta.background !== true) return 'at once';
      most = Math.max(most, (running += 1));
      await promise;
      running -= 1;
      return 'late';
    });
    const tools = registryOf(work, { concurrencyLimit: 1 });
    const sent = Array.from({ length: 12 }, () => tools.call(inBackground, { tenant: 'a' }));
    const handles = (await Promise.all(sent)).map(handleOf);
    expect([most, tools.load]).toEqual([8, { running: 8, waiting: 4 }]);
    const outcomes = await Promise.all([1, 2, 3].map(() => tools.call(callOf(), { tenant: 'a' })));
    expect(outcomes).toMatchObject(
      outcomes.map(() => ({ status: 'completed', result: 'at once' })),
    );
    resolve('done');
    const ends = handles.map((handle) => tools.background.wait(handle, 30_000, { tenant: 'a' }));
    expect(await Promise.all(ends)).toMatchObject(
      handles.map(() => ({ state: 'ended', outcome: { result: 'late' } })),
    );
    expect(most).toBe(8);
  });

  it('that waits for a slot does not fill the queue of other calls, and the queue limit holds for it too', async () => {
    const limits = { concurrencyLimit: 1, queueLimit: 1, background: { concurrencyLimit: 1 } };
    const { tools, finish } = unfinished(limits);
    const handles = await Promise.all(
      [1, 2, 3].map(async () => handleOf(await tools.call(inBackground))),
    );
    const others = [1, 2].map(() => tools.call(callOf()));
    await delay(0);
    expect(tools.load).toEqual({ running: 2, waiting: 2 });
    finish('done');
    expect(await statusesOf(others)).toEqual(['completed', 'completed']);
    const states = handles.map((handle) => tools.background.wait(handle, 30_000));
    expect(await Promise.all(states)).toMatchObject([
      { outcome: { status: 'completed' } },
      { outcome: { status: 'completed' } },
      { outcome: { status: 'limit_exceeded', reason: 'busy' } },
    ]);
  });

  it('that is exclusive, or holds a lock, keeps other calls apart as any call does', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const started: string[] = [];
    const execute = (name: string) => async () => {
      started.push(name);
      return promise;
    };
    const concurrency = { key: () => 'same' };
    const tools = registryOf(workOf(execute('locked'), { concurrency }));
    tools.register(toolOf(execute('other'), { name: 'other', concurrency }));
    tools.register(toolOf(execute('solo'), { name: 'solo', concurrency: 'exclusive' }));
    const handle = handleOf(await tools.call(inBackground));
    const others = ['other', 'solo'].map((name) => tools.call(callOf({ name })));
    await delay(1);
    expect(started).toEqual(['locked']);
    resolve('done');
    await Promise.all(others);
    await tools.background.wait(handle, 30_000);
    expect(started).toEqual(['locked', 'other', 'solo']);
  });

  it('needs its approval first, and its handle comes with the approval', async () => {
    const ran: string[] = [];
    const work = workOf(() => void ran.push('ran'), { effects: 'destructive' });
    const tools = registryOf(work, { approval: {} });
    const asked = await tools.call(inBackground);
    if (asked.status !== 'approval_required') throw new Error(asked.status);
    expect(ran).toEqual([]);
    const handle = handleOf(await tools.resolveApproval(asked.approval, { decision: 'approve' }));
    await tools.background.wait(handle, 30_000);
    expect(ran).toEqual(['ran']);
  });

  it('passes the interceptors: they see its outcome, and what they deny is denied at once', async () => {
    const seen: string[] = [];
    const clean: Interceptor = async (call, next) => {
      if (call.tenant === 'guest') return call.deny('Guests may not.');
      const outcome = await next();
      seen.push(outcome.status);
      return call.amend(outcome, { text: 'clean' });
    };
    const tools = registryOf(
      workOf(() => delay(1, 'raw')),
      { interceptors: [clean] },
    );
    expect((await tools.call(inBackground, { tenant: 'guest' })).status).toBe('denied');
    const handle = handleOf(await tools.call(inBackground));
    expect(seen).toEqual([]);
    const last = await tools.background.wait(handle, 30_000);
    expect(last).toMatchObject({ outcome: { content: { text: 'clean' } } });
  });

  it('gives its failure and its images to the model', async () => {
    const failing = registryOf(workOf(() => Promise.reject(new ToolFailure('The disk is full.'))));
    const failed = handleOf(await failing.call(inBackground));
    const { text } = toolMessage(await failing.call(checkOf(failed)));
    expect(text).toBe(ended(failed, '(failed):\nThe disk is full.'));
    const drawing = registryOf(workOf(() => ToolResult.of().image('AQ==', 'image/png')));
    const { images } = toolMessage(
      await drawing.call(checkOf(handleOf(await drawing.call(inBackground)))),
    );
    expect(images).toEqual([{ data: 'AQ==', mediaType: 'image/png' }]);
  });
});

describe('a handle', () => {
  it('of another tenant is unknown', async () => {
    const tools = registryOf(workOf(never));
    const handle = handleOf(await tools.call(inBackground, { tenant: 'a' }));
    expect(await tools.background.get(handle, { tenant: 'b' })).toBeUndefined();
    expect(await tools.background.get(handle)).toBeUndefined();
    expect(await tools.background.cancel(handle, { tenant: 'b' })).toBeUndefined();
    const outcome = await tools.call(checkOf(handle), { tenant: 'b' });
    expect(outcome).toMatchObject({ status: 'retry' });
    expect(toolMessage(outcome).text).toBe(
      `There is no background call "${handle}". Send a handle exactly as it was returned.`,
    );
    const call = await tools.background.get(handle, { tenant: 'a' });
    expect(call).toMatchObject({ state: 'running', tenant: 'a' });
    await tools.close({ timeoutMs: 0 });
  });

  it('is forgotten some time after its call has ended', async () => {
    const done = workOf(() => 'done');
    const tools = registryOf(done, { background: { keepMs: 1 } });
    const first = handleOf(await tools.call(inBackground));
    await tools.background.wait(first, 30_000);
    await delay(5);
    await tools.call(inBackground);
    expect(await tools.background.get(first)).toBeUndefined();
  });
});

it('takeResults returns the ended calls of one conversation, each once, in the order in which they ended', async () => {
  const turns = [1, 2, 3, 4].map(() => Promise.withResolvers<string>());
  const tools = registryOf(
    toolOf<{ turn: number }>(({ turn }) => turns[turn]?.promise, { background: 'always' }),
  );
  const start = async (turn: number, scope: object) =>
    handleOf(await tools.call(callOf({ arguments: { turn } }), scope));
  const scope = { tenant: 'a', conversation: '1' };
  const handles = [
    await start(0, scope),
    await start(1, scope),
    await start(2, { tenant: 'a', conversation: '2' }),
    await start(3, { tenant: 'b', conversation: '1' }),
  ];
  for (const turn of [1, 2, 3]) turns[turn]?.resolve(`result ${turn}`);
  await delay(1);
  turns[0]?.resolve('result 0');
  await delay(1);
  const taken = await tools.background.takeResults(scope);
  const texts = [1, 0].map((turn) => ended(handles[turn] ?? '', `(completed):\nresult ${turn}`));
  expect(taken.map(({ text }) => text)).toEqual(texts);
  expect(await tools.background.takeResults(scope)).toEqual([]);
  expect(await tools.background.takeResults()).toEqual([]);
  await expect(
    Reflect.apply(tools.background.takeResults, tools.background, [{ tenant: 5 }]),
  ).rejects.toThrow('write the tenant of the call');
  const otherScope = { tenant: 'b', conversation: '1' };
  // oxlint-disable-next-line typescript/no-deprecated -- the old name is accepted, too
  expect(await tools.background.take(otherScope)).toMatchObject([{ handle: handles[3] }]);
  expect(await tools.background.takeResults(otherScope)).toEqual([]);
});

describe('the next turn of an adapter', () => {
  const turnOf = (name: string, sent: object) => {
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name, arguments: JSON.stringify(sent) },
    };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    return JSON.parse(
      JSON.stringify({ choices: [{ index: 0, finish_reason: 'tool_calls', message }] }),
    );
  };

  it('has the results that have come since as notes of its last result, in the same conversation only', async () => {
    const { tools, finish } = unfinished();
    tools.register(toolOf(() => 'text', { name: 'read' }));
    const turns = chatCompletions(tools);
    const scope = { tenant: 'a', conversation: '1' };
    const { outcomes } = await turns.answer(turnOf('work', { _background: true }), scope);
    const handle = handleOf(outcomes[0]);
    finish('built');
    await tools.background.wait(handle, 30_000, { tenant: 'a' });
    const other = await turns.answer(turnOf('read', {}), { tenant: 'a', conversation: '2' });
    expect(other.messages.at(-1)).toEqual({
      role: 'tool',
      tool_call_id: 'call_1',
      content: 'text',
    });
    const next = await turns.answer(turnOf('read', {}), scope);
    const content = ['text', ended(handle, '(completed):\nbuilt')].map((text) => ({
      type: 'text',
      text,
    }));
    expect(next.messages.at(-1)).toEqual({ role: 'tool', tool_call_id: 'call_1', content });
    const last = await turns.answer(turnOf('read', {}), scope);
    expect(last.messages.at(-1)).toMatchObject({ content: 'text' });
  });

  it('leaves the results to the application if the turn has no call', async () => {
    const { tools, finish } = unfinished();
    const scope = { conversation: '1' };
    const handle = handleOf(await tools.call(inBackground, scope));
    finish('built');
    await tools.background.wait(handle, 30_000);
    const turn = { ...turnOf('read', {}), choices: [] };
    expect(await chatCompletions(tools).answer(turn, scope)).toEqual({
      messages: [],
      outcomes: [],
    });
    expect(await tools.background.takeResults(scope)).toMatchObject([{ handle }]);
  });
});

it('a server’s tool that may run in the background has no output schema for MCP clients', () => {
  const outputSchema = { type: 'object', properties: {} } as const;
  const schemasOf = (background: 'never' | 'allowed') =>
    registryOf(workOf(() => ({}), { outputSchema, background })).schemas('mcp')[0];
  expect(schemasOf('never')).toHaveProperty('outputSchema');
  expect(schemasOf('allowed')).not.toHaveProperty('outputSchema');
});

describe('with a journal', () => {
  it('a handle is known to every registry of the journal, and a result is delivered once', async () => {
    const journal = await openJournal();
    const scope = { tenant: 'a', conversation: '1' };
    const { tools: here, finish } = unfinished({ journal });
    const there = registryOf(workOf(never), { journal });
    const handle = handleOf(await here.call(inBackground, scope));
    const text = async (tools: ToolRegistry, sent: object): Promise<string> =>
      toolMessage(await tools.call(checkOf(handle, sent), { tenant: 'a' })).text;
    expect(await text(there, {})).toMatch(/^work is still running, for \d+ s so far\.$/);
    expect(await there.background.get(handle)).toBeUndefined();
    finish('done');
    expect(await text(there, { wait_seconds: 5 })).toBe(ended(handle, '(completed):\ndone'));
    expect(await here.background.takeResults(scope)).toEqual([]);
    const again = handleOf(await here.call(callOf({ ...inBackground, id: 'call_9' }), scope));
    await there.background.wait(again, 30_000, { tenant: 'a' });
    expect(await there.background.takeResults(scope)).toMatchObject([
      { handle: again, outcome: { result: 'done' } },
    ]);
    expect(await here.background.takeResults(scope)).toEqual([]);
  });
});

describe('check_background', () => {
  it('is the last tool, is not offered if it is off, and leaves a tool of that name alone', () => {
    expect(registryOf(workOf(never)).names()).toEqual(['work', 'check_background']);
    const off = registryOf(workOf(never), { background: { checkTool: 'off' } });
    expect(off.names()).toEqual(['work']);
    const own = toolOf(never, { name: 'check_background' });
    expect(new ToolRegistry().register(own, workOf(never)).names()).toEqual([
      'check_background',
      'work',
    ]);
    expect(new ToolRegistry().replace(workOf(never)).names()).toEqual(['work', 'check_background']);
  });

  it('is not named to the model if it is off', async () => {
    const tools = registryOf(workOf(never), { background: { checkTool: 'off' } });
    const outcome = await tools.call(inBackground);
    expect(toolMessage(outcome).text).toBe(
      `work runs in the background as ${handleOf(outcome)}. It has no result yet: go on with other work. The result will follow.`,
    );
  });

  it('waits no longer than the time limit of the registry', async () => {
    const tools = registryOf(workOf(never, { timeoutMs: 600_000 }), { timeoutMs: 600 });
    const handle = handleOf(await tools.call(inBackground));
    const checked = await tools.call(checkOf(handle, { wait_seconds: 60 }));
    expect(toolMessage(checked).text).toMatch(/^work is still running/);
    await tools.close({ timeoutMs: 0 });
  });
});
