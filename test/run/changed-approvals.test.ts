// A client holds approvals and sends them back. What runs is the stored call.
import {
  type ApprovalDecision,
  type ApprovalOptions,
  type JsonObject,
  type PendingApproval,
  RecordError,
  type RegistryOptions,
  toolMessage,
  type ToolOutcome,
  ToolRegistry,
} from 'toolmend';
import { type Journal, openJournal } from 'toolmend/journal';
import { callTo, toolOf } from '../tools.ts';

const ran: JsonObject[] = [];
beforeEach(() => void ran.splice(0));

const secret = { type: 'string', 'x-toolmend': { secret: true } } as const;
const tools = {
  refund: { properties: { payment: { type: 'string' }, amount: { type: 'integer' } } },
  drop_table: { properties: { table: { type: 'string' } } },
  pay: { properties: { pin: secret, amount: { type: 'integer' } } },
} as const;

function registryOf(options: RegistryOptions & { readonly journal?: Journal } = {}): ToolRegistry {
  const registry = new ToolRegistry({ approval: {}, ...options });
  for (const [name, { properties }] of Object.entries(tools)) {
    const run = (values: JsonObject): string => {
      ran.push({ tool: name, ...values });
      return `Refunded ${JSON.stringify(values['amount'])}.`;
    };
    const inputSchema = { type: 'object', properties, additionalProperties: false } as const;
    registry.register(toolOf(run, { name, effects: 'destructive', inputSchema }));
  }
  return registry;
}

const call = callTo('refund', { payment: 'p1', amount: 250 });
const named = { id: 'call_1', name: 'refund' };
const approve = { decision: 'approve' } as const;
const deny = { decision: 'deny' } as const;
const approved = { tool: 'refund', payment: 'p1', amount: 250 };

function approvalIn(outcome: ToolOutcome): PendingApproval {
  if (outcome.status !== 'approval_required') throw new Error(`is ${outcome.status}`);
  return JSON.parse(JSON.stringify(outcome.approval));
}

const withCall = (approval: PendingApproval, changes: object) => ({
  ...approval,
  call: { ...approval.call, ...changes },
});

const without = (data: object, member: string): object =>
  Object.fromEntries(Object.entries(data).filter(([key]) => key !== member));

const forgeries: readonly [string, (approval: PendingApproval) => unknown][] = [
  ['other arguments', (one) => withCall(one, { arguments: '{"payment":"mallory","amount":9999}' })],
  [
    'another tool',
    (one) => withCall(one, { tool: 'drop_table', arguments: '{"table":"customers"}' }),
  ],
  ['a tool that does not exist', (one) => withCall(one, { tool: 'nothing' })],
  ['arguments that do not match', (one) => withCall(one, { arguments: '{"amount":"much"}' })],
  ['no call', (one) => without(one, 'call')],
  ['nothing but its id', ({ format, id }) => ({ format, id })],
  ['an end long ago', (one) => ({ ...one, expiresAt: '2000-01-01T00:00:00.000Z' })],
  ['another scope', (one) => ({ ...one, scope: 'mallory' })],
];

describe.each([
  ['without a journal', () => Promise.resolve(undefined)],
  ['with a journal in memory', () => openJournal()],
])('%s', (_title, open) => {
  let journal: Journal | undefined;
  const inJournal = (options: RegistryOptions = {}) =>
    registryOf(journal === undefined ? options : { ...options, journal });
  beforeEach(async () => {
    journal = await open();
  });

  test.each(forgeries)(
    'an approval with %s gives back the stored call with its own approval',
    async (_what, forge) => {
      const registry = inJournal();
      const approval = approvalIn(await registry.call(call));
      for (const decision of [approve, deny, { ...approve, arguments: { amount: 1 } }]) {
        const outcome = await registry.resolveApproval(forge(approval), decision);
        expect(outcome).toMatchObject({ status: 'approval_required', why: 'changed', call: named });
        expect(approvalIn(outcome)).toEqual(approval);
      }
      expect(ran).toEqual([]);
      const outcome = await registry.resolveApproval(forge(approval), approve);
      const clicked = await registry.resolveApproval(approvalIn(outcome), approve);
      expect([clicked.status, ran]).toEqual(['completed', [approved]]);
    },
  );

  test('an unknown id is an error, for whatever call it is sent', async () => {
    const registry = inJournal();
    const approval = approvalIn(await registry.call(call));
    for (const id of [crypto.randomUUID(), '', 'call_1', '__proto__'])
      for (const data of [id, { ...approval, id }])
        for (const decision of [approve, deny]) {
          const decided = registry.resolveApproval(data, decision);
          await expect(decided).rejects.toThrow(RecordError);
          await expect(decided).rejects.toThrow('no approval with this id');
        }
    expect(ran).toEqual([]);
    expect((await registry.resolveApproval(approval, approve)).status).toBe('completed');
  });

  test('the id of an approval is enough', async () => {
    const registry = inJournal();
    const { id } = approvalIn(await registry.call(call));
    expect((await registry.resolveApproval(id, approve)).status).toBe('completed');
    expect(ran).toEqual([approved]);
  });

  test('an approval is of one tenant', async () => {
    const registry = inJournal();
    const approval = approvalIn(await registry.call(call, { tenant: 'acme' }));
    for (const data of [approval, approval.id, withCall(approval, { arguments: '{}' })])
      for (const decision of [approve, deny])
        for (const options of [{}, { tenant: 'other' }])
          await expect(registry.resolveApproval(data, decision, options)).rejects.toThrow(
            'of a call of another tenant',
          );
    const outcome = await registry.resolveApproval(approval, approve, { tenant: 'acme' });
    expect([outcome.status, ran]).toEqual(['completed', [approved]]);
  });

  test('an approval is of one scope', async () => {
    const approval: ApprovalOptions = { scope: ({ user }) => String(user) };
    const registry = inJournal({ approval });
    const [ann, bob] = ['ann', 'bob'].map((user) => ({ context: { user } }));
    const waiting = approvalIn(await registry.call(call, ann));
    for (const data of [waiting, waiting.id, { ...waiting, scope: 'bob' }])
      for (const decision of [approve, deny])
        await expect(registry.resolveApproval(data, decision, bob)).rejects.toThrow(
          'of a call of another scope',
        );
    expect((await registry.resolveApproval(waiting, approve, ann)).status).toBe('completed');
  });

  test('a changed secret is a changed approval', async () => {
    const registry = inJournal();
    const sent = callTo('pay', { pin: 's3cret-1', amount: 5 });
    const approval = approvalIn(await registry.call(sent));
    const forged = withCall(approval, { arguments: '{"pin":"s3cret-2","amount":5}' });
    for (const data of [forged, journal === undefined ? forged : without(approval, 'nonce')])
      for (const decision of [approve, deny]) {
        const decided = registry.resolveApproval(data, decision);
        if (journal === undefined)
          expect(await decided).toMatchObject({ why: 'changed', approval: { id: approval.id } });
        else await expect(decided).rejects.toThrow('differs from the one that was made');
      }
    expect(ran).toEqual([]);
    expect((await registry.resolveApproval(approval, approve)).status).toBe('completed');
    expect(ran).toEqual([{ tool: 'pay', pin: 's3cret-1', amount: 5 }]);
  });

  test('a changed approval makes no second approval', async () => {
    const registry = inJournal();
    const approval = approvalIn(await registry.call(call));
    const ids = await Promise.all(
      forgeries.map(async ([, forge]) =>
        registry.resolveApproval(forge(approval), approve).then(approvalIn),
      ),
    );
    expect(new Set(ids.map(({ id }) => id))).toEqual(new Set([approval.id]));
    const decided = await Promise.all(ids.map((one) => registry.resolveApproval(one, approve)));
    expect(decided.filter(({ status }) => status === 'completed')).toHaveLength(1);
    expect(ran).toEqual([approved]);
  });

  describe('a repeated decision', () => {
    test.each<ApprovalDecision>([approve, deny])(
      '%j on a call that ran says what became of it',
      async (decision) => {
        const registry = inJournal();
        const approval = approvalIn(await registry.call(call));
        await registry.resolveApproval(approval, approve);
        const again = await registry.resolveApproval(approval, decision);
        expect(again).toMatchObject({ status: 'denied', by: 'used' });
        expect(toolMessage(again).text).toBe('refund was executed before: Refunded 250.');
        expect(ran).toEqual([approved]);
      },
    );

    test('on a call that still runs says so', async () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const registry = inJournal().register(toolOf(() => promise, { effects: 'destructive' }));
      const approval = approvalIn(await registry.call(callTo('work')));
      const first = registry.resolveApproval(approval, approve);
      const again = await registry.resolveApproval(approval, approve);
      expect(toolMessage(again).text).toBe(
        'work was approved before, and has not ended yet. Do not send it again: the result will follow.',
      );
      resolve('done');
      expect((await first).status).toBe('completed');
    });

    test('on a call that failed says how', async () => {
      const registry = inJournal().register(
        toolOf(() => Promise.reject(new Error('hidden')), { effects: 'destructive' }),
      );
      const approval = approvalIn(await registry.call(callTo('work')));
      const failed = await registry.resolveApproval(approval, approve);
      const again = await registry.resolveApproval(approval, approve);
      expect(failed.status).toBe('failed');
      expect(toolMessage(again).text).toBe(`work was executed before: ${toolMessage(failed).text}`);
    });

    test('on a call with a long result says how it begins', async () => {
      const registry = inJournal().register(
        toolOf(() => 'x'.repeat(5000), { effects: 'destructive' }),
      );
      const approval = approvalIn(await registry.call(callTo('work')));
      await registry.resolveApproval(approval, approve);
      const again = await registry.resolveApproval(approval, approve);
      expect(toolMessage(again).text).toBe(`work was executed before: ${'x'.repeat(2000)}…`);
    });

    test('on a call that ran by a later approval says what became of it', async () => {
      let amount = 0;
      const registry = inJournal({
        interceptors: [
          (one, next) =>
            one.approval === 'given' && amount === 0
              ? next({ ...one.arguments, amount: (amount = 5) })
              : next(amount === 0 ? undefined : { ...one.arguments, amount }),
        ],
      });
      const approval = approvalIn(await registry.call(call));
      const later = approvalIn(await registry.resolveApproval(approval, approve));
      expect([later.id === approval.id, ran]).toEqual([false, []]);
      expect(toolMessage(await registry.resolveApproval(approval, approve)).text).toMatch(
        /^refund was not executed\./,
      );
      await registry.resolveApproval(later, approve);
      expect(ran).toEqual([{ ...approved, amount: 5 }]);
      for (const one of [approval, later])
        expect(toolMessage(await registry.resolveApproval(one, approve)).text).toBe(
          'refund was executed before: Refunded 5.',
        );
    });

    test('on a denied call says that it was not executed', async () => {
      const registry = inJournal();
      const approval = approvalIn(await registry.call(call));
      await registry.resolveApproval(approval, deny);
      const again = await registry.resolveApproval(approval, approve);
      expect(toolMessage(again).text).toBe(
        'refund was not executed.\nA decision on this call has already been made.',
      );
    });

    test('on a background call says its result once it has ended', async () => {
      const registry = inJournal().register(
        toolOf(() => 'exported', { effects: 'destructive', background: 'always' }),
      );
      const approval = approvalIn(await registry.call(callTo('work')));
      const started = await registry.resolveApproval(approval, approve);
      if (started.status !== 'in_background') throw new Error(started.status);
      await registry.background.wait(started.handle, 1000);
      const again = await registry.resolveApproval(approval, approve);
      expect(toolMessage(again).text).toBe('work was executed before: exported');
    });
  });
});

test('an approval of another process is unknown without a journal', async () => {
  const approval = approvalIn(await registryOf().call(call));
  for (const decision of [approve, deny])
    await expect(registryOf().resolveApproval(approval, decision)).rejects.toThrow(
      'no approval with this id',
    );
  expect(ran).toEqual([]);
});

test('approvals that expired a day ago are forgotten', async () => {
  const registry = registryOf({ approval: { expiresAfter: 60_000 } });
  const [old, new_] = [await registry.call(call), await registry.call(call)].map(approvalIn);
  const { now } = Date;
  try {
    Date.now = () => now() + 60_001;
    expect(await registry.resolveApproval(old, approve)).toMatchObject({ why: 'expired' });
    Date.now = () => now() + 60_001 + 24 * 60 * 60_000;
    await registry.call(call);
    await expect(registry.resolveApproval(new_, approve)).rejects.toThrow(RecordError);
  } finally {
    Date.now = now;
  }
  expect(ran).toEqual([]);
});
