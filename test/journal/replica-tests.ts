// What two replicas do that share a journal.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ApprovalRequired,
  type CallOptions,
  DefinitionError,
  type Interceptor,
  type JsonObject,
  type RegistryOptions,
  type ToolContext,
  type ToolDefinition,
  type ToolOutcome,
  ToolRegistry,
} from 'toolmend';
import type { Journal } from 'toolmend/journal';
import { callOf, handleOf, toolOf } from '../tools.ts';

interface Ran {
  readonly values: JsonObject;
  readonly key: string;
}

const secretSchema = {
  type: 'object',
  properties: {
    pin: { type: 'string', 'x-toolmend': { secret: true } },
    amount: { type: 'integer' },
  },
} as const;

function waiting(outcome: ToolOutcome): ApprovalRequired {
  if (outcome.status !== 'approval_required') throw new Error(`is ${outcome.status}`);
  return outcome;
}

/** The approval as a web page sends it back. */
const sentBack = (outcome: ToolOutcome): unknown =>
  JSON.parse(JSON.stringify(waiting(outcome).approval));

/** Copies of JSON in each of which one leaf differs. */
function changes(value: unknown): readonly unknown[] {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, member]: readonly [string, unknown]) =>
      changes(member).map((changed) =>
        Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed },
      ),
    );
  }
  if (typeof value === 'string')
    return [`${value}x`, value.replace(/[1-9]/, '0')].filter((text) => text !== value);
  if (typeof value === 'number') return [value + 1];
  return typeof value === 'boolean' ? [!value] : [];
}

/** `open`: the journals of two replicas. */
export function testReplicas(open: () => readonly [Journal, Journal]): void {
  let ran: Ran[] = [];
  let conversation = '';
  beforeEach(() => {
    ran = [];
    conversation = crypto.randomUUID();
  });

  const replica = (
    journal: Journal,
    tool: Partial<ToolDefinition> = {},
    options: RegistryOptions = {},
  ) =>
    new ToolRegistry({ journal, ...options }).register(
      toolOf(
        (values: JsonObject, { idempotencyKey: key }: ToolContext) => {
          ran.push({ values, key });
          return `result ${ran.length}`;
        },
        { effects: 'destructive', ...tool },
      ),
    );
  const replicas = (tool: Partial<ToolDefinition> = {}, options: RegistryOptions = {}) =>
    [replica(open()[0], tool, options), replica(open()[1], tool, options)] as const;
  const call = (tools: ToolRegistry, values: JsonObject, more: CallOptions = {}) =>
    tools.call(callOf({ arguments: values }), { conversation, ...more });
  const approve = { decision: 'approve' } as const;
  const asking = { approval: {} };

  /** A call whose process has died. */
  const inDoubt = async (
    journal: Journal,
    tools: ToolRegistry,
    values: JsonObject = { n: 1 },
  ): Promise<string> => {
    await call(tools, values);
    const [entry] = await journal.list({ conversation });
    if (entry === undefined) throw new Error('has no entry');
    await journal.start(entry.id, ['ended']);
    await journal.doubt(entry.id);
    ran = [];
    return entry.id;
  };

  describe.each([
    ['times out', { timeoutMs: 20 }],
    ['is cancelled', {}],
  ])('a call with an idempotency key that %s while its code goes on', (title, options) => {
    const stopped = title === 'times out' ? 'timed_out' : 'cancelled';

    /** Two replicas, and the code of the first call of their tool. */
    const start = (more: Partial<RegistryOptions> = {}) => {
      const code = Promise.withResolvers<string>();
      const started = Promise.withResolvers<void>();
      const runs = { now: 0, most: 0, all: 0 };
      const registries = open().map((journal) =>
        new ToolRegistry({ journal, ...more }).register(
          toolOf(
            async () => {
              started.resolve();
              runs.all += 1;
              runs.most = Math.max(runs.most, (runs.now += 1));
              try {
                return runs.all === 1 ? await code.promise : 'done again';
              } finally {
                runs.now -= 1;
              }
            },
            { name: 'refund', idempotencyKey: () => conversation, ...options },
          ),
        ),
      );
      const [one, two] = registries;
      if (one === undefined || two === undefined) throw new Error('two replicas');
      const refund = (tools: ToolRegistry, id: string, signal?: AbortSignal) =>
        tools.call(
          { id, name: 'refund', arguments: {} },
          { conversation, ...(signal === undefined ? {} : { signal }) },
        );
      const stop = () => {
        if (title === 'times out') return refund(one, 'first');
        // A call that is cancelled before its code starts leaves its key at once.
        const over = new AbortController();
        void started.promise.then(() => over.abort());
        return refund(one, 'first', over.signal);
      };
      /** The outcome, when the end of the first call's code is written. */
      const refundLater = async (): Promise<ToolOutcome> => {
        let outcome = await refund(two, crypto.randomUUID());
        while (outcome.status === 'timed_out') outcome = await refund(two, crypto.randomUUID());
        return outcome;
      };
      return { two, refund, refundLater, code, runs, stop };
    };

    it('keeps the key until its code has ended, and then the work is known to be done', async () => {
      const { two, refund, refundLater, code, runs, stop } = start();
      expect(await stop()).toMatchObject({ status: stopped });
      const second = refund(two, 'second');
      await sleep(50);
      expect(runs.all).toBe(1);
      code.resolve('done late');

      const outcome = await second;
      // The second call has the time limit of its tool, too.
      if (title === 'is cancelled') expect(outcome).toMatchObject({ result: 'done late' });
      expect(await refundLater()).toMatchObject({ status: 'completed', result: 'done late' });
      expect(runs).toEqual({ now: 0, most: 1, all: 1 });
    });

    it('leaves the key to the next call when its code has failed', async () => {
      const { two, refund, refundLater, code, runs, stop } = start();
      expect(await stop()).toMatchObject({ status: stopped });
      const over = new AbortController();
      const second = refund(two, 'second', over.signal);
      await sleep(50);
      over.abort();
      await second;
      expect(runs.all).toBe(1);
      code.reject(new Error('stopped'));

      expect(await refundLater()).toMatchObject({ status: 'completed', result: 'done again' });
      expect(runs).toEqual({ now: 0, most: 1, all: 2 });
    });

    it('does not keep a result that interceptors could have changed', async () => {
      const { refundLater, code, stop } = start({ interceptors: [(_call, next) => next()] });
      await stop();
      code.resolve('secret');
      expect(await refundLater()).toMatchObject({
        status: 'completed',
        result: 'refund finished its work after its time limit. Its result was not kept.',
      });
    });
  });

  const withId = { outputSchema: { type: 'object', required: ['id'] } } as const;
  const logFails: Interceptor = async (_call, next) => {
    await next();
    throw new Error('the log is full');
  };
  it.each([
    ['its tool returns what its outputSchema does not allow', withId, []],
    ['an interceptor throws after it', {}, [logFails]],
  ] as const)(
    'a call that was executed keeps its idempotency key if %s',
    async (_what, tool, interceptors) => {
      const key = { idempotencyKey: () => conversation, ...tool };
      const [one, two] = replicas(key, { interceptors });
      const first = await call(one, {});
      const second = await two.call(callOf({ id: 'call_2', arguments: {} }), { conversation });

      expect(first).toMatchObject({ status: 'failed', reason: 'result' });
      expect(second).toMatchObject({
        status: 'failed',
        reason: 'result',
        notes: [expect.stringContaining('was not executed again')],
      });
      expect(ran).toHaveLength(1);
    },
  );

  it('a call that another process cancels keeps its idempotency key until its code has ended', async () => {
    const code = Promise.withResolvers<string>();
    const runs = { now: 0, most: 0, all: 0 };
    const [one, two] = open().map((journal) =>
      new ToolRegistry({ journal }).register(
        toolOf(
          async () => {
            runs.all += 1;
            runs.most = Math.max(runs.most, (runs.now += 1));
            const result = runs.all === 1 ? await code.promise : 'done again';
            runs.now -= 1;
            return result;
          },
          { background: 'allowed', idempotencyKey: () => conversation },
        ),
      ),
    );
    if (one === undefined || two === undefined) throw new Error('two replicas');
    const handle = handleOf(await call(one, {}, { background: true }));

    const cancelled = await two.background.cancel(handle);
    expect(cancelled).toMatchObject({ state: 'ended', outcome: { status: 'cancelled' } });
    expect(await two.background.wait(handle, 5_000)).toEqual(cancelled);
    const second = two.call(callOf({ id: 'call_2' }), { conversation });
    await sleep(100);
    expect(runs).toEqual({ now: 1, most: 1, all: 1 });
    code.resolve('done late');

    expect(await second).toMatchObject({ status: 'completed', result: 'done late' });
    expect(runs).toEqual({ now: 0, most: 1, all: 1 });
  });

  it('runs a call that both replicas get once, and both have its outcome', async () => {
    const [one, two] = replicas();

    const outcomes = await Promise.all([call(one, { n: 1 }), call(two, { n: 1 })]);

    expect(ran).toHaveLength(1);
    expect(outcomes).toMatchObject([
      { status: 'completed', result: 'result 1' },
      { status: 'completed', result: 'result 1' },
    ]);
  });

  it('runs on the second replica what the first one asked about', async () => {
    const [one, two] = replicas({}, asking);

    const asked = await call(one, { n: 1 });
    const outcome = await two.resolveApproval(sentBack(asked), approve, { conversation });

    expect(outcome).toMatchObject({ status: 'completed', result: 'result 1' });
    expect(ran.map(({ values }) => values)).toEqual([{ n: 1 }]);
  });

  it('resolves an approval by its id, for its tenant', async () => {
    const [one, two] = replicas({}, asking);
    const { id } = waiting(await call(one, { n: 1 }, { tenant: 'acme' })).approval;

    await expect(two.resolveApproval(id, approve)).rejects.toThrow('of a call of another tenant');
    expect(await two.resolveApproval(id, approve, { tenant: 'acme' })).toMatchObject({
      status: 'completed',
    });
    expect(await two.resolveApproval(id, approve, { tenant: 'acme' })).toMatchObject({
      by: 'used',
    });
    expect(ran).toHaveLength(1);
  });

  it('needs the approval itself for a call with secrets', async () => {
    const [one, two] = replicas({ inputSchema: secretSchema }, asking);
    const { id } = waiting(await call(one, { pin: 's3cret', amount: 5 })).approval;

    await expect(two.resolveApproval(id, approve)).rejects.toThrow(
      'which hold secrets: pass the whole approval',
    );
    expect(ran).toEqual([]);
  });

  it('gives the same approval to a call that is sent again', async () => {
    const [one, two] = replicas({}, asking);

    const asked = waiting(await call(one, { n: 1 }));
    const again = waiting(await call(two, { n: 1 }));

    expect(again.approval).toEqual(asked.approval);
    expect(ran).toEqual([]);
  });

  it('uses an approval once that both replicas get at the same moment', async () => {
    const [one, two] = replicas({}, asking);
    const approval = sentBack(await call(one, { n: 1 }));

    const outcomes = await Promise.all(
      [one, two].map((tools) => tools.resolveApproval(approval, approve)),
    );

    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['completed', 'denied']);
    expect(outcomes.find(({ status }) => status === 'denied')).toMatchObject({ by: 'used' });
    expect(ran).toHaveLength(1);
  });

  it('lets one of an approval and a denial at the same moment count', async () => {
    const [one, two] = replicas({}, asking);
    const approval = sentBack(await call(one, { n: 1 }));

    const [approved, denied] = await Promise.all([
      one.resolveApproval(approval, approve),
      two.resolveApproval(approval, { decision: 'deny' }),
    ]);

    expect(denied.status).toBe('denied');
    expect(ran).toHaveLength(approved.status === 'completed' ? 1 : 0);
  });

  it('writes what the approver changed, and that a call was denied', async () => {
    const [one, two] = replicas({}, asking);
    const edit = { decision: 'approve', arguments: { n: 2 } } as const;
    await two.resolveApproval(sentBack(await call(one, { n: 1 })), edit);
    const [edited] = await open()[0].list({ conversation });
    conversation = crypto.randomUUID();
    await two.resolveApproval(sentBack(await call(one, { n: 1 })), {
      decision: 'deny',
      message: 'No.',
    });
    const [denied] = await open()[0].list({ conversation });

    expect(edited).toMatchObject({ state: 'ended', outcome: { status: 'completed' } });
    expect(edited?.call?.arguments).toBe('{"n":2}');
    expect(denied).toMatchObject({ state: 'ended', outcome: { status: 'denied', by: 'approver' } });
    expect(ran.map(({ values }) => values)).toEqual([{ n: 2 }]);
  });

  it('asks again when the tool has changed since', async () => {
    const asked = await call(replica(open()[0], {}, asking), { n: 1 });
    const changed = replica(open()[1], { description: 'Works otherwise.' }, asking);

    const outcome = await changed.resolveApproval(sentBack(asked), approve);

    expect(outcome).toMatchObject({ status: 'approval_required', why: 'changed' });
    expect(ran).toEqual([]);
    expect((await changed.resolveApproval(sentBack(outcome), approve)).status).toBe('completed');
  });

  it.each([
    ['arguments', { arguments: '{"n":9}' }, {}],
    ['digest', {}, { digest: 'sha256:0' }],
    ['contract', {}, { contract: 'sha256:0' }],
  ])('runs nothing by an approval with another %s', async (_what, inCall, change) => {
    const [one, two] = replicas({}, asking);
    const { approval } = waiting(await call(one, { n: 1 }));
    const other = { ...approval, ...change, call: { ...approval.call, ...inCall } };

    const outcome = await two.resolveApproval(other, approve);

    expect(outcome).toMatchObject({ status: 'approval_required', why: 'changed', approval });
    expect(ran).toEqual([]);
  });

  it('runs nothing by an approval of which any single member has changed', async () => {
    const [one, two] = replicas({}, asking);
    const { approval } = waiting(await call(one, { n: 1, to: ['a'] }));
    const changed = changes(JSON.parse(JSON.stringify(approval)));

    for (const other of changed) {
      const outcome = await two.resolveApproval(other, approve).catch((error: unknown) => error);
      const isError = Reflect.get(Object(outcome), 'name') === 'RecordError';
      expect([JSON.stringify(other), outcome]).toEqual([
        JSON.stringify(other),
        isError ? outcome : expect.objectContaining({ status: 'approval_required', approval }),
      ]);
    }

    expect(changed.length).toBeGreaterThan(10);
    expect(ran).toEqual([]);
    expect((await two.resolveApproval(JSON.parse(JSON.stringify(approval)), approve)).status).toBe(
      'completed',
    );
  });

  it('runs nothing by the approval of another tenant', async () => {
    const [one, two] = replicas({}, asking);
    const asked = await call(one, { n: 1 }, { tenant: 'acme' });

    const before = await open()[0].list({ conversation });

    for (const approval of [sentBack(asked), waiting(asked).approval.id])
      for (const decision of [approve, { decision: 'deny' }] as const)
        for (const options of [{ tenant: 'other' }, {}])
          await expect(two.resolveApproval(approval, decision, options)).rejects.toThrow(
            'The approval is of a call of another tenant: pass the tenant of that call',
          );

    expect([ran, await open()[0].list({ conversation })]).toEqual([[], before]);
    expect((await two.resolveApproval(sentBack(asked), approve, { tenant: 'acme' })).status).toBe(
      'completed',
    );
  });

  it('runs a call once, although its expired approval was resolved twice', async () => {
    const [one] = replicas({}, { approval: { expiresAfter: 1 } });
    const { approval } = waiting(await call(one, { n: 1 }));
    await sleep(10);
    const [later, two] = replicas({}, asking);

    const again = [
      waiting(await later.resolveApproval(approval, approve)),
      waiting(await later.resolveApproval(approval, approve)),
    ];
    const decided = [];
    for (const { approval: next } of [...again, { approval }])
      decided.push(await two.resolveApproval(next, approve));
    for (const { approval: next } of again)
      decided.push(await two.resolveApproval(next, { decision: 'deny' }));

    expect(decided).toMatchObject([
      { status: 'completed' },
      ...Array.from({ length: 4 }, () => ({ status: 'denied', by: 'used' })),
    ]);
    expect(ran).toHaveLength(1);
    expect(await call(one, { n: 1 })).toMatchObject({ status: 'completed' });
  });

  it('knows no approval with another id, and writes nothing about it', async () => {
    const [one, two] = replicas({}, asking);
    const { approval } = waiting(await call(one, { n: 1 }));
    const before = await open()[0].list({});

    for (const id of [crypto.randomUUID(), 'x'])
      for (const decision of [approve, { decision: 'deny' }] as const)
        await expect(two.resolveApproval({ ...approval, id }, decision)).rejects.toThrow(
          'There is no approval with this id: the journal has none',
        );

    expect([ran, await open()[0].list({})]).toEqual([[], before]);
  });

  it('says what became of a call that another replica has decided on', async () => {
    const [one, two] = replicas({}, asking);
    const approval = sentBack(await call(one, { n: 1 }));
    await one.resolveApproval(approval, approve);

    expect(await two.resolveApproval(approval, approve)).toMatchObject({
      status: 'denied',
      by: 'used',
      message: 'work was executed before: result 1',
    });
  });

  it('delivers the outcome of an approved call to its conversation', async () => {
    const [one, two] = replicas({}, asking);
    await two.resolveApproval(sentBack(await call(one, { n: 1 })), approve);

    const [late] = await open()[0].deliver('', conversation);

    expect(late).toMatchObject({ callId: 'call_1', outcome: { content: { text: 'result 1' } } });
  });

  it('never writes a declared secret, and runs the approved call with it', async () => {
    const [one, two] = replicas({ inputSchema: secretSchema }, asking);
    const asked = await call(one, { pin: 's3cret', amount: 5 });
    const written = JSON.stringify(await open()[0].list({ conversation }));

    const outcome = await two.resolveApproval(sentBack(asked), approve);

    expect(written).toContain('"hasSecrets":true');
    expect(written + JSON.stringify(await open()[0].list({ conversation }))).not.toContain(
      's3cret',
    );
    expect(outcome.status).toBe('completed');
    expect(ran.map(({ values }) => values)).toEqual([{ pin: 's3cret', amount: 5 }]);
  });

  it('cuts a result of 50 MB, and says so', async () => {
    const big = new ToolRegistry({ journal: open()[0] }).register(
      toolOf(() => 'x'.repeat(50 * 1024 * 1024)),
    );

    const first = await call(big, { n: 1 });
    const second = await call(replica(open()[1], { effects: 'read' }), { n: 1 });

    expect(first).toMatchObject({ status: 'completed' });
    expect(second).toMatchObject({
      status: 'completed',
      content: { text: 'x'.repeat(1024 * 1024) },
      notes: [
        'The result of work had 52428800 characters, of which the first 1048576 were kept.',
        'work was not executed again: the call call_1 was sent before, and this is its result.',
      ],
    });
  });

  it('keeps a denial, also where the tool is not registered', async () => {
    const [here, there] = replicas({}, asking);
    const approval = sentBack(await call(here, { n: 1 }));
    const without = new ToolRegistry({ journal: open()[1], ...asking });

    const denied = await without.resolveApproval(approval, { decision: 'deny' });
    const approved = await there.resolveApproval(approval, approve);

    expect(denied).toMatchObject({ status: 'unknown_tool' });
    expect(approved).toMatchObject({ status: 'denied', by: 'used' });
    expect(ran).toEqual([]);
  });

  it('runs a call whose key is a secret once over all replicas, or not at all', async () => {
    const tools = replicas({
      inputSchema: secretSchema,
      effects: 'write',
      idempotencyKey: ({ pin }) => pin,
    });
    const outcomes = [];
    for (const [index, each] of tools.entries())
      outcomes.push(
        await each.call(callOf({ id: `call_${index}`, arguments: { pin: '1234', amount: 1 } }), {
          tenant: conversation,
        }),
      );

    if (open()[0].sharesSecretsKey) {
      expect(outcomes).toMatchObject([{ result: 'result 1' }, { result: 'result 1' }]);
    } else {
      const cause = expect.objectContaining({
        message: expect.stringContaining('openJournal({ …, secretsKey })'),
      });
      expect(outcomes).toMatchObject([
        { status: 'failed', when: 'before', cause },
        { status: 'failed', when: 'before', cause },
      ]);
    }
  });

  it('compares secrets with those of another replica that has the same key', async () => {
    const tool = { inputSchema: secretSchema, effects: 'write' } as const;
    const [here, there] = replicas(tool);

    await call(here, { pin: '1234', amount: 5 });
    const same = await call(there, { pin: '1234', amount: 5 });
    const other = await call(there, { pin: '9876', amount: 5 });

    expect(ran).toHaveLength(1);
    const isShared = open()[0].secretDigest('') === open()[1].secretDigest('');
    const notKnown = {
      status: 'denied',
      message: expect.stringContaining(
        'it is not known whether the secret arguments were the same',
      ),
    };
    expect(same).toMatchObject(isShared ? { result: 'result 1' } : notKnown);
    expect(other).toMatchObject(
      isShared
        ? {
            status: 'denied',
            message: expect.stringContaining('another value of a secret argument'),
          }
        : notKnown,
    );
  });

  it.each([[null], [undefined], ['text'], [0]])(
    'gives %j back to another replica as the result',
    async (value) => {
      const tools = open().map((journal) =>
        new ToolRegistry({ journal }).register(toolOf(() => value)),
      );
      const outcomes = [];
      for (const each of tools) outcomes.push(await call(each, {}));

      expect(outcomes).toMatchObject([
        { status: 'completed', result: value },
        { status: 'completed', result: value },
      ]);
    },
  );

  it('keeps the text of a result that is nested deeply', async () => {
    const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`);
    const first = new ToolRegistry({ journal: open()[0] }).register(toolOf(() => deep));
    await call(first, { n: 1 });

    const second = await call(replica(open()[1]), { n: 1 });

    expect(second).toMatchObject({ status: 'completed', content: { text: JSON.stringify(deep) } });
    expect(ran).toEqual([]);
  });

  it('tells the model of a call in doubt, and runs nothing', async () => {
    const [one, two] = replicas();
    await inDoubt(open()[0], one);

    expect(await call(two, { n: 1 })).toMatchObject({
      status: 'failed',
      reason: 'in_doubt',
      message:
        'work was interrupted, and it is not known whether its work was done. A person will decide. Do not send this call again.',
    });
    expect(ran).toEqual([]);
  });

  it('settles a call in doubt once', async () => {
    const [one, two] = replicas();
    const id = await inDoubt(open()[0], one);

    const outcomes = await Promise.all([
      one.settle(id, { decision: 'done', result: 'paid' }),
      two.settle(id, { decision: 'give_up' }),
    ]);

    expect(outcomes[0]).toEqual(expect.objectContaining({ status: outcomes[1].status }));
    expect(ran).toEqual([]);
    expect((await call(one, { n: 1 })).status).toBe(outcomes[0].status);
  });

  it('passes the call as interpreted to the interceptors, and not their edit, when it runs again', async () => {
    const prefix: Interceptor = ({ arguments: given }, next) =>
      next({ ...given, path: ['acme', given['path'] ?? ''] });
    const [one, two] = replicas({}, { interceptors: [prefix] });
    await call(one, { path: 'a' });
    const [entry] = await open()[0].list({ conversation });
    if (entry === undefined) throw new Error('has no entry');
    expect(JSON.parse(entry.call?.arguments ?? '')).toEqual({ path: ['acme', 'a'] });
    for (const tools of [one, two]) {
      await open()[0].start(entry.id, ['ended']);
      await open()[0].doubt(entry.id);
      expect((await tools.settle(entry.id, { decision: 'run' })).status).toBe('completed');
    }

    const given = { path: ['acme', 'a'] };
    expect(ran.map(({ values }) => values)).toEqual([given, given, given]);
    const [after] = await open()[0].list({ conversation });
    expect(JSON.parse(after?.call?.arguments ?? '')).toEqual({ path: ['acme', 'a'] });
  });

  it('knows no id in capitals', async () => {
    const [one, two] = replicas({}, asking);
    const waits = waiting(await call(one, { n: 1 }));
    const id = waits.approval.id.toUpperCase();
    await expect(two.resolveApproval(id, approve)).rejects.toThrow('no approval with this id');
    const [entry] = await open()[0].list({ conversation });
    const capitals = entry?.id.toUpperCase() ?? '';
    await expect(two.settle(capitals, { decision: 'run' })).rejects.toThrow('knows no call');
    expect(await open()[0].entry(capitals)).toBeUndefined();
  });

  it('runs a call in doubt when a person says so, with the same idempotency key', async () => {
    const [one, two] = replicas();
    const id = await inDoubt(open()[0], one);

    const outcome = await two.settle(id, { decision: 'run' });

    expect(outcome).toMatchObject({ status: 'completed', result: 'result 1' });
    expect(ran).toEqual([{ values: { n: 1 }, key: id }]);
  });

  it('runs a call with secrets again only with its arguments', async () => {
    const [one, two] = replicas({ inputSchema: secretSchema });
    const id = await inDoubt(open()[0], one, { pin: 's3cret', amount: 5 });

    await expect(two.settle(id, { decision: 'run' })).rejects.toThrow(DefinitionError);
    await expect(
      two.settle(id, { decision: 'run', arguments: { pin: 's3cret', amount: 6 } }),
    ).rejects.toThrow('other arguments');
    const otherSecret = { decision: 'run', arguments: { pin: 's3cret-2', amount: 5 } } as const;
    await expect(one.settle(id, otherSecret)).rejects.toThrow('other secrets');
    const outcome = await two.settle(id, {
      decision: 'run',
      arguments: { pin: 's3cret', amount: 5 },
    });

    expect(outcome.status).toBe('completed');
    expect(ran.map(({ values }) => values)).toEqual([{ pin: 's3cret', amount: 5 }]);
  });

  it('settles no call with a result that its tool cannot have', async () => {
    const outputSchema = {
      type: 'object',
      properties: { paid: { type: 'integer' } },
      required: ['paid'],
    } as const;
    const [one, two] = replicas({ outputSchema });
    const id = await inDoubt(open()[0], one);

    await expect(two.settle(id, { decision: 'done', result: 'paid 5' })).rejects.toThrow(
      'outputSchema',
    );
    expect(await two.settle(id, { decision: 'done', result: { paid: 5 } })).toMatchObject({
      status: 'completed',
    });
  });

  it('settles nothing of another tenant', async () => {
    const [one, two] = replicas();
    const id = await inDoubt(open()[0], one);

    await expect(two.settle(id, { decision: 'give_up' }, { tenant: 'other' })).rejects.toThrow(
      DefinitionError,
    );
    expect((await open()[0].entry(id))?.state).toBe('in_doubt');
  });
}
