// One text rule's tables: text that is JSON of an object, text that the rule reads, text that stays
// refused.
import type { ArgumentOptions, Issue } from 'toolmend';
import { read, readValue, valueOf } from '../read.ts';
import type { Schema } from '../schemas.ts';

export interface TextCases {
  readonly schema: Schema;
  readonly options?: ArgumentOptions;
  /** Text whose first parse is the value. */
  readonly untouched: readonly (readonly [title: string, text: string])[];
  /**
   * Text, what it says, and the rules that acted, in order, if there are others than the tested
   * one.
   */
  readonly repaired: readonly (readonly [
    title: string,
    text: string,
    value: unknown,
    rules?: string,
  ])[];
  /**
   * Text that says nothing that could be read, and the first issue, or its keyword, if that isn't
   * `not_json`.
   */
  readonly refused: readonly (readonly [
    title: string,
    text: string,
    issue?: string | Partial<Issue>,
  ])[];
}

/**
 * Declares the tests of one rule; what is repaired is interpreted a second time, as a value and as
 * text.
 */
export function testTextRule(rule: string, cases: TextCases): void {
  const { schema, options } = cases;

  describe('untouched', () => {
    test.each(cases.untouched)('%s', (_title, text) => {
      const result = read(schema, text, options);
      expect(result).toMatchObject({ status: 'unchanged', repairs: [] });
      expect(valueOf(result)).toStrictEqual(JSON.parse(text));
    });
  });

  describe('repaired', () => {
    for (const [title, text, value, rules = rule] of cases.repaired) {
      test(title, () => {
        const result = read(schema, text, options);
        expect(result).toMatchObject({ status: 'repaired', issues: [] });
        const accepted = valueOf(result);
        expect(accepted).toStrictEqual(value);
        expect(result.repairs.map((repair) => repair.rule).join(', ')).toBe(rules);
        expect(readValue(schema, accepted)).toMatchObject({ status: 'unchanged' });
        expect(read(schema, JSON.stringify(accepted))).toMatchObject({ status: 'unchanged' });
      });
    }
  });

  describe('refused', () => {
    for (const [title, text, issue = 'not_json'] of cases.refused) {
      test(title, () => {
        const result = read(schema, text, options);
        expect(result).toMatchObject({ status: 'rejected', repairs: [] });
        expect(result.issues[0]).toMatchObject(
          typeof issue === 'string' ? { keyword: issue } : issue,
        );
      });
    }
  });
}
