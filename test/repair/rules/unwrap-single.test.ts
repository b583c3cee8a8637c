import { testRule } from '../rule-case.ts';
import { anyOf, closedOf, listOf, mapOf, objectOf, text, texts, whole } from '../../schemas.ts';

const entry = { key: '', value: '' };
const maps = [
  { a: '', ...entry },
  { ...entry, z: '' },
];

testRule('unwrap_single', {
  untouched: [
    ['a list where a list is declared', 'names', texts, ['a']],
    ['a list of lists', 'grid', listOf(listOf(whole)), [[1, 2]]],
    ['a list in a union that takes one', 'names', anyOf(text, texts), ['a']],
  ],
  repaired: [
    ['an object', 'edit', closedOf({ key: text, value: text }), [entry], entry],
    ...maps.map((map) => ['a map', 'env', mapOf(text), [map], map] as const),
    ['text', 'name', text, ['a'], 'a'],
    ['a number', 'limit', whole, [5], 5],
    ['a list in a list of one', 'ids', listOf(whole), [[1, 2]], [1, 2]],
    ['an empty list in a list of one', 'ids', listOf(whole), [[]], []],
  ],
  refused: [
    ['an entry of a map', 'env', mapOf(text), [{ key: 'a', value: 'b' }]],
    [
      'two lists in a list',
      'ids',
      listOf(whole),
      JSON.parse('[[1, 2], [3, 4]]'),
      'type /ids/0, type /ids/1',
    ],
    [
      'an inner list that is not valid one level up',
      'ids',
      listOf(whole),
      [['1', '2']],
      'type /ids/0',
    ],
    ['two', 'name', text, ['a', 'b']],
    [
      'listed entries',
      objectOf({ a: listOf(mapOf(text)) }),
      { a: [[{ key: '', value: '' }]] },
      'type /a/0',
    ],
  ],
});
