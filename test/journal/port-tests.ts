// What every journal does, in memory, in a folder and in PostgreSQL.
import { DefinitionError } from 'toolmend';
import type { Journal, JournalState, StatsQuery } from 'toolmend/journal';
import { JournalCalls } from '../../src/page/journal-calls.ts';
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
  status: 'valid',
  rules: [],
  issues: [],
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

  it('writes a refused call beside the call that has its id', async () => {
    const first = await begun(entryOf());
    const refusedCall = { ...first, id: crypto.randomUUID() };
    const { outcome } = refused;

    expect(await open().begin(refusedCall, { state: 'not_run', outcome })).toEqual({
      kind: 'begun',
    });
    expect(await open().entry(refusedCall.id)).toMatchObject({ state: 'not_run', outcome });
    expect(await open().begin({ ...first, id: crypto.randomUUID() })).toMatchObject({
      kind: 'known',
      entry: { id: first.id },
    });
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

  it('keeps who decided: about an approval, and about a call in doubt', async () => {
    const waiting = await begun(entryOf());
    const id = crypto.randomUUID();
    await open().openApproval(waiting.id, { id, seal: '', expiresAfter: 60_000, from: 'running' });
    await open().useApproval(id, '', { ...run(waiting), by: 'Mara\0' });
    const [settled, again] = [await begun(entryOf()), await begun(entryOf())];
    for (const { id: doubtful } of [settled, again]) await open().doubt(doubtful);
    await open().end(settled.id, { ...completed, by: 'Ada' }, ['in_doubt']);
    await open().start(again.id, ['in_doubt'], 'Bo');

    for (const { id: running } of [waiting, again]) await open().end(running, completed);

    const deciders = [waiting, settled, again].map(async (entry) => open().entry(entry.id));
    expect((await Promise.all(deciders)).map((entry) => entry?.decidedBy)).toEqual([
      'Mara\0',
      'Ada',
      'Bo',
    ]);
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

  it('keeps a question with its call, and the answers of a call that runs again', async () => {
    const entry = await begun(entryOf());
    const asked = (id: string) => {
      const { call } = entry;
      if (call === undefined) throw new Error('has no call');
      const expiresAt = new Date(0).toISOString();
      const form = { format: 'toolmend.question', version: 1 } as const;
      const question = { ...form, id, call, question: 'Which? \0', schema: {}, expiresAt };
      return { id, seal: 's', expiresAfter: 0, from: 'running', question } as const;
    };
    const answers = (...contents: readonly number[]) =>
      contents.map((n) => ({ question: `sha256:${n}`, action: 'accept', content: { n } }) as const);
    const [first, second] = [asked(crypto.randomUUID()), asked(crypto.randomUUID())];
    const { conversation = '' } = entry;

    expect(await open().openApproval(entry.id, { ...first, answers: [] })).toBe(true);
    expect(await open().list({ conversation, state: 'waiting' })).toMatchObject([
      { id: entry.id, question: first.question, answers: [] },
    ]);
    const use = { kind: 'answer', answers: answers(1) } as const;
    const uses = await Promise.all([
      open().useApproval(first.id, '', use),
      open().useApproval(first.id, '', use),
    ]);
    expect(uses.toSorted()).toEqual([false, true]);
    expect(await open().entry(entry.id)).toMatchObject({
      state: 'running',
      attempts: 2,
      call: entry.call,
      answers: answers(1),
    });
    expect(await open().openApproval(entry.id, { ...second, answers: answers(2) })).toBe(true);
    expect(await open().findApproval(second.id, '')).toMatchObject({
      state: 'expired',
      entry: { id: entry.id, answers: answers(2) },
      question: second.question,
    });
    expect((await open().findApproval(first.id, '')).state).toBe('used');
  });

  it('lets a call that was cancelled meanwhile wait for nothing', async () => {
    const entry = await begun(entryOf({ idempotencyKey: crypto.randomUUID() }));
    const during = { status: 'cancelled', when: 'during', duration: 0, message: 'm' } as const;
    expect(await open().cancelWithKey(entry.id, during)).toBe(true);

    const question = {
      id: crypto.randomUUID(),
      seal: 's',
      expiresAfter: 1,
      from: 'running',
    } as const;
    expect(await open().openApproval(entry.id, question)).toBe(false);
    expect(await open().entry(entry.id)).toMatchObject({ state: 'running', outcome: during });
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
    { field: '/path' },
    { rule: 'drop_null', issue: 'required' },
  ])('refuses the query %p', async (query) => {
    const given: object = query;
    await expect(open().list(given)).rejects.toThrow(DefinitionError);
  });

  it('adds up the counts of hints, and one decision of several holds', async () => {
    const definition = `sha256:${crypto.randomUUID()}`;
    const total = {
      model: 'a\0',
      tool: 'pay',
      definition,
      kind: '',
      field: '',
      sentence: '',
    } as const;
    const cell = { ...total, kind: 'form', field: '/n', sentence: 'n is an integer.' } as const;
    const none = { calls: 0, misses: 0, shownCalls: 0, shownMisses: 0 };
    const { hintCounts } = open();
    await hintCounts.exchange([{ ...total, added: { ...none, calls: 3 } }]);
    await Promise.all([
      hintCounts.exchange([
        { ...total, added: { ...none, calls: 4 } },
        { ...cell, added: { ...none, misses: 1, shownCalls: 2 } },
      ]),
      hintCounts.exchange([{ ...cell, added: { ...none, misses: 5, shownMisses: 1 } }]),
    ]);
    const trial = { state: 'trial', look: 400, callsBefore: 7, missesBefore: 6 } as const;
    const decide = (state: 'trial' | 'dropped') =>
      hintCounts.exchange([
        { ...cell, added: none, decided: { from: 100, trial: { ...trial, state } } },
      ]);
    await decide('trial');
    await decide('dropped');
    const rows = await hintCounts.exchange([]);
    const own = rows.filter((row) => row.definition === definition);

    expect(own).toHaveLength(2);
    expect(own).toContainEqual(expect.objectContaining({ ...total, calls: 7 }));
    expect(own).toContainEqual({
      ...cell,
      calls: 0,
      misses: 6,
      shownCalls: 2,
      shownMisses: 1,
      trial,
    });
  });

  describe('what pages and reports read', () => {
    const repair = (rule: string, path: string) => ({
      rule,
      path,
      was: '…',
      shownToModel: false,
      operations: [],
    });
    const repaired = (more: Partial<NewEntry>): NewEntry => {
      const { call } = entryOf();
      if (call === undefined) throw new Error('has no call');
      const repairs = [repair('drop_null', '/items/0/note'), repair('drop_null', '/items/7/note')];
      return entryOf({
        status: 'repaired',
        rules: ['drop_null'],
        call: { ...call, repairs },
        ...more,
      });
    };
    const rejected = (more: Partial<NewEntry>): NewEntry => {
      const issue = { keyword: 'required', path: '/items/3', key: 'a/b' };
      const { call: _call, ...entry } = entryOf({ status: 'rejected', issues: [issue], ...more });
      return entry;
    };
    const noRun = {
      state: 'not_run',
      outcome: { status: 'invalid_arguments', failures: 1, message: 'items[3].a/b is missing' },
    } as const;
    const timedOut = {
      status: 'timed_out',
      duration: 5,
      timeoutMs: 5,
      setBy: 'tool',
      message: 'took too long',
    } as const;

    /** Five calls of two models, two tools and two releases. */
    const fiveCalls = async () => {
      const tenant = crypto.randomUUID();
      const old = { tenant, model: 'small', release: '1.0.0', run: `${tenant}-1` };
      const now = { tenant, model: 'large\0', release: '1.1.0', run: `${tenant}-2` };
      const entries = {
        valid: await begun(entryOf({ ...now, provider: 'openai' })),
        mended: await begun(repaired(old)),
        failed: await begun(repaired({ ...old, tool: 'read' })),
        unread: rejected(old),
        unnamed: rejected({
          tenant,
          tool: 'nothing',
          issues: [{ keyword: 'unknown_tool', path: '' }],
        }),
      };
      for (const { id } of [entries.valid, entries.mended]) await open().end(id, completed);
      await open().end(entries.failed.id, { state: 'ended', outcome: timedOut });
      for (const entry of [entries.unread, entries.unnamed]) await open().begin(entry, noRun);
      return { tenant, ...entries };
    };

    it('reads the facts of a call as they were written, and how it went', async () => {
      const { valid, mended, failed, unread } = await fiveCalls();

      expect(await open().entry(valid.id)).toMatchObject({
        model: 'large\0',
        provider: 'openai',
        run: valid.run,
        release: '1.1.0',
        status: 'valid',
        rules: [],
        issues: [],
      });
      expect(await open().entry(mended.id)).toMatchObject({
        status: 'repaired',
        rules: ['drop_null'],
      });
      expect(await open().entry(failed.id)).toMatchObject({
        status: 'failed',
        rules: ['drop_null'],
      });
      expect(await open().entry(unread.id)).toMatchObject({
        status: 'rejected',
        model: 'small',
        run: unread.run,
        issues: unread.issues,
      });
    });

    it('lists calls by model, tool, status, rule, issue, run, release and time', async () => {
      const { tenant, ...entries } = await fiveCalls();
      const names = async (query: object): Promise<readonly string[]> => {
        const listed = await open().list({ tenant, ...query });
        const nameOf = (id: string) =>
          Object.entries(entries).find(([, one]) => one.id === id)?.[0];
        return listed.map(({ id }) => nameOf(id) ?? id).toSorted();
      };
      const { createdAt = '' } = (await open().entry(entries.mended.id)) ?? {};
      const created = new Date(createdAt);

      expect(await names({ model: 'large\0' })).toEqual(['valid']);
      expect(await names({ model: 'small' })).toEqual(['failed', 'mended', 'unread']);
      expect(await names({ tool: 'read' })).toEqual(['failed']);
      expect(await names({ status: 'rejected' })).toEqual(['unnamed', 'unread']);
      expect(await names({ status: 'failed' })).toEqual(['failed']);
      expect(await names({ status: 'valid' })).toEqual(['valid']);
      expect(await names({ rule: 'drop_null' })).toEqual(['failed', 'mended']);
      expect(await names({ rule: 'drop_null', status: 'repaired' })).toEqual(['mended']);
      expect(await names({ rule: 'required' })).toEqual([]);
      expect(await names({ issue: 'required' })).toEqual(['unread']);
      expect(await names({ issue: 'required', field: '/items/*/a~1b' })).toEqual(['unread']);
      expect(await names({ issue: 'required', field: '/items' })).toEqual([]);
      expect(await names({ issue: 'drop_null' })).toEqual([]);
      expect(await names({ release: '1.0.0' })).toEqual(['failed', 'mended', 'unread']);
      expect(await names({ release: '1.1.0', status: 'repaired' })).toEqual([]);
      expect(await names({ run: entries.valid.run })).toEqual(['valid']);
      expect(await names({ since: created, rule: 'drop_null' })).toContain('mended');
      expect(await names({ until: created })).not.toContain('mended');
      expect(await names({ since: new Date(created.getTime() + 60_000) })).toEqual([]);
      const [, last] = await open().list({ tenant, rule: 'drop_null' });
      const [first] = await open().list({ tenant, rule: 'drop_null', limit: 1 });
      expect(await open().list({ tenant, rule: 'drop_null', before: first?.id ?? '' })).toEqual([
        last,
      ]);
    });

    it('counts calls by model, tool, release, rule and issue', async () => {
      const { tenant } = await fiveCalls();
      const none = { valid: 0, repaired: 0, rejected: 0, failed: 0 };
      const stats = (query: Omit<StatsQuery, 'tenant'>) => open().stats({ tenant, ...query });

      expect(await stats({ by: [] })).toEqual([
        { calls: 5, valid: 1, repaired: 1, rejected: 2, failed: 1 },
      ]);
      expect(await stats({ by: 'model' })).toEqual([
        { ...none, model: 'small', calls: 3, repaired: 1, rejected: 1, failed: 1 },
        { ...none, calls: 1, rejected: 1 },
        { ...none, model: 'large\0', calls: 1, valid: 1 },
      ]);
      expect(await stats({ by: ['model', 'tool'], model: 'small' })).toEqual([
        { ...none, model: 'small', tool: 'pay', calls: 2, repaired: 1, rejected: 1 },
        { ...none, model: 'small', tool: 'read', calls: 1, failed: 1 },
      ]);
      expect(await stats({ by: 'release', tool: 'pay' })).toEqual([
        { ...none, release: '1.0.0', calls: 2, repaired: 1, rejected: 1 },
        { ...none, release: '1.1.0', calls: 1, valid: 1 },
      ]);
      expect(await stats({ by: 'rule' })).toEqual([
        { ...none, rule: 'drop_null', calls: 2, repaired: 1, failed: 1 },
      ]);
      expect(await stats({ by: ['tool', 'issue'] })).toEqual([
        { ...none, tool: 'nothing', issue: 'unknown_tool', field: '', calls: 1, rejected: 1 },
        { ...none, tool: 'pay', issue: 'required', field: '/items/*/a~1b', calls: 1, rejected: 1 },
      ]);
      expect(await stats({ by: 'tool', release: '2.0.0' })).toEqual([]);
    });

    it('has the calls of each kind of alarm, in their order', async () => {
      const tenant = crypto.randomUUID();
      const silentRun = { tenant, tool: 'pay', run: `${tenant}-1` };
      const stubbornRun = { tenant, tool: 'read', run: `${tenant}-2` };
      const releaseCalls = { tenant, tool: 'search', run: `${tenant}-3` };
      const times = <One>(count: number, make: () => One): readonly One[] =>
        Array.from({ length: count }, make);
      const valid = async (more: Partial<NewEntry>) =>
        open().end((await begun(entryOf(more))).id, completed);
      await valid(silentRun);
      for (const entry of times(5, () => rejected(stubbornRun))) await open().begin(entry, noRun);
      await Promise.all(times(30, () => valid({ ...releaseCalls, release: '1.0.0' })));
      const mended = times(30, () => repaired({ ...releaseCalls, release: '1.1.0' }));
      await Promise.all(mended.map((entry) => begun(entry)));
      await Promise.all(mended.map(({ id }) => open().end(id, completed)));
      // PGlite's clock has whole milliseconds.
      await new Promise((resolve) => setTimeout(resolve, 5));
      await open().begin(rejected(silentRun), noRun);
      await valid(stubbornRun);
      const calls = new JournalCalls(open(), { source: 'journal', tenant });
      const { alarms, runs } = await calls.alarms(undefined, Date.now() + 11 * 60_000);

      expect(runs).toBe(2);
      expect(alarms).toHaveLength(3);
      expect(alarms).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            kind: 'silent',
            tool: 'pay',
            calls: [
              expect.objectContaining({ status: 'valid' }),
              expect.objectContaining({ status: 'rejected' }),
            ],
          }),
          expect.objectContaining({
            kind: 'repeated',
            tool: 'read',
            times: 5,
            issues: ['required /items/*/a~1b'],
          }),
          expect.objectContaining({
            kind: 'rate',
            tool: 'search',
            status: 'repaired',
            before: { release: '1.0.0', valid: 30, repaired: 0, rejected: 0, failed: 0 },
            after: { release: '1.1.0', valid: 0, repaired: 30, rejected: 0, failed: 0 },
          }),
        ]),
      );
    });

    it('counts calls by steps of time, those at its beginning included and those at its end not', async () => {
      const { tenant, valid } = await fiveCalls();
      const { createdAt = '' } = (await open().entry(valid.id)) ?? {};
      const created = Date.parse(createdAt);
      const stepMs = 86_400_000;
      const rows = await open().stats({ tenant, by: 'time', stepMs });
      const sumOf = (all: readonly { readonly calls: number }[]) =>
        all.reduce((sum, { calls }) => sum + calls, 0);

      expect(sumOf(rows)).toBe(5);
      expect(rows[0]?.time).toBe(new Date(Math.floor(created / stepMs) * stepMs).toISOString());
      const all = await open().stats({ tenant, by: [], since: new Date(created) });
      const noneYet = await open().stats({ tenant, by: [], until: new Date(created) });
      expect([sumOf(all), sumOf(noneYet)]).toEqual([5, 0]);
    });

    it('reads what has changed since a cursor, in pages, and loses nothing', async () => {
      const tenant = crypto.randomUUID();
      const { cursor: start } = await open().changes({ tenant });
      const entries = [];
      for (let n = 0; n < 5; n += 1) entries.push(await begun(entryOf({ tenant })));
      const [first, second] = entries;
      if (first === undefined || second === undefined) throw new Error('five calls');
      const read = async (after: string) => {
        const states = new Map<string, string>();
        for (let cursor = after; ;) {
          const page = await open().changes({ tenant, after: cursor, limit: 2 });
          for (const { id, state } of page.entries) states.set(id, state);
          cursor = page.cursor;
          if (!page.hasMore) return { states, cursor };
        }
      };

      const all = await read(start);
      expect([...all.states.keys()].toSorted()).toEqual(entries.map(({ id }) => id).toSorted());
      await open().end(first.id, completed);
      const id = crypto.randomUUID();
      await open().openApproval(second.id, { id, seal: '', expiresAfter: 60_000, from: 'running' });
      const later = await read(all.cursor);
      expect(later.states.get(first.id)).toBe('ended');
      expect(later.states.get(second.id)).toBe('waiting');
      const other = await begun(entryOf());
      expect((await read(later.cursor)).states.has(other.id)).toBe(false);
      expect([...(await read(start)).states.keys()].toSorted()).toEqual(
        entries.map((entry) => entry.id).toSorted(),
      );
    });

    it('reads the changes of all tenants if none is named', async () => {
      const { cursor } = await open().changes();
      const entries = [await begun(entryOf({ tenant: 'one' })), await begun(entryOf())];

      const { entries: changedEntries } = await open().changes({ after: cursor, limit: 1000 });
      const ids = changedEntries.map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining(entries.map(({ id }) => id)));
    });

    it.each<readonly [string, object]>([
      ['nothing to count by', {}],
      ['an unknown dimension', { by: 'colour' }],
      ['time without a step', { by: 'time' }],
      ['a step without time', { by: 'model', stepMs: 1000 }],
      ['rules and issues at once', { by: ['rule', 'issue'] }],
      ['a tenant that is missing', { by: 'model', tenant: undefined }],
      ['a time as text', { by: 'model', since: '2026-01-01' }],
    ])('refuses to count by %s', async (_what, query) => {
      const given: StatsQuery = { by: [], ...query };
      const { by: _by, ...none } = given;
      await expect(open().stats('by' in query ? given : Object(none))).rejects.toThrow(
        DefinitionError,
      );
    });

    it('refuses a cursor that no answer had', async () => {
      await expect(open().changes({ after: 'x' })).rejects.toThrow('was given an unknown cursor');
    });
  });
}
