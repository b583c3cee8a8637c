// The tables of one rule: calls that stay unchanged, calls that it repairs, calls that are
// rejected. test/cases has more calls for each rule; a table has the plain ones, and those that no
// recorded call tells apart.
import { type ArgumentOptions, interpretArguments } from 'toolmend';
import { preview } from '../../src/json/preview.ts';
import { deepFrozen } from './deep-frozen.ts';
import { removedBy, replayed } from './replay.ts';
import { objectOf, type Schema } from '../schemas.ts';
import { valueOf } from '../read.ts';

/**
 * `rule /pointer` or `keyword /pointer`, separated by commas. A pointer alone is a repair by the
 * tested rule. A row leaves out what is usual: one repair by the rule, at the root or the argument;
 * one issue, `additionalProperties` at the root or `type` at the argument.
 */
type Places = string;

type ArgumentRow<Columns extends readonly unknown[]> = readonly [
  title: string,
  argument: string,
  schema: Schema,
  ...Columns,
];

type UntouchedCall = readonly [title: string, schema: Schema, value: unknown];
type RepairedCall = readonly [
  title: string,
  schema: Schema,
  sent: unknown,
  value: unknown,
  repairs: Places,
];
type RefusedCall = readonly [title: string, schema: Schema, sent: unknown, issues: Places];

const rulesWithNotes = [
  'hoist_member',
  'rename_only_candidate',
  'drop_unknown_argument',
  'rename_related',
  'unwrap_outer_key',
  'split_markup',
  'fill_null',
  'item_to_scalar',
];

/** Issues of a call with unknown keys. */
export const twoUnknown: Places = 'additionalProperties, additionalProperties';
export const missingAndUnknown: Places = 'required, additionalProperties';
export const missingAndTwoUnknown: Places = `required, ${twoUnknown}`;

/** A valid call, or the value of an optional argument. */
export type UntouchedRow = UntouchedCall | ArgumentRow<[value: unknown]>;

/** A call or an argument, what it becomes, and each repair in order: `wrap_in_array /names`. */
export type RepairedRow =
  | readonly [title: string, schema: Schema, sent: unknown, value: unknown, repairs?: Places]
  | ArgumentRow<[sent: unknown, value: unknown, repairs?: Places]>;

/** A call or an argument that has no single reading, and each issue: `type /names`. */
export type RefusedRow =
  | readonly [title: string, schema: Schema, sent: unknown, issues?: Places]
  | ArgumentRow<[sent: unknown, issues?: Places]>;

export interface RuleCases {
  readonly untouched: readonly UntouchedRow[];
  readonly repaired: readonly RepairedRow[];
  readonly refused: readonly RefusedRow[];
}

const isOfArgument = <Row extends readonly unknown[]>(
  row: Row,
): row is Extract<Row, readonly [string, string, ...unknown[]]> => typeof row[1] === 'string';

function untouchedCall(row: UntouchedRow): UntouchedCall {
  if (!isOfArgument(row)) return row;
  const [title, argument, schema, value] = row;
  return [title, objectOf({ [argument]: schema }), { [argument]: value }];
}

const repairedCall =
  (rule: string) =>
  (row: RepairedRow): RepairedCall => {
    if (!isOfArgument(row)) {
      const [title, schema, sent, value, repairs = rule] = row;
      return [title, schema, sent, value, repairs];
    }
    const [title, argument, schema, sent, value, repairs = `/${argument}`] = row;
    return [
      title,
      objectOf({ [argument]: schema }),
      { [argument]: sent },
      { [argument]: value },
      repairs,
    ];
  };

function refusedCall(row: RefusedRow): RefusedCall {
  if (!isOfArgument(row)) {
    const [title, schema, sent, issues = 'additionalProperties'] = row;
    return [title, schema, sent, issues];
  }
  const [title, argument, schema, sent, issues = `type /${argument}`] = row;
  return [title, objectOf({ [argument]: schema }), { [argument]: sent }, issues];
}

const placeOf = (what: string, path: string): string => (path === '' ? what : `${what} ${path}`);

/**
 * Declares the tests of one rule; every repaired row is also replayed and interpreted a second
 * time.
 */
export function testRule(rule: string, cases: RuleCases, options?: ArgumentOptions): void {
  const interpreted = (schema: Schema, sent: unknown): ReturnType<typeof interpretArguments> =>
    interpretArguments(deepFrozen(schema), { value: deepFrozen(sent) }, options);

  describe('untouched', () => {
    test.each(cases.untouched.map(untouchedCall))('%s', (_title, schema, value) => {
      const result = interpreted(schema, value);
      expect(result).toMatchObject({ status: 'unchanged', repairs: [], notes: [], issues: [] });
      expect(valueOf(result)).toBe(value);
    });
  });

  describe('repaired', () => {
    test.each(cases.repaired.map(repairedCall(rule)))(
      '%s',
      (_title, schema, sent, value, repairs) => {
        const result = interpreted(schema, sent);
        expect(result).toMatchObject({ status: 'repaired', issues: [] });
        expect(valueOf(result)).toStrictEqual(value);
        const stated = repairs
          .split(', ')
          .map((place) => (place.startsWith('/') ? `${rule} ${place}` : place));
        expect(result.repairs.map(({ rule: by, path }) => placeOf(by, path))).toEqual(stated);
        expect(replayed(sent, result.repairs)).toStrictEqual(value);
        for (const [at, record] of result.repairs.entries()) {
          const removed = removedBy(record, replayed(sent, result.repairs.slice(0, at)));
          expect(record.tell).toBe(rulesWithNotes.includes(record.rule));
          expect(record.was).toBe(
            removed === undefined ? 'absent' : preview(JSON.parse(JSON.stringify(removed))),
          );
        }
        expect(interpreted(schema, valueOf(result))).toMatchObject({
          status: 'unchanged',
          repairs: [],
        });
      },
    );
  });

  describe('refused', () => {
    test.each(cases.refused.map(refusedCall))('%s', (_title, schema, sent, issues) => {
      const result = interpreted(schema, sent);
      expect(result).toMatchObject({ status: 'rejected', repairs: [], notes: [] });
      expect(result.issues.map(({ keyword, path }) => placeOf(keyword, path))).toEqual(
        issues.split(', '),
      );
      expect(Object.hasOwn(result, 'value')).toBe(false);
    });
  });
}
