// Does a call that needs a yes run exactly as it was approved, once, and never otherwise?
import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import {
  type ApprovalOptions,
  DefinitionError,
  defineTool,
  type Interceptor,
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
import { RecordingListener } from '../tools.ts';

const ran: unknown[] = [];

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

@Tool({ description: 'Reads.', effects: 'read' })
class ReadPayment {
  @IsString() payment!: string;
  execute(): string {
    return this.payment;
  }
}

const sent = { payment: 'p1', amount: 5 };
const callOf = (value: unknown, more: Partial<ToolCall> = {}): ToolCall => ({
  id: 'call_1',
  name: 'refund',
  arguments: value,
  ...more,
});
const registryOf = (
  approval: ApprovalOptions = {},
  interceptors: readonly Interceptor[] = [],
): ToolRegistry => new ToolRegistry({ approval, interceptors }).register(Refund, ReadPayment);

/** As a program would keep it until somebody has decided. */
function stored(outcome: ToolOutcome): PendingApproval {
  if (outcome.status !== 'approval_required') throw new Error(`is ${outcome.status}`);
  return JSON.parse(JSON.stringify(outcome.approval));
}

const approve = { decision: 'approve' } as const;

beforeEach(() => void ran.splice(0));

test('a call that needs no yes runs at once', async () => {
  const outcome = await registryOf().call(callOf({ payment: 'p1' }, { name: 'read_payment' }));
  expect(outcome).toMatchObject({ status: 'completed', result: 'p1' });
});

test('a destructive call waits, and then runs with what was approved, once', async () => {
  const tools = registryOf();
  const waiting = await tools.call(callOf('{"payment": "p1", "amount": "5"}'));
  expect(waiting).toMatchObject({ status: 'approval_required', why: 'asked', issues: [] });
  expect(toolMessage(waiting)).toMatchObject({
    isError: true,
    text: 'refund was not executed.\nIt has to be approved first. Do not send it again: the result will follow.',
  });
  expect(ran).toEqual([]);
  const approval = stored(waiting);
  expect(approval.call).toMatchObject({
    id: 'call_1',
    tool: 'refund',
    arguments: '{"payment":"p1","amount":5}',
  });
  expect(await tools.resolveApproval(approval, approve)).toMatchObject({
    status: 'completed',
    result: 'refunded 5',
  });
  expect(ran).toEqual([{ payment: 'p1', amount: 5 }]);
  const again = await tools.resolveApproval(approval, approve);
  expect(again).toMatchObject({
    status: 'denied',
    by: 'used',
    message: 'refund was not executed.\nA decision on this call has already been made.',
  });
  expect(ran).toHaveLength(1);
});

test('two decisions at the same time run it once', async () => {
  const tools = registryOf();
  const approval = stored(await tools.call(callOf(sent)));
  const outcomes = await Promise.all([
    tools.resolveApproval(approval, approve),
    tools.resolveApproval(approval, approve),
  ]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['completed', 'denied']);
  expect(ran).toHaveLength(1);
});

test('a no is told to the model, and is final', async () => {
  const tools = registryOf();
  const [first, second] = [stored(await tools.call(callOf(sent))), stored(await tools.call(callOf(sent)))];
  expect(
    await tools.resolveApproval(first, { decision: 'deny', message: 'not without a receipt.' }),
  ).toMatchObject({
    status: 'denied',
    by: 'approver',
    message: 'refund was not executed.\nnot without a receipt.',
  });
  expect(await tools.resolveApproval(first, approve)).toMatchObject({ status: 'denied', by: 'used' });
  expect(toolMessage(await tools.resolveApproval(second, { decision: 'deny' })).text).toBe(
    'refund was not executed.\nThe call was not approved.',
  );
  expect(ran).toEqual([]);
});

test('repairs, notes, meta arguments and the names of the call come back as they were', async () => {
  const tools = new ToolRegistry({
    approval: { needed: () => true },
    meta: requireMeta(standardMetaArguments, 'rationale'),
  }).register(Refund);
  const value = {
    payment: 'p1',
    amount: '5',
    reason: 'broken',
    currency: 'USD',
    _rationale: 'asked',
    timeout: '30',
  };
  const waiting = await tools.call(callOf(value, { name: 'Refund', model: 'qwen3', finishReason: 'stop' }));
  const outcome = await tools.resolveApproval(stored(waiting), approve);
  expect(ran).toEqual([
    { payment: 'p1', amount: 5, reason: 'broken', currency: 'USD', rationale: 'asked', timeout_seconds: 30 },
  ]);
  if (waiting.status !== 'approval_required' || outcome.status !== 'completed')
    throw new Error(outcome.status);
  expect(outcome.interpretation).toEqual(waiting.interpretation);
  expect(outcome.call).toMatchObject({ id: 'call_1', name: 'Refund', model: 'qwen3', finishReason: 'stop' });
});

describe('an approver who edits', () => {
  test('runs the edited arguments, and the model is told', async () => {
    const tools = registryOf();
    const approval = stored(await tools.call(callOf(sent)));
    const outcome = await tools.resolveApproval(approval, {
      ...approve,
      arguments: { payment: 'p1', amount: 3 },
    });
    expect(ran).toEqual([{ payment: 'p1', amount: 3 }]);
    expect(toolMessage(outcome).notes).toEqual(['The application changed amount before the call ran.']);
    expect(await tools.resolveApproval(approval, approve)).toMatchObject({ status: 'denied', by: 'used' });
  });

  test('wrongly, is told what is wrong, and the approval stays open', async () => {
    const tools = registryOf();
    const approval = stored(await tools.call(callOf(sent)));
    const refused = await tools.resolveApproval(approval, {
      ...approve,
      arguments: { payment: 'p1', amount: 0 },
    });
    expect(refused).toMatchObject({
      status: 'approval_required',
      why: 'refused',
      approval,
      issues: [{ keyword: 'minimum' }],
    });
    expect(ran).toEqual([]);
    expect((await tools.resolveApproval(approval, approve)).status).toBe('completed');
  });

  test('almost rightly, is asked about what it was taken for', async () => {
    const tools = registryOf();
    const approval = stored(await tools.call(callOf(sent)));
    const asked = await tools.resolveApproval(approval, {
      ...approve,
      arguments: { payment: 'p1', amount: '3' },
    });
    expect(asked).toMatchObject({ status: 'approval_required', why: 'changed' });
    expect(ran).toEqual([]);
    expect((await tools.resolveApproval(stored(asked), approve)).status).toBe('completed');
    expect(ran).toEqual([{ payment: 'p1', amount: 3 }]);
  });
});

test('too late is asked again, and the new approval is good', async () => {
  const tools = registryOf({ expiresAfter: 60_000 });
  const approval = stored(await tools.call(callOf(sent)));
  const { now } = Date;
  Date.now = () => now() + 60_001;
  const asked = await tools.resolveApproval(approval, approve).finally(() => (Date.now = now));
  expect(asked).toMatchObject({ status: 'approval_required', why: 'expired' });
  expect(ran).toEqual([]);
  expect((await tools.resolveApproval(stored(asked), approve)).status).toBe('completed');
});

test('a no is a no, also too late and to a question that nobody here has asked', async () => {
  const deny = { decision: 'deny', message: 'No.' } as const;
  const no = { status: 'denied', by: 'approver', message: 'refund was not executed.\nNo.' };
  const tools = registryOf({ expiresAfter: 60_000 });
  const approval = stored(await tools.call(callOf(sent)));
  expect(await registryOf().resolveApproval(approval, deny)).toMatchObject(no);
  const { now } = Date;
  Date.now = () => now() + 60_001;
  expect(await tools.resolveApproval(approval, deny).finally(() => (Date.now = now))).toMatchObject(no);
  expect(await tools.resolveApproval(approval, approve)).toMatchObject({ status: 'denied', by: 'used' });
  expect(ran).toEqual([]);
});

test('a no to a question that was changed leaves the true one open', async () => {
  const tools = registryOf();
  const waiting = await tools.call(callOf(sent));
  const approval: object = Object(stored(waiting));
  const other = await tools.resolveApproval({ ...approval, digest: 'sha256:0' }, { decision: 'deny' });
  expect(other).toMatchObject({ status: 'denied', by: 'approver' });
  expect((await tools.resolveApproval(approval, approve)).status).toBe('completed');
});

test('a decision counts for the run that it is given', async () => {
  const moody = defineTool({
    name: 'moody',
    description: 'Works.',
    effects: 'destructive',
    inputSchema: { type: 'object' },
    execute: () => {
      throw new ToolRetry('Not like this.');
    },
  });
  const tools = new ToolRegistry({ approval: {} }).register(moody);
  const call = { id: 'c', name: 'moody', arguments: {} };
  const run = new ToolRun({ retryLimit: 0 });
  const approval = stored(await tools.call(call, { run }));
  expect((await tools.resolveApproval(approval, approve, { run })).status).toBe('retry');
  expect(await tools.call(call, { run })).toMatchObject({ status: 'limit_exceeded', reason: 'retry_limit' });
});

test("another registry's approval is asked again", async () => {
  const approval = stored(await registryOf().call(callOf(sent)));
  expect(await registryOf().resolveApproval(approval, approve)).toMatchObject({
    status: 'approval_required',
    why: 'unknown',
  });
  expect(ran).toEqual([]);
});

describe('what was approved is what runs', () => {
  /** Every value in a JSON tree, and the same tree with another value there. */
  function* changesOf(value: unknown): Generator {
    if (typeof value === 'string') yield `${value}x`;
    else if (typeof value === 'number') yield value + 1;
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        for (const changed of changesOf(member)) {
          yield Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
        }
        if (!Array.isArray(value))
          yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
      }
      yield Array.isArray(value) ? [...value, {}] : { ...value, added: 1 };
    }
  }

  test('no single change of a stored approval executes anything', async () => {
    const tools = new ToolRegistry({
      approval: { scope: (values) => String(values['tenant']) },
      context: { tenant: 'a' },
      meta: standardMetaArguments,
    }).register(Refund);
    const value = { payment: 'p1', amount: '5', reason: 'broken', currency: 'EUR', _rationale: 'asked' };
    const approval = stored(await tools.call(callOf(value, { model: 'qwen3', finishReason: 'stop' })));
    const results: string[] = [];
    for (const changed of changesOf(approval)) {
      try {
        const outcome = await tools.resolveApproval(changed, approve);
        results.push(outcome.status === 'approval_required' ? outcome.why : outcome.status);
      } catch (error) {
        expect(error).toBeInstanceOf(RecordError);
        results.push('no record');
      }
    }
    expect(ran).toEqual([]);
    expect(results.length).toBeGreaterThan(50);
    expect(new Set(results)).toEqual(
      new Set(['changed', 'unknown', 'invalid_arguments', 'unknown_tool', 'no record']),
    );
    expect((await tools.resolveApproval(approval, approve)).status).toBe('completed');
  });

  test('an approver gives no meta arguments: they are the model’s', async () => {
    const tools = new ToolRegistry({ approval: {}, meta: standardMetaArguments }).register(Refund);
    const plain = { payment: 'p1', amount: 5 };
    for (const meta of [{}, { _rationale: 'asked' }]) {
      const approval = stored(await tools.call(callOf({ ...plain, ...meta })));
      for (const forged of ['_rationale', 'rationale'] as const) {
        const edited = { decision: 'approve', arguments: { ...plain, [forged]: 'forged' } } as const;
        const decided = await tools.resolveApproval(approval, edited).catch((error: unknown) => error);
        expect(decided).toMatchObject(
          forged === 'rationale' && Object.keys(meta).length > 0
            ? { status: 'approval_required', why: 'refused' }
            : { message: expect.stringContaining('meta arguments stay as the model sent them') },
        );
      }
      expect((await tools.resolveApproval(approval, approve)).status).toBe('completed');
    }
  });

  test('another tenant, and another definition of the tool, are asked again', async () => {
    const tools = registryOf({ scope: (values) => String(values['tenant']) });
    const forA = { context: { tenant: 'a' } };
    const approval = stored(await tools.call(callOf(sent), forA));
    expect(await tools.resolveApproval(approval, approve, { context: { tenant: 'b' } })).toMatchObject({
      status: 'approval_required',
      why: 'changed',
      approval: { scope: 'b' },
    });

    @Tool({ name: 'refund', description: 'Refunds a payment twice.', effects: 'destructive' })
    class Other extends Refund {}
    tools.replace(Other);
    expect(await tools.resolveApproval(approval, approve, forA)).toMatchObject({
      status: 'approval_required',
      why: 'changed',
    });
    expect(ran).toEqual([]);
  });

  test('a tool that says now that it is more dangerous is asked about again', async () => {
    const tool = (effects: 'write' | 'destructive') =>
      defineTool({
        name: 'move',
        description: 'Moves.',
        inputSchema: { type: 'object' },
        effects,
        execute: () => void ran.push(effects),
      });
    const tools = new ToolRegistry({ approval: { needed: () => true } }).register(tool('write'));
    const approval = stored(await tools.call({ id: 'c', name: 'move', arguments: '{}' }));
    tools.replace(tool('destructive'));
    expect(await tools.resolveApproval(approval, approve)).toMatchObject({
      status: 'approval_required',
      why: 'changed',
    });
    expect(ran).toEqual([]);
  });

  test('an interceptor that edits after the approval is asked again', async () => {
    let page = 10;
    const tools = registryOf({}, [(call, next) => next({ ...call.arguments, amount: (page += 1) })]);
    const approval = stored(await tools.call(callOf(sent)));
    expect(approval.call.arguments).toBe('{"payment":"p1","amount":11}');
    expect(await tools.resolveApproval(approval, approve)).toMatchObject({
      status: 'approval_required',
      why: 'changed',
    });
    expect(ran).toEqual([]);
  });

  test('an interceptor knows what is approved, and may still say no', async () => {
    const tools = registryOf({}, [
      (call, next) => (call.approval === 'given' ? call.deny('Closed by now.') : next()),
    ]);
    const approval = stored(await tools.call(callOf(sent)));
    expect(await tools.resolveApproval(approval, approve)).toMatchObject({
      status: 'denied',
      message: 'Closed by now.',
    });
    expect(ran).toEqual([]);
  });
});

test('halves of characters that differ are different arguments', async () => {
  const tools = registryOf();
  const approval = stored(await tools.call(callOf({ payment: '\ud800', amount: 1 })));
  const other = { ...approval, call: { ...approval.call, arguments: '{"payment":"\\ud801","amount":1}' } };
  expect(await tools.resolveApproval(other, approve)).toMatchObject({
    status: 'approval_required',
    why: 'changed',
  });
  expect(ran).toEqual([]);
});

describe('the questions that the application answers', () => {
  test('needed decides by the call as it would run; anything but false asks', async () => {
    const seen: unknown[] = [];
    const tools = registryOf({
      needed: ({ interpretation, tool, values }) => {
        seen.push([tool, interpretation.value, values['user']]);
        return Number(interpretation.value['amount']) > 100;
      },
    });
    const options = { context: { user: 'ada' } };
    expect((await tools.call(callOf({ payment: 'p', amount: '100' }), options)).status).toBe('completed');
    expect((await tools.call(callOf({ payment: 'p', amount: '101' }), options)).status).toBe(
      'approval_required',
    );
    expect(seen).toEqual([
      ['refund', { payment: 'p', amount: 100 }, 'ada'],
      ['refund', { payment: 'p', amount: 101 }, 'ada'],
    ]);
    const nothing = { needed: () => undefined } as unknown as ApprovalOptions;
    expect((await registryOf(nothing).call(callOf(sent))).status).toBe('approval_required');
  });

  test('what needed or scope throw keeps the call from running', async () => {
    const refuse = (): never => {
      throw new Error('SECRET');
    };
    for (const options of [{ needed: refuse }, { scope: refuse }]) {
      const outcome = await registryOf(options).call(callOf(sent));
      expect(outcome).toMatchObject({ status: 'failed', reason: 'exception' });
      expect(toolMessage(outcome).text).toMatch(/^refund was not executed\.\nAn internal error occurred/);
      expect(JSON.stringify(outcome)).not.toContain('SECRET');
    }
    expect(ran).toEqual([]);
  });

  test('a duration that is none, and a decision where nothing is asked, are told to the developer', async () => {
    expect(() => registryOf({ expiresAfter: 0 })).toThrow(DefinitionError);
    const approval = stored(await registryOf().call(callOf(sent)));
    await expect(new ToolRegistry().register(Refund).resolveApproval(approval, approve)).rejects.toThrow(
      DefinitionError,
    );
  });
});

test('nobody who is asked can write into what would run', async () => {
  const written: unknown[] = [];
  const needed = ({ interpretation }: Parameters<NonNullable<ApprovalOptions['needed']>>[0]): boolean => {
    written.push(Reflect.set(interpretation.value, 'amount', 1_000_000));
    return false;
  };
  const own = { payment: 'p1', amount: 5 };
  const tools = registryOf({ needed });
  expect((await tools.call(callOf(own))).status).toBe('completed');
  expect(await tools.asks(callOf(own))).toBe(false);
  expect([written, ran]).toEqual([[false, false], [{ payment: 'p1', amount: 5 }]]);
  expect(Object.isFrozen(own)).toBe(false);
});

test.each<[unknown, string]>([
  [undefined, 'was given undefined for its options: write an object.'],
  ['approve', 'was given "approve" for its options: write an object.'],
  [{}, "has no decision: write { decision: 'approve' } or { decision: 'deny' }."],
  [{ decision: 'yes' }, `has "yes" for decision: write { decision: 'approve' } or`],
  [{ decision: 'approve', arguments: '{"amount": 1}' }, 'for arguments: write an object with all arguments'],
  [{ decision: 'approve', arguments: null }, 'has null for arguments: write an object with all arguments'],
  [{ decision: 'approve', arguments: [] }, 'has an array for arguments: write an object with all arguments'],
  [{ decision: 'approve', arguments: new Map() }, 'has an object for arguments: write an object with all'],
  [{ decision: 'approve', argument: {} }, 'has no option "argument": write arguments.'],
  [{ decision: 'deny', arguments: {} }, 'has no option "arguments"'],
  [{ decision: 'deny', message: 5 }, 'has 5 for message: write why, for the model.'],
])('%j is no decision: the developer is told, and the approval stays open', async (decision, message) => {
  const tools = registryOf();
  const approval = stored(await tools.call(callOf(sent)));
  const decided: unknown = Reflect.apply(tools.resolveApproval, tools, [approval, decision]);
  await expect(decided).rejects.toThrow(DefinitionError);
  await expect(decided).rejects.toThrow(message);
  expect(ran).toEqual([]);
  expect((await tools.resolveApproval(approval, approve)).status).toBe('completed');
});

test.each([
  ['', []],
  [', beside interceptors', [(_call, next) => next()]],
] satisfies [string, Interceptor[]][])(
  'cancelling ends a call while somebody thinks whether to ask%s, and nothing starts afterwards',
  async (_title, interceptors) => {
    const controller = new AbortController();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const tools = registryOf({ needed: () => promise }, interceptors);
    const pending = tools.call(callOf(sent), { signal: controller.signal });
    controller.abort('enough');
    expect(await pending).toMatchObject({
      status: 'cancelled',
      when: 'before',
      duration: 0,
      cause: 'enough',
    });
    resolve(false);
    await promise;
    await tools.close();
    expect(ran).toEqual([]);
  },
);

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a text', 'approval'],
  ['a record', { format: 'toolmend.call' }],
  ['a proxy', new Proxy({}, {})],
])('%s is no approval', async (_title, data) => {
  await expect(registryOf().resolveApproval(data, approve)).rejects.toThrow(RecordError);
});

test('listeners hear of it without values, and the counts count a call once', async () => {
  const listener = new RecordingListener();
  const stats = new RepairStats();
  const tools = new ToolRegistry({ approval: {}, listeners: [listener, stats] }).register(Refund);
  const approved = stored(await tools.call(callOf({ payment: 'c4n4ry', amount: 5 })));
  const denied = stored(await tools.call(callOf({ payment: 'c4n4ry', amount: '5' })));
  await tools.resolveApproval(approved, approve);
  await tools.resolveApproval(denied, { decision: 'deny' });
  expect(listener.events.map((event) => ('status' in event ? event.status : event.type))).toEqual([
    'approval_required',
    'tool_input_repaired',
    'approval_required',
    'completed',
    'denied',
  ]);
  expect(JSON.stringify(listener.events)).not.toContain('c4n4ry');
  expect(stats.snapshot()['(unknown model)']?.['refund']).toMatchObject({
    unchanged: 1,
    repaired: 1,
    rejected: 0,
  });
});
