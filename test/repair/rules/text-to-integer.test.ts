import { testRule } from '../rule-case.ts';
import { anyOf, listOf, nothing, objectOf, recordOf, text, whole } from '../sample-schemas.ts';

testRule({
  untouched: [
    ['a whole number', objectOf({ limit: whole }), { limit: 5 }],
    ['5.0 is 5', objectOf({ limit: whole }), { limit: 5.0 }],
    ['digits where text is declared', objectOf({ id: text }), { id: '5' }],
    ['digits in a union that takes text', objectOf({ id: anyOf(whole, text) }), { id: '5' }],
    ['digits in a type list that takes text', objectOf({ id: { type: ['integer', 'string'] } }), { id: '5' }],
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
    ).map(
      ([spelled, value]) =>
        [
          JSON.stringify(spelled),
          objectOf({ limit: whole }),
          { limit: spelled },
          { limit: value },
          'text_to_integer /limit',
        ] as const,
    ),
    [
      'elements of a list',
      objectOf({ ids: listOf(whole) }),
      { ids: [1, '2'] },
      { ids: [1, 2] },
      'text_to_integer /ids/1',
    ],
    ['values of a map', recordOf(whole), { a: '2' }, { a: 2 }, 'text_to_integer /a'],
    [
      'beside null',
      objectOf({ limit: anyOf(whole, nothing) }),
      { limit: '2' },
      { limit: 2 },
      'text_to_integer /limit',
    ],
    [
      'behind a reference',
      objectOf({ limit: { $ref: '#/$defs/n' } }, [], { $defs: { n: whole } }),
      { limit: '2' },
      { limit: 2 },
      'text_to_integer /limit',
    ],
    [
      'members of an enum of numbers',
      objectOf({ level: { type: 'integer', enum: [1, 2] } }),
      { level: '2' },
      { level: 2 },
      'text_to_integer /level',
    ],
  ],
  refused: [
    ...[
      '5.5',
      '',
      '0x10',
      '5px',
      'five',
      '1_000',
      '1,000',
      '007',
      '+5',
      '.5',
      '5.',
      '1 000',
      'Infinity',
      'NaN',
      '9007199254740993',
      '12345678901234567890',
      '1e400',
      '٥',
    ].map(
      (spelled) =>
        [
          JSON.stringify(spelled),
          objectOf({ limit: whole }, ['limit']),
          { limit: spelled },
          'type /limit',
        ] as const,
    ),
    [
      'beyond the bound: nothing is clamped',
      objectOf({ limit: { type: 'integer', maximum: 3 } }),
      { limit: '5' },
      'type /limit',
    ],
    ['a fraction: nothing is rounded', objectOf({ limit: whole }), { limit: 5.5 }, 'type /limit'],
    ['a boolean', objectOf({ limit: whole }), { limit: true }, 'type /limit'],
  ],
});
