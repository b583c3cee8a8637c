import { testRule } from '../rule-case.ts';
import { anyOf, listOf, nothing, objectOf, recordOf, text } from '../sample-schemas.ts';

const modes = { type: 'string', enum: ['read_only', 'Read-Write', 'append'] } as const;
const mode = objectOf({ mode: modes });

testRule({
  untouched: [
    ['a member', mode, { mode: 'Read-Write' }],
    ['text where any text may stand', objectOf({ mode: anyOf(modes, text) }), { mode: 'APPEND' }],
  ],
  repaired: [
    ...(
      [
        ['APPEND', 'append'],
        ['read-only', 'read_only'],
        ['ReadOnly', 'read_only'],
        ['read only', 'read_only'],
        [' append ', 'append'],
        ['"append"', 'append'],
        ["'append'", 'append'],
        ['readwrite', 'Read-Write'],
      ] as const
    ).map(
      ([sent, member]) =>
        [JSON.stringify(sent), mode, { mode: sent }, { mode: member }, 'enum_spelling /mode'] as const,
    ),
    [
      'a number among the members',
      objectOf({ level: { enum: [1, 2] } }),
      { level: '2' },
      { level: 2 },
      'text_to_number /level',
    ],
    [
      'a boolean among the members',
      objectOf({ level: { enum: [true, 'auto'] } }),
      { level: 'true' },
      { level: true },
      'enum_spelling /level',
    ],
    [
      'a boolean as Python writes it, beside text',
      objectOf({ level: { enum: [true, 'auto'] } }),
      { level: 'True' },
      { level: true },
      'enum_spelling /level',
    ],
    [
      'a number in another notation, beside text',
      objectOf({ level: { enum: [1, 'auto'] } }),
      { level: '1.0' },
      { level: 1 },
      'enum_spelling /level',
    ],
    [
      'a constant',
      objectOf({ kind: { const: 'file' } }),
      { kind: 'FILE' },
      { kind: 'file' },
      'enum_spelling /kind',
    ],
    [
      'in a list',
      objectOf({ modes: listOf(modes) }),
      { modes: ['append', 'READ_ONLY'] },
      { modes: ['append', 'read_only'] },
      'enum_spelling /modes/1',
    ],
    ['in a map', recordOf(modes), { a: 'Append' }, { a: 'append' }, 'enum_spelling /a'],
    [
      'behind a reference, beside null',
      objectOf({ mode: anyOf({ $ref: '#/$defs/mode' }, nothing) }, [], { $defs: { mode: modes } }),
      { mode: 'Append' },
      { mode: 'append' },
      'enum_spelling /mode',
    ],
    [
      'the exact member in quotes, beside other spellings of it',
      objectOf({ g: { enum: ['AA', 'Aa', 'aa'] } }),
      { g: ' "aa" ' },
      { g: 'aa' },
      'enum_spelling /g',
    ],
    [
      'a sign that was sent, too',
      objectOf({ sort: { enum: ['-created_at', 'created_at'] } }),
      { sort: '-Created At' },
      { sort: '-created_at' },
      'enum_spelling /sort',
    ],
    [
      'the dash of a version is exchanged',
      objectOf({ v: { enum: ['1_0', '10'] } }),
      { v: '1-0' },
      { v: '1_0' },
      'enum_spelling /v',
    ],
    [
      'a path',
      objectOf({ file: { type: 'string', enum: ['src/a', 'src/b'], 'x-toolmend': { semantic: 'path' } } }),
      { file: 'SRC/A' },
      { file: 'src/a' },
      'enum_spelling /file',
    ],
    [
      'what would be a link in a path',
      objectOf({ note: { enum: ['[a](http://a)'] } }),
      { note: '[A](http://a)' },
      { note: '[a](http://a)' },
      'enum_spelling /note',
    ],
    [
      'several separators beside a digit',
      objectOf({ v: { enum: ['v-1', 'x'] } }),
      { v: 'V  1' },
      { v: 'v-1' },
      'enum_spelling /v',
    ],
    [
      'quotes and blanks, inside and outside',
      objectOf({ v: { enum: ['ab', 'x'] } }),
      { v: ' " AB " ' },
      { v: 'ab' },
      'enum_spelling /v',
    ],
    [
      'an optional word that would else say nothing',
      objectOf({ v: { type: 'string', enum: ['none', 'x'] } }),
      { v: 'None' },
      { v: 'none' },
      'enum_spelling /v',
    ],
    [
      'a word beside null',
      objectOf({ v: { enum: ['none', 'x', null] } }),
      { v: 'None' },
      { v: 'none' },
      'enum_spelling /v',
    ],
    [
      'a true among the members',
      objectOf({ v: { enum: ['auto', true] } }),
      { v: ' true' },
      { v: true },
      'enum_spelling /v',
    ],
  ],
  refused: [
    ...(
      [
        ['created_at', '-created_at'],
        ['-name', 'name'],
        ['inf', '-inf'],
        ['A-', 'A'],
        ['O', 'O-'],
        ['_private', 'private'],
        ['A_', 'A-'],
      ] as const
    ).map(
      ([sent, member]) =>
        [
          `${sent} is not ${member}`,
          objectOf({ v: { enum: [member, 'other'] } }),
          { v: sent },
          'enum /v',
        ] as const,
    ),
    ['a synonym', mode, { mode: 'add' }, 'enum /mode'],
    ['a beginning', mode, { mode: 'app' }, 'enum /mode'],
    ['a typing error', mode, { mode: 'apend' }, 'enum /mode'],
    ['a plural', mode, { mode: 'appends' }, 'enum /mode'],
    [
      'two members fit',
      objectOf({ mode: { enum: ['on-line', 'on_line'] } }),
      { mode: 'online' },
      'enum /mode',
    ],
    [
      'a separator beside a digit is never left out',
      objectOf({ v: { enum: ['10'] } }),
      { v: '1-0' },
      'enum /v',
    ],
    ['nor put in', objectOf({ v: { enum: ['1-0'] } }), { v: '10' }, 'enum /v'],
    ['a point is no separator', mode, { mode: 'read.only' }, 'enum /mode'],
    [
      'a number that spells a member',
      objectOf({ v: { type: 'string', enum: ['10'] } }),
      { v: 10 },
      ['type /v', 'enum /v'],
    ],
    ['two members in one text', mode, { mode: 'append, read_only' }, 'enum /mode'],
    [
      'blank text for a blank member',
      objectOf({ v: { type: 'string', enum: ['', 'a'] } }, ['v']),
      { v: ' ' },
      'enum /v',
    ],
    ['separators alone', objectOf({ v: { type: 'string', enum: ['', 'a'] } }, ['v']), { v: '_-' }, 'enum /v'],
    ['a number with a separator left out', objectOf({ v: { enum: ['v-1', 'x'] } }), { v: 'v1' }, 'enum /v'],
    ['a separator left out before a letter', objectOf({ v: { enum: ['1-v', 'x'] } }), { v: '1v' }, 'enum /v'],
    ['a number that is no member', objectOf({ v: { enum: [1, 2] } }), { v: '3' }, 'enum /v'],
    ['a quote on one side', objectOf({ v: { enum: ['ab', 'x'] } }), { v: '"ab' }, 'enum /v'],
    ['quotes around a part', objectOf({ v: { enum: ['ab', 'x'] } }), { v: 'x"ab"' }, 'enum /v'],
    ['quotes around the start', objectOf({ v: { enum: ['ab', 'x'] } }), { v: '"ab"x' }, 'enum /v'],
  ],
});
