// What a journal in a database deletes in time.
import type { Journal } from 'toolmend/journal';
import { Retention } from '../../src/journal/retention.ts';
import { noCounts } from '../../src/store/hint-counts.ts';

/** `open`: one journal for all tests, in the schema toolmend. */
export function testRetention(open: () => Journal): void {
  it('deletes the counts of hints of a definition that no model called for the days of retention', async () => {
    const { hintCounts, sql } = open();
    if (sql === undefined) throw new Error('The journal has no database.');
    const [oldOne, usedOne] = [crypto.randomUUID(), crypto.randomUUID()];
    const row = (definition: string, model: string, field?: string) => ({
      model,
      tool: 'pay',
      definition,
      ...(field === undefined
        ? ({ kind: '', field: '', sentence: '' } as const)
        : ({ kind: 'form', field, sentence: 'n is an integer.' } as const)),
      added: { ...noCounts, [field === undefined ? 'calls' : 'misses']: 2 },
    });
    const rowsLeft = async () =>
      (await hintCounts.exchange([]))
        .filter(({ definition }) => definition === oldOne || definition === usedOne)
        .map(({ definition, model, field, calls }) => [definition === oldOne, model, field, calls]);
    const prune = async (days: number) => {
      const retention = new Retention(sql, 'toolmend', days);
      retention.start();
      await retention.close();
    };
    const rows = [oldOne, usedOne].flatMap((one) => [
      row(one, 'a'),
      row(one, 'b'),
      row(one, 'b', '/n'),
    ]);
    await hintCounts.exchange(rows);
    await sql.query(
      `update toolmend.hint_counts set updated_at = updated_at - interval '8 days'
       where definition = any($1::text[])`,
      [[oldOne, usedOne]],
    );
    await hintCounts.exchange([row(usedOne, 'a')]);
    await prune(9);
    expect(await rowsLeft()).toHaveLength(6);
    await prune(7);
    expect(new Set(await rowsLeft())).toEqual(
      new Set([
        [false, 'a', '', 4],
        [false, 'b', '', 2],
        [false, 'b', '/n', 0],
      ]),
    );
    await hintCounts.exchange([row(oldOne, 'b')]);
    expect(await rowsLeft()).toContainEqual([true, 'b', '', 2]);
  });
}
