// What the page reads of a journal, whatever it is in.
import { setTimeout as wait } from 'node:timers/promises';
import { ToolRegistry, ToolRun, defineTool } from 'toolmend';
import type { Journal, StatsRow } from 'toolmend/journal';
import { JournalCalls } from '../../src/page/journal-calls.ts';
import type { CallFilter, ListedCall } from '../../src/page/page-data.ts';

const list = defineTool({
  name: 'list_files',
  description: 'Lists files.',
  inputSchema: {
    type: 'object',
    properties: { paths: { type: 'array', items: { type: 'string' } }, api_key: {} },
    required: ['paths'],
    additionalProperties: false,
  },
  execute: ({ paths }) => `listed ${JSON.stringify(paths)}`,
});
const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: {
    type: 'object',
    properties: { pin: { type: 'string', writeOnly: true }, amount: { type: 'integer' } },
    required: ['pin', 'amount'],
  },
  execute: () => {
    throw new Error('no money');
  },
});
const drop = defineTool({
  name: 'drop_table',
  effects: 'destructive',
  description: 'Drops a table.',
  inputSchema: { type: 'object', properties: { table: { type: 'string' } }, required: ['table'] },
  execute: () => 'dropped',
});

export function testJournalSource(open: () => Journal): void {
  /** Seven calls of a tenant: two models, two releases, one run. */
  async function makeCalls(tenant: string): Promise<void> {
    const run = new ToolRun({ id: tenant });
    const inRelease = (release: string): ToolRegistry =>
      new ToolRegistry({ journal: open(), release, approval: {} }).register(list, pay, drop);
    const [first, second] = [inRelease('1.0'), inRelease('1.1')];
    const call = (tools: ToolRegistry, name: string, sent: string, model: string) =>
      tools.call({ id: `call_${name}`, name, arguments: sent, model }, { tenant, run });
    await call(first, 'list_files', '{"paths":["a"]}', 'large');
    await call(first, 'list_files', '{"paths":"[\\"a\\"]"}', 'small');
    await call(first, 'list_files', '{"path":"a","depth":1}', 'small');
    await call(second, 'list_files', '{"paths":["ghp_aaaaaaaaaaaa"],"api_key":"k-bbbb"}', 'small');
    await call(second, 'pay', '{"pin":"p-cccc","amount":"5"}', 'small');
    await call(second, 'drop_table', '{"table":"users"}', 'large');
    await call(second, 'rm', '{"all":true}', 'large');
  }

  const calls = (tenant?: string): JournalCalls =>
    new JournalCalls(open(), { source: 'a test', tenant });
  const listed = async (tenant: string, filter: CallFilter = {}): Promise<readonly ListedCall[]> =>
    (await calls(tenant).list({ filter, since: 0, limit: 100 })).calls;

  it('lists the calls of a tenant, the newest first, with what happened', async () => {
    const tenant = crypto.randomUUID();
    await makeCalls(tenant);
    const wrong = 'required /paths, additionalProperties /path, additionalProperties /depth';
    expect(
      (await listed(tenant)).map(({ tool, model, status, state, rules, issues, release }) => [
        release,
        tool,
        model,
        state ?? status,
        [...rules.map((one) => one.rule), ...issues].join(', '),
      ]),
    ).toEqual([
      ['1.1', 'rm', 'large', 'rejected', 'unknown_tool'],
      ['1.1', 'drop_table', 'large', 'waiting', ''],
      ['1.1', 'pay', 'small', 'failed', 'text_to_integer'],
      ['1.1', 'list_files', 'small', 'valid', ''],
      ['1.0', 'list_files', 'small', 'rejected', wrong],
      ['1.0', 'list_files', 'small', 'repaired', 'json_text_to_array'],
      ['1.0', 'list_files', 'large', 'valid', ''],
    ]);
    expect(await listed('another')).toEqual([]);
  });

  it('finds calls by what the page filters, and counts them by status', async () => {
    const tenant = crypto.randomUUID();
    await makeCalls(tenant);
    const filters: readonly (readonly [CallFilter, number])[] = [
      [{ model: 'small' }, 4],
      [{ model: 'Small' }, 0],
      [{ tool: 'list_files', status: 'valid' }, 2],
      [{ status: 'none' }, 0],
      [{ rule: 'text_to_integer' }, 1],
      [{ issue: 'required /paths' }, 1],
      [{ issue: 'required /path' }, 0],
      [{ issue: 'unknown_tool' }, 1],
      [{ release: '1.1' }, 4],
      [{ run: tenant }, 7],
      [{ text: 'DROP' }, 1],
      [{ rule: 'text_to_integer', issue: 'required /paths' }, 0],
    ];
    for (const [filter, count] of filters) {
      expect([filter, (await listed(tenant, filter)).length]).toEqual([filter, count]);
      const counts = await calls(tenant).counts({ filter, since: 0 });
      if (counts === undefined || filter.status !== undefined) continue;
      const { valid, repaired, rejected, failed } = counts;
      expect([filter, valid + repaired + rejected + failed]).toEqual([filter, count]);
    }
  });

  it('pages follow each other without a gap, also if few calls match', async () => {
    const tenant = crypto.randomUUID();
    await makeCalls(tenant);
    for (const filter of [{}, { text: 'list_files' }]) {
      const ids: string[] = [];
      for (let before: string | undefined; ;) {
        const query = { filter, since: 0, limit: 2, ...(before === undefined ? {} : { before }) };
        const page = await calls(tenant).list(query);
        ids.push(...page.calls.map(({ id }) => id));
        if (page.next === undefined) break;
        before = page.next;
      }
      expect(ids).toEqual((await listed(tenant, filter)).map(({ id }) => id));
    }
  });

  it('shows what was sent and used, the repairs, the message, the result and the run', async () => {
    const tenant = crypto.randomUUID();
    await makeCalls(tenant);
    const [, , , , rejected, repaired] = await listed(tenant);
    const detail = await calls(tenant).call(repaired?.id ?? '');
    expect(detail).toMatchObject({
      sent: '{"paths":"[\\"a\\"]"}',
      used: '{"paths":["a"]}',
      result: 'listed ["a"]',
      attempts: 1,
      repairs: [{ rule: 'json_text_to_array', path: '/paths' }],
    });
    expect(detail?.run).toHaveLength(7);
    expect(JSON.parse(detail?.line ?? '')).toMatchObject({
      tool: 'list_files',
      expect: { outcome: 'repaired', value: { paths: ['a'] } },
    });
    expect(await calls(tenant).call(rejected?.id ?? '')).toMatchObject({
      sent: '{"path":"a","depth":1}',
      message: expect.stringMatching(/^list_files was not executed\.\n/),
      issues: expect.arrayContaining([{ keyword: 'required', path: '', key: 'paths' }]),
    });
    expect(await calls('another').call(repaired?.id ?? '')).toBeUndefined();
  });

  it('has no secret in any byte', async () => {
    const tenant = crypto.randomUUID();
    await makeCalls(tenant);
    const rows = await listed(tenant);
    const details = await Promise.all(rows.map(({ id }) => calls(tenant).call(id)));
    expect(JSON.stringify([rows, details])).not.toMatch(/ghp_a|k-bbbb|p-cccc/);
    expect(details[3]?.sent).toBe('{"paths":["(left out)"],"api_key":"(left out)"}');
    expect(details[2]).toMatchObject({ missing: 'secrets' });
  });

  it('has the numbers of journal.stats', async () => {
    const tenant = crypto.randomUUID();
    const since = new Date(Date.now() - 60_000);
    await makeCalls(tenant);
    // Databases have their own clock.
    const until = new Date(Date.now() + 60_000);
    const numbers = await calls(tenant).numbers(since.getTime(), until.getTime());
    const stats = (by: 'tool' | 'rule' | 'issue' | 'release'): Promise<readonly StatsRow[]> =>
      open().stats({ by, tenant, since, until });
    expect(numbers.total).toEqual({ valid: 3, repaired: 1, rejected: 2, failed: 1 });
    expect(sum(numbers.steps)).toBe(7);
    expect(numbers.before).toEqual({ valid: 0, repaired: 0, rejected: 0, failed: 0 });
    for (const { tool, calls: count } of await stats('tool'))
      expect(sum(numbers.cells.filter((cell) => cell.tool === tool))).toBe(count);
    expect(numbers.mistakes).toEqual([
      { model: 'small', calls: 4, repaired: 1, refused: 1 },
      { model: 'large', calls: 3, repaired: 0, refused: 1 },
    ]);
    expect(numbers.rules).toEqual([{ rule: 'json_text_to_array', calls: 1 }]);
    const counted = new Map(
      (await stats('issue')).map(({ issue = '', field = '', calls: count }) => [
        `${issue} ${field}`.trim(),
        count,
      ]),
    );
    expect(new Map(numbers.issues.map(({ issue, calls: count }) => [issue, count]))).toEqual(
      counted,
    );
    expect(numbers.releases.map((release) => [release.release, sum([release])])).toEqual([
      ['1.0', 3],
      ['1.1', 4],
    ]);
    const ever = await calls(tenant).numbers(undefined, until.getTime());
    expect([sum(ever.cells), sum(ever.steps), ever.before]).toEqual([7, 7, undefined]);
  });

  it('tells of new and changed calls of its tenant, also of those between two connections', async () => {
    const tenant = crypto.randomUUID();
    const told = new Recorder();
    const stop = calls(tenant).follow(undefined, told);
    await told.until(() => told.cursor !== '');
    await makeCalls(tenant);
    await makeCalls(`${tenant}-other`);
    await told.until(() => told.states.size === 7);
    stop();
    const { cursor } = told;
    await makeCalls(tenant);
    const again = new Recorder();
    const stopAgain = calls(tenant).follow(cursor, again);
    await again.until(() => again.states.size === 7);
    await wait(600);
    stopAgain();
    expect(again.resets).toBe(0);
    const missed = new Set((await listed(tenant)).slice(0, 7).map(({ id }) => id));
    expect(new Set(again.states.keys())).toEqual(missed);
    const rows = new Map((await listed(tenant)).map((call) => [call.id, call]));
    for (const [id, call] of [...told.states, ...again.states]) expect(call).toEqual(rows.get(id));
  });

  it('takes the cursor of something else for a reset', async () => {
    const told = new Recorder();
    const stop = calls().follow('calls.7', told);
    await told.until(() => told.resets === 1);
    stop();
  });
}

const sum = (
  rows: readonly { valid: number; repaired: number; rejected: number; failed: number }[],
): number =>
  rows.reduce(
    (all, { valid, repaired, rejected, failed }) => all + valid + repaired + rejected + failed,
    0,
  );

/** What a reader is told: the last state of each call. */
class Recorder {
  readonly states = new Map<string, ListedCall>();
  cursor = '';
  resets = 0;

  onCalls({
    calls,
    cursor,
  }: {
    readonly calls: readonly ListedCall[];
    readonly cursor: string;
  }): void {
    for (const call of calls) this.states.set(call.id, call);
    this.cursor = cursor;
  }

  onReset(cursor: string): void {
    this.resets += 1;
    this.cursor = cursor;
  }

  onLost(): void {
    throw new Error('lost');
  }

  async until(isDone: () => boolean): Promise<void> {
    while (!isDone()) await wait(20);
  }
}
