// Does text become the one member that it spells, and no member that it only resembles?
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
        [JSON.stringify(sent), mode, { mode: sent }, { mode: member }, [['enum_spelling', '/mode']]] as const,
    ),
    [
      'a number among the members',
      objectOf({ level: { enum: [1, 2] } }),
      { level: '2' },
      { level: 2 },
      [['text_to_number', '/level']],
    ],
    [
      'a boolean among the members',
      objectOf({ level: { enum: [true, 'auto'] } }),
      { level: 'true' },
      { level: true },
      [['enum_spelling', '/level']],
    ],
    [
      'a boolean as Python writes it, beside text',
      objectOf({ level: { enum: [true, 'auto'] } }),
      { level: 'True' },
      { level: true },
      [['enum_spelling', '/level']],
    ],
    [
      'a number in another notation, beside text',
      objectOf({ level: { enum: [1, 'auto'] } }),
      { level: '1.0' },
      { level: 1 },
      [['enum_spelling', '/level']],
    ],
    [
      'a constant',
      objectOf({ kind: { const: 'file' } }),
      { kind: 'FILE' },
      { kind: 'file' },
      [['enum_spelling', '/kind']],
    ],
    [
      'in a list',
      objectOf({ modes: listOf(modes) }),
      { modes: ['append', 'READ_ONLY'] },
      { modes: ['append', 'read_only'] },
      [['enum_spelling', '/modes/1']],
    ],
    ['in a map', recordOf(modes), { a: 'Append' }, { a: 'append' }, [['enum_spelling', '/a']]],
    [
      'behind a reference, beside null',
      objectOf({ mode: anyOf({ $ref: '#/$defs/mode' }, nothing) }, [], { $defs: { mode: modes } }),
      { mode: 'Append' },
      { mode: 'append' },
      [['enum_spelling', '/mode']],
    ],
    [
      'the dash of a version is exchanged',
      objectOf({ v: { enum: ['1_0', '10'] } }),
      { v: '1-0' },
      { v: '1_0' },
      [['enum_spelling', '/v']],
    ],
  ],
  refused: [
    ['a synonym', mode, { mode: 'add' }, [['enum', '/mode']]],
    ['a beginning', mode, { mode: 'app' }, [['enum', '/mode']]],
    ['a typing error', mode, { mode: 'apend' }, [['enum', '/mode']]],
    ['a plural', mode, { mode: 'appends' }, [['enum', '/mode']]],
    [
      'two members fit',
      objectOf({ mode: { enum: ['on-line', 'on_line'] } }),
      { mode: 'online' },
      [['enum', '/mode']],
    ],
    [
      'a separator beside a digit is never left out',
      objectOf({ v: { enum: ['10'] } }),
      { v: '1-0' },
      [['enum', '/v']],
    ],
    ['nor put in', objectOf({ v: { enum: ['1-0'] } }), { v: '10' }, [['enum', '/v']]],
    ['a point is no separator', mode, { mode: 'read.only' }, [['enum', '/mode']]],
    [
      'a number that spells a member',
      objectOf({ v: { type: 'string', enum: ['10'] } }),
      { v: 10 },
      [
        ['type', '/v'],
        ['enum', '/v'],
      ],
    ],
    ['two members in one text', mode, { mode: 'append, read_only' }, [['enum', '/mode']]],
  ],
});
