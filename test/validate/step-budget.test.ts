import type { SchemaObject } from 'toolmend';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import { ajvValidator } from 'toolmend/ajv';
import { schemaValidator } from '../../src/validate/schema-validator.ts';
import { StepBudget, mayTakeLong } from '../../src/validate/step-budget.ts';
import {
  anyOf,
  closedOf,
  listOf,
  mapOf,
  objectOf,
  type Schema,
  text,
  texts,
  whole,
} from '../schemas.ts';
import { thrower } from '../tools.ts';

/** Whether a validation that takes so many steps comes to its end. */
function endsWithin(budget: StepBudget, value: object | string | null, steps: number): boolean {
  const run = (): string => {
    for (let at = 0; at < steps; at += 1) budget.step(null);
    return 'ended';
  };
  return budget.runWithin(JSON.parse(JSON.stringify(value)), run, 'beyond') === 'ended';
}

describe('a budget of 10 steps', () => {
  test.each<[object | string | null, number]>([
    [null, 1],
    [{}, 1],
    [{ a: null, b: 'x' }, 3],
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
    expect(budget.stepCount).toBe(332);
  });

  test.each<[JsonValue, number]>([
    ['abc', 1],
    ['a'.repeat(1000), 11],
    [[1, [2, 3]], 3],
  ])('a look at %j takes %d steps', (value, steps) => {
    const budget = new StepBudget(10);
    budget.runWithin(null, () => budget.step(value), undefined);
    expect(budget.stepCount).toBe(steps);
  });

  test('an exception that is not its own goes on', () => {
    const broken = new Error('broken');
    expect(() => new StepBudget(10).runWithin(null, thrower(broken), false)).toThrow(broken);
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
  const toN: Schema = { $ref: '#/$defs/n' };
  const twoWays = { n: anyOf(objectOf({ b: toN }), objectOf({ c: toN })) };
  const oneGoesOn: Schema = { allOf: [self, { minProperties: 1 }, { maxProperties: 9 }] };
  const rows: readonly (readonly [string, SchemaObject, boolean])[] = [
    ['not where nothing is referred to', closedOf({ a: text, b: listOf(whole) }), false],
    [
      'not where the parts of a place end',
      { type: 'object', allOf: [{}, { minProperties: 1 }] },
      false,
    ],
    ['not where parts that end stand beside one that goes on', objectOf({ a: oneGoesOn }), false],
    ['not in a tree', objectOf({ left: self, right: self, more: listOf(self) }), false],
    ['not where any kind of member goes on', { ...mapOf(self), ...objectOf({ a: self }) }, false],
    [
      'where a union goes on in two ways',
      objectOf({ a: { anyOf: [objectOf({ b: self }), self] } }),
      true,
    ],
    [
      'where both parts of a place go on',
      { ...objectOf({ a: self }), allOf: [objectOf({ a: self })] },
      true,
    ],
    [
      'where a name matches two',
      { type: 'object', patternProperties: { a: self, b: { ...self } } },
      true,
    ],
    ['where a name is asked as well', { ...objectOf({ a: self }), propertyNames: self }, true],
    ['where the ways lie behind a reference', objectOf({ a: toN }, [], { $defs: twoWays }), true],
    [
      'not where only an unused definition goes on',
      objectOf({ a: text }, [], { $defs: twoWays }),
      false,
    ],
    ['not where a reference leads nowhere', objectOf({ a: { $ref: '#/$defs/none' } }), false],
    ['not where references are doubled twelve times', doubled(12), false],
    ['where they are doubled thirteen times', doubled(14), true],
  ];

  test.each(rows)('%s', (_title, schema, expected) => {
    expect(mayTakeLong(schema)).toBe(expected);
  });
});

describe('a schema that contains itself in two branches', () => {
  const branch = (key: string): Schema =>
    objectOf({ next: { $ref: '#/$defs/node' }, [key]: whole });
  const schema = objectOf({ a: { $ref: '#/$defs/node' }, b: texts }, [], {
    $defs: { node: { anyOf: [branch('x'), branch('y')] } },
  });

  describe.each([
    ['Ajv', ajvValidator],
    ['the default validator', schemaValidator],
  ])('%s', (_name, createValidator) => {
    test('counts each schema that it meets, with the size of the value', () => {
      const root = createValidator(schema);
      expect(root.accepts({ b: ['x', 'y'] })).toBe(true);
      expect(root.stepsTaken?.()).toBe(2 + 3 + 2);
      expect(root.accepts({ a: { x: 1 } })).toBe(true);
      expect(root.stepsTaken?.()).toBe(7 + 2 + 2 + 2 + 2 + 1);
    });

    test('ends the validation of a value that it would try in too many ways, and says why', () => {
      const deep = Array.from({ length: 30 }).reduce<JsonObject>((next) => ({ next }), {
        x: 'no',
        y: 'no',
      });
      const root = createValidator(schema);
      expect(root.accepts({ a: deep })).toBe(false);
      expect(root.failures({ a: deep })).toEqual([
        { keyword: 'budget_exceeded', path: '', schema },
      ]);
      expect(root.accepts({ a: { x: 1, next: { y: 2 } } })).toBe(true);
    });
  });
});
