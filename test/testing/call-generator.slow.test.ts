import { readFileSync } from 'node:fs';
import { contractsOf, tryFaults } from '../../scripts/accuracy/try-faults.ts';
import { interpret } from '../../src/interpret/interpret-arguments.ts';
import { CallGenerator } from '../../src/testing/generate.ts';

const contracts = contractsOf(
  readFileSync(new URL('../cases/mcp-tools.jsonl', import.meta.url), 'utf8'),
);

test('a valid call is unchanged, for every tool', () => {
  for (const contract of contracts) {
    const value = new CallGenerator(contract, 1).valid();
    expect([contract.name, value]).not.toEqual([contract.name, undefined]);
    const result = interpret(contract, { arguments: JSON.stringify(value) });
    expect(result).toMatchObject({ status: 'unchanged', value });
  }
});

test('two to four faults in calls to real tools: at least 99% right, none wrong', () => {
  const { counts, odd } = tryFaults(contracts, { calls: 2000, seed: 20, faults: [2, 4] });
  expect(odd.wrong).toEqual([]);
  expect(counts.right + counts.missed).toBe(2000);
  expect(counts.right).toBeGreaterThanOrEqual(1980);
});
