import { tryFaults } from '../../scripts/accuracy/try-faults.ts';
import { interpret } from '../../src/interpret/interpret-arguments.ts';
import { type BrokenArguments, CallGenerator, faultKinds } from '../../src/testing/generate.ts';
import { Random } from '../../src/testing/sample-value.ts';
import type { SchemaObject } from '../../src/schema/json-schema.ts';
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import { closedOf, flag, listOf, number, objectOf, text, whole } from '../schemas.ts';

const everything = contractFromSchema({
  name: 'write_notes',
  inputSchema: closedOf(
    {
      path: text,
      body: text,
      drive_letter: text,
      rows: listOf(closedOf({ title: text, done: flag }, ['title'])),
      tags: listOf({ enum: ['red', 'dark-blue', 'green'] }),
      ids: listOf(whole),
      ratio: number,
      mode: { ...text, enum: ['fast', 'slow_motion'] },
      kind: { ...text, default: 'plain' },
      filter: objectOf({ name: text, size: whole }),
      note: { type: ['number', 'null'] },
      place: closedOf({ city: text, zip: text }),
    },
    ['path', 'kind', 'ids', 'filter'],
  ),
});

const oneParameter = contractFromSchema({
  name: 'find_notes',
  inputSchema: closedOf({ filter: closedOf({ word: text, size: whole }) }, ['filter']),
});

/** Kinds that need a tool of another shape. */
const toolOf: Readonly<Record<string, typeof everything>> = { parameter_left_out: oneParameter };

test('mulberry32', () => {
  const random = new Random(1);
  // What the published algorithm gives for the seed 1.
  expect([random.next(), random.next()].map((choice) => choice.toFixed(6))).toEqual([
    '0.627074',
    '0.002736',
  ]);
});

test.each(faultKinds)('%s is made, makes a call invalid, and is read as it was meant', (kind) => {
  const tool = toolOf[kind] ?? everything;
  const generator = new CallGenerator(tool, 3, [kind]);
  const calls: BrokenArguments[] = [];
  for (let attempt = 0; attempt < 300 && calls.length < 12; attempt += 1) {
    const call = generator.brokenArguments(1);
    if (call !== undefined) calls.push(call);
  }
  expect(calls.length).toBeGreaterThan(0);
  const results = calls.map(({ text: sent, meant, faults }) => {
    expect(faults).toEqual([kind]);
    const result = interpret(tool, { arguments: sent, finishReason: 'tool_calls' });
    if (result.status !== 'rejected')
      expect(result).toMatchObject({ status: 'repaired', value: meant });
    return result;
  });
  // A missed call is no harm. A kind that is mostly missed has another meaning, or none.
  const missed = results.filter(({ status }) => status === 'rejected');
  expect(missed.length).toBeLessThanOrEqual(calls.length / 4);
});

// Such a key is data if its value can't be repaired.
test('an optional key of an open object has no other spelling around a fault', () => {
  const pages = { all_pages: listOf(whole) };
  const faultsOf = (inputSchema: SchemaObject): readonly unknown[] => {
    const contract = contractFromSchema({ name: 'print', inputSchema });
    const generator = new CallGenerator(contract, 1, ['key_in_other_spelling', 'list_under_key']);
    return Array.from({ length: 40 }).flatMap(() => generator.brokenArguments(2)?.faults ?? []);
  };
  expect(faultsOf(objectOf(pages))).toEqual([]);
  for (const inputSchema of [objectOf(pages, ['all_pages']), closedOf(pages)])
    expect(new Set(faultsOf(inputSchema))).toEqual(
      new Set(['key_in_other_spelling', 'list_under_key']),
    );
});

test('an engine that loses a key is found out', () => {
  const { counts } = tryFaults([everything], {
    calls: 50,
    seed: 1,
    faults: [2, 4],
    interpret(contract, { text: sent }) {
      const result = interpret(contract, { arguments: sent, finishReason: 'tool_calls' });
      return result.status === 'rejected' ? result : { ...result, value: {} };
    },
  });
  expect(counts).toMatchObject({ right: 0 });
  expect(counts.wrong).toBeGreaterThan(45);
});
