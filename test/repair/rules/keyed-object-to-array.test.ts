import { pairsOf } from '../../words.ts';
import { testRule } from '../rule-case.ts';
import { anyOf, closedOf, listOf, mapOf, objectOf, text, texts } from '../../schemas.ts';

const [indexed, valued] = [{ '0': 'a' }, { value: 'a' }];
const needsOne = objectOf({ rows: listOf({ type: 'object' }, { minItems: 1 }) }, ['rows']);
const someNamed = listOf(anyOf(objectOf({ title: text }), objectOf({})));
const listOrObject = { ...texts, type: ['array', 'object'], required: ['id'] } as const;

const zero = objectOf({ '0': text });
testRule('keyed_object_to_array', {
  untouched: [
    [
      'a list of objects with such a key',
      'items',
      listOf(closedOf({ item: text })),
      [{ item: 'a' }],
    ],
    ['an object where an object is declared', 'names', closedOf({ item: texts }), { item: ['a'] }],
    [
      'a union that takes the object',
      'names',
      anyOf(texts, objectOf({ item: text })),
      { item: 'a' },
    ],
  ],
  repaired: [
    ['in a map', mapOf(texts), { a: { item: ['x'] } }, { a: ['x'] }, '/a'],
    [
      'over the one element',
      'rows',
      listOf(listOf(objectOf({}))),
      { rows: [{ a: 1 }] },
      [[{ a: 1 }]],
    ],
    ['the name of the field', 'names', texts, { names: ['a', 'b'] }, ['a', 'b']],
    [
      'the name of a list of lists, over the one element',
      'names',
      listOf(texts),
      { names: ['a'] },
      [['a']],
    ],
    [
      'the name of a list of lists, over their texts',
      'names',
      listOf(texts),
      { names: ['["a"]', '"[]"'] },
      [['a'], []],
      '/names, json_text_to_array /names/0, json_text_to_array /names/1, json_text_to_array /names/1',
    ],
    ['its singular', 'names', texts, { name: 'a' }, ['a']],
    ['the singular of movies', 'movies', texts, { movie: ['a'] }, ['a']],
    ...['path', 'file', 'filePath', 'file_name'].map(
      (key) => [`${key} in a list of paths`, 'paths', texts, { [key]: 'a' }, ['a']] as const,
    ),
    ...['url', 'uri', 'href', 'link'].map(
      (key) => [`${key} in a list of links`, 'pageLinks', texts, { [key]: 'a' }, ['a']] as const,
    ),
    [
      'a declared index',
      'rows',
      listOf(closedOf({ '0': text })),
      indexed,
      [indexed],
      'wrap_in_array /rows',
    ],
    ...['item', 'items', 'value', 'values', 'element', 'elements'].map(
      (key) => [`the neutral key ${key}`, 'names', texts, { [key]: ['a'] }, ['a']] as const,
    ),
    [
      'text that spells the list',
      'all',
      texts,
      { item: '["a"]' },
      ['a'],
      '/all, json_text_to_array /all',
    ],
    ...pairsOf('boxes/box entries/entry entries/entri paths/path axes/axe sspecs/sspec').map(
      ([name, key]) => [`${key} for ${name}`, name, texts, { [key]: 'a' }, ['a']] as const,
    ),
    [
      'an empty object where one is needed',
      needsOne,
      { rows: {} },
      { rows: [{}] },
      'wrap_in_array /rows',
    ],
    [
      'neutral, if some elements name keys',
      'todos',
      someNamed,
      { item: { title: 'x' } },
      [{ title: 'x' }],
    ],
    [
      'a declared key',
      'rows',
      listOf(closedOf({ value: text })),
      valued,
      [valued],
      'wrap_in_array /rows',
    ],
    ['the same key again inside', 'names', texts, { item: { item: ['a'] } }, ['a']],
  ],
  refused: [
    ['any other key over a link', 'pageLinks', texts, { list: 'a' }],
    ['an object inside', 'names', texts, { item: {} }],
    ['a list and text under a singular', 'names', listOf(listOf({})), { name: [['a'], 'b'] }],
    ['the same key inside beside another', 'names', texts, { item: { item: ['a'], x: 1 } }],
    ['an index that they declare', 'rows', listOf(zero), { '0': { '0': 'a' }, '1': { '0': 'b' } }],
    [
      'a list that may be the whole or its one element',
      'names',
      listOf(listOf({})),
      { names: [['a'], 'b'] },
    ],
    ...['items', 'item', 'rows'].map(
      (key) =>
        [
          `under ${key}, what may be a list of lists`,
          'rows',
          listOf(texts),
          { [key]: ['a', 'b'] },
        ] as const,
    ),
    [
      'a neutral key over any objects has two readings',
      'rows',
      listOf(objectOf({})),
      { item: { a: 1 } },
    ],
    ['two keys', 'names', texts, { item: 'a', name: 'b' }],
    ['any other key', 'names', texts, { list: ['a'] }],
    ['keys that count from 2', 'names', texts, { '2': 'a', '3': 'b' }],
    ['keys that leave one out', 'names', texts, { '0': 'a', '2': 'b' }],
    [
      'indices over any objects: an element, or a list',
      'rows',
      listOf(objectOf({})),
      { '0': { a: 1 } },
    ],
    ['a path in a list of other texts', 'names', texts, { path: 'a' }],
    ['a list under the key of a path', 'files', texts, { path: ['a'] }],
    ['a url in a list of other texts', 'pages', texts, { url: 'a' }],
    ['another key inside', 'names', texts, { names: { other: ['a'] } }],
    [
      'the place also takes an object that fails',
      'names',
      listOrObject,
      { item: ['a'] },
      'required /names',
    ],
    ['text that only starts like a list', 'names', texts, { item: null }],
    [
      'null, where elements may be null',
      'todos',
      listOf({ type: ['string', 'null'] }),
      { item: null },
    ],
    ...pairsOf('address/addres data/dat paths/pat').map(
      ([name, key]) => [`${key} for ${name}`, name, texts, { [key]: 'a' }] as const,
    ),
    ['text that looks like several', 'todos', texts, { item: 'a,b' }],
  ],
});
