// How many steps may one validation take: a fixed number, and so many for each place of its value; and which are counted?
import type { SchemaObject } from 'toolmend';
import { interpretingValidator } from 'toolmend/interpreting-validator';
import { StepBudget, createAjvValidator, mayTakeLong } from '../../../src/validate/ajv-validator.ts';
import {
  type Schema,
  closedOf,
  listOf,
  objectOf,
  recordOf,
  text,
  whole,
} from '../../repair/sample-schemas.ts';

/** Whether a validation that takes so many steps comes to its end. */
function endsWithin(budget: StepBudget, value: object | string | null, steps: number): boolean {
  const validator = (): string => {
    for (let at = 0; at < steps; at += 1) budget.step(undefined);
    return 'ended';
  };
  return budget.within(JSON.parse(JSON.stringify(value)), validator, 'beyond') === 'ended';
}

describe('a budget of 10 steps', () => {
  test.each<[object | string | null, number]>([
    [null, 1],
    ['abc', 1],
    [[], 1],
    [{}, 1],
    [{ a: null, b: 'x' }, 3],
    [[1, [2, 3]], 5],
    [{ a: { b: [{}, { c: 1 }] } }, 6],
  ])('and the value %j allow ten, and a hundred for each of its %d places', (value, places) => {
    expect(endsWithin(new StepBudget(10), value, 10 + 100 * places)).toBe(true);
    expect(endsWithin(new StepBudget(10), value, 11 + 100 * places)).toBe(false);
  });

  test('is a new one for each validation; the steps of all are counted', () => {
    const budget = new StepBudget(10);
    expect(endsWithin(budget, null, 111)).toBe(false);
    expect(endsWithin(budget, null, 110)).toBe(true);
    expect(endsWithin(budget, null, 111)).toBe(false);
    expect(budget.taken).toBe(332);
  });

  test('is spent by one long list as by many steps', () => {
    const ends = (length: number): boolean => {
      const budget = new StepBudget(10);
      const list = Array.from({ length });
      const validator = (): boolean => {
        budget.step(list);
        return true;
      };
      return budget.within(null, validator, false);
    };
    expect(ends(109)).toBe(true);
    expect(ends(110)).toBe(false);
  });

  test('a list that is looked at counts with its elements', () => {
    const budget = new StepBudget(10);
    budget.within(
      null,
      () => {
        budget.step([1, 2, 3]);
        budget.step('abc');
        budget.step({ length: 50 });
      },
      undefined,
    );
    expect(budget.taken).toBe(6);
  });

  test('an exception that is not its own goes on', () => {
    const broken = new Error('broken');
    const validator = (): boolean => {
      throw broken;
    };
    expect(() => new StepBudget(10).within(null, validator, false)).toThrow(broken);
  });
});

describe('steps are counted', () => {
  const doubled = (levels: number): Schema => ({
    $defs: Object.fromEntries(
      Array.from({ length: levels }, (_level, at) => {
        const next: Schema = at === levels - 1 ? whole : { $ref: `#/$defs/d${at + 1}` };
        return [`d${at}`, { allOf: [next, next] }] as const;
      }),
    ),
    ...objectOf({ a: { $ref: '#/$defs/d0' } }),
  });
  const self: Schema = { $ref: '#' };
  const rows: readonly (readonly [string, SchemaObject, boolean])[] = [
    ['not where nothing is referred to', closedOf({ a: text, b: listOf(whole) }), false],
    ['not where the parts of a place end', { type: 'object', allOf: [{}, { minProperties: 1 }] }, false],
    [
      'not where parts that end stand beside one that goes on',
      objectOf({ a: { allOf: [self, { minProperties: 1 }, { maxProperties: 9 }] } }),
      false,
    ],
    ['not where a list goes on', objectOf({ next: self }), false],
    ['not in a tree', objectOf({ left: self, right: self, more: listOf(self) }), false],
    ['not where any kind of member goes on', { ...recordOf(self), ...objectOf({ a: self }) }, false],
    ['not in a tuple that goes on', objectOf({ a: { prefixItems: [self, self], items: self } }), false],
    ['where a union goes on in two ways', objectOf({ a: { anyOf: [objectOf({ b: self }), self] } }), true],
    ['where both parts of a place go on', { ...objectOf({ a: self }), allOf: [objectOf({ a: self })] }, true],
    [
      'where a name may match two patterns',
      { type: 'object', patternProperties: { a: self, b: { ...self } } },
      true,
    ],
    ['where a name is asked as well', { ...objectOf({ a: self }), propertyNames: self }, true],
    [
      'where the ways lie behind a reference',
      objectOf({ a: { $ref: '#/$defs/n' } }, [], {
        $defs: {
          n: { anyOf: [objectOf({ b: { $ref: '#/$defs/n' } }), objectOf({ c: { $ref: '#/$defs/n' } })] },
        },
      }),
      true,
    ],
    [
      'not where only a definition that nobody refers to goes on',
      objectOf({ a: text }, [], { $defs: { n: { anyOf: [{ $ref: '#/$defs/n' }, objectOf({ a: self })] } } }),
      false,
    ],
    ['not where a reference leads nowhere', objectOf({ a: { $ref: '#/$defs/none' } }), false],
    ['not where references are doubled twelve times', doubled(12), false],
    ['where they are doubled thirteen times', doubled(14), true],
    ['where they are doubled forty times', doubled(40), true],
  ];

  test.each(rows)('%s', (_title, schema, expected) => {
    expect(mayTakeLong(schema)).toBe(expected);
    for (const validator of [createAjvValidator, interpretingValidator]) {
      if (!JSON.stringify(schema).includes('none')) {
        expect(validator(schema).stepsTaken === undefined).toBe(!expected);
      }
    }
  });

  test('where one place meets more than 20,000 schemas', () => {
    const wide = (count: number): SchemaObject =>
      objectOf(Object.fromEntries(Array.from({ length: count }, (_key, at) => [`p${at}`, {}])));
    expect(mayTakeLong(wide(19_999))).toBe(false);
    expect(mayTakeLong(wide(20_000))).toBe(true);
  });
});

describe('with a schema that goes on in two ways', () => {
  // The circle stands where most values here never come.
  const branch = (key: string): Schema => objectOf({ [key]: whole, b: { $ref: '#/$defs/n' } }, [key]);
  const circle: Schema = { anyOf: [branch('x'), branch('y')] };
  const rooted = (a: Schema): SchemaObject =>
    objectOf({ a, circle: { $ref: '#/$defs/n' } }, [], { $defs: { n: circle, text } });
  const stepsOf = (validator: typeof createAjvValidator, a: Schema, value: unknown): number | undefined => {
    const schema = rooted(a);
    const root = validator(schema);
    expect(root.compile(schema)(JSON.parse(JSON.stringify({ a: value })))).toBe(true);
    return root.stepsTaken?.();
  };

  test.each<[string, Schema, unknown, number]>([
    ['nothing but types', { type: 'object', properties: { b: whole } }, { b: 1 }, 0],
    ['a reference', { $ref: '#/$defs/text' }, 'x', 1],
    ['anyOf', { anyOf: [text, whole] }, 'x', 1],
    ['oneOf', { oneOf: [text, whole] }, 'x', 1],
    ['a list of three', listOf(text), ['x', 'y', 'z'], 4],
    ['contains, in two', { type: 'array', contains: text }, ['x', 1], 3],
    ['a map', recordOf(text), { b: 'x', c: 'y' }, 1],
    ['patterns', { type: 'object', patternProperties: { '^b': text } }, { b: 'x' }, 1],
    ['names', { type: 'object', propertyNames: { maxLength: 3 } }, { b: 'x' }, 1],
  ])('Ajv counts %s', (_title, schema, value, steps) => {
    expect(stepsOf(createAjvValidator, schema, value)).toBe(steps);
  });

  test('Ajv counts each branch of a large union', () => {
    const union: Schema = { anyOf: Array.from({ length: 100 }, (_branch, at) => ({ const: at })) };
    expect(stepsOf(createAjvValidator, union, 30)).toBe(1 + 31);
  });

  test('the interpreting validator counts each schema that it comes to, as twenty', () => {
    const few = stepsOf(interpretingValidator, text, 'x') ?? 0;
    expect(few).toBe(2 * 20);
    expect(stepsOf(interpretingValidator, listOf(text), ['x', 'y', 'z'])).toBe(few + 3 * 20);
  });

  test.each([
    ['Ajv', createAjvValidator],
    ['the interpreting validator', interpretingValidator],
  ])('%s refuses what it would try without end, and tells that this is why', (_name, validator) => {
    const deep = Array.from({ length: 30 }).reduce<object>((inner) => ({ b: inner }), {});
    const value = JSON.parse(JSON.stringify({ circle: deep }));
    const schema = rooted(text);
    const root = validator(schema);
    expect(root.compile(schema)(value)).toBe(false);
    expect(root.failures(value)).toEqual([{ keyword: 'budget_exceeded', path: '', schemaPath: '#', schema }]);
    expect(root.stepsTaken?.()).toBeGreaterThan(5000);
    expect(root.compile(schema)({ circle: { x: 1, b: { y: 2 } } })).toBe(true);
  });
});
