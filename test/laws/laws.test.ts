// What holds for every schema and every call? Properties over generated schemas, values and near-misses.
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { type Interpretation, interpretArguments } from 'toolmend';
import { deepFrozen } from '../repair/deep-frozen.ts';
import { replayed } from '../repair/replay.ts';
import { type NearMiss, nearMiss } from './near-miss.ts';
import { type SchemaAndValue, schemaAndValue } from './schema-and-value.ts';

const runs = { numRuns: 1000 };

/** Judged by a compiler of its own, so that it shares nothing with the one under test. */
const isValid = ({ schema }: SchemaAndValue, value: unknown): boolean =>
  new Ajv2020({
    strict: false,
    ownProperties: true,
    logger: false,
    meta: false,
    validateSchema: false,
  }).compile(schema)(value);

test('a valid value comes back as the same object, unrecorded; valid text as its first parse', () => {
  fc.assert(
    fc.property(schemaAndValue, ({ schema, value }) => {
      expect(isValid({ schema, value }, value)).toBe(true);
      const result = interpretArguments(schema, { value: deepFrozen(value) });
      expect(result).toMatchObject({ outcome: 'unchanged', repairs: [], notes: [] });
      expect(Reflect.get(result, 'value')).toBe(value);
      const text = JSON.stringify(value);
      const ofText = interpretArguments(schema, { text });
      expect(ofText).toMatchObject({ outcome: 'unchanged', repairs: [], notes: [] });
      expect(JSON.stringify(Reflect.get(ofText, 'value'))).toBe(text);
    }),
    runs,
  );
});

interface Sample {
  readonly pair: SchemaAndValue;
  readonly miss: NearMiss;
  readonly result: Interpretation;
}

const sample = schemaAndValue.chain((pair) => fc.tuple(nearMiss(pair.value).map((miss) => ({ pair, miss }))));

describe('near-misses', () => {
  const samples: Sample[] = [];
  const accepted = (): readonly (Sample & { result: { outcome: 'repaired' | 'unchanged' } })[] =>
    samples.flatMap(({ result, ...rest }) => (result.outcome === 'rejected' ? [] : [{ ...rest, result }]));

  beforeAll(() => {
    for (const [{ pair, miss }] of fc.sample(sample, { numRuns: 1500, seed: 20260101 })) {
      if (miss === undefined) continue;
      const before = JSON.stringify(miss.sent);
      const result = interpretArguments(pair.schema, { value: deepFrozen(miss.sent) });
      // Frozen input throws when it is written to; a getter-free copy would not tell.
      expect(JSON.stringify(miss.sent)).toBe(before);
      samples.push({ pair, miss, result });
    }
  });

  test('there are enough of each outcome to show anything', () => {
    const count = (outcome: string): number =>
      samples.filter(({ result }) => result.outcome === outcome).length;
    expect(count('repaired')).toBeGreaterThan(200);
    expect(count('rejected')).toBeGreaterThan(100);
    expect(count('unchanged')).toBeGreaterThan(50);
  });

  test('what is accepted passes an independent judge', () => {
    const failing = accepted().filter(({ pair, result }) => !isValid(pair, result.value));
    expect(failing).toEqual([]);
  });

  test('repairing twice changes nothing more', () => {
    const changing = accepted().filter(({ pair, result }) => {
      const again = interpretArguments(pair.schema, { value: deepFrozen(result.value) });
      return again.outcome !== 'unchanged' || again.value !== result.value;
    });
    expect(changing).toEqual([]);
  });

  test('replaying the records on what was sent gives what was accepted', () => {
    for (const { miss, result } of accepted()) {
      expect(replayed(miss.sent, result.repairs)).toStrictEqual(result.value);
    }
  });

  test('what no record names keeps its identity', () => {
    for (const { miss, result } of accepted()) {
      const touched = result.repairs.flatMap(({ operations }) =>
        operations.flatMap((operation) => [
          operation.path,
          ...(operation.op === 'move' ? [operation.from] : []),
        ]),
      );
      if (touched.includes('')) continue;
      const keys = Object.keys(miss.sent).filter(
        (key) => !touched.some((path) => path === `/${key}` || path.startsWith(`/${key}/`)),
      );
      for (const key of keys) expect(Reflect.get(result.value, key)).toBe(Reflect.get(miss.sent, key));
    }
  });

  test('what was meant is what is accepted', () => {
    const wrong = accepted().filter(({ pair, miss, result }) => {
      const isMeant = JSON.stringify(sorted(result.value)) === JSON.stringify(sorted(pair.value));
      return miss.isFaithful && result.outcome === 'repaired' && !isMeant;
    });
    expect(
      wrong.map(({ pair, miss, result }) => ({
        ...pair,
        title: miss.title,
        sent: miss.sent,
        got: result.value,
      })),
    ).toEqual([]);
  });

  test('a rejected call says what is wrong, within bounds', () => {
    for (const { result } of samples) {
      if (result.outcome !== 'rejected') continue;
      expect(result.issues.length).toBeGreaterThan(0);
      expect(result.message.length).toBeLessThanOrEqual(2000);
      expect(result.message).toMatch(/^tool was not executed\.\n- /);
    }
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, sorted(member)] as const);
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
