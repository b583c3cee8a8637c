import { testRule } from '../rule-case.ts';
import { listOf, mapOf, number, objectOf, orNull, text, whole } from '../../schemas.ts';

const required = objectOf({ limit: whole }, ['limit']);
const sets = objectOf({ ids: listOf(whole, { uniqueItems: true }), n: whole });

testRule('text_to_integer', {
  untouched: [
    ['a whole number', 'limit', whole, 5],
    ['5.0 is 5', 'limit', whole, 5.0],
    ['digits where text is declared', 'id', text, '5'],
  ],
  repaired: [
    ...(
      [
        ['5', 5],
        ['-5', -5],
        [' 5\n', 5],
        ['5.0', 5],
        ['5e3', 5000],
        ['0', 0],
        ['9007199254740991', 9007199254740991],
      ] as const
    ).map(([spelled, value]) => [JSON.stringify(spelled), 'limit', whole, spelled, value] as const),
    ['elements of a list', 'ids', listOf(whole), [1, '2'], [1, 2], '/ids/1'],
    ['values of a map', mapOf(whole), { a: '2' }, { a: 2 }, '/a'],
    ['beside null', 'limit', orNull(whole), '2', 2],
  ],
  refused: [
    ['one that then comes twice', sets, { ids: ['1', 1], n: 'x' }, 'type /ids/0, type /n'],
    ['beside what can’t be read', 'ids', listOf(whole), ['1', 1, 'x'], 'type /ids/2'],
    ['a number of two branches', 'a', { oneOf: [whole, number] }, '5', 'oneOf /a'],
    ...[
      '',
      '1 000',
      ...'5.5 0x10 5px five 1_000 1,000 -007 +5 .5 5. Infinity NaN 9007199254740993 12345678901234567890'.split(
        ' ',
      ),
      ...'1e400 ٥'.split(' '),
    ].map(
      (spelled) => [JSON.stringify(spelled), required, { limit: spelled }, 'type /limit'] as const,
    ),
    ['beyond the bound: nothing is clamped', 'limit', { ...whole, maximum: 3 }, '5'],
    ['a fraction: nothing is rounded', 'limit', whole, 5.5],
    ['a boolean', 'limit', whole, true],
  ],
});
