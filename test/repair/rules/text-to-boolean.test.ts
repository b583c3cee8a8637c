import { testRule } from '../rule-case.ts';
import { anyOf, flag, listOf, nothing, objectOf, recordOf, text } from '../sample-schemas.ts';

testRule({
  untouched: [
    ['a boolean', objectOf({ all: flag }), { all: true }],
    ['the word where text is declared', objectOf({ body: text }), { body: 'true' }],
    ['the word in a union that takes text', objectOf({ body: anyOf(flag, text) }), { body: 'true' }],
    [
      'the word in a type list that takes text',
      objectOf({ body: { type: ['boolean', 'string'] } }),
      { body: 'false' },
    ],
  ],
  repaired: [
    ...(
      [
        ['true', true],
        ['True', true],
        ['TRUE', true],
        [' false\n', false],
        ['False', false],
        ['FALSE', false],
      ] as const
    ).map(
      ([word, value]) =>
        [
          JSON.stringify(word),
          objectOf({ all: flag }),
          { all: word },
          { all: value },
          'text_to_boolean /all',
        ] as const,
    ),
    [
      'elements of a list',
      objectOf({ flags: listOf(flag) }),
      { flags: [true, 'false'] },
      { flags: [true, false] },
      'text_to_boolean /flags/1',
    ],
    ['values of a map', recordOf(flag), { a: 'true' }, { a: true }, 'text_to_boolean /a'],
    [
      'beside null',
      objectOf({ all: anyOf(flag, nothing) }),
      { all: 'false' },
      { all: false },
      'text_to_boolean /all',
    ],
    [
      'behind a reference',
      objectOf({ all: { $ref: '#/$defs/flag' } }, [], { $defs: { flag } }),
      { all: 'true' },
      { all: true },
      'text_to_boolean /all',
    ],
    [
      'joined with allOf',
      objectOf({ all: { allOf: [flag] } }),
      { all: 'true' },
      { all: true },
      'text_to_boolean /all',
    ],
  ],
  refused: [
    ...['yes', 'no', '1', '0', 'on', 'off', 'tRUE', '"true"', 't', ''].map(
      (word) => [JSON.stringify(word), objectOf({ all: flag }, ['all']), { all: word }, 'type /all'] as const,
    ),
    ['a number', objectOf({ all: flag }), { all: 1 }, 'type /all'],
    ['a list of one', objectOf({ all: flag }), { all: ['yes'] }, 'type /all'],
    [
      'only true is allowed',
      objectOf({ all: { type: 'boolean', const: true } }),
      { all: 'false' },
      ['type /all', 'const /all'],
    ],
  ],
});
