import { pairsOf } from '../../words.ts';
import { testRule } from '../rule-case.ts';
import { anyOf, objectOf, text } from '../../schemas.ts';

const modes = { ...text, enum: ['read_only', 'Read-Write', 'append'] } as const;
const mode = objectOf({ mode: modes });

testRule('enum_spelling', {
  untouched: [
    ['a member', mode, { mode: 'Read-Write' }],
    ['text where any text may stand', 'mode', anyOf(modes, text), 'APPEND'],
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
      ([sent, value]) =>
        [JSON.stringify(sent), mode, { mode: sent }, { mode: value }, '/mode'] as const,
    ),
    ['a number among the members', 'level', { enum: [1, 2] }, '2', 2, 'text_to_number /level'],
    ['a boolean among the members', 'level', { enum: [true, 'auto'] }, 'true', true],
    ['a boolean as Python writes it, beside text', 'level', { enum: [true, 'auto'] }, 'True', true],
    [
      'the exact member in quotes, beside other spellings',
      'g',
      { enum: ['AA', 'Aa', 'aa'] },
      ' "aa" ',
      'aa',
    ],
    ['a separator beside a digit', 'v', { enum: ['v-1', 'x'] }, 'V 1', 'v-1'],
    ['several separators beside digits', 'v', { enum: ['1-1', 'x'] }, '1  1', '1-1'],
    ['quotes and blanks, inside and outside', 'v', { enum: ['ab', 'x'] }, ' " AB " ', 'ab'],
  ],
  refused: [
    ...pairsOf('created_at/-created_at -name/name inf/-inf A-/A O/O- _private/private A_/A-').map(
      ([sent, member]) =>
        [`${sent} is not ${member}`, 'v', { enum: [member, 'other'] }, sent, 'enum /v'] as const,
    ),
    ['a synonym', mode, { mode: 'add' }, 'enum /mode'],
    ['a beginning', mode, { mode: 'app' }, 'enum /mode'],
    ['a typing error', mode, { mode: 'apend' }, 'enum /mode'],
    [
      'blank text for blank',
      objectOf({ v: { ...text, enum: ['', 'a'] } }, ['v']),
      { v: ' ' },
      'enum /v',
    ],
  ],
});
