// One text rule's tables: text that is JSON of an object, text that the rule reads, text that stays
// refused.
import type { ArgumentOptions, Issue } from 'toolmend';
import { read, readValue, valueOf } from '../read.ts';
import type { Schema } from '../schemas.ts';

export interface TextCases {
  readonly schema: Schema;
  readonly options?: ArgumentOptions;
  /** Text whose first parse is the value. */
  readonly untouched: readonly { readonly title: string; readonly text: string }[];
  readonly repaired: readonly RepairedText[];
  /** Text that says nothing that could be read. */
  readonly refused: readonly RefusedText[];
}

interface RepairedText {
  readonly title: string;
  readonly text: string;
  readonly becomes: unknown;
  /** The rules that acted, in order. Default: the tested one. */
  readonly rules?: string | readonly string[];
}

interface RefusedText {
  readonly title: string;
  readonly text: string;
  /** The first issue, or its keyword. Default: `not_json`. */
  readonly issue?: string | Partial<Issue>;
}

/**
 * Declares the tests of one rule; what is repaired is interpreted a second time, as a value and as
 * text.
 */
export function testTextRule(rule: string, cases: TextCases): void {
  const { schema, options } = cases;

  describe(`${rule}, untouched`, () => {
    test.each(cases.untouched)('$title', ({ text }) => {
      const result = read(schema, text, options);
      expect(result).toMatchObject({ status: 'unchanged', repairs: [] });
      expect(valueOf(result)).toStrictEqual(JSON.parse(text));
    });
  });

  describe(`${rule}, repaired`, () => {
    for (const { title, text, becomes, rules = rule } of cases.repaired) {
      test(title, () => {
        const result = read(schema, text, options);
        expect(result).toMatchObject({ status: 'repaired', issues: [] });
        const accepted = valueOf(result);
        expect(accepted).toStrictEqual(becomes);
        expect(result.repairs.map((repair) => repair.rule)).toEqual([rules].flat());
        expect(readValue(schema, accepted)).toMatchObject({ status: 'unchanged' });
        expect(read(schema, JSON.stringify(accepted))).toMatchObject({ status: 'unchanged' });
      });
    }
  });

  describe(`${rule}, refused`, () => {
    for (const { title, text, issue = 'not_json' } of cases.refused) {
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
