// One text rule's tables: text that is JSON of an object, text that the rule reads, text that stays refused.
import { type ArgumentOptions, interpretArguments } from 'toolmend';
import type { Schema } from '../schemas.ts';

export interface TextCases {
  readonly schema: Schema;
  readonly options?: ArgumentOptions;
  /** Text whose first parse is the value. */
  readonly untouched: readonly (readonly [title: string, text: string])[];
  /** Text, what it says, and the rules that acted, in order. */
  readonly repaired: readonly (readonly [
    title: string,
    text: string,
    value: unknown,
    rules: readonly string[],
  ])[];
  /** Text that says nothing that could be read, and the first issue's keyword. */
  readonly refused: readonly (readonly [title: string, text: string, keyword: string])[];
}

/** Declares the tests of one rule; what is repaired is interpreted a second time, as a value and as text. */
export function testTextRule({ schema, options, untouched, repaired, refused }: TextCases): void {
  describe('untouched', () => {
    test.each(untouched)('%s', (_title, text) => {
      const result = interpretArguments(schema, { text }, options);
      expect(result).toMatchObject({ status: 'unchanged', repairs: [] });
      expect(Reflect.get(result, 'value')).toStrictEqual(JSON.parse(text));
    });
  });

  describe('repaired', () => {
    test.each(repaired)('%s', (_title, text, value, rules) => {
      const result = interpretArguments(schema, { text }, options);
      expect(result).toMatchObject({ status: 'repaired', issues: [] });
      const accepted: unknown = Reflect.get(result, 'value');
      expect(accepted).toStrictEqual(value);
      expect(result.repairs.map(({ rule }) => rule)).toEqual(rules);
      expect(interpretArguments(schema, { value: accepted })).toMatchObject({ status: 'unchanged' });
      expect(interpretArguments(schema, { text: JSON.stringify(accepted) })).toMatchObject({
        status: 'unchanged',
      });
    });
  });

  describe('refused', () => {
    test.each(refused)('%s', (_title, text, keyword) => {
      const result = interpretArguments(schema, { text }, options);
      expect(result).toMatchObject({ status: 'rejected', repairs: [] });
      expect(result.issues[0]).toMatchObject({ keyword });
    });
  });
}
