import { testRule } from '../rule-case.ts';
import {
  anyOf,
  closedOf,
  flag,
  listOf,
  nothing,
  objectOf,
  recordOf,
  text,
  texts,
  whole,
} from '../sample-schemas.ts';

testRule({
  untouched: [
    ['blank text where text may stand', objectOf({ name: text }), { name: '' }],
    ['the word null where text may stand', objectOf({ name: text }), { name: 'null' }],
    ['an empty object that may stand there', objectOf({ filter: closedOf({ a: text }) }), { filter: {} }],
    ['an empty list', objectOf({ names: texts }), { names: [] }],
    ['false and 0', objectOf({ a: flag, b: whole }), { a: false, b: 0 }],
    ['an undeclared key of an open object', objectOf({ a: text }), { b: '' }],
  ],
  repaired: [
    ...['', '  ', 'null', 'None', ' undefined '].map(
      (word) =>
        [
          JSON.stringify(word),
          objectOf({ limit: whole }),
          { limit: word },
          {},
          'drop_placeholder /limit',
        ] as const,
    ),
    [
      'an empty object for a number',
      objectOf({ limit: whole }),
      { limit: {} },
      {},
      'drop_placeholder /limit',
    ],
    ['blank text for a list', objectOf({ names: texts }), { names: '' }, {}, 'drop_placeholder /names'],
    [
      'blank text for an enum',
      objectOf({ mode: { enum: ['a', 'b'] } }),
      { mode: '' },
      {},
      'drop_placeholder /mode',
    ],
    [
      'blank text for text that must be a date',
      objectOf({ day: { type: 'string', format: 'date' } }),
      { day: '' },
      {},
      'drop_placeholder /day',
    ],
    [
      'blank text for an object',
      objectOf({ filter: closedOf({ a: text }) }),
      { filter: '' },
      {},
      'drop_placeholder /filter',
    ],
    [
      'in a list, in a map',
      objectOf({ rows: listOf(recordOf(closedOf({ n: whole }))) }),
      { rows: [{ x: { n: '' } }] },
      { rows: [{ x: {} }] },
      'drop_placeholder /rows/0/x/n',
    ],
    [
      'behind a reference, in a branch',
      objectOf({ page: anyOf({ $ref: '#/$defs/page' }, nothing) }, [], {
        $defs: { page: closedOf({ size: whole, all: flag }) },
      }),
      { page: { size: '', all: true } },
      { page: { all: true } },
      'drop_placeholder /page/size',
    ],
    [
      'blank text where null may stand',
      objectOf({ limit: { type: ['integer', 'null'] } }),
      { limit: '' },
      {},
      'drop_placeholder /limit',
    ],
    [
      'an empty object where null may stand',
      objectOf({ limit: { type: ['integer', 'null'] } }),
      { limit: {} },
      {},
      'drop_placeholder /limit',
    ],
  ],
  refused: [
    [
      'an empty object for verbatim text',
      objectOf({ body: { ...text, 'x-toolmend': { verbatim: true } } }),
      { body: {} },
      'type /body',
    ],
    [
      'an empty object where a list or another object may stand',
      objectOf({ rows: anyOf(texts, closedOf({ a: text }, ['a'])) }),
      { rows: {} },
      'required /rows',
    ],
    ['a required key', objectOf({ limit: whole }, ['limit']), { limit: '' }, 'type /limit'],
    ['an element of a list', objectOf({ ids: listOf(whole) }), { ids: [1, ''] }, 'type /ids/1'],
    ['a value of a map', objectOf({ ids: recordOf(whole) }), { ids: { a: '' } }, 'type /ids/a'],
    ['other words', objectOf({ limit: whole }), { limit: 'none' }, 'type /limit'],
    ['a dash', objectOf({ limit: whole }), { limit: '-' }, 'type /limit'],
    ['an object that holds something', objectOf({ limit: whole }), { limit: { a: '' } }, 'type /limit'],
    ['an object that is not empty', objectOf({ limit: whole }), { limit: { x: 1 } }, 'type /limit'],
    ['a number', objectOf({ all: flag }), { all: 5 }, 'type /all'],
    ['an empty list', objectOf({ all: flag }), { all: [] }, 'type /all'],
    [
      'blank text that is taken to the letter',
      objectOf({ body: { ...text, minLength: 5, 'x-toolmend': { verbatim: true } } }),
      { body: '  ' },
      'minLength /body',
    ],
  ],
});
