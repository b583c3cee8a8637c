// What is left of a journal when its process has ended and another one opens the same place.
import type { Journal, JournalEntry } from 'toolmend/journal';
import type { NewApproval, NewEntry } from '../../src/store/call-store.ts';
import { completed, entryOf } from './port-tests.ts';

/** Where a journal is. */
interface JournalPlace {
  /** Opens the journal of this place, which is closed. */
  open(): Promise<Journal>;
  /** `all`: everything is still there when the place is opened again. `nothing`: nothing is. */
  readonly keeps: 'all' | 'nothing';
}

const cell = {
  model: 'a',
  tool: 'pay',
  definition: 'sha256:0',
  kind: 'form',
  field: '/n',
  sentence: 'n is an integer.',
} as const;
const counts = { calls: 0, misses: 2, shownCalls: 0, shownMisses: 1 };
const answers = [{ question: 'sha256:1', action: 'accept', content: { size: 'small' } }] as const;
const limit = { key: 'payments', rate: { calls: 1, perMs: 24 * 60 * 60_000 } };
const [approvalId, questionId] = [crypto.randomUUID(), crypto.randomUUID()];

function pendingOf({ call }: NewEntry): Pick<NewApproval, 'expiresAfter' | 'from' | 'seal'> & {
  readonly approval: NonNullable<NewApproval['approval']>;
  readonly question: NonNullable<NewApproval['question']>;
} {
  if (call === undefined) throw new Error('has no call');
  const facts = { version: 1, call, expiresAt: '2100-01-01T00:00:00.000Z' } as const;
  const digests = { digest: 'sha256:2', contract: 'sha256:0' };
  return {
    seal: 'a seal',
    expiresAfter: 24 * 60 * 60_000,
    from: 'running',
    approval: { ...facts, ...digests, format: 'toolmend.approval', id: approvalId },
    question: {
      ...facts,
      format: 'toolmend.question',
      id: questionId,
      question: 'Which size?',
      schema: {},
    },
  };
}

/** Calls in every state, by what they are. */
const calls = {
  queued: entryOf(),
  running: entryOf({ rerun: 'allowed' }),
  edited: entryOf(),
  approval: entryOf(),
  question: entryOf(),
  doubted: entryOf(),
  ended: entryOf({ idempotencyKey: 'a key' }),
  late: entryOf(),
  limited: entryOf(),
};

async function write(journal: Journal): Promise<void> {
  const { approval, question, ...pending } = pendingOf(entryOf());
  await journal.define('sha256:0', { name: 'pay' });
  await journal.begin(calls.queued, { state: 'queued' });
  for (const entry of [
    calls.running,
    calls.edited,
    calls.approval,
    calls.question,
    calls.doubted,
    calls.ended,
  ])
    await journal.begin(entry);
  await journal.begin(calls.late, { isLate: true });
  await journal.begin(calls.limited, { limit });
  const { call } = calls.edited;
  if (call === undefined) throw new Error('has no call');
  await journal.edit(calls.edited.id, { ...call, arguments: '{"n":2}' }, call);
  await journal.openApproval(calls.approval.id, { ...pending, id: approvalId, approval });
  await journal.openApproval(calls.question.id, { ...pending, id: questionId, question, answers });
  await journal.doubt(calls.doubted.id);
  for (const { id } of [calls.ended, calls.late, calls.limited])
    await journal.end(id, { ...completed, by: 'Mara' });
  await journal.hintCounts.exchange([{ ...cell, added: counts }]);
}

/** All that a journal says of the calls. Whether a running call is abandoned depends on the time. */
async function read(journal: Journal): Promise<Readonly<Record<string, unknown>>> {
  const timeless = ({ isAbandoned: _byTime, ...entry }: JournalEntry) => entry;
  const approvalNow = await journal.findApproval(approvalId, '');
  const questionNow = await journal.findApproval(questionId, '');
  return {
    entries: (await journal.list({ limit: 1000 })).map(timeless),
    byId: await Promise.all(
      Object.values(calls).map(async ({ id }) => {
        const entry = await journal.entry(id);
        return entry && timeless(entry);
      }),
    ),
    stats: await journal.stats({ by: 'tool' }),
    definition: await journal.definition('sha256:0'),
    hints: await journal.hintCounts.exchange([]),
    approvals: [approvalNow, questionNow],
  };
}

/** Opens the place, writes, closes it, and opens it again. */
export function testReopening({ open, keeps }: JournalPlace): void {
  let [before, after]: Readonly<Record<string, unknown>>[] = [];
  let cursor = '';
  let journal: Journal;
  beforeAll(async () => {
    const first = await open();
    await write(first);
    before = await read(first);
    ({ cursor } = await first.changes());
    await first.close();
    journal = await open();
    after = await read(journal);
  });
  afterAll(() => journal.close());

  if (keeps === 'nothing') {
    it('is empty when it is opened again', async () => {
      expect(before).not.toEqual(after);
      expect(after).toEqual({
        entries: [],
        byId: Object.values(calls).map(() => undefined),
        stats: [],
        definition: undefined,
        hints: [],
        approvals: [{ state: 'unknown' }, { state: 'unknown' }],
      });
      expect(await journal.begin(calls.ended)).toEqual({ kind: 'begun' });
    });
    return;
  }

  it('says the same of every call when it is opened again', () => {
    const { entries, definition, hints } = before ?? {};
    expect(entries).toHaveLength(Object.keys(calls).length);
    expect([definition, hints]).toMatchObject([{ name: 'pay' }, [{ ...cell, ...counts }]]);
    expect(after).toEqual(before);
  });

  it('counts no change between its end and its opening', async () => {
    expect((await journal.changes({ after: cursor })).entries).toEqual([]);
  });

  it('knows the id and the idempotency key of a call, and the starts of a limit', async () => {
    const known = { kind: 'known', entry: { id: calls.ended.id } };
    const { idempotencyKey = '' } = calls.ended;
    const id = crypto.randomUUID();

    expect(await journal.begin({ ...calls.ended, id })).toMatchObject(known);
    expect(await journal.begin(entryOf({ idempotencyKey }))).toMatchObject(known);
    expect(await journal.begin(entryOf(), { limit })).toEqual({
      kind: 'limited',
      reason: 'rate_limit',
    });
  });

  it('delivers a result that nobody has read', async () => {
    const { conversation } = calls.late;
    expect(await journal.deliver('', conversation)).toMatchObject([{ id: calls.late.id }]);
  });

  it('starts what was queued, and goes on after an approval and an answer', async () => {
    const { call } = calls.approval;
    if (call === undefined) throw new Error('has no call');
    const approve = { kind: 'run', call, approved: 'sha256:2' } as const;

    expect(await journal.start(calls.queued.id, ['queued'])).toMatchObject({ attempts: 1 });
    expect(await journal.useApproval(approvalId, '', approve)).toBe(true);
    expect(await journal.useApproval(questionId, '', { kind: 'answer', answers })).toBe(true);
  });

  it('gives up the calls that were running, when their lease is over', async () => {
    const isAbandoned = async () => (await journal.entry(calls.running.id))?.isAbandoned;
    await vi.waitFor(async () => expect(await isAbandoned()).toBe(true), 60_000);

    const taken = await journal.takeAbandoned(10, { definitions: ['sha256:0'] });
    expect(taken.map(({ id }) => id).toSorted()).toEqual(
      [calls.running.id, calls.edited.id].toSorted(),
    );
  });
}
