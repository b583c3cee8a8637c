import { IsOptional, IsString } from 'class-validator';
import {
  type CallOptions,
  IdempotencyKey,
  type JsonObject,
  Nested,
  Secret,
  Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolEvent,
  ToolFailure,
  ToolRegistry,
  ToolResult,
  ToolRetry,
  contractOf,
  standardMetaArguments,
} from 'toolmend';
import { type Journal, openJournal } from 'toolmend/journal';
import { journalWith } from '../journal-with.ts';
import { callOf, toolOf } from '../tools.ts';

const inOne = { conversation: 'c1' } as const;
let ran: JsonObject[] = [];
beforeEach(() => void (ran = []));

async function registryWith(options: Partial<ToolDefinition> = {}) {
  const journal = await openJournal();
  const work = (values: JsonObject): string => {
    ran.push(values);
    return `result ${ran.length}`;
  };
  const tools = new ToolRegistry({ journal }).register(toolOf(work, options));
  const call = (values: JsonObject, id: string, more: CallOptions = inOne) =>
    tools.call(callOf({ id, arguments: values }), more);
  return { journal, tools, call };
}

const only = async (journal: Journal) => {
  const [entry, ...others] = await journal.list({});
  if (entry === undefined || others.length > 0) throw new Error('not one entry');
  return entry;
};

it('writes the call as sent, its interpretation and its outcome', async () => {
  const { journal, tools } = await registryWith({
    inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
  });

  await tools.call(
    { id: 'call_1', name: 'work', arguments: '{"n": "5"}' },
    { tenant: 'acme', ...inOne },
  );

  const entry = await only(journal);
  expect(entry).toMatchObject({
    tenant: 'acme',
    conversation: 'c1',
    callId: 'call_1',
    tool: 'work',
    sent: '{"n": "5"}',
    state: 'ended',
    attempts: 1,
    outcome: { status: 'completed', content: { text: 'result 1' } },
  });
  expect(entry.call?.arguments).toBe('{"n":5}');
  expect(entry.call?.repairs).toHaveLength(1);
});

it('gives the second call with the same id the outcome of the first one', async () => {
  const { call } = await registryWith();

  const first = await call({ n: 1 }, 'call_1');
  const second = await call({ n: 1 }, 'call_1');

  expect(ran).toEqual([{ n: 1 }]);
  expect(second).toMatchObject({ status: 'completed', result: 'result 1' });
  expect(first).toMatchObject({ status: 'completed', result: 'result 1' });
});

it('gives back the files of a result, which count for its length', async () => {
  const journal = await openJournal({ maxResultChars: 100 });
  const result = (size: number) => () =>
    ToolResult.of()
      .file(new Uint8Array(size), 'application/pdf', { name: 'a.pdf' })
      .link('https://a.test/b', { name: 'b' });
  const tools = new ToolRegistry({ journal }).register(
    toolOf(result(6), { name: 'short' }),
    toolOf(result(600), { name: 'long' }),
  );
  const twice = async (name: string) => {
    const call = callOf({ id: name, name, arguments: {} });
    await tools.call(call, inOne);
    return tools.call(call, inOne);
  };
  const files = [
    { kind: 'embedded', data: 'AAAAAAAA', mediaType: 'application/pdf', name: 'a.pdf' },
    { kind: 'linked', uri: 'https://a.test/b', name: 'b' },
  ];

  expect(await twice('short')).toMatchObject({ content: { text: '', files } });
  const cut = await twice('long');
  expect(cut).toMatchObject({ content: { text: '' } });
  expect(cut).not.toHaveProperty('content.files');
  expect(cut.notes?.join()).toMatch(/had 800 characters/);
});

it('runs two calls with the same id once when they come at the same time', async () => {
  const { call } = await registryWith();

  const outcomes = await Promise.all([call({ n: 1 }, 'call_1'), call({ n: 1 }, 'call_1')]);

  expect(ran).toHaveLength(1);
  expect(outcomes).toMatchObject([{ result: 'result 1' }, { result: 'result 1' }]);
});

it('refuses the same id with other arguments, and says both', async () => {
  const { call } = await registryWith();

  await call({ n: 1 }, 'call_1');
  const second = await call({ n: 2 }, 'call_1');

  expect(ran).toEqual([{ n: 1 }]);
  expect(second).toMatchObject({
    status: 'denied',
    by: 'journal',
    message:
      'work was not executed.\nThe id "call_1" was used before with other arguments: {"n":1} before, {"n":2} now. Send a new call if both are meant.',
  });
});

it.each([
  ['readings', 'broken_json'],
  ['pairs', 'dependent_default'],
  ['text_to_integer', 'text_to_integer'],
])('reads the rule %s of an older record as %s', async (formerId, rule) => {
  const stored = await openJournal();
  const journal = journalWith(stored, {
    begin: async (...given) => {
      const begun = await stored.begin(...given);
      if (begun.kind !== 'known' || begun.entry.call === undefined) return begun;
      const { call } = begun.entry;
      const older = JSON.stringify({ ...call, repairs: [{ ...call.repairs[0], rule: formerId }] });
      const formerCall = JSON.parse(older.replace('"shownToModel"', '"tell"'));
      return { ...begun, entry: { ...begun.entry, call: formerCall } };
    },
  });
  const tools = new ToolRegistry({ journal }).register(
    toolOf(() => 'done', {
      inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
    }),
  );
  const call = callOf({ id: 'call_1', arguments: { n: '5' } });

  await tools.call(call, inOne);
  const again = await tools.call(call, inOne);

  expect(again).toMatchObject({
    status: 'completed',
    interpretation: {
      status: 'repaired',
      value: { n: 5 },
      repairs: [{ rule, path: '/n', shownToModel: false }],
    },
  });
});

it.each([
  ['conversations', { conversation: 'c2' }],
  ['tenants', { conversation: 'c1', tenant: 'other' }],
])('runs the same id in two %s twice', async (_what, other) => {
  const { call } = await registryWith();

  await call({ n: 1 }, 'call_1');
  await call({ n: 1 }, 'call_1', other);

  expect(ran).toHaveLength(2);
});

it('compares no ids without a conversation', async () => {
  const { call } = await registryWith();

  await call({ n: 1 }, 'call_1', {});
  await call({ n: 2 }, 'call_1', {});

  expect(ran).toEqual([{ n: 1 }, { n: 2 }]);
});

it('runs each call without an id', async () => {
  const { call } = await registryWith();

  await call({ n: 1 }, '');
  await call({ n: 1 }, '');

  expect(ran).toHaveLength(2);
});

it('runs calls with the same idempotency key once, and says so', async () => {
  const { call } = await registryWith({ idempotencyKey: ({ order }) => order });

  await call({ order: 'a', amount: 5 }, 'call_1');
  const second = await call({ order: 'a', amount: 5 }, 'call_2');
  const third = await call({ order: 'a', amount: 6 }, 'call_3');
  await call({ order: 'b', amount: 5 }, 'call_4');

  expect(ran).toEqual([
    { order: 'a', amount: 5 },
    { order: 'b', amount: 5 },
  ]);
  expect(second).toMatchObject({
    status: 'completed',
    result: 'result 1',
    notes: [
      'work was not executed again: this is the result of the call call_1, which does the same.',
    ],
  });
  expect(third).toMatchObject({ status: 'denied', by: 'journal' });
});

describe('@IdempotencyKey', () => {
  @Tool({ description: 'Ships an order.', effects: 'write' })
  class Ship {
    @IdempotencyKey() @IsString() order!: string;
    @IsOptional() @IdempotencyKey() @IsString() part?: string;
    @IsOptional() @IsString() note?: string;

    execute({ idempotencyKey }: ToolContext): string {
      ran.push({ key: idempotencyKey });
      return 'shipped';
    }
  }

  const ship = async (...calls: readonly JsonObject[]) => {
    const tools = new ToolRegistry({ journal: await openJournal() }).register(Ship);
    const outcomes: string[] = [];
    for (const [index, values] of calls.entries())
      outcomes.push(
        (await tools.call({ id: `call_${index}`, name: 'ship', arguments: values })).status,
      );
    return outcomes;
  };

  it('runs calls with the same values once', async () => {
    expect(
      await ship({ order: 'a', part: 'x' }, { order: 'a', part: 'x' }, { order: 'a', part: 'y' }),
    ).toEqual(['completed', 'completed', 'completed']);
    expect(ran).toEqual([{ key: '["a","x"]' }, { key: '["a","y"]' }]);
  });

  it('refuses the same key with other arguments', async () => {
    expect(await ship({ order: 'a', part: 'x' }, { order: 'a', part: 'x', note: 'soon' })).toEqual([
      'completed',
      'denied',
    ]);
  });

  it('compares no call without one of the fields', async () => {
    await ship({ order: 'a' }, { order: 'a' });

    expect(ran).toHaveLength(2);
  });

  it('refuses a key that is a secret, or inside an argument', () => {
    class Address {
      @IdempotencyKey() @IsString() street!: string;
    }
    @Tool({ description: 'Sends.' })
    class Send {
      @Secret() @IdempotencyKey() @IsString() pin!: string;
      @Nested(() => Address) address!: Address;
      execute(): void {}
    }

    expect(() => contractOf(Send)).toThrow(
      /Send.pin has both @Secret and @IdempotencyKey.*\n.*Address.street has @IdempotencyKey inside/,
    );
  });
});

it('takes a call again with its id if an interceptor or an approval check threw before it ran', async () => {
  const journal = await openJournal();
  let failures = 2;
  const fail = (): void => {
    if ((failures -= 1) >= 0) throw new Error('is away');
  };
  const tools = new ToolRegistry({
    journal,
    interceptors: [
      (_call, next) => {
        if (failures === 2) fail();
        return next();
      },
    ],
    approval: {
      needed: () => {
        fail();
        return false;
      },
    },
  }).register(toolOf(() => 'done'));

  const statuses = [];
  for (let count = 0; count < 3; count += 1)
    statuses.push((await tools.call(callOf(), inOne)).status);

  expect(statuses).toEqual(['failed', 'failed', 'completed']);
});

it.each([[null], [undefined], ['text'], [0]])(
  'gives %j back as the result of the same call',
  async (value) => {
    const tools = new ToolRegistry({ journal: await openJournal() }).register(toolOf(() => value));
    const first = await tools.call(callOf(), inOne);
    const again = await tools.call(callOf(), inOne);

    expect(again).toMatchObject({ status: 'completed', result: value });
    expect(again).toEqual({
      ...first,
      notes: [
        'work was not executed again: the call call_1 was sent before, and this is its result.',
      ],
    });
  },
);

it('an empty conversation is the same as none', async () => {
  const { call } = await registryWith();
  const scope = { conversation: '' };

  await call({}, 'call_0', scope);
  await call({}, 'call_0', scope);

  expect(ran).toHaveLength(2);
});

it.each([{ connectionString: undefined }, { connectionString: '' }, { folder: undefined }])(
  'opens no journal in memory for %j',
  async (options) => {
    await expect(Reflect.apply(openJournal, undefined, [options])).rejects.toThrow(
      'set it, or leave the key out for a journal in memory',
    );
  },
);

it('does not say that the same call was not executed if the journal can’t say what became of it', async () => {
  const stored = await openJournal();
  const away = () => Promise.reject(new Error('the database is away'));
  const journal = journalWith(stored, { settled: away });
  const { promise, resolve } = Promise.withResolvers<string>();
  const errors: unknown[] = [];
  const tools = new ToolRegistry({
    journal,
    listeners: [{ onError: ({ error }) => void errors.push(error) }],
  }).register(toolOf(() => promise));
  const first = tools.call(callOf(), inOne);

  const second = await tools.call(callOf(), inOne);
  resolve('done');

  expect(second).toMatchObject({ status: 'failed', reason: 'in_doubt' });
  expect(second).not.toHaveProperty('when');
  expect(errors).toEqual([new Error('the database is away')]);
  expect(await first).toMatchObject({ status: 'completed', result: 'done' });
});

describe('a model whose ids start again in each answer', () => {
  it('compares ids within the turn', async () => {
    const { call } = await registryWith();
    const outcomes = [];
    for (const turn of ['answer_1', 'answer_2', 'answer_2'])
      outcomes.push(await call({ n: turn }, 'call_0', { ...inOne, turn }));

    expect(ran).toEqual([{ n: 'answer_1' }, { n: 'answer_2' }]);
    expect(outcomes).toMatchObject([
      { result: 'result 1' },
      { result: 'result 2' },
      { result: 'result 2' },
    ]);
  });

  it('an empty turn is the same as none', async () => {
    const { call } = await registryWith();

    await call({}, 'call_0', { ...inOne, turn: '' });
    await call({}, 'call_0');

    expect(ran).toHaveLength(1);
  });

  it('runs each call of a tool that polls', async () => {
    const { call } = await registryWith({ polls: true });

    await call({}, 'call_0');
    await call({}, 'call_0');

    expect(ran).toHaveLength(2);
  });

  it('tells the state of a background call that is asked for with the same id again', async () => {
    const journal = await openJournal();
    const { promise, resolve } = Promise.withResolvers<string>();
    const tools = new ToolRegistry({ journal }).register(
      toolOf(() => promise, { background: 'always' }),
    );
    const started = await tools.call(callOf(), inOne);
    if (started.status !== 'in_background') throw new Error(`is ${started.status}`);
    const check = () =>
      tools.call(
        callOf({ id: 'call_0', name: 'check_background', arguments: { handle: started.handle } }),
        inOne,
      );

    const before = await check();
    resolve('built');
    await tools.background.wait(started.handle, 30_000);

    expect(before).toMatchObject({ result: expect.stringContaining('is still running') });
    expect(await check()).toMatchObject({ content: { text: expect.stringContaining('built') } });
  });
});

describe('secrets', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      pin: { type: 'string', 'x-toolmend': { secret: true } },
      amount: { type: 'integer' },
    },
  } as const;

  it('are compared, and never written', async () => {
    const { journal, call } = await registryWith({ inputSchema });

    await call({ pin: 'first pin', amount: 5 }, 'call_1');
    const same = await call({ amount: 5, pin: 'first pin' }, 'call_1');
    const other = await call({ pin: 'other pin', amount: 5 }, 'call_1');

    expect(ran).toHaveLength(1);
    expect(same).toMatchObject({ result: 'result 1' });
    expect(other).toMatchObject({
      status: 'denied',
      by: 'journal',
      message:
        'work was not executed.\nThe id "call_1" was used before with another value of a secret argument. Send a new call if both are meant.',
    });
    expect(JSON.stringify(await journal.list({}))).not.toMatch(/first pin|other pin/);
  });

  describe('that a tool repeats', () => {
    const secret = { 'x-toolmend': { secret: true } } as const;
    const schema = {
      type: 'object',
      properties: {
        key: { type: 'string', ...secret },
        pin: { type: 'integer', ...secret },
        login: { type: 'object', ...secret },
        note: { type: 'string' },
      },
    } as const;
    const sent = {
      key: 'sk-"live"/4f 9',
      pin: 4711,
      login: { user: 'ann.lee', codes: ['zx81-zx81'] },
      note: 'for ann.lee',
    };
    const told = [
      'Charged with sk-"live"/4f 9.',
      'Pin 4711 of ann.lee (zx81-zx81), order 147110.',
      'https://pay.example/?key=sk-%22live%22%2F4f%209',
    ].join(' ');
    const hidden = [
      'Charged with (secret).',
      'Pin (secret) of (secret) ((secret)), order 147110.',
      'https://pay.example/?key=(secret)',
    ].join(' ');
    // Part of a random id may be the pin.
    const entryId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
    const isHidden = (written: unknown): void =>
      expect(JSON.stringify(written).replaceAll(entryId, '')).not.toMatch(/sk-|live|\b4711\b|zx81/);

    it('are masked in what is written of a result, and not in the result', async () => {
      const { journal, tools, call } = await registryWith({ inputSchema: schema });
      tools.replace(toolOf(() => told, { inputSchema: schema }));

      expect(await call(sent, 'call_1')).toMatchObject({ result: told });
      expect(await call(sent, 'call_1')).toMatchObject({ result: hidden });
      expect((await only(journal)).outcome).toMatchObject({ content: { text: hidden } });
    });

    it('are masked in structured results, in keys and numbers too', async () => {
      const { journal, tools, call } = await registryWith();
      const result = {
        'key sk-"live"/4f 9': [{ pin: 4711, count: 47110 }],
        text: told,
      };
      tools.replace(toolOf(() => result, { inputSchema: schema }));
      await call(sent, 'call_1');

      const { outcome } = await only(journal);
      const structured = {
        'key (secret)': [{ pin: '(secret)', count: 47110 }],
        text: hidden,
      };
      expect(outcome).toMatchObject({ content: { structured } });
      isHidden(await journal.list({}));
    });

    it('are masked in failures, in what is cut off, and in what an interceptor adds', async () => {
      const journal = await openJournal({ maxResultChars: 20 });
      const tools = new ToolRegistry({
        journal,
        interceptors: [
          async (one, next) => one.amend(await next(), { notes: ['The key is sk-"live"/4f 9.'] }),
        ],
      });
      for (const [at, error] of [new ToolFailure(told), new ToolRetry(told)].entries())
        tools.register(
          toolOf(() => Promise.reject(error), { name: `fail_${at}`, inputSchema: schema }),
        );
      tools.register(
        toolOf(() => 'Your new key: sk-"live"/4f 9', { name: 'cut', inputSchema: schema }),
      );
      for (const name of ['fail_0', 'fail_1', 'cut'])
        await tools.call({ id: name, name, arguments: sent }, inOne);

      const written = await journal.list({});
      isHidden(written);
      const outcomes = written.map(({ outcome }) => outcome);
      const notes = expect.arrayContaining(['The key is (secret).']);
      expect(outcomes).toMatchObject([
        { content: { text: 'Your new key: (secre' }, notes },
        { message: hidden, notes },
        { message: hidden, notes },
      ]);
    });

    it('are masked in other arguments, in rejected calls, and in the reason of a denial', async () => {
      const journal = await openJournal();
      const ended: ToolEvent[] = [];
      const tools = new ToolRegistry({
        journal,
        approval: { needed: () => true },
        eventArguments: true,
        listeners: [
          { onEvent: (event) => void (event.type === 'tool_executed' && ended.push(event)) },
        ],
      });
      tools.register(toolOf(() => '', { inputSchema: { ...schema, additionalProperties: false } }));
      const text = 'the key is sk-"live"/4f 9';
      const repeated = { ...sent, note: text };
      const waiting = await tools.call(callOf({ arguments: repeated }), inOne);
      await tools.call(callOf({ id: 'call_2', arguments: { ...sent, note: 4711 } }), inOne);
      await tools.call(callOf({ id: 'call_3', arguments: { ...sent, [text]: 1 } }), inOne);
      if (waiting.status !== 'approval_required') throw new Error(waiting.status);
      const message = 'sk-"live"/4f 9 is blocked';
      const denied = await tools.resolveApproval(waiting.approval, { decision: 'deny', message });

      expect(denied).toMatchObject({ message: `work was not executed.\n${message}` });
      const written = await journal.list({});
      isHidden(written);
      isHidden(ended);
      const first = written.find(({ callId }) => callId === 'call_1');
      expect(JSON.parse(first?.call?.arguments ?? '')).toMatchObject({
        note: 'the key is (secret)',
      });
      expect(first?.outcome).toMatchObject({
        message: 'work was not executed.\n(secret) is blocked',
      });
    });

    it('are masked also if they are long', async () => {
      const key = 'k€y('.repeat(500_000);
      const { journal, tools, call } = await registryWith();
      tools.replace(toolOf(() => `The key is ${key}.`, { inputSchema: schema }));
      expect(await call({ key }, 'call_1')).toMatchObject({ status: 'completed' });

      const { state, outcome } = await only(journal);
      expect([state, outcome]).toMatchObject([
        'ended',
        { content: { text: 'The key is (secret).' } },
      ]);
    });

    it('are masked also if they are many', async () => {
      const codes = Array.from({ length: 3000 }, (_, at) => `k${at}`);
      const { journal, tools, call } = await registryWith();
      tools.replace(toolOf(() => codes.join(' '), { inputSchema: schema }));
      await call({ login: { codes } }, 'call_1');

      const masked = codes.map(() => '(secret)').join(' ');
      expect(await only(journal)).toMatchObject({ outcome: { content: { text: masked } } });
    });

    it('are masked in the rationale of the model', async () => {
      const journal = await openJournal();
      const tools = new ToolRegistry({ journal, meta: standardMetaArguments }).register(
        toolOf(() => 'done', { inputSchema: schema }),
      );
      await tools.call(callOf({ arguments: { ...sent, _rationale: told } }), inOne);

      expect((await only(journal)).call?.meta).toEqual({ rationale: hidden });
    });

    it('leave the rest as it is if they are empty, or words that are not secret', async () => {
      const { journal, tools, call } = await registryWith();
      const result = 'true, null and 5 of 15 (a, b): 5.5 %';
      tools.replace(
        toolOf(() => result, { inputSchema: { type: 'object', properties: { all: secret } } }),
      );
      await call({ all: ['', true, null] }, 'call_1');
      await call({ all: ['5', 'a'] }, 'call_2');

      const [two, one] = (await journal.list({})).map(({ outcome }) => outcome);
      expect(one).toMatchObject({ content: { text: result } });
      expect(two).toMatchObject({
        content: { text: 'true, null and (secret) of 15 ((secret), b): (secret).(secret) %' },
      });
    });
  });

  it('become a digest in an idempotency key, also for the tool', async () => {
    const keys: unknown[] = [];
    const journal = await openJournal();
    const tools = new ToolRegistry({ journal }).register(
      toolOf((_values, { idempotencyKey }) => keys.push(idempotencyKey), {
        inputSchema,
        idempotencyKey: ({ pin, amount }) => (amount === 1 ? pin : amount),
      }),
    );
    for (const [id, amount] of [1, 1, 2].entries())
      await tools.call(callOf({ id: `call_${id}`, arguments: { pin: 'pin of a card', amount } }));

    expect(keys).toEqual([expect.stringContaining(':'), '2']);
    expect(JSON.stringify([keys, await journal.list({})])).not.toContain('pin of a card');
  });

  it('become a digest in the key of a limit', async () => {
    const keys: unknown[] = [];
    const stored = await openJournal();
    const journal = journalWith(stored, {
      begin: (entry, options) => {
        keys.push(options?.limit?.key);
        return stored.begin(entry, options);
      },
    });
    const limits = {
      running: 1,
      per: { key: ({ pin, amount }: JsonObject) => (amount === 1 ? pin : amount) },
    };
    const tools = new ToolRegistry({ journal }).register(
      toolOf(() => 'done', { inputSchema, limits }),
    );
    for (const amount of [1, 2]) await tools.call(callOf({ arguments: { pin: '1234', amount } }));

    expect(keys).toEqual([stored.secretDigest('["work","","1234"]'), '["work","",2]']);
  });

  it('have the same digest in journals with the same key alone', async () => {
    const secretsKey = 'a key of all replicas';
    const journals = [{ secretsKey }, { secretsKey }, { secretsKey: `${secretsKey}s` }, {}, {}];
    const digests = await Promise.all(
      journals.map(async (options) => (await openJournal(options)).secretDigest('1234')),
    );

    expect(digests[0]).toBe(digests[1]);
    expect(new Set(digests.map((digest) => digest.split(':')[0])).size).toBe(4);
    await expect(openJournal({ secretsKey: 'short' })).rejects.toThrow(
      'at least 16 random characters',
    );
  });
});

describe('a call that waits for the same call', () => {
  it('ends with its own time limit', async () => {
    const journal = await openJournal();
    const { promise, resolve } = Promise.withResolvers<string>();
    const tools = new ToolRegistry({ journal }).register(toolOf(() => promise));
    const first = tools.call(callOf(), inOne);

    const second = await tools.call(callOf(), { ...inOne, timeoutMs: 20 });
    resolve('done');

    expect(second).toMatchObject({
      status: 'timed_out',
      timeoutMs: 20,
      setBy: 'call',
      message:
        'work did not finish within the time limit of 20 ms of this call. The same call was sent before, and still runs.',
    });
    expect(await first).toMatchObject({ result: 'done' });
  });

  it('is refused if it is made by that call', async () => {
    const journal = await openJournal();
    const tools = new ToolRegistry({ journal });
    tools.register(
      toolOf(async (_values, context) => {
        const inner = await tools.call(callOf(), { ...inOne, parent: context });
        return inner.status === 'denied' ? inner.message : inner.status;
      }),
    );

    expect(await tools.call(callOf(), inOne)).toMatchObject({
      result:
        'work was not executed.\nThe id "call_1" is that of the call that makes this one. Give each call an id of its own.',
    });
  });
});

it('runs nothing if another process has taken the call over while it waited for its slot', async () => {
  const journal = await openJournal();
  const lost = journalWith(journal, { requireLease: () => Promise.reject(new Error('lost')) });
  const tools = new ToolRegistry({ journal: lost }).register(
    toolOf((values) => void ran.push(values)),
  );

  expect(await tools.call(callOf(), inOne)).toMatchObject({ status: 'failed', when: 'before' });
  expect(ran).toEqual([]);
});

it('says that a call is in doubt that another process runs by now', async () => {
  const stored = await openJournal();
  const journal = journalWith(stored, {
    requireLease: () => Promise.reject(new Error('lost')),
    end: () => Promise.resolve(false),
  });
  const tools = new ToolRegistry({ journal }).register(toolOf((values) => void ran.push(values)));

  expect(await tools.call(callOf(), inOne)).toMatchObject({ status: 'failed', reason: 'in_doubt' });
  expect(await only(stored)).toMatchObject({ state: 'running' });
});

it('writes a long key as its digest', async () => {
  const { journal, call } = await registryWith({
    idempotencyKey: ({ body }) => body,
    limits: { rate: { calls: 2, perMs: 1000 }, per: { key: ({ body }) => body } },
  });
  const body = 'x'.repeat(10_000);

  await call({ body }, 'call_1');
  await call({ body }, 'call_2');

  expect(ran).toHaveLength(1);
  expect((await only(journal)).idempotencyKey).toMatch(/^sha256:[\da-f]{64}$/);
});
