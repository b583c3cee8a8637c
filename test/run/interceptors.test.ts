import { setTimeout as delay } from 'node:timers/promises';
import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import {
  type AcceptedOutcome,
  type InterceptedCall,
  type Interceptor,
  type RegistryOptions,
  type ToolCall,
  RepairStats,
  Secret,
  standardMetaArguments,
  Tool,
  ToolFailure,
  toolMessage,
  ToolmendError,
  ToolRegistry,
  ToolRetry,
} from 'toolmend';
import { texts } from '../schemas.ts';
import {
  callTo,
  closedTool,
  never,
  RecordingListener,
  statusesOf,
  thrower,
  toolOf,
  unhandledDuring,
} from '../tools.ts';

const ran: object[] = [];
beforeEach(() => void ran.splice(0));

@Tool({ description: 'Reads a page.' })
class ReadPage {
  @IsString() name!: string;
  @IsOptional() @IsInt() @Min(1) page?: number;
  @IsOptional() @IsString() @Secret() token?: string;
  execute(): string {
    ran.push(Object.assign({}, this));
    return `${this.name} ${this.page ?? 1}`;
  }
}

const listTags = closedTool('list_tags', (values) => void ran.push(values), { tags: texts });

const callOf = (sent: unknown, name = 'read_page') => callTo(name, sent);
const sent = callOf({ name: 'a' });
const ofCall = { tool: 'read_page', callId: 'call_1' };
const registryWith = (interceptors: readonly Interceptor[], options: RegistryOptions = {}) =>
  new ToolRegistry({ interceptors, context: { user: 'ada' }, ...options }).register(ReadPage);
const registryOf = (...interceptors: readonly Interceptor[]): ToolRegistry =>
  registryWith(interceptors);

/** Calls the tool once; what the listener heard is returned with the outcome. */
async function callWith(...interceptors: readonly Interceptor[]) {
  const listener = new RecordingListener();
  const outcome = await registryWith(interceptors, { listeners: [listener] }).call(sent);
  return {
    outcome,
    text: toolMessage(outcome).text,
    events: listener.events,
    errors: listener.errors,
  };
}

/** An interceptor that calls the tool and then does something else. */
const after =
  (work: (call: InterceptedCall, outcome: AcceptedOutcome) => unknown): Interceptor =>
  async (call, next) =>
    (await work(call, await next())) as AcceptedOutcome;

test('interceptors see the repaired call; the first one is the outermost', async () => {
  const steps: string[] = [];
  const around = ['one', 'two'].map((name): Interceptor => async (call, next) => {
    steps.push(
      `${name} ${call.tool} ${JSON.stringify(call.arguments)} ${String(call.values['user'])}`,
    );
    const outcome = await next();
    steps.push(`${name} ${outcome.status}`);
    return outcome;
  });
  const outcome = await registryWith(around).call(callOf('{"name": "a", "page": "2"}'));
  expect(outcome).toMatchObject({ status: 'completed', result: 'a 2' });
  const seen = 'read_page {"name":"a","page":2} ada';
  expect(steps).toEqual([`one ${seen}`, `two ${seen}`, 'two completed', 'one completed']);
});

test('interceptors see neither invalid calls nor calls of unknown tools', async () => {
  const tools = registryOf((call) => call.deny('seen'));
  const calls = [callOf('{}'), callOf('{}', 'nothing')].map((call) => tools.call(call));
  expect(await statusesOf(calls)).toEqual(['invalid_arguments', 'unknown_tool']);
});

test('a denied call is not executed, and the model reads why', async () => {
  const { outcome, events } = await callWith((call) => call.deny('Ada may not read this.'));
  expect(outcome).toMatchObject({ status: 'denied', by: 'interceptor', tool: 'read_page' });
  expect(toolMessage(outcome)).toEqual({
    text: 'Ada may not read this.',
    notes: [],
    isError: true,
  });
  const withheld = {
    type: 'tool_withheld',
    input: 'unchanged',
    status: 'denied',
    reason: 'interceptor',
  };
  expect([events, ran]).toEqual([[{ ...ofCall, ...withheld }], []]);
});

describe('edited arguments', () => {
  const changedPage = ['The application changed page.'];

  test('are validated again, run, and are in the history; the model is told which', async () => {
    const tools = registryOf((call, next) => next({ ...call.arguments, page: '3' }));
    const outcome = await tools.call(callOf({ name: 'a', page: 2, token: 's3cr3t' }));
    expect(ran).toEqual([{ name: 'a', page: 3, token: 's3cr3t' }]);
    expect(toolMessage(outcome)).toEqual({ text: 'a 3', notes: changedPage, isError: false });
    expect(outcome).toMatchObject({ interpretation: { repairs: [{ rule: 'text_to_integer' }] } });
    expect(tools.history(outcome).arguments).toBe('{"name":"a","page":3,"token":"s3cr3t"}');
  });

  test.each<[string, (call: InterceptedCall) => unknown]>([
    ['answers', (call) => call.answer('cleaned')],
    ['throws', thrower(new Error('SECRET'))],
  ])('are in the history although the interceptor %s after the tool', async (_title, make) => {
    const tools = registryOf(async (call, next) => {
      await next({ ...call.arguments, page: 3 });
      return make(call) as AcceptedOutcome;
    });
    const outcome = await tools.call(callOf({ name: 'a', page: 2 }));
    expect(tools.history(outcome).arguments).toBe('{"name":"a","page":3}');
    expect(toolMessage(outcome).notes).toEqual(changedPage);
  });

  test('leave meta arguments as they are, also required ones', async () => {
    const meta = standardMetaArguments.map((one) => ({
      ...one,
      isRequired: one.name === 'rationale',
    }));
    const tools = new ToolRegistry({
      meta,
      interceptors: [(_call, next) => next({ tags: ['b'] })],
    });
    const seen: unknown[] = [];
    tools.register(toolOf((values, context) => void seen.push(values, context.meta)));
    await tools.call(callOf({ tags: [], _rationale: 'why', _timeout_seconds: 5 }, 'work'));
    expect(seen).toEqual([{ tags: ['b'] }, { rationale: 'why', timeout_seconds: 5 }]);
  });

  test('that are invalid never run: next throws', async () => {
    const told: unknown[] = [];
    const { outcome } = await callWith((call, next) =>
      next({ ...call.arguments, page: 0 }).catch((error: unknown) => {
        told.push(error instanceof ToolmendError && error.code);
        return call.deny('no');
      }),
    );
    expect([outcome.status, ran, told]).toEqual(['denied', [], ['edit-rejected']]);
  });

  test('that are invalid fail the call if the interceptor doesn’t catch it, without an unhandled rejection', async () => {
    const unhandled = await unhandledDuring(async () => {
      const thrown = await callWith((_call, next) => next({ nme: [] }));
      expect(thrown.outcome).toMatchObject({ status: 'failed', reason: 'exception' });
      const dropped = await callWith((call, next) => {
        void next({ nme: [] });
        return call.deny('no');
      });
      expect(dropped.outcome.status).toBe('denied');
    });
    expect([ran, unhandled]).toEqual([[], []]);
  });

  test.each<[unknown, string]>([
    [null, 'next has null for arguments: write an object with all arguments'],
    ['{}', 'next has "{}" for arguments'],
    [['a'], 'next has an array for arguments'],
    [new Map([['name', 'b']]), 'next has an object for arguments'],
  ])('can’t be %p', async (edited, message) => {
    const { outcome } = await callWith((_call, next) => Reflect.apply(next, undefined, [edited]));
    const cause = { code: 'definition', message: expect.stringContaining(message) };
    expect([outcome, ran]).toMatchObject([{ status: 'failed', reason: 'exception', cause }, []]);
  });

  test('are copied, and what interceptors see is frozen', async () => {
    const own = { tags: ['mine'] };
    const written: unknown[] = [];
    const edit: Interceptor = async (call, next) => {
      written.push(Reflect.set(call.arguments, 'tags', 5));
      written.push(Reflect.set(Object(call.interpretation.value['tags']), 0, 'b'));
      const going = next(own);
      own.tags.push('later');
      return going;
    };
    const tools = registryOf(edit, (_call, next) => next()).register(listTags);
    const tags = { tags: ['a'] };
    const outcome = await tools.call(callOf(tags, 'list_tags'));
    expect([written, ran, tags]).toEqual([[false, false], [{ tags: ['mine'] }], { tags: ['a'] }]);
    expect(tools.history(outcome).arguments).toBe('{"tags":["mine"]}');
    tags.tags.push('not frozen');
  });
});

describe('whether the tool was executed', () => {
  const executed = (why: string) => new RegExp(`^read_page was executed, but its result ${why}`);
  const notExecuted = (why: string) =>
    new RegExp(`^read_page was not executed\\.\n${why} \\(error \\w{8}\\)\\.$`);
  const internal = notExecuted('An internal error occurred');
  const unshown = notExecuted('The result that was given in its place cannot be shown');
  const boom = thrower(new Error('SECRET'));
  const unshowable = (call: InterceptedCall) => call.answer(() => 'a function');
  const stale =
    (make: (call: InterceptedCall) => AcceptedOutcome): Interceptor =>
    async (call, next) => {
      const made = make(call);
      await next();
      return made;
    };

  test.each<[string, Interceptor, string, RegExp]>([
    ['an answer', (call) => call.answer('kept'), 'completed', /^kept$/],
    ['an answer without a JSON form', unshowable, 'failed', unshown],
    ['an exception', boom, 'failed', internal],
    ['an exception, later', async () => boom(), 'failed', internal],
    ['a ToolRetry', thrower(new ToolRetry('Later.')), 'retry', /^Later\.$/],
    ['a ToolFailure', thrower(new ToolFailure('Closed.')), 'failed', /^Closed\.$/],
  ])(
    '%s before it: text, outcome and event say that it was not',
    async (_title, hook, status, text) => {
      const { outcome, text: shown, events } = await callWith(hook);
      expect(outcome).toMatchObject({ status, when: 'before', duration: 0 });
      expect(shown).toMatch(text);
      expect(JSON.stringify(outcome)).not.toContain('SECRET');
      expect(events).toMatchObject([{ type: 'tool_withheld', status, reason: 'before' }]);
      expect(ran).toEqual([]);
    },
  );

  test.each<[string, Interceptor, string, RegExp]>([
    ['an answer', after((call) => call.answer('new')), 'completed', /^new$/],
    ['an answer without a JSON form', after(unshowable), 'failed', executed('cannot be shown')],
    [
      'an exception',
      after(boom),
      'failed',
      executed('was lost because of an internal error .error \\w{8}'),
    ],
  ])('%s after it: text, outcome and event say that it was', async (_title, hook, status, text) => {
    const { outcome, text: shown, events } = await callWith(hook);
    expect(outcome.status).toBe(status);
    expect(outcome).not.toHaveProperty('when');
    expect(shown).toMatch(text);
    expect(events).toMatchObject([{ type: 'tool_executed', status }]);
  });

  test('an exception after an answer: it was not', async () => {
    expect((await callWith(after(boom), (call) => call.answer('instead'))).text).toMatch(internal);
  });

  test.each<[string, Interceptor, string]>([
    ['denied', after((call) => call.deny('no')), 'deny-late'],
    ['answered before and returned after', stale((call) => call.answer('kept')), 'no-outcome'],
    ['denied before and returned after', stale((call) => call.deny('no')), 'no-outcome'],
  ])('a call that was executed can’t be %s', async (_title, interceptor, code) => {
    const { outcome, text } = await callWith(interceptor);
    expect(outcome).toMatchObject({ status: 'failed', cause: { code } });
    expect(text).toMatch(executed('was lost'));
  });

  test('a call that is cancelled before it starts: it was not, and it is counted once', async () => {
    const listener = new RecordingListener();
    const stats = new RepairStats();
    const tools = registryWith([], { listeners: [listener, stats] });
    await tools.call(sent, { signal: AbortSignal.abort() });
    expect(listener.events).toMatchObject([
      { type: 'tool_withheld', status: 'cancelled', reason: 'before' },
    ]);
    expect(stats.snapshot()).toMatchObject({ '(unknown model)': { read_page: { unchanged: 1 } } });
  });
});

test('an outer interceptor can replace the outcome of an inner exception', async () => {
  const replace = after((call, inner) =>
    inner.status === 'failed' ? call.answer('instead') : inner,
  );
  expect((await callWith(replace, thrower(new Error('SECRET')))).text).toBe('instead');
});

test('next runs the call once: calling it again, or too late, throws', async () => {
  let late: (() => Promise<unknown>) | undefined;
  const { outcome } = await callWith(async (_call, next) => {
    late = next;
    await next();
    return next();
  });
  expect(outcome).toMatchObject({ status: 'failed', cause: { code: 'next-again' } });
  await expect(late?.()).rejects.toMatchObject({ code: 'next-again' });
  expect(ran).toHaveLength(1);
});

test('a tool that was started is waited for, whatever the interceptor returns', async () => {
  const execute = () => delay(10).then(() => ran.push({ isDone: true }));
  const tools = registryOf((call, next) => {
    void next();
    return call.answer('soon');
  }).register(toolOf(execute));
  expect([(await tools.call(callOf({}, 'work'))).status, ran]).toEqual([
    'completed',
    [{ isDone: true }],
  ]);
});

describe('what an interceptor returns has to be an outcome of the call', () => {
  let ended: unknown;
  const getter = Object.defineProperty({}, 'status', { get: thrower(new Error('SECRET')) });
  const message = expect.stringContaining('return what next() gave, or call.deny(');

  test.each<[string, (call: InterceptedCall) => unknown]>([
    ['nothing', () => undefined],
    ['a string', () => 'completed'],
    ['an object with a status', () => ({ status: 'completed' })],
    ['a copy of an outcome', (call) => ({ ...call.deny('no'), message: 'yes' })],
    ['an outcome of another call', () => ended],
    ['an object with a getter', () => getter],
  ])('%s is an error of the program', async (_title, forge) => {
    ended = await registryOf().call(callOf({ name: 'other' }));
    ran.splice(0);
    const { outcome, text, errors } = await callWith((call) => forge(call) as AcceptedOutcome);
    expect([outcome, ran]).toMatchObject([
      { status: 'failed', reason: 'exception', call: sent },
      [],
    ]);
    expect(text).toMatch(/^read_page was not executed\.\nAn internal error occurred/);
    expect(errors).toMatchObject([{ error: { code: 'no-outcome', message } }]);
  });

  test.each([undefined, '', ' ', {}])('deny(%j) is an error of the program', async (reason) => {
    const { outcome } = await callWith((call) => Reflect.apply(call.deny, call, [reason]));
    const noText = expect.stringContaining('call.deny was given no reason: write why');
    expect(outcome).toMatchObject({
      status: 'failed',
      cause: { code: 'definition', message: noText },
    });
  });
});

const cancelled = { status: 'cancelled', when: 'before' };

describe('cancelling', () => {
  test('ends a call that waits for a slot behind an interceptor before it starts', async () => {
    const controller = new AbortController();
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const tools = registryWith([(_call, next) => next()], { concurrencyLimit: 1 });
    const first = tools.register(toolOf(() => promise)).call(callOf({}, 'work'));
    const second = tools.call(callOf({}, 'work'), { signal: controller.signal });
    controller.abort();
    expect(await second).toMatchObject(cancelled);
    end();
    expect((await first).status).toBe('completed');
  });

  test('ends a call from within a call, whatever its interceptor waits for', async () => {
    const controller = new AbortController();
    const { promise: inner, resolve } = Promise.withResolvers<unknown>();
    const tools = registryOf((call, next) => (call.tool === 'work' ? next() : never()));
    const outer = toolOf((_values, parent) => {
      const ending = tools.call(sent, { parent });
      resolve(ending);
      return ending;
    });
    const pending = tools.register(outer).call(callOf({}, 'work'), { signal: controller.signal });
    controller.abort();
    expect([(await pending).status, await inner]).toMatchObject(['cancelled', cancelled]);
  });

  test('ends a call whose interceptor never ends, and nothing starts afterwards', async () => {
    const controller = new AbortController();
    let goOn: (() => Promise<unknown>) | undefined;
    const tools = registryOf((_call, next) => {
      goOn = next;
      return never();
    });
    const outcome = tools.call(sent, { signal: controller.signal });
    controller.abort();
    expect(await outcome).toMatchObject(cancelled);
    await goOn?.();
    expect(ran).toEqual([]);
  });
});

describe('a registry that closes', () => {
  const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
    const pending = Symbol('pending');
    await new Promise((resolve) => setImmediate(resolve));
    return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
  };
  const refused = { status: 'limit_exceeded', reason: 'closed' };

  test('waits for what an interceptor does after its call', async () => {
    const hasRun = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const write = (_call: InterceptedCall, outcome: AcceptedOutcome) => {
      hasRun.resolve();
      return written.promise.then(() => outcome);
    };
    const tools = registryOf(after(write));
    const pending = tools.call(sent);
    await hasRun.promise;
    const closed = tools.close();
    expect(await isSettled(closed)).toBe(false);
    written.resolve();
    await closed;
    expect(await pending).toMatchObject({ status: 'completed', result: 'a 1' });
  });

  test('waits for an interceptor that has not called next yet, and then refuses the call', async () => {
    const asked = Promise.withResolvers<void>();
    const tools = registryOf(async (_call, next) => {
      await asked.promise;
      return next();
    });
    const pending = tools.call(sent);
    const closed = tools.close();
    expect(await isSettled(closed)).toBe(false);
    asked.resolve();
    await closed;
    expect(await pending).toMatchObject(refused);
    expect(ran).toEqual([]);
  });

  test('shows new calls neither to interceptors nor to the approval check', async () => {
    const seen: string[] = [];
    const { promise: hasEnded, resolve: end } = Promise.withResolvers<void>();
    const needed = ({ call }: { readonly call: ToolCall }) => seen.push(`needed ${call.id}`) === 0;
    const interceptor: Interceptor = async ({ call }, next) => {
      seen.push(call.id);
      await hasEnded;
      return next();
    };
    const tools = registryWith([interceptor], { approval: { needed } });
    const first = tools.call(sent);
    const closed = tools.close();
    expect(await tools.call({ ...sent, id: 'late' })).toMatchObject(refused);
    end();
    await Promise.all([first, closed]);
    expect(await tools.call({ ...sent, id: 'late' })).toMatchObject(refused);
    expect(seen).toEqual(['call_1', 'needed call_1']);
  });

  test('ends a call whose interceptor never ends', async () => {
    const tools = registryOf(never);
    const pending = tools.call(sent);
    await tools.close({ timeoutMs: 0 });
    expect(await pending).toMatchObject({ ...cancelled, cause: { code: 'registry-closed' } });
  });
});
