import { testRule } from '../rule-case.ts';
import { anyOf, listOf, mapOf, objectOf, text } from '../../schemas.ts';

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
    ['a constant', 'kind', { const: 'file' }, 'FILE', 'file'],
    ['in a list', 'modes', listOf(modes), ['append', 'READ_ONLY'], ['append', 'read_only'], '/modes/1'],
    ['in a map', mapOf(modes), { a: 'Append' }, { a: 'append' }, '/a'],
    ['the exact member in quotes, beside other spellings', 'g', { enum: ['AA', 'Aa', 'aa'] }, ' "aa" ', 'aa'],
    ['a sign that was sent, too', 'sort', { enum: ['-made_at', 'made_at'] }, '-Made At', '-made_at'],
    ['the dash of a version is exchanged', 'v', { enum: ['1_0', '10'] }, '1-0', '1_0'],
    ['a path', 'a', { ...text, enum: ['b/c', 'd'], 'x-toolmend': { semantic: 'path' } }, 'B/C', 'b/c'],
    ['what would be a link in a path', 'note', { enum: ['[a](http://a)'] }, '[A](http://a)', '[a](http://a)'],
    ['several separators beside a digit', 'v', { enum: ['v-1', 'x'] }, 'V  1', 'v-1'],
    ['quotes and blanks, inside and outside', 'v', { enum: ['ab', 'x'] }, ' " AB " ', 'ab'],
    ['an optional word that would say nothing', 'v', { ...text, enum: ['none', 'x'] }, 'None', 'none'],
    ['a word beside null', 'v', { enum: ['none', 'x', null] }, 'None', 'none'],
    ['a true among the members', 'v', { enum: ['auto', true] }, ' true', true],
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
    ['a separator beside a digit is never left out', 'v', { enum: ['10'] }, '1-0', 'enum /v'],
    ['nor put in', 'v', { enum: ['1-0'] }, '10', 'enum /v'],
    ['a point is no separator', mode, { mode: 'read.only' }, 'enum /mode'],
    ['a number that spells a member', 'v', { ...text, enum: ['10'] }, 10, 'type /v, enum /v'],
    ['two members in one text', mode, { mode: 'append, read_only' }, 'enum /mode'],
    ['blank text for blank', objectOf({ v: { ...text, enum: ['', 'a'] } }, ['v']), { v: ' ' }, 'enum /v'],
    ['separators alone', objectOf({ v: { ...text, enum: ['', 'a'] } }, ['v']), { v: '_-' }, 'enum /v'],
    ['a number with a separator left out', 'v', { enum: ['v-1', 'x'] }, 'v1', 'enum /v'],
    ['a separator left out before a letter', 'v', { enum: ['1-v', 'x'] }, '1v', 'enum /v'],
    ['a number that is no member', 'v', { enum: [1, 2] }, '3', 'enum /v'],
    ['a quote on one side', 'v', { enum: ['ab', 'x'] }, '"ab', 'enum /v'],
    ['quotes around a part', 'v', { enum: ['ab', 'x'] }, 'x"ab"', 'enum /v'],
    ['quotes around the start', 'v', { enum: ['ab', 'x'] }, '"ab"x', 'enum /v'],
  ],
});
