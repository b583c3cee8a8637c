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
      ([sent, member]) => [JSON.stringify(sent), mode, { mode: sent }, { mode: member }, '/mode'] as const,
    ),
    ['a number among the members', 'level', { enum: [1, 2] }, '2', 2, 'text_to_number /level'],
    ['a boolean among the members', 'level', { enum: [true, 'auto'] }, 'true', true],
    ['a boolean as Python writes it, beside text', 'level', { enum: [true, 'auto'] }, 'True', true],
    ['a number in another notation, beside text', 'level', { enum: [1, 'auto'] }, '1.0', 1],
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
        [`${sent} is not ${member}`, 'v', { enum: [member, 'other'] }, sent, 'enum /v'] as const,
    ),
    ['a synonym', mode, { mode: 'add' }, 'enum /mode'],
    ['a beginning', mode, { mode: 'app' }, 'enum /mode'],
    ['a typing error', mode, { mode: 'apend' }, 'enum /mode'],
    ['a plural', mode, { mode: 'appends' }, 'enum /mode'],
    ['two members fit', 'mode', { enum: ['on-line', 'on_line'] }, 'online', 'enum /mode'],
  ],
});
