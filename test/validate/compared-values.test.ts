// Are values compared by what they hold, whatever their keys are called?
import { costOf } from '../cost.ts';
import { interpretArguments } from 'toolmend';
import { closedOf, type Schema } from '../repair/sample-schemas.ts';

const outcomeOf = (schema: Schema, value: unknown): string =>
  interpretArguments(closedOf({ sent: schema }, ['sent']), { value: { sent: value } }).status;

const odd = { toString: 1, valueOf: 2, constructor: { a: [1] } };
const other = { toString: 1, valueOf: 2, constructor: { a: [2] } };
const reordered = { constructor: { a: [1] }, valueOf: 2, toString: 1 };

describe('const and enum of objects whose keys are JavaScript’s', () => {
  const rows: readonly (readonly [string, Schema])[] = [
    ['const', { const: odd }],
    ['enum', { enum: ['none', odd] }],
  ];

  test.each(rows)('%s takes the same value, its keys in any order', (_keyword, schema) => {
    expect(outcomeOf(schema, odd)).toBe('unchanged');
    expect(outcomeOf(schema, reordered)).toBe('unchanged');
  });

  test.each(rows)('%s takes no other value, and none throws', (_keyword, schema) => {
    for (const value of [other, { toString: 1 }, {}, [], [other], null, 'toString', 5]) {
      expect(outcomeOf(schema, value)).toBe('rejected');
    }
  });

  test('members beside an object stay what they were', () => {
    expect(outcomeOf({ enum: ['none', odd] }, 'none')).toBe('unchanged');
    expect(outcomeOf({ const: ['a', odd] }, ['a', reordered])).toBe('unchanged');
    expect(outcomeOf({ const: ['a', odd] }, [odd, 'a'])).toBe('rejected');
  });
});

describe('uniqueItems', () => {
  const unique: Schema = { type: 'array', uniqueItems: true };

  test.each([
    [[]],
    [[1, '1', true, 'true', null, 'null']],
    [[odd, other]],
    [[{ a: 1 }, { a: '1' }, [1], ['1'], [[1]], '[1]']],
    [
      [
        { a: 1, b: 2 },
        { a: 2, b: 1 },
      ],
    ],
  ])('%j has no repetitions', (list) => {
    expect(outcomeOf(unique, list)).toBe('unchanged');
  });

  test.each([
    [['a', 'b', 'a']],
    [['__proto__', '__proto__']],
    [[0, 0]],
    [[null, null]],
    [[odd, other, reordered]],
    [
      [
        [1, [2]],
        [1, [2]],
      ],
    ],
  ])('%j has', (list) => {
    expect(outcomeOf(unique, list)).toBe('rejected');
  });

  test('texts are looked at as strings, the name of a prototype included', () => {
    expect(outcomeOf({ ...unique, items: { type: 'string' } }, ['__proto__', '__proto__'])).toBe('rejected');
    expect(outcomeOf({ ...unique, items: { type: 'string' } }, ['__proto__', 'toString'])).toBe('unchanged');
  });

  test('false asks for nothing', () => {
    expect(outcomeOf({ type: 'array', uniqueItems: false }, [1, 1])).toBe('unchanged');
  });

  test('20,000 different objects take no longer than a moment', () => {
    const list = Array.from({ length: 20_000 }, (_, at) => ({ at }));
    const { result, cost } = costOf(() => outcomeOf(unique, list));
    expect(result).toBe('unchanged');
    expect(cost).toBeLessThan(200);
  });
});
