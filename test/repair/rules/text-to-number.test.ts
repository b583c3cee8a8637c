import { testRule } from '../rule-case.ts';
import { listOf, mapOf, number, objectOf, orNull, text } from '../../schemas.ts';

const required = objectOf({ price: number }, ['price']);
testRule('text_to_number', {
  untouched: [
    ['a number', 'price', number, 1.5],
    ['a whole number where any is declared', 'price', number, 2],
    ['digits where text is declared', 'id', text, '1.5'],
  ],
  repaired: [
    ...(
      [
        ['1.5', 1.5],
        ['-1.5', -1.5],
        ['\t2 ', 2],
        ['1.50', 1.5],
        ['1E-2', 0.01],
        ['0.1', 0.1],
        ['1e21', 1e21],
        ['0.0012345678901234500e30', 1.23456789012345e27],
        ['123456789012345e10', 123456789012345e10],
        ['9007199254740991', 9007199254740991],
      ] as const
    ).map(
      ([spelled, value]) => [JSON.stringify(spelled), 'price', number, spelled, value] as const,
    ),
    ['elements of a list', 'prices', listOf(number), [1, '2.5'], [1, 2.5], '/prices/1'],
    ['values of a map', mapOf(number), { a: '2.5' }, { a: 2.5 }, '/a'],
    ['beside null', 'price', orNull(number), '2.5', 2.5],
  ],
  refused: [
    ...[
      '',
      ...'NaN Infinity -Infinity 0x10 5px $5 5% 1_000 1,000 1,5 01.5 1/2'.split(' '),
      ...'100000000000000000000 1e400 0.1000000000000000055511151231257827 90071992547409920 1234567890123456e10'.split(
        ' ',
      ),
    ].map(
      (spelled) => [JSON.stringify(spelled), required, { price: spelled }, 'type /price'] as const,
    ),
    ['beyond the bound: nothing is clamped', 'price', { ...number, minimum: 3 }, '2.5'],
    ['a boolean', 'price', number, true],
  ],
});
