// What every journal does, in memory, in a folder and in PostgreSQL.
import { DefinitionError } from 'toolmend';
import type { Journal, JournalState } from 'toolmend/journal';
import type { NewEntry } from '../../src/store/call-store.ts';

export const entryOf = (more: Partial<NewEntry> = {}): NewEntry => ({
  id: crypto.randomUUID(),
  tenant: '',
  conversation: crypto.randomUUID(),
  callId: 'call_1',
  tool: 'pay',
  sent: '{"n":1}',
  call: {
    format: 'toolmend.call',
    version: 1,
    id: 'call_1',
    tool: 'pay',
    arguments: '{"n":1}',
    meta: {},
    repairs: [],
    notes: [],
  },
  contract: 'sha256:0',
  interpreter: '0.0.0',
  digest: 'sha256:1',
  rerun: 'never',
  hasSecrets: false,
  ...more,
});

export const completed = {
  state: 'ended',
  outcome: { status: 'completed', duration: 1, content: { text: 'paid' }, returnDirect: false },
} as const;
const refused = {
  state: 'not_run',
  outcome: { status: 'limit_exceeded', reason: 'busy', message: 'busy' },
} as const;
const retry = {
  state: 'ended',
  outcome: { status: 'retry', duration: 1, message: 'again' },
} as const;
const run = (entry: NewEntry) => {
  if (entry.call === undefined) throw new Error('has no call');
  return { kind: 'run', call: entry.call, approved: 'sha256:2' } as const;
};

/** `open`: one journal for all tests. */
export function testJournal(open: () => Journal): void {
  const begun = async (entry: NewEntry, state?: JournalState) => {
    const how = state === undefined ? {} : { state };
    expect(await open().begin(entry, how)).toEqual({ kind: 'begun' });
    return entry;
  };

  it.each(['a\0', '\ud800', 'a\udc00b', '\uFFFF"a\\u0000"'])(
    'keeps %j apart from other texts, and reads it back',
    async (text) => {
      const [tenant, conversation] = [text, crypto.randomUUID()];
      const replaced = text.replaceAll('\0', '\uFFFD').toWellFormed();
      const other = replaced === text ? 'a\0' : replaced;
      const more = { conversation, callId: text, sent: text, turn: text, idempotencyKey: text };
      const entry = await begun(entryOf({ tenant, ...more }));
      for (const foreign of [other, `${text}\0`, '\ud801'])
        await begun(entryOf({ ...more, tenant: foreign }));

      expect(await open().list({ tenant, conversation })).toMatchObject([
        { id: entry.id, tenant, callId: text, sent: text, turn: text, idempotencyKey: text },
      ]);
      expect(await open().begin(entryOf({ tenant, ...more }))).toMatchObject({
        kind: 'known',
        entry: { id: entry.id },
      });
      const id = crypto.randomUUID();
      await open().openApproval(entry.id, { id, seal: 's', expiresAfter: 60_000, from: 'running' });
      expect(await open().findApproval(id, tenant)).toMatchObject({
        state: 'open',
        entry: { id: entry.id, idempotencyKey: text },
      });
      expect(await open().findApproval(id, other)).toEqual({ state: 'other_tenant' });
      expect(await open().useApproval(id, other, run(entry))).toBe(false);
      expect(await open().useApproval(id, tenant, run(entry))).toBe(true);
      await open().end(entry.id, completed);
      expect(await open().deliver(other, conversation)).toEqual([]);
      expect(await open().deliver(tenant, conversation)).toMatchObject([{ id: entry.id }]);
    },
  );

  it('reads a call as it was written, with every character', async () => {
    const text = 'a\u2028"\\é😀\uFFFD\uFFFF';
    const entry = await begun(
      entryOf({ tenant: text, callId: text, tool: text, sent: text, idempotencyKey: text }),
    );

    expect(await open().entry(entry.id)).toMatchObject({
      ...entry,
      state: 'running',
      attempts: 1,
      isAbandoned: false,
    });
  });

  it('writes characters that PostgreSQL refuses', async () => {
    const { call: record } = entryOf();
    const call = record && {
      ...record,
      arguments: JSON.stringify({ text: 'a\0b\uD800' }),
      meta: { why: '\0\uDC00' },
    };
    const entry = await begun(
      entryOf({ callId: 'a\0b\uD800', sent: '"\0"', ...(call === undefined ? {} : { call }) }),
    );
    const outcome = { ...completed.outcome, content: { text: 'a\0b' } };

    expect(await open().end(entry.id, { state: 'ended', outcome })).toBe(true);
    expect(await open().entry(entry.id)).toMatchObject({ state: 'ended', outcome, call });
  });

  it('begins one of two calls with the same id in one conversation', async () => {
    const first = entryOf();
    const second = { ...first, id: crypto.randomUUID() };

    const both = await Promise.all([open().begin(first), open().begin(second)]);

    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['begun', 'known']);
  });

  it('begins a call again of which nothing was executed', async () => {
    const first = await begun(entryOf());
    await open().end(first.id, refused);

    await begun({ ...first, id: crypto.randomUUID() });
  });

  it('keeps the idempotency key of a call that completed, and frees that of one that did not', async () => {
    const key = crypto.randomUUID();
    const first = await begun(entryOf({ idempotencyKey: key }));
    expect(await open().begin(entryOf({ idempotencyKey: key }))).toMatchObject({
      kind: 'known',
      entry: { id: first.id },
    });
    await open().end(first.id, retry);
    const second = await begun(entryOf({ idempotencyKey: key }));
    await open().end(second.id, completed);

    expect(await open().begin(entryOf({ idempotencyKey: key }))).toMatchObject({
      kind: 'known',
      entry: { id: second.id },
    });
    await begun(entryOf({ idempotencyKey: key, tenant: 'other' }));
    await begun(entryOf({ idempotencyKey: key, tool: 'other' }));
  });

  it('ends a call once', async () => {
    const entry = await begun(entryOf());

    const ends = await Promise.all([open().end(entry.id, completed), open().end(entry.id, retry)]);

    expect(ends.toSorted()).toEqual([false, true]);
  });

  it('starts a queued call once', async () => {
    const { id } = await begun(entryOf(), 'queued');

    const starts = await Promise.all([open().start(id, ['queued']), open().start(id, ['queued'])]);

    expect(
      starts.filter((entry) => entry?.state === 'running' && entry.attempts === 1),
    ).toHaveLength(1);
    expect(starts.filter((entry) => entry === undefined)).toHaveLength(1);
  });

  it('waits for the end of a call', async () => {
    const { id } = await begun(entryOf());

    const settled = open().settled(id);
    await open().end(id, completed);

    expect(await settled).toMatchObject({ state: 'ended', outcome: completed.outcome });
  });

  it('stops waiting when the signal fires', async () => {
    const { id } = await begun(entryOf());
    const controller = new AbortController();

    const settled = open().settled(id, controller.signal);
    controller.abort();

    expect((await settled)?.state).toBe('running');
  });

  it('uses an approval once, even if two replicas do it at the same moment', async () => {
    const entry = await begun(entryOf());
    const id = crypto.randomUUID();
    await open().openApproval(entry.id, { id, seal: 's', expiresAfter: 60_000, from: 'running' });
    expect((await open().entry(entry.id))?.state).toBe('waiting');
    expect(await open().findApproval(id, '')).toMatchObject({
      state: 'open',
      seal: 's',
      entry: { id: entry.id },
    });

    const uses = await Promise.all([
      open().useApproval(id, '', run(entry)),
      open().useApproval(id, '', run(entry)),
    ]);

    expect(uses.toSorted()).toEqual([false, true]);
    expect(await open().entry(entry.id)).toMatchObject({
      state: 'running',
      approved: 'sha256:2',
      attempts: 2,
    });
    expect((await open().findApproval(id, '')).state).toBe('used');
  });

  it('uses one of several approvals of a call, and opens none for a call that does not wait', async () => {
    const entry = await begun(entryOf());
    const [first, second, late] = [1, 2, 3].map(() => crypto.randomUUID());
    if (first === undefined || second === undefined || late === undefined)
      throw new Error('three ids');
    const asked = (id: string) =>
      ({ id, seal: 's', expiresAfter: 60_000, from: 'waiting' }) as const;
    expect(await open().openApproval(entry.id, { ...asked(first), from: 'running' })).toBe(true);
    expect(await open().openApproval(entry.id, asked(second))).toBe(true);

    expect(await open().useApproval(second, '', run(entry))).toBe(true);
    expect((await open().findApproval(first, '')).state).toBe('used');
    expect(await open().useApproval(first, '', run(entry))).toBe(false);
    expect(await open().useApproval(first, '', { kind: 'end', outcome: retry.outcome })).toBe(
      false,
    );
    expect(await open().openApproval(entry.id, asked(late))).toBe(false);
    expect(await open().entry(entry.id)).toMatchObject({ state: 'running', attempts: 2 });
  });

  it("doesn't use the approval of another tenant", async () => {
    const entry = await begun(entryOf({ tenant: 'acme' }));
    const id = crypto.randomUUID();
    await open().openApproval(entry.id, { id, seal: 's', expiresAfter: 60_000, from: 'running' });

    expect(await open().findApproval(id, 'other')).toEqual({ state: 'other_tenant' });
    expect(await open().useApproval(id, 'other', run(entry))).toBe(false);
    expect(await open().findApproval('not an id', 'acme')).toEqual({ state: 'unknown' });
  });

  it('runs nothing by an approval that has expired, and takes its denial', async () => {
    const entry = await begun(entryOf());
    const id = crypto.randomUUID();
    await open().openApproval(entry.id, { id, seal: 's', expiresAfter: 0, from: 'running' });

    expect((await open().findApproval(id, '')).state).toBe('expired');
    expect(await open().useApproval(id, '', run(entry))).toBe(false);
    expect(await open().useApproval(id, '', { kind: 'end', outcome: retry.outcome })).toBe(true);
    expect((await open().entry(entry.id))?.state).toBe('ended');
  });

  it('counts the running calls of a limit, and not those that wait for approval', async () => {
    const limit = { key: crypto.randomUUID(), running: 1 };
    const first = entryOf();
    expect(await open().begin(first, { limit })).toEqual({ kind: 'begun' });
    expect(await open().begin(entryOf(), { limit })).toEqual({ kind: 'limited', reason: 'busy' });

    const id = crypto.randomUUID();
    await open().openApproval(first.id, { id, seal: 's', expiresAfter: 60_000, from: 'running' });
    const second = entryOf();
    expect(await open().begin(second, { limit })).toEqual({ kind: 'begun' });

    // What was approved runs beside it.
    expect(await open().useApproval(id, '', run(first))).toBe(true);
    await open().end(second.id, completed);
    expect(await open().begin(entryOf(), { limit })).toEqual({ kind: 'limited', reason: 'busy' });
    await open().end(first.id, completed);
    expect(await open().begin(entryOf(), { limit })).toEqual({ kind: 'begun' });
  });

  it('counts the calls that have started in a time, and not those that were not executed', async () => {
    const limit = { key: crypto.randomUUID(), rate: { calls: 1, perMs: 60_000 } };
    const first = entryOf();
    await open().begin(first, { limit });
    await open().end(first.id, refused);

    const second = entryOf();
    expect(await open().begin(second, { limit })).toEqual({ kind: 'begun' });
    await open().end(second.id, completed);
    const limited = { kind: 'limited', reason: 'rate_limit' };
    expect(await open().begin(entryOf(), { limit })).toEqual(limited);
    expect(await open().entry(second.id)).toMatchObject({ state: 'ended' });
  });

  it('lets a call wait for its turn, and knows the same call without a turn', async () => {
    const limit = { key: crypto.randomUUID(), running: 1, waitMs: 60_000 };
    const first = entryOf();
    await open().begin(first, { limit });
    const waiting = open().begin(entryOf(), { limit });
    expect(await open().begin({ ...first, id: crypto.randomUUID() }, { limit })).toMatchObject({
      kind: 'known',
      entry: { id: first.id },
    });

    const over = AbortSignal.timeout(100);
    expect(await open().begin(entryOf(), { limit, signal: over })).toEqual({
      kind: 'limited',
      reason: 'busy',
    });
    await open().end(first.id, completed);
    expect(await waiting).toEqual({ kind: 'begun' });
  });

  it('delivers a late outcome once, to its own conversation', async () => {
    const { id, conversation } = entryOf();
    await open().begin(entryOf({ id, ...(conversation === undefined ? {} : { conversation }) }), {
      isLate: true,
    });
    expect(await open().deliver('', conversation)).toEqual([]);
    await open().end(id, completed);

    expect(await open().deliver('other', conversation)).toEqual([]);
    expect(await open().deliver('', 'other')).toEqual([]);
    expect((await open().deliver('', conversation)).map((entry) => entry.id)).toEqual([id]);
    expect(await open().deliver('', conversation)).toEqual([]);
  });

  it('lists the newest calls first, by what is asked for', async () => {
    const tenant = crypto.randomUUID();
    const one = await begun(entryOf({ tenant }));
    // PGlite's clock has whole milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 5));
    const two = await begun(entryOf({ tenant, tool: 'read' }));
    await open().end(one.id, completed);
    const ids = async (query: object) =>
      (await open().list({ tenant, ...query })).map(({ id }) => id);

    expect(await ids({})).toEqual([two.id, one.id]);
    expect(await ids({ state: 'ended' })).toEqual([one.id]);
    expect(await ids({ tool: 'read' })).toEqual([two.id]);
    expect(await ids({ limit: 1 })).toEqual([two.id]);
    expect(await ids({ before: two.id })).toEqual([one.id]);
    expect(await ids({ before: one.id })).toEqual([]);
  });

  it.each([
    { tenant: undefined },
    { conversation: undefined },
    { tennant: 'a' },
    { state: 'open' },
    { limit: 0 },
  ])('refuses the query %p', async (query) => {
    const given: object = query;
    await expect(open().list(given)).rejects.toThrow(DefinitionError);
  });
}
