// The tables of one rule: calls that stay unchanged, calls that it repairs, calls that are rejected.
import { type ArgumentOptions, interpretArguments } from 'toolmend';
import { deepFrozen } from './deep-frozen.ts';
import { replayed } from './replay.ts';
import type { Schema } from './sample-schemas.ts';

/** A valid call. */
export type UntouchedRow = readonly [title: string, schema: Schema, value: unknown];

/** `rule /pointer` or `keyword /pointer`; the root's pointer is empty. */
type Places = string | readonly string[];

/** A call, what it becomes, and each repair in order: `wrap_in_array /names`. */
export type RepairedRow = readonly [
  title: string,
  schema: Schema,
  sent: unknown,
  value: unknown,
  repairs: Places,
];

/** A call that has no single reading, and each issue: `type /names`. */
export type RefusedRow = readonly [title: string, schema: Schema, sent: unknown, issues: Places];

export interface RuleCases {
  readonly untouched: readonly UntouchedRow[];
  readonly repaired: readonly RepairedRow[];
  readonly refused: readonly RefusedRow[];
}

const places = (all: Places): readonly string[] => (typeof all === 'string' ? [all] : all);
const placeOf = (what: string, path: string): string => (path === '' ? what : `${what} ${path}`);

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
    test.each(cases.repaired)('%s', (_title, schema, sent, value, repairs) => {
      const result = interpreted(schema, sent);
      expect(result).toMatchObject({ status: 'repaired', issues: [] });
      expect(Reflect.get(result, 'value')).toStrictEqual(value);
      expect(result.repairs.map(({ rule, path }) => placeOf(rule, path))).toEqual(places(repairs));
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
      expect(result.issues.map(({ keyword, path }) => placeOf(keyword, path))).toEqual(places(issues));
      expect(Object.hasOwn(result, 'value')).toBe(false);
    });
  });
}
