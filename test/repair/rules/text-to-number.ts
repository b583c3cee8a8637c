import { testRule } from '../rule-case.ts';
import { listOf, mapOf, number, objectOf, orNull, text } from '../../schemas.ts';

const required = objectOf({ price: number }, ['price']);
testRule('text_to_number', {
  untouched: [
    { title: 'a number', argument: 'price', schema: number, value: 1.5 },
    { title: 'a whole number where any is declared', argument: 'price', schema: number, value: 2 },
    { title: 'digits where text is declared', argument: 'id', schema: text, value: '1.5' },
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
    ).map(([spelled, value]) => ({
      title: JSON.stringify(spelled),
      argument: 'price',
      schema: number,
      sent: spelled,
      becomes: value,
    })),
    {
      title: 'elements of a list',
      argument: 'prices',
      schema: listOf(number),
      sent: [1, '2.5'],
      becomes: [1, 2.5],
      repairs: '/prices/1',
    },
    {
      title: 'values of a map',
      schema: mapOf(number),
      sent: { a: '2.5' },
      becomes: { a: 2.5 },
      repairs: '/a',
    },
    { title: 'beside null', argument: 'price', schema: orNull(number), sent: '2.5', becomes: 2.5 },
  ],
  refused: [
    ...[
      '',
      ...'NaN Infinity -Infinity 0x10 5px $5 5% 1_000 1,000 1,5 01.5 1/2'.split(' '),
      ...'100000000000000000000 1e400 0.1000000000000000055511151231257827 90071992547409920 1234567890123456e10'.split(
        ' ',
      ),
    ].map((spelled) => ({
      title: JSON.stringify(spelled),
      schema: required,
      sent: { price: spelled },
      issues: 'type /price',
    })),
    {
      title: 'beyond the bound: nothing is clamped',
      argument: 'price',
      schema: { ...number, minimum: 3 },
      sent: '2.5',
    },
    { title: 'a boolean', argument: 'price', schema: number, sent: true },
  ],
});
