// A run whose process has died is undone in another one, from what the journal has.
import {
  type CallOptions,
  type ToolDefinition,
  type ToolOutcome,
  ToolRegistry,
  ToolRun,
  type UndoCall,
} from 'toolmend';
import type { Journal } from 'toolmend/journal';
import { journalWith } from '../journal-with.ts';
import { callTo, closedTool, never, thrower } from '../tools.ts';

const city = { type: 'string' } as const;
const pin = { type: 'string', 'x-toolmend': { secret: true } } as const;

/** Whose approval is wanted, and what its call would do. */
const offersIn = (outcomes: readonly ToolOutcome[]) =>
  outcomes.map((outcome) =>
    outcome.status === 'approval_required'
      ? [outcome.call.id, outcome.approval.call.arguments]
      : [outcome.call.id, outcome.status],
  );

const approvalIn = (outcome: ToolOutcome | undefined) => {
  if (outcome?.status !== 'approval_required') throw new Error(`is ${outcome?.status}`);
  return outcome.approval;
};

/** `open`: the journals of two replicas. */
export function testUndo(open: () => readonly [Journal, Journal]): void {
  let bookings: Set<string>;
  let runId = '';
  beforeEach(() => {
    bookings = new Set();
    runId = crypto.randomUUID();
  });

  const cancelBooking = (values: object, result: unknown): UndoCall | undefined =>
    Reflect.get(values, 'city') === 'Nowhere'
      ? undefined
      : { tool: 'cancel', arguments: { booking: Reflect.get(Object(result), 'booking') } };

  /** What each replica registers. */
  function replica(journal: Journal, undo: ToolDefinition['undo'] = cancelBooking): ToolRegistry {
    return new ToolRegistry({ approval: { needed: () => false }, journal }).register(
      closedTool<{ city: string }>(
        'book',
        ({ city: place }) => {
          const booking = `hotel in ${place}`;
          bookings.add(booking);
          return { booking };
        },
        { city },
        { undo },
      ),
      closedTool('guard', () => 'locked', { pin }, { undo }),
      closedTool('look', () => [...bookings]),
      closedTool('fail', () => Promise.reject(new Error('full'))),
      closedTool<{ booking: string }>('cancel', ({ booking }) => bookings.delete(booking), {
        booking: city,
      }),
    );
  }

  const book = (tools: ToolRegistry, id: string, value: string, options: CallOptions) =>
    tools.call(callTo('book', { city: value }, { id }), options);

  /** Its calls, in a process that dies then: nothing but the journal remembers them. */
  async function deadRun(options: Omit<CallOptions, 'run'> = {}): Promise<void> {
    const tools = replica(open()[0]);
    const run = new ToolRun({ id: runId });
    await book(tools, 'call_1', 'Graz', { ...options, run });
    await tools.call(callTo('look', {}, { id: 'call_2' }), { ...options, run });
    await book(tools, 'call_3', 'Nowhere', { ...options, run });
    await book(tools, 'call_4', 'Ghent', { ...options, run });
    await tools.call(callTo('fail', {}, { id: 'call_5' }), { ...options, run });
  }

  const places = [
    ['no conversation', {}],
    ['a conversation', { conversation: 'c1' }],
    ['a tenant and turns', { tenant: 'acme', conversation: 'c2', turn: 'answer_1' }],
  ] as const;

  it.each(places)('offers its undo calls on another replica, in %s', async (_name, scope) => {
    const options = 'conversation' in scope ? { ...scope, conversation: runId } : scope;
    await deadRun(options);
    const { tenant } = { tenant: undefined, ...options };
    const where = tenant === undefined ? {} : { tenant };
    const other = replica(open()[1]);

    const offered = await other.undo(runId, where);

    expect(offersIn(offered)).toEqual([
      ['undo_call_4', '{"booking":"hotel in Ghent"}'],
      ['undo_call_1', '{"booking":"hotel in Graz"}'],
    ]);
    expect(bookings).toEqual(new Set(['hotel in Graz', 'hotel in Nowhere', 'hotel in Ghent']));
    await other.resolveApproval(approvalIn(offered[0]).id, { decision: 'approve' }, where);
    await other.resolveApproval(approvalIn(offered[1]).id, { decision: 'deny' }, where);
    expect(bookings).toEqual(new Set(['hotel in Graz', 'hotel in Nowhere']));
  });

  it('offers each once, whichever replica is asked, and says what has become of it', async () => {
    await deadRun();
    const [one, two] = open().map((journal) => replica(journal));
    const offers = await Promise.all([one, two].map(async (tools) => tools?.undo(runId)));

    const ids = offers.map((offered = []) => offered.map((outcome) => approvalIn(outcome).id));
    expect(ids[0]).toHaveLength(2);
    expect(ids[0]).toEqual(ids[1]);
    await two?.resolveApproval(ids[0]?.[0], { decision: 'approve' });
    await one?.resolveApproval(ids[1]?.[1], { decision: 'deny' });

    const again = (await one?.undo(runId)) ?? [];
    expect(offersIn(again)).toEqual([
      ['undo_call_4', 'completed'],
      ['undo_call_1', 'denied'],
    ]);
    expect(bookings).toEqual(new Set(['hotel in Graz', 'hotel in Nowhere']));
  });

  it('goes on after a process that died between two offers', async () => {
    await deadRun();
    const isReached = Promise.withResolvers<void>();
    const [journal, otherJournal] = open();
    const dyingJournal = journalWith(journal, {
      begin(entry, options) {
        if (entry.callId !== 'undo_call_1') return journal.begin(entry, options);
        isReached.resolve();
        return never();
      },
    });

    void replica(dyingJournal).undo(runId);
    await isReached.promise;
    const [firstOffer, ...others] = await otherJournal.list({
      state: 'waiting',
      conversation: runId,
    });
    const offered = await replica(otherJournal).undo(runId);

    expect(others).toEqual([]);
    expect(offersIn(offered).map(([id]) => id)).toEqual(['undo_call_4', 'undo_call_1']);
    expect(approvalIn(offered[0]).id).toBe(firstOffer?.approval?.id);
  });

  it('offers nothing if an undo throws', async () => {
    await deadRun();
    const broken = replica(open()[0], thrower(new Error('no id')));

    await expect(broken.undo(runId)).rejects.toThrow('no id');
    expect(await open()[1].list({ state: 'waiting', conversation: runId })).toEqual([]);
  });

  it('is the same call if the living process had offered it', async () => {
    const tools = replica(open()[0]);
    const run = new ToolRun({ id: runId });
    await book(tools, 'call_1', 'Graz', { run, conversation: runId });

    const offered = await tools.undo(run);
    const afterwards = await replica(open()[1]).undo(runId);

    expect(approvalIn(afterwards[0]).id).toBe(approvalIn(offered[0]).id);
    expect(await tools.undo(run)).toEqual([]);
  });

  it('leaves the calls of other runs and tenants alone', async () => {
    await deadRun({ tenant: 'acme' });
    const other = replica(open()[1]);

    expect(await other.undo(runId)).toEqual([]);
    expect(await other.undo('another run', { tenant: 'acme' })).toEqual([]);
  });

  it('undoes more calls than a page of the journal has', async () => {
    const tools = replica(open()[0]);
    const run = new ToolRun({ id: runId, callLimitPerTool: 200 });
    const numbers = Array.from({ length: 101 }, (_one, index) => index);
    await Promise.all(numbers.map((n) => book(tools, `call_${n}`, `City ${n}`, { run })));

    const offered = await replica(open()[1]).undo(runId);

    expect(new Set(offered.map(({ call }) => call.id))).toEqual(
      new Set(numbers.map((n) => `undo_call_${n}`)),
    );
  });

  it('names a call whose secret arguments the journal does not have, and offers nothing', async () => {
    await deadRun();
    const tools = replica(open()[0]);
    const run = new ToolRun({ id: runId });
    await tools.call(callTo('guard', { pin: 's3cret' }, { id: 'call_6' }), { run });

    const undone = replica(open()[1]).undo(runId);
    await expect(undone).rejects.toThrow(
      'guard (call "call_6") has secret arguments, which the journal does not have',
    );
    expect(await open()[1].list({ state: 'waiting', conversation: runId })).toEqual([]);
  });
}
