import { testRule } from '../rule-case.ts';
import { listOf, mapOf, number, objectOf, orNull, text, whole } from '../../schemas.ts';

const required = objectOf({ limit: whole }, ['limit']);
const sets = objectOf({ ids: listOf(whole, { uniqueItems: true }), n: whole });

testRule('text_to_integer', {
  untouched: [
    { title: 'a whole number', argument: 'limit', schema: whole, value: 5 },
    { title: '5.0 is 5', argument: 'limit', schema: whole, value: 5.0 },
    { title: 'digits where text is declared', argument: 'id', schema: text, value: '5' },
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
    ).map(([spelled, value]) => ({
      title: JSON.stringify(spelled),
      argument: 'limit',
      schema: whole,
      sent: spelled,
      becomes: value,
    })),
    {
      title: 'elements of a list',
      argument: 'ids',
      schema: listOf(whole),
      sent: [1, '2'],
      becomes: [1, 2],
      repairs: '/ids/1',
    },
    {
      title: 'values of a map',
      schema: mapOf(whole),
      sent: { a: '2' },
      becomes: { a: 2 },
      repairs: '/a',
    },
    { title: 'beside null', argument: 'limit', schema: orNull(whole), sent: '2', becomes: 2 },
  ],
  refused: [
    {
      title: 'one that then comes twice',
      schema: sets,
      sent: { ids: ['1', 1], n: 'x' },
      issues: ['type /ids/0', 'type /n'],
    },
    {
      title: 'beside what can’t be read',
      argument: 'ids',
      schema: listOf(whole),
      sent: ['1', 1, 'x'],
      issues: 'type /ids/2',
    },
    {
      title: 'a number of two branches',
      argument: 'a',
      schema: { oneOf: [whole, number] },
      sent: '5',
      issues: 'oneOf /a',
    },
    ...[
      '',
      '1 000',
      ...'5.5 0x10 5px five 1_000 1,000 -007 +5 .5 5. Infinity NaN 9007199254740993 12345678901234567890'.split(
        ' ',
      ),
      ...'1e400 ٥'.split(' '),
    ].map((spelled) => ({
      title: JSON.stringify(spelled),
      schema: required,
      sent: { limit: spelled },
      issues: 'type /limit',
    })),
    {
      title: 'beyond the bound: nothing is clamped',
      argument: 'limit',
      schema: { ...whole, maximum: 3 },
      sent: '5',
    },
    { title: 'a fraction: nothing is rounded', argument: 'limit', schema: whole, sent: 5.5 },
    { title: 'a boolean', argument: 'limit', schema: whole, sent: true },
  ],
});
