// Decisions of people by the requests of the page, for journals of every kind.
import type { Journal } from 'toolmend/journal';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type PageOfPerson,
  type Program,
  bookings,
  refundGate,
  refunds,
  startProgram,
} from './decision-program.ts';

/** `open`: one journal for all tests. */
export function testDecisions(open: () => Journal): void {
  let program: Program;
  let mara: PageOfPerson;
  beforeAll(async () => {
    program = startProgram(open());
    mara = await program.page({ by: 'Mara', tenant: 'acme' });
  });
  beforeEach(() => {
    refunds.length = 0;
    bookings.length = 0;
  });
  afterAll(() => program.close());

  const approve = async (page: PageOfPerson, id: string, more: object = {}) => {
    const { approval } = await page.find(id);
    return page.decide(id, { decision: 'approve', approval, ...more });
  };

  test('a call that waits is listed, with what will run', async () => {
    const id = await program.ask('{"payment":"p1","amount":"250"}');
    const listed = (await mara.list()).find((one) => one.id === id);
    expect(listed).toMatchObject({
      kind: 'approval',
      tool: 'refund',
      model: 'm1',
      effects: 'destructive',
      excerpt: 'payment: p1, amount: 250',
    });
    const found = await mara.find(id);
    expect(found).toMatchObject({ arguments: '{"payment":"p1","amount":250}', withheld: [] });
    expect(found).not.toHaveProperty('obstacle');
    expect(found.schema).toHaveProperty('properties');
    await mara.decide(id, { decision: 'deny' });
  });

  test('approved, it runs once, and the journal has who approved it', async () => {
    const id = await program.ask('{"payment":"p1","amount":"250"}');
    expect(await approve(mara, id)).toEqual({ kind: 'counts', status: 'completed' });
    expect(refunds).toEqual(['p1 250']);
    expect(await open().entry(id)).toMatchObject({ state: 'ended', decidedBy: 'Mara' });
    expect((await mara.list()).map((one) => one.id)).not.toContain(id);
    expect((await mara.find(id)).end).toEqual({ what: 'ran', by: 'Mara' });
  });

  test('a tool that takes longer than a person waits goes on', async () => {
    const id = await program.ask('{"payment":"p1","amount":2}');
    const impatient = await program.page({ by: 'Mara', tenant: 'acme', toolWaitMs: 1 });
    const gate = Promise.withResolvers<void>();
    refundGate.opened = gate.promise;
    expect(await approve(impatient, id)).toEqual({ kind: 'counts', status: 'running' });
    expect(refunds).toEqual([]);
    refundGate.opened = undefined;
    gate.resolve();
    while ((await open().entry(id))?.state !== 'ended') await wait(5);
    expect(refunds).toEqual(['p1 2']);
    expect((await mara.find(id)).end).toEqual({ what: 'ran', by: 'Mara' });
  });

  test('denied with a reason, nothing runs, and the model reads the reason', async () => {
    const id = await program.ask('{"payment":"p1","amount":2}');
    const denial = { decision: 'deny', message: 'Ask for a ticket number first.' };
    expect(await mara.decide(id, denial)).toEqual({ kind: 'counts', status: 'denied' });
    expect(refunds).toEqual([]);
    const entry = await open().entry(id);
    expect(JSON.stringify(entry?.outcome)).toContain('Ask for a ticket number first.');
    expect(entry?.decidedBy).toBe('Mara');
  });

  test('an edit is judged before it runs: what passes, what is repaired, and what does not pass', async () => {
    const id = await program.ask('{"payment":"p1","amount":250}');
    const judge = async (values: object, removed: readonly string[] = []) =>
      (await mara.post(`api/decisions/${id}/judge`, { values, removed })).json();
    expect(await judge({ amount: 200 })).toMatchObject({
      status: 'valid',
      arguments: '{"payment":"p1","amount":200}',
    });
    expect(await judge({ amount: '200' })).toMatchObject({
      status: 'repaired',
      repairs: [{ rule: 'text_to_integer', path: '/amount' }],
      arguments: '{"payment":"p1","amount":200}',
    });
    expect(await judge({ amount: 0 }, ['payment'])).toMatchObject({
      status: 'rejected',
      issues: expect.arrayContaining([
        { name: 'amount', text: expect.stringContaining('at least 1') },
        { name: 'payment', text: expect.any(String) },
      ]),
    });
    const bad = await approve(mara, id, { edit: { values: { amount: 0 } } });
    expect(bad).toMatchObject({ kind: 'refused', judgement: { status: 'rejected' } });
    expect(await approve(mara, id, { edit: { values: { amount: '200' } } })).toEqual({
      kind: 'counts',
      status: 'completed',
    });
    expect(refunds).toEqual(['p1 200']);
  });

  test('of two people, one counts, and the other is told who was first', async () => {
    const id = await program.ask('{"payment":"p2","amount":3}');
    const ada = await program.page({ by: 'Ada', tenant: 'acme' });
    const { approval } = await mara.find(id);
    const results = await Promise.all([
      mara.decide(id, { decision: 'approve', approval }),
      ada.decide(id, { decision: 'deny' }),
    ]);
    const late = results.filter(({ kind }) => kind === 'late');
    expect(late).toHaveLength(1);
    const [first, what] = results[0].kind === 'late' ? ['Ada', 'denied'] : ['Mara', 'ran'];
    expect(late).toEqual([{ kind: 'late', end: { by: first, what } }]);
    expect(refunds).toEqual(what === 'ran' ? ['p2 3'] : []);
    expect(await ada.decide(id, { decision: 'deny' })).toEqual(late[0]);
  });

  test('what a person has not seen is not approved', async () => {
    const id = await program.ask('{"payment":"p2","amount":3}');
    const other = await program.ask('{"payment":"p3","amount":4}');
    const { approval } = await mara.find(other);
    expect(await mara.decide(id, { decision: 'approve', approval })).toEqual({
      kind: 'again',
      why: 'changed',
    });
    expect(refunds).toEqual([]);
    for (const one of [id, other]) await mara.decide(one, { decision: 'deny' });
  });

  test("other tenants' calls are invisible", async () => {
    const id = await program.ask('{"payment":"p9","amount":9}', 'other');
    expect((await mara.list()).map((one) => one.id)).not.toContain(id);
    for (const path of [`api/decisions/${id}`]) {
      expect((await fetch(new URL(path, mara.url))).status).toBe(404);
      expect((await mara.post(path, { decision: 'deny' })).status).toBe(404);
      expect((await mara.post(`${path}/judge`, { values: {} })).status).toBe(404);
    }
    const all = await program.page({});
    expect((await all.list()).map((one) => one.id)).toContain(id);
    expect((await all.find(id)).tenant).toBe('other');
    expect(await all.decide(id, { decision: 'deny' })).toMatchObject({ kind: 'counts' });
  });

  test('a call in doubt is settled, once: with a result, as unknown, or by running again', async () => {
    const doubtful = () => program.leaveInDoubt('{"payment":"p4","amount":5}');
    const [done, unknown, again] = [await doubtful(), await doubtful(), await doubtful()];
    expect(await mara.find(done)).toMatchObject({ kind: 'doubt', attempts: 2 });
    expect(await mara.decide(done, { decision: 'done', result: 'Refunded 5.' })).toEqual({
      kind: 'counts',
      status: 'completed',
    });
    expect(await mara.decide(unknown, { decision: 'give_up' })).toEqual({
      kind: 'counts',
      status: 'failed',
    });
    expect(refunds).toEqual([]);
    expect(await mara.decide(again, { decision: 'run' })).toEqual({
      kind: 'counts',
      status: 'completed',
    });
    expect(refunds).toEqual(['p4 5']);
    expect((await open().entry(again))?.decidedBy).toBe('Mara');
    expect((await mara.find(unknown)).end).toEqual({ what: 'settled', by: 'Mara' });
    expect(await mara.decide(done, { decision: 'run' })).toEqual({
      kind: 'late',
      end: { what: 'ran', by: 'Mara' },
    });
  });

  test('of two people who settle the same call at once, one counts, also without names', async () => {
    const nameless = await program.page({ tenant: 'acme' });
    for (const decision of [
      { decision: 'run' },
      { decision: 'done', result: 'Refunded 5.' },
      { decision: 'give_up' },
    ]) {
      const id = await program.leaveInDoubt('{"payment":"p4","amount":5}');
      const results = await Promise.all([
        nameless.decide(id, decision),
        nameless.decide(id, decision),
      ]);
      expect(results.map(({ kind }) => kind).toSorted()).toEqual(['counts', 'late']);
    }
    expect(refunds).toEqual(['p4 5']);
  });

  describe('a question', () => {
    const answer = async (page: PageOfPerson, id: string, content: object) => {
      const { question } = await page.find(id);
      return page.decide(id, { decision: 'answer', question: question?.id, content });
    };
    const decline = async (page: PageOfPerson, id: string) => {
      const { question } = await page.find(id);
      return page.decide(id, { decision: 'decline', question: question?.id });
    };

    test('is listed with its schema, and judged as a person types', async () => {
      const id = await program.askWhichRoom('monday');
      const listed = (await mara.list()).find((one) => one.id === id);
      expect(listed).toMatchObject({ kind: 'question', tool: 'book_room', effects: 'write' });
      expect(Date.parse(listed?.expiresAt ?? '')).toBeGreaterThan(Date.now());
      const found = await mara.find(id);
      expect(found.question).toMatchObject({
        text: 'Which room on monday?',
        schema: { required: ['room'], properties: { seats: { minimum: 1 } } },
      });
      expect(found.arguments).toBe('{"day":"monday"}');
      const judge = async (values: object) =>
        (await mara.post(`api/decisions/${id}/judge`, { values })).json();
      expect(await judge({ room: 'Attic' })).toMatchObject({ status: 'valid', issues: [] });
      expect(await judge({ room: 'attic', seats: '4' })).toMatchObject({
        status: 'repaired',
        arguments: '{"room":"Attic","seats":4}',
      });
      expect(await judge({ seats: 0 })).toMatchObject({
        status: 'rejected',
        issues: expect.arrayContaining([
          { name: 'seats', text: expect.stringContaining('at least 1') },
          { name: 'room', text: expect.any(String) },
        ]),
      });
      await decline(mara, id);
    });

    test('is answered once, and the tool goes on with the answer as it was judged', async () => {
      const id = await program.askWhichRoom('tuesday');
      expect(await answer(mara, id, { seats: 3 })).toMatchObject({ kind: 'refused' });
      expect(bookings).toEqual([]);
      expect(await answer(mara, id, { room: 'library', seats: '3' })).toEqual({
        kind: 'counts',
        status: 'completed',
      });
      expect(bookings).toEqual(['tuesday Library 3']);
      expect(await open().entry(id)).toMatchObject({ state: 'ended', decidedBy: 'Mara' });
      expect((await mara.find(id)).end).toEqual({ what: 'answered', by: 'Mara' });
      expect((await mara.list()).map((one) => one.id)).not.toContain(id);
      expect(await mara.decide(id, { decision: 'decline', question: 'q' })).toMatchObject({
        kind: 'late',
      });
    });

    test('of two people who answer at once, one counts, and the other is told', async () => {
      const id = await program.askWhichRoom('wednesday');
      const ada = await program.page({ by: 'Ada', tenant: 'acme' });
      const results = await Promise.all([
        answer(mara, id, { room: 'Attic' }),
        answer(ada, id, { room: 'Library' }),
      ]);
      expect(results.map(({ kind }) => kind).toSorted()).toEqual(['counts', 'late']);
      expect(bookings).toHaveLength(1);
    });

    test('that is declined ends in a failure that the journal has', async () => {
      const id = await program.askWhichRoom('thursday');
      expect(await decline(mara, id)).toEqual({ kind: 'counts', status: 'failed' });
      expect(bookings).toEqual([]);
      expect((await mara.find(id)).end).toEqual({ what: 'declined', by: 'Mara' });
    });

    test('that has expired is not answered: the tool went on without an answer', async () => {
      const id = await program.askWhichRoom('yesterday');
      await wait(30);
      const late = await answer(mara, id, { room: 'Attic' });
      expect(late).toMatchObject({ kind: 'late', end: { what: 'expired' } });
      expect(bookings).toEqual([]);
    });

    test('that another person does not see is not answered', async () => {
      const id = await program.askWhichRoom('friday');
      const other = await program.page({ tenant: 'other' });
      expect((await fetch(new URL(`api/decisions/${id}`, other.url))).status).toBe(404);
      const wrong = { decision: 'answer', question: 'another', content: { room: 'Attic' } };
      expect(await mara.decide(id, wrong)).toEqual({ kind: 'again', why: 'changed' });
      expect((await mara.post(`api/decisions/${id}`, { decision: 'answer' })).status).toBe(400);
      expect(bookings).toEqual([]);
      await decline(mara, id);
    });
  });

  test('what looks like a secret is in no byte, and runs as it was sent', async () => {
    const id = await program.ask('{"payment":"p5","amount":"6","api_key":"k-123456"}');
    const found = await mara.find(id);
    expect(found.withheld).toEqual(['api_key']);
    expect(JSON.stringify([found, await mara.list()])).not.toContain('k-123456');
    expect(found.excerpt).toBe('payment: p5, amount: 6');
    expect(await approve(mara, id, { edit: { values: { amount: 7 } } })).toMatchObject({
      kind: 'counts',
    });
    expect(refunds).toEqual(['p5 7 k-123456']);
  });

  test('a call with a declared secret is shown without it, and is decided where it is', async () => {
    const id = await program.ask('{"code":"1234-secret"}', 'acme', 'open_door');
    const found = await mara.find(id);
    expect(found.obstacle).toBe('secrets');
    expect(JSON.stringify(found)).not.toContain('1234-secret');
    expect(await mara.decide(id, { decision: 'approve', approval: 'a' })).toMatchObject({
      kind: 'impossible',
    });
  });

  test('a page without tools shows what waits, and decides nothing', async () => {
    const id = await program.ask('{"payment":"p6","amount":8}');
    const page = await program.page({ tenant: 'acme', tools: undefined });
    expect((await page.list()).find((one) => one.id === id)?.effects).toBe('destructive');
    expect(await page.find(id)).toMatchObject({
      obstacle: 'no_tools',
      arguments: '{"payment":"p6","amount":8}',
    });
    expect(await page.decide(id, { decision: 'deny' })).toMatchObject({ kind: 'impossible' });
    await mara.decide(id, { decision: 'deny' });
  });

  test("another site's page can decide nothing", async () => {
    const id = await program.ask('{"payment":"p7","amount":8}');
    const path = `api/decisions/${id}`;
    const denial = { decision: 'deny' };
    const { host } = mara.url;
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'http://127.0.0.1:1' },
      { 'content-type': 'text/plain' },
    ])
      expect((await mara.post(path, denial, headers)).status).toBe(403);
    const form = await fetch(new URL(path, mara.url), {
      method: 'POST',
      body: JSON.stringify(denial),
      headers: { 'content-type': 'application/json' },
    });
    expect(form.status).toBe(403);
    expect((await mara.find(id)).end).toBeUndefined();
    const own = { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    expect((await mara.post(path, denial, own)).status).toBe(200);
  });

  test.each([
    {},
    { decision: 'approve' },
    { decision: 'maybe' },
    { decision: 'approve', approval: 'a', edit: { values: [] } },
  ])('%j is no decision', async (body) => {
    const id = await program.ask('{"payment":"p8","amount":8}');
    expect((await mara.post(`api/decisions/${id}`, body)).status).toBe(400);
    expect((await mara.find(id)).end).toBeUndefined();
    await mara.decide(id, { decision: 'deny' });
  });
}
