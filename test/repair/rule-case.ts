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
 * A rule or a keyword, and where: `rename_key /path`, `type /n`, `additionalProperties` at the root.
 * A pointer alone is a repair by the tested rule.
 */
type Place = string;

/** One place, or several in order. */
type Places = Place | readonly Place[];

interface Row {
  readonly title: string;
  /** If it is stated, schema and values of the row are those of this argument, which is optional. */
  readonly argument?: string;
  readonly schema: Schema;
}

/** A valid call, or the value of an argument. */
export interface UntouchedRow extends Row {
  readonly value: unknown;
}

/** What the model sent, and what it becomes. */
export interface RepairedRow extends Row {
  readonly sent: unknown;
  readonly becomes: unknown;
  /** Each repair, in order. Default: one by the tested rule, at the argument or the root. */
  readonly repairs?: Places;
}

/** What has no single reading. */
export interface RefusedRow extends Row {
  readonly sent: unknown;
  /** Default: `type` at the argument, or `additionalProperties` at the root. */
  readonly issues?: Places;
}

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
export const twoUnknown: readonly Place[] = ['additionalProperties', 'additionalProperties'];
export const missingAndUnknown: readonly Place[] = ['required', 'additionalProperties'];
export const missingAndTwoUnknown: readonly Place[] = ['required', ...twoUnknown];

export interface RuleCases {
  readonly untouched: readonly UntouchedRow[];
  readonly repaired: readonly RepairedRow[];
  readonly refused: readonly RefusedRow[];
}

const schemaOf = ({ argument, schema }: Row): Schema =>
  argument === undefined ? schema : objectOf({ [argument]: schema });

const argumentsOf = ({ argument }: Row, value: unknown): unknown =>
  argument === undefined ? value : { [argument]: value };

const placeOf = (what: string, path: string): string => (path === '' ? what : `${what} ${path}`);

/**
 * Declares the tests of one rule; every repaired row is also replayed and interpreted a second
 * time.
 */
export function testRule(rule: string, cases: RuleCases, options?: ArgumentOptions): void {
  const interpreted = (schema: Schema, sent: unknown): ReturnType<typeof interpretArguments> =>
    interpretArguments(deepFrozen(schema), { value: deepFrozen(sent) }, options);

  describe(`${rule}, untouched`, () => {
    test.each(cases.untouched)('$title', (row) => {
      const value = argumentsOf(row, row.value);
      const result = interpreted(schemaOf(row), value);
      expect(result).toMatchObject({ status: 'unchanged', repairs: [], notes: [], issues: [] });
      expect(valueOf(result)).toBe(value);
    });
  });

  describe(`${rule}, repaired`, () => {
    test.each(cases.repaired)('$title', (row) => {
      const schema = schemaOf(row);
      const sent = argumentsOf(row, row.sent);
      const becomes = argumentsOf(row, row.becomes);
      const { repairs = row.argument === undefined ? rule : `/${row.argument}` } = row;
      const result = interpreted(schema, sent);
      expect(result).toMatchObject({ status: 'repaired', issues: [] });
      expect(valueOf(result)).toStrictEqual(becomes);
      const places = [repairs]
        .flat()
        .map((place) => (place.startsWith('/') ? `${rule} ${place}` : place));
      expect(result.repairs.map(({ rule: by, path }) => placeOf(by, path))).toEqual(places);
      expect(replayed(sent, result.repairs)).toStrictEqual(becomes);
      for (const [at, record] of result.repairs.entries()) {
        const removed = removedBy(record, replayed(sent, result.repairs.slice(0, at)));
        expect(record.shownToModel).toBe(rulesWithNotes.includes(record.rule));
        expect(record.was).toBe(
          removed === undefined ? 'absent' : preview(JSON.parse(JSON.stringify(removed))),
        );
      }
      expect(interpreted(schema, valueOf(result))).toMatchObject({
        status: 'unchanged',
        repairs: [],
      });
    });
  });

  describe(`${rule}, refused`, () => {
    test.each(cases.refused)('$title', (row) => {
      const { argument } = row;
      const { issues = argument === undefined ? 'additionalProperties' : `type /${argument}` } =
        row;
      const result = interpreted(schemaOf(row), argumentsOf(row, row.sent));
      expect(result).toMatchObject({ status: 'rejected', repairs: [], notes: [] });
      expect(result.issues.map(({ keyword, path }) => placeOf(keyword, path))).toEqual(
        [issues].flat(),
      );
      expect(Object.hasOwn(result, 'value')).toBe(false);
    });
  });
}
