import { pairsOf } from '../../words.ts';
import { testRule } from '../rule-case.ts';
import { anyOf, objectOf, text } from '../../schemas.ts';

const modes = { ...text, enum: ['read_only', 'Read-Write', 'append'] } as const;
const mode = objectOf({ mode: modes });

testRule('enum_spelling', {
  untouched: [
    { title: 'a member', schema: mode, value: { mode: 'Read-Write' } },
    {
      title: 'text where any text may stand',
      argument: 'mode',
      schema: anyOf(modes, text),
      value: 'APPEND',
    },
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
    ).map(([sent, value]) => ({
      title: JSON.stringify(sent),
      schema: mode,
      sent: { mode: sent },
      becomes: { mode: value },
      repairs: '/mode',
    })),
    {
      title: 'a boolean for its text',
      argument: 'force',
      schema: { enum: ['true', 'false', 'auto'] },
      sent: true,
      becomes: 'true',
    },
    {
      title: 'a number for its text',
      argument: 'version',
      schema: { ...text, enum: ['1.1', '2'] },
      sent: 1.1,
      becomes: '1.1',
    },
    {
      title: 'a number among the members',
      argument: 'level',
      schema: { enum: [1, 2] },
      sent: '2',
      becomes: 2,
      repairs: 'text_to_number /level',
    },
    {
      title: 'a boolean among the members',
      argument: 'level',
      schema: { enum: [true, 'auto'] },
      sent: 'true',
      becomes: true,
    },
    {
      title: 'a boolean as Python writes it, beside text',
      argument: 'level',
      schema: { enum: [true, 'auto'] },
      sent: 'True',
      becomes: true,
    },
    {
      title: 'the exact member in quotes, beside other spellings',
      argument: 'g',
      schema: { enum: ['AA', 'Aa', 'aa'] },
      sent: ' "aa" ',
      becomes: 'aa',
    },
    {
      title: 'a separator beside a digit',
      argument: 'v',
      schema: { enum: ['v-1', 'x'] },
      sent: 'V 1',
      becomes: 'v-1',
    },
    {
      title: 'several separators beside digits',
      argument: 'v',
      schema: { enum: ['1-1', 'x'] },
      sent: '1  1',
      becomes: '1-1',
    },
    {
      title: 'quotes and blanks, inside and outside',
      argument: 'v',
      schema: { enum: ['ab', 'x'] },
      sent: ' " AB " ',
      becomes: 'ab',
    },
  ],
  refused: [
    {
      title: 'a number that is not the text of a member',
      argument: 'version',
      schema: { enum: ['1.10', '01'] },
      sent: 1.1,
      issues: 'enum /version',
    },
    {
      title: 'a boolean for another word',
      argument: 'force',
      schema: { enum: ['yes', 'no', 'True'] },
      sent: true,
      issues: 'enum /force',
    },
    ...pairsOf('created_at/-created_at -name/name inf/-inf A-/A O/O- _private/private A_/A-').map(
      ([sent, member]) => ({
        title: `${sent} is not ${member}`,
        argument: 'v',
        schema: { enum: [member, 'other'] },
        sent,
        issues: 'enum /v',
      }),
    ),
    { title: 'a synonym', schema: mode, sent: { mode: 'add' }, issues: 'enum /mode' },
    { title: 'a beginning', schema: mode, sent: { mode: 'app' }, issues: 'enum /mode' },
    { title: 'a typing error', schema: mode, sent: { mode: 'apend' }, issues: 'enum /mode' },
    {
      title: 'blank text for blank',
      schema: objectOf({ v: { ...text, enum: ['', 'a'] } }, ['v']),
      sent: { v: ' ' },
      issues: 'enum /v',
    },
  ],
});
