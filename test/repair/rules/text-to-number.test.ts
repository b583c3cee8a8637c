import { testRule } from '../rule-case.ts';
import { anyOf, listOf, nothing, number, objectOf, recordOf, text } from '../sample-schemas.ts';

testRule({
  untouched: [
    ['a number', objectOf({ price: number }), { price: 1.5 }],
    ['a whole number where any is declared', objectOf({ price: number }), { price: 2 }],
    ['digits where text is declared', objectOf({ id: text }), { id: '1.5' }],
    ['digits in a union that takes text', objectOf({ id: anyOf(number, text) }), { id: '1.5' }],
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
        ['123456789012345e10', 123456789012345e10],
        ['9007199254740991', 9007199254740991],
      ] as const
    ).map(
      ([spelled, value]) =>
        [
          JSON.stringify(spelled),
          objectOf({ price: number }),
          { price: spelled },
          { price: value },
          'text_to_number /price',
        ] as const,
    ),
    [
      'elements of a list',
      objectOf({ prices: listOf(number) }),
      { prices: [1, '2.5'] },
      { prices: [1, 2.5] },
      'text_to_number /prices/1',
    ],
    ['values of a map', recordOf(number), { a: '2.5' }, { a: 2.5 }, 'text_to_number /a'],
    [
      'beside null',
      objectOf({ price: anyOf(number, nothing) }),
      { price: '2.5' },
      { price: 2.5 },
      'text_to_number /price',
    ],
    [
      'behind a reference',
      objectOf({ price: { $ref: '#/$defs/n' } }, [], { $defs: { n: number } }),
      { price: '2.5' },
      { price: 2.5 },
      'text_to_number /price',
    ],
    [
      'an exponent of two digits',
      objectOf({ price: number }),
      { price: '1e+05' },
      { price: 100_000 },
      'text_to_number /price',
    ],
  ],
  refused: [
    ...[
      '',
      'NaN',
      'Infinity',
      '-Infinity',
      '0x10',
      '5px',
      '$5',
      '5%',
      '1_000',
      '1,000',
      '1,5',
      '01.5',
      '1e400',
      '0.1000000000000000055511151231257827',
      '1/2',
      '90071992547409920',
      '1234567890123456e10',
    ].map(
      (spelled) =>
        [
          JSON.stringify(spelled),
          objectOf({ price: number }, ['price']),
          { price: spelled },
          'type /price',
        ] as const,
    ),
    [
      'beyond the bound: nothing is clamped',
      objectOf({ price: { type: 'number', minimum: 3 } }),
      { price: '2.5' },
      'type /price',
    ],
    ['a boolean', objectOf({ price: number }), { price: true }, 'type /price'],
  ],
});
