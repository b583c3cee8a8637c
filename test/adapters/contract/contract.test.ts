// Do all adapters make the same of the same calls? One list of calls through each; the expectations are written by hand.
import { readFileSync, writeFileSync } from 'node:fs';
import { between, withBetween } from '../../repair/rule-listing.ts';
import { adapterTable } from './adapter-table.ts';
import type { ModelReading } from './adapter-driver.ts';
import { allDrivers } from './all-drivers.ts';
import { bareRegistry } from './drivers/bare-registry.ts';
import { sampleCalls } from './sample-calls.ts';

const docs = new URL('../../../docs/reference/adapters.md', import.meta.url);

it('there are 30 calls, of all kinds', () => {
  expect(sampleCalls).toHaveLength(30);
  expect(new Set(sampleCalls.map(({ what }) => what)).size).toBe(30);
});

describe.each(allDrivers)('$name', (driver) => {
  const { decidedBySdk = {} } = driver;

  it.each(sampleCalls)('$kind: $what', async (call) => {
    const reading = await driver.run(call);
    const { expected, what } = call;
    const refusal = decidedBySdk[what];
    if (refusal !== undefined) {
      expect({ by: reading.by, text: reading.text.slice(0, refusal.length) }).toEqual({
        by: 'sdk',
        text: refusal,
      });
      return;
    }
    expect(reading.by).toBe('toolmend');
    if (expected.outcome === 'ran') {
      expect({ text: reading.text, notes: reading.notes }).toEqual({
        text: expected.result,
        notes: expected.notes ?? [],
      });
    } else {
      for (const said of expected.says) expect(reading.text).toContain(said);
      if (expected.hides !== undefined) expect(reading.text).not.toContain(expected.hides);
      // To the letter what the registry says.
      expect(reading.text).toBe((await bareRegistry.run(call)).text);
    }
    expect([undefined, expected.outcome === 'refused']).toContain(reading.isError);
  });
});

it('docs/reference/adapters.md says who decides', async () => {
  const readings = new Map(
    await Promise.all(
      allDrivers.map(async (driver) => {
        const read: (readonly [string, ModelReading])[] = [];
        for (const call of sampleCalls) read.push([call.id, await driver.run(call)]);
        return [driver, new Map(read)] as const;
      }),
    ),
  );
  const table = adapterTable(sampleCalls, readings);
  // UPDATE_DOCS=1 writes the rows anew; then the document is compared with itself.
  if (process.env['UPDATE_DOCS'] === '1')
    writeFileSync(docs, withBetween(readFileSync(docs, 'utf8'), 'contract test', table));
  expect(between(readFileSync(docs, 'utf8'), 'contract test')).toBe(table);
});
