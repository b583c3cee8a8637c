import { testRule } from '../rule-case.ts';
import { anyOf, listOf, nothing, objectOf, recordOf, text, whole } from '../sample-schemas.ts';

const nullable = anyOf(whole, nothing);

testRule({
  untouched: [
    ['null', objectOf({ limit: nullable }), { limit: null }],
    ['the word where text is allowed', objectOf({ name: anyOf(text, nothing) }), { name: 'None' }],
    ['the word where only text is allowed', objectOf({ name: text }), { name: 'null' }],
    ['the word as a member', objectOf({ mode: { enum: ['None', null] } }), { mode: 'None' }],
  ],
  repaired: [
    ...['null', 'None', 'undefined', ' null\n'].map(
      (word) =>
        [
          JSON.stringify(word),
          objectOf({ limit: nullable }),
          { limit: word },
          { limit: null },
          'null_word /limit',
        ] as const,
    ),
    [
      'in a type list',
      objectOf({ limit: { type: ['integer', 'null'] } }),
      { limit: 'None' },
      { limit: null },
      'null_word /limit',
    ],
    [
      'required',
      objectOf({ limit: nullable }, ['limit']),
      { limit: 'None' },
      { limit: null },
      'null_word /limit',
    ],
    [
      'in a list',
      objectOf({ ids: listOf(nullable) }),
      { ids: [1, 'None'] },
      { ids: [1, null] },
      'null_word /ids/1',
    ],
    ['in a map', recordOf(nullable), { a: 'null' }, { a: null }, 'null_word /a'],
    [
      'behind a reference',
      objectOf({ a: { $ref: '#/$defs/a' } }, [], { $defs: { a: nullable } }),
      { a: 'null' },
      { a: null },
      'null_word /a',
    ],
    [
      'beside text that it does not fit',
      objectOf({ day: anyOf({ type: 'string', format: 'date' }, nothing) }),
      { day: 'None' },
      { day: null },
      'null_word /day',
    ],
    [
      'beside lists: null, not a list of the word',
      objectOf({ names: anyOf(listOf(text), nothing) }, ['names']),
      { names: 'None' },
      { names: null },
      'null_word /names',
    ],
    [
      'among the members of an enum',
      objectOf({ mode: { enum: ['a', null] } }),
      { mode: 'None' },
      { mode: null },
      'null_word /mode',
    ],
  ],
  refused: [
    ...['NULL', 'none', 'nil', 'N/A', '', '"null"'].map(
      (word) =>
        [
          JSON.stringify(word),
          objectOf({ limit: nullable }, ['limit']),
          { limit: word },
          'anyOf /limit',
        ] as const,
    ),
    ['null is not allowed', objectOf({ limit: whole }, ['limit']), { limit: 'None' }, 'type /limit'],
    ['a word before it', objectOf({ limit: nullable }), { limit: 'not null' }, 'anyOf /limit'],
    ['a word after it', objectOf({ limit: nullable }), { limit: 'null value' }, 'anyOf /limit'],
  ],
});
