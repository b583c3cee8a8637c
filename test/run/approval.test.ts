import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import {
  type ApprovalOptions,
  DefinitionError,
  type Interceptor,
  type JsonObject,
  PairedDefault,
  type PendingApproval,
  RecordError,
  RepairStats,
  requireMeta,
  standardMetaArguments,
  Tool,
  type ToolCall,
  type ToolContext,
  toolMessage,
  type ToolOutcome,
  ToolRegistry,
  ToolRetry,
  ToolRun,
} from 'toolmend';
import { callTo, RecordingListener, statusesOf, thrower, toolOf } from '../tools.ts';

const ran: unknown[] = [];
beforeEach(() => void ran.splice(0));

@Tool({ description: 'Refunds a payment.', effects: 'destructive' })
class Refund {
  @IsString() payment!: string;
  @IsInt() @Min(1) amount!: number;
  @IsOptional() @IsString() @PairedDefault('currency', 'EUR') reason?: string;
  @IsOptional() @IsString() currency?: string;
  execute({ meta }: ToolContext): string {
    ran.push(Object.assign({}, this, meta));
    return `refunded ${this.amount}`;
  }
}

const value = { payment: 'p1', amount: 5 };
const callOf = (sent: unknown = value, more: Partial<ToolCall> = {}) =>
  callTo('refund', sent, more);
const registryOf = (approval: ApprovalOptions = {}, interceptors: readonly Interceptor[] = []) =>
  new ToolRegistry({ approval, interceptors }).register(Refund);

/** The approval as a program would store it. */
function stored(outcome: ToolOutcome): PendingApproval {
  if (outcome.status !== 'approval_required') throw new Error(`is ${outcome.status}`);
  return JSON.parse(JSON.stringify(outcome.approval));
}

const pending = async (tools: ToolRegistry, sent: unknown = value) =>
  stored(await tools.call(callOf(sent)));
const approve = { decision: 'approve' } as const;
const deny = { decision: 'deny' } as const;
const approveWith = (edited: JsonObject) => ({ decision: 'approve', arguments: edited }) as const;
const required = (why: string) => ({ status: 'approval_required', why });
const used = { status: 'denied', by: 'used' };

/** Runs `work` after the approval has expired. */
async function later<Result>(work: () => Promise<Result>): Promise<Result> {
  const { now } = Date;
  Date.now = () => now() + 60_001;
  return work().finally(() => (Date.now = now));
}

test('a destructive call waits, and then runs once, with the approved arguments', async () => {
  const tools = registryOf();
  const waiting = await tools.call(callOf('{"payment": "p1", "amount": "5"}'));
  const call = { id: 'call_1', tool: 'refund', arguments: '{"payment":"p1","amount":5}' };
  expect(waiting).toMatchObject({ ...required('asked'), issues: [], approval: { call } });
  const advice = 'It has to be approved first. Do not send it again: the result will follow.';
  const text = `refund was not executed.\n${advice}`;
  expect([toolMessage(waiting), ran]).toMatchObject([{ isError: true, text }, []]);
  const approval = stored(waiting);
  const completed = await tools.resolveApproval(approval, approve);
  expect(completed).toMatchObject({ status: 'completed', result: 'refunded 5' });
  const message = 'refund was executed before: refunded 5';
  expect(await tools.resolveApproval(approval, approve)).toMatchObject({ ...used, message });
  expect(ran).toEqual([value]);
});

test('a denial is final, and the model reads it', async () => {
  const tools = registryOf();
  const [first, second] = [await pending(tools), await pending(tools)];
  const decided = await tools.resolveApproval(first, {
    ...deny,
    message: 'not without a receipt.',
  });
  const message = 'refund was not executed.\nnot without a receipt.';
  expect(decided).toMatchObject({ status: 'denied', by: 'approver', message });
  expect(await tools.resolveApproval(first, approve)).toMatchObject(used);
  const { text } = toolMessage(await tools.resolveApproval(second, deny));
  expect([text, ran]).toEqual(['refund was not executed.\nThe call was not approved.', []]);
});

test('repairs, notes, meta arguments and the names of the call come back as they were', async () => {
  const meta = requireMeta(standardMetaArguments, 'rationale');
  const tools = new ToolRegistry({ approval: { needed: () => true }, meta }).register(Refund);
  const texts = { payment: 'p1', reason: 'broken', currency: 'USD' };
  const sent = { ...texts, amount: '5', _rationale: 'asked', timeout: '30' };
  const named = { name: 'Refund', model: 'qwen3', finishReason: 'stop' };
  const waiting = await tools.call(callOf(sent, named));
  const outcome = await tools.resolveApproval(stored(waiting), approve);
  expect(ran).toEqual([{ ...texts, amount: 5, rationale: 'asked', timeout_seconds: 30 }]);
  expect(outcome).toMatchObject({ status: 'completed', call: { id: 'call_1', ...named } });
  expect(Reflect.get(outcome, 'interpretation')).toEqual(Reflect.get(waiting, 'interpretation'));
});

describe('arguments that the approver edited', () => {
  test('run, and the model is told', async () => {
    const tools = registryOf();
    const approval = await pending(tools);
    const outcome = await tools.resolveApproval(
      approval,
      approveWith({ payment: 'p1', amount: 3 }),
    );
    expect(ran).toEqual([{ payment: 'p1', amount: 3 }]);
    expect(toolMessage(outcome).notes).toEqual(['The application changed amount.']);
    expect(await tools.resolveApproval(approval, approve)).toMatchObject(used);
  });

  test('have to be approved again if they were repaired', async () => {
    const tools = registryOf();
    const edited = approveWith({ payment: 'p1', amount: '3' });
    const asked = await tools.resolveApproval(await pending(tools), edited);
    expect([asked, ran]).toMatchObject([required('changed'), []]);
    expect(toolMessage(asked).notes).toContain('The application changed amount.');
    expect((await tools.resolveApproval(stored(asked), approve)).status).toBe('completed');
    expect(ran).toEqual([{ payment: 'p1', amount: 3 }]);
  });

  test.each([{}, { _rationale: 'asked' }])('can’t set meta arguments beside %j', async (meta) => {
    const tools = new ToolRegistry({ approval: {}, meta: standardMetaArguments }).register(Refund);
    const approval = await pending(tools, { ...value, ...meta });
    const message = expect.stringContaining('meta arguments stay as the model sent them');
    for (const [forged, expected] of [
      ['_rationale', { message }],
      ['rationale', '_rationale' in meta ? required('refused') : { message }],
    ] as const) {
      const decided = tools.resolveApproval(
        approval,
        approveWith({ ...value, [forged]: 'forged' }),
      );
      expect(await decided.catch((error: unknown) => error)).toMatchObject(expected);
    }
    expect((await tools.resolveApproval(approval, approve)).status).toBe('completed');
  });
});

test('an expired approval is asked for again, and a call that was resolved several times runs once', async () => {
  const tools = registryOf({ expiresAfter: 60_000 });
  const approval = await pending(tools);
  const again = () => later(() => tools.resolveApproval(approval, approve));
  const asked = await again();
  expect([asked, ran]).toMatchObject([required('expired'), []]);
  const [first, second] = [stored(asked), stored(await again())];
  expect((await tools.resolveApproval(first, approve)).status).toBe('completed');
  for (const other of [second, approval, first])
    expect(await tools.resolveApproval(other, approve)).toMatchObject(used);
  expect(ran).toHaveLength(1);
});

test('a denial counts although the approval has expired', async () => {
  const tools = registryOf({ expiresAfter: 60_000 });
  const approval = await pending(tools);
  const no = { status: 'denied', by: 'approver', message: 'refund was not executed.\nNo.' };
  const decision = { ...deny, message: 'No.' };
  expect(await later(() => tools.resolveApproval(approval, decision))).toMatchObject(no);
  expect([await tools.resolveApproval(approval, approve), ran]).toMatchObject([used, []]);
});

test('an approved call counts for the run that the decision names', async () => {
  const moody = toolOf(thrower(new ToolRetry('Not like this.')), { effects: 'destructive' });
  const tools = new ToolRegistry({ approval: {} }).register(moody);
  const call = callOf({}, { name: 'work' });
  const run = new ToolRun({ retryLimit: 0 });
  const approval = stored(await tools.call(call, { run }));
  expect((await tools.resolveApproval(approval, approve, { run })).status).toBe('retry');
  expect(await tools.call(call, { run })).toMatchObject({
    status: 'limit_exceeded',
    reason: 'retry_limit',
  });
});

describe('only what was approved runs', () => {
  /** Every tree that differs from this one in one value or key. */
  function* changesOf(tree: unknown): Generator {
    if (typeof tree === 'string') yield `${tree}x`;
    else if (typeof tree === 'number') yield tree + 1;
    else if (typeof tree === 'object' && tree !== null) {
      for (const [key, member] of Object.entries(tree)) {
        for (const changed of changesOf(member))
          yield Array.isArray(tree) ? tree.with(Number(key), changed) : { ...tree, [key]: changed };
        if (!Array.isArray(tree))
          yield Object.fromEntries(Object.entries(tree).filter(([name]) => name !== key));
      }
      yield Array.isArray(tree) ? [...tree, {}] : { ...tree, added: 1 };
    }
  }

  test('no single change of a stored approval executes anything', async () => {
    const scope = ({ tenant }: Readonly<Record<string, unknown>>) => String(tenant);
    const options = { approval: { scope }, context: { tenant: 'a' }, meta: standardMetaArguments };
    const tools = new ToolRegistry(options).register(Refund);
    const sent = {
      payment: 'p1',
      amount: '5',
      reason: 'broken',
      currency: 'EUR',
      _rationale: 'asked',
    };
    const approval = stored(
      await tools.call(callOf(sent, { model: 'qwen3', finishReason: 'stop' })),
    );
    const results: string[] = [];
    for (const changed of changesOf(approval)) {
      const decided = tools.resolveApproval(changed, approve);
      const outcome = await decided.catch((error: unknown) => ({
        status: Object(error).constructor.name,
      }));
      results.push('why' in outcome ? outcome.why : outcome.status);
    }
    expect(results.length).toBeGreaterThan(50);
    const expected = ['changed', 'RecordError'];
    expect([new Set(results), ran]).toEqual([new Set(expected), []]);
    // Those are changes of the id and of the format.
    expect(results.filter((result) => result === 'RecordError')).toHaveLength(4);
    expect((await tools.resolveApproval(approval, approve)).status).toBe('completed');
  });

  test('a tool that became destructive is asked about again', async () => {
    const tool = (effects: 'write' | 'destructive') =>
      toolOf(() => void ran.push(effects), { effects });
    const tools = new ToolRegistry({ approval: { needed: () => true } }).register(tool('write'));
    const approval = stored(await tools.call(callOf({}, { name: 'work' })));
    tools.replace(tool('destructive'));
    expect([await tools.resolveApproval(approval, approve), ran]).toMatchObject([
      required('changed'),
      [],
    ]);
  });

  test('an interceptor that edits after the approval makes it asked for again', async () => {
    let amount = 10;
    const tools = registryOf({}, [
      (call, next) => next({ ...call.arguments, amount: (amount += 1) }),
    ]);
    const approval = await pending(tools);
    expect(approval.call.arguments).toBe('{"payment":"p1","amount":11}');
    expect([await tools.resolveApproval(approval, approve), ran]).toMatchObject([
      required('changed'),
      [],
    ]);
  });

  test('an interceptor sees that the call is approved, and can still deny it', async () => {
    const close: Interceptor = (call, next) =>
      call.approval === 'given' ? call.deny('Closed by now.') : next();
    const tools = registryOf({}, [close]);
    const decided = await tools.resolveApproval(await pending(tools), approve);
    expect([decided, ran]).toMatchObject([{ status: 'denied', message: 'Closed by now.' }, []]);
  });

  test('different lone surrogates are different arguments', async () => {
    const tools = registryOf();
    const approval = await pending(tools, { payment: '\ud800', amount: 1 });
    const other = {
      ...approval,
      call: { ...approval.call, arguments: '{"payment":"\\ud801","amount":1}' },
    };
    expect([await tools.resolveApproval(other, approve), ran]).toMatchObject([
      required('changed'),
      [],
    ]);
  });
});

describe('approval options', () => {
  test('needed decides about the repaired call; anything but false asks', async () => {
    const seen: unknown[] = [];
    const tools = registryOf({
      needed: ({ interpretation: { value: sent }, tool, values }) => {
        seen.push([tool, sent['amount'], values['user']]);
        return Number(sent['amount']) > 100;
      },
    });
    const options = { context: { user: 'ada' } };
    const calls = ['100', '101'].map((amount) =>
      tools.call(callOf({ payment: 'p', amount }), options),
    );
    expect(await statusesOf(calls)).toEqual(['completed', 'approval_required']);
    expect(seen).toEqual([100, 101].map((amount) => ['refund', amount, 'ada']));
    const nothing = { needed: () => undefined } as unknown as ApprovalOptions;
    expect((await registryOf(nothing).call(callOf())).status).toBe('approval_required');
  });

  test.each(['needed', 'scope'])('a %s that throws keeps the call from running', async (option) => {
    const outcome = await registryOf({ [option]: thrower(new Error('SECRET')) }).call(callOf());
    expect([outcome, ran]).toMatchObject([{ status: 'failed', reason: 'exception' }, []]);
    expect(toolMessage(outcome).text).toMatch(
      /^refund was not executed\.\nAn internal error occurred/,
    );
    expect(JSON.stringify(outcome)).not.toContain('SECRET');
  });

  test('needed can’t change the call', async () => {
    const needed: ApprovalOptions['needed'] = ({ interpretation }) =>
      Reflect.set(interpretation.value, 'amount', 1_000_000);
    const own = { ...value };
    const tools = registryOf({ needed });
    expect((await tools.call(callOf(own))).status).toBe('completed');
    expect(await tools.wouldRequireApproval(callOf(own))).toBe(false);
    // oxlint-disable-next-line typescript/no-deprecated -- the old name is accepted
    expect(await tools.asks(callOf(own))).toBe(false);
    expect([ran, Object.isFrozen(own)]).toEqual([[value], false]);
  });

  test('an impossible duration, and a decision in a registry without approval, are definition errors', async () => {
    expect(() => registryOf({ expiresAfter: 0 })).toThrow(DefinitionError);
    const approval = await pending(registryOf());
    const decided = new ToolRegistry().register(Refund).resolveApproval(approval, approve);
    await expect(decided).rejects.toThrow(DefinitionError);
  });
});

test.each<[unknown, string]>([
  [undefined, 'was given undefined for its options: write an object.'],
  ['approve', 'was given "approve" for its options: write an object.'],
  [{}, "has no decision: write { decision: 'approve' } or { decision: 'deny' }."],
  [{ decision: 'yes' }, `has "yes" for decision: write { decision: 'approve' } or`],
  [
    { decision: 'approve', arguments: '{"amount": 1}' },
    'for arguments: write an object with all arguments',
  ],
  [
    { decision: 'approve', arguments: null },
    'has null for arguments: write an object with all arguments',
  ],
  [{ decision: 'approve', argument: {} }, 'has no option "argument": write arguments.'],
  [{ decision: 'deny', arguments: {} }, 'has no option "arguments"'],
  [{ decision: 'deny', message: 5 }, 'has 5 for message: write why, for the model.'],
])(
  'the decision %j is a definition error, and the approval stays open',
  async (decision, message) => {
    const tools = registryOf();
    const approval = await pending(tools);
    const decided: unknown = Reflect.apply(tools.resolveApproval, tools, [approval, decision]);
    await expect(decided).rejects.toThrow(DefinitionError);
    await expect(decided).rejects.toThrow(message);
    expect((await tools.resolveApproval(approval, approve)).status).toBe('completed');
    expect(ran).toHaveLength(1);
  },
);

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a string', 'approval'],
  ['another record', { format: 'toolmend.call' }],
  ['a proxy', new Proxy({}, {})],
])('%s is not an approval', async (_title, data) => {
  await expect(registryOf().resolveApproval(data, approve)).rejects.toThrow(RecordError);
});

test('cancelling ends a call while needed decides, also behind interceptors, and nothing starts afterwards', async () => {
  const behind: Interceptor = (_call, next) => next();
  for (const interceptors of [[], [behind]]) {
    const controller = new AbortController();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const tools = registryOf({ needed: () => promise }, interceptors);
    const call = tools.call(callOf(), { signal: controller.signal });
    controller.abort('enough');
    expect(await call).toMatchObject({
      status: 'cancelled',
      when: 'before',
      duration: 0,
      cause: 'enough',
    });
    resolve(false);
    await promise;
    await tools.close();
  }
  expect(ran).toEqual([]);
});

test('listeners get events without values, and statistics count a call once', async () => {
  const listener = new RecordingListener();
  const stats = new RepairStats();
  const tools = new ToolRegistry({ approval: {}, listeners: [listener, stats] }).register(Refund);
  const approved = await pending(tools, { payment: 'c4n4ry', amount: 5 });
  const denied = await pending(tools, { payment: 'c4n4ry', amount: '5' });
  await tools.resolveApproval(approved, approve);
  await tools.resolveApproval(denied, deny);
  const statuses = listener.events.map((event) => ('status' in event ? event.status : event.type));
  const asked = ['approval_required', 'tool_input_repaired', 'approval_required'];
  expect(statuses).toEqual([...asked, 'completed', 'denied']);
  expect(JSON.stringify(listener.events)).not.toContain('c4n4ry');
  const counts = { unchanged: 1, repaired: 1, rejected: 0 };
  expect(stats.snapshot()['(unknown model)']?.['refund']).toMatchObject(counts);
});
