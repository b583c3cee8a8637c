// One rule's tables: calls that stay as they are, calls that it repairs, calls that stay refused.
import { type ArgumentOptions, interpretArguments } from 'toolmend';
import { deepFrozen } from './deep-frozen.ts';
import { replayed } from './replay.ts';
import type { Schema } from './sample-schemas.ts';

/** A valid call. */
export type UntouchedRow = readonly [title: string, schema: Schema, value: unknown];

/** A call, what it becomes, and each record as rule and JSON Pointer, in order. */
export type RepairedRow = readonly [
  title: string,
  schema: Schema,
  sent: unknown,
  value: unknown,
  records: readonly (readonly [rule: string, path: string])[],
];

/** A call that has no reading, and the places that fail, as keyword and JSON Pointer. */
export type RefusedRow = readonly [
  title: string,
  schema: Schema,
  sent: unknown,
  issues: readonly (readonly [keyword: string, path: string])[],
];

export interface RuleCases {
  readonly untouched: readonly UntouchedRow[];
  readonly repaired: readonly RepairedRow[];
  readonly refused: readonly RefusedRow[];
}

/** Declares the tests of one rule; every repaired row is also replayed and interpreted a second time. */
export function testRule(cases: RuleCases, options?: ArgumentOptions): void {
  const interpreted = (schema: Schema, sent: unknown): ReturnType<typeof interpretArguments> =>
    interpretArguments(deepFrozen(schema), { value: deepFrozen(sent) }, options);

  describe('untouched', () => {
    test.each(cases.untouched)('%s', (_title, schema, value) => {
      const result = interpreted(schema, value);
      expect(result).toMatchObject({ status: 'unchanged', repairs: [], notes: [], issues: [] });
      expect(Reflect.get(result, 'value')).toBe(value);
    });
  });

  describe('repaired', () => {
    test.each(cases.repaired)('%s', (_title, schema, sent, value, records) => {
      const result = interpreted(schema, sent);
      expect(result).toMatchObject({ status: 'repaired', issues: [] });
      expect(Reflect.get(result, 'value')).toStrictEqual(value);
      expect(result.repairs.map(({ rule, path }) => [rule, path])).toEqual(records);
      expect(replayed(sent, result.repairs)).toStrictEqual(value);
      expect(interpreted(schema, Reflect.get(result, 'value'))).toMatchObject({
        status: 'unchanged',
        repairs: [],
      });
    });
  });

  describe('refused', () => {
    test.each(cases.refused)('%s', (_title, schema, sent, issues) => {
      const result = interpreted(schema, sent);
      expect(result).toMatchObject({ status: 'rejected', repairs: [], notes: [] });
      expect(result.issues.map(({ keyword, path }) => [keyword, path])).toEqual(issues);
      expect(Object.hasOwn(result, 'value')).toBe(false);
    });
  });
}
