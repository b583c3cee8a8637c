import { testRule } from '../rule-case.ts';
import { anyOf, closedOf, listOf, mapOf, objectOf, text, texts, whole } from '../../schemas.ts';

const entry = { key: '', value: '' };
const maps = [
  { a: '', ...entry },
  { ...entry, z: '' },
];

testRule('unwrap_single', {
  untouched: [
    { title: 'a list where a list is declared', argument: 'names', schema: texts, value: ['a'] },
    { title: 'a list of lists', argument: 'grid', schema: listOf(listOf(whole)), value: [[1, 2]] },
    {
      title: 'a list in a union that takes one',
      argument: 'names',
      schema: anyOf(text, texts),
      value: ['a'],
    },
  ],
  repaired: [
    {
      title: 'an object',
      argument: 'edit',
      schema: closedOf({ key: text, value: text }),
      sent: [entry],
      becomes: entry,
    },
    ...maps.map((map) => ({
      title: 'a map',
      argument: 'env',
      schema: mapOf(text),
      sent: [map],
      becomes: map,
    })),
    { title: 'text', argument: 'name', schema: text, sent: ['a'], becomes: 'a' },
    { title: 'a number', argument: 'limit', schema: whole, sent: [5], becomes: 5 },
    {
      title: 'a list in a list of one',
      argument: 'ids',
      schema: listOf(whole),
      sent: [[1, 2]],
      becomes: [1, 2],
    },
    {
      title: 'the JSON text of the array in an array of one',
      argument: 'edits',
      schema: listOf(closedOf({ key: text }, ['key'])),
      sent: ['[{"key": "a"}, {"key": "b"}]'],
      becomes: [{ key: 'a' }, { key: 'b' }],
    },
    {
      title: 'an empty list in a list of one',
      argument: 'ids',
      schema: listOf(whole),
      sent: [[]],
      becomes: [],
    },
  ],
  refused: [
    {
      title: 'an entry of a map',
      argument: 'env',
      schema: mapOf(text),
      sent: [{ key: 'a', value: 'b' }],
    },
    {
      title: 'two lists in a list',
      argument: 'ids',
      schema: listOf(whole),
      sent: JSON.parse('[[1, 2], [3, 4]]'),
      issues: ['type /ids/0', 'type /ids/1'],
    },
    {
      title: 'an inner list that is not valid one level up',
      argument: 'ids',
      schema: listOf(whole),
      sent: [['1', '2']],
      issues: 'type /ids/0',
    },
    { title: 'two', argument: 'name', schema: text, sent: ['a', 'b'] },
    {
      title: 'listed entries',
      schema: objectOf({ a: listOf(mapOf(text)) }),
      sent: { a: [[{ key: '', value: '' }]] },
      issues: 'type /a/0',
    },
  ],
});
