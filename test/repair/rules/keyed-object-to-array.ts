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
    {
      title: 'a list of objects with such a key',
      argument: 'items',
      schema: listOf(closedOf({ item: text })),
      value: [{ item: 'a' }],
    },
    {
      title: 'an object where an object is declared',
      argument: 'names',
      schema: closedOf({ item: texts }),
      value: { item: ['a'] },
    },
    {
      title: 'a union that takes the object',
      argument: 'names',
      schema: anyOf(texts, objectOf({ item: text })),
      value: { item: 'a' },
    },
  ],
  repaired: [
    {
      title: 'in a map',
      schema: mapOf(texts),
      sent: { a: { item: ['x'] } },
      becomes: { a: ['x'] },
      repairs: '/a',
    },
    {
      title: 'over the one element',
      argument: 'rows',
      schema: listOf(listOf(objectOf({}))),
      sent: { rows: [{ a: 1 }] },
      becomes: [[{ a: 1 }]],
    },
    {
      title: 'the name of the field',
      argument: 'names',
      schema: texts,
      sent: { names: ['a', 'b'] },
      becomes: ['a', 'b'],
    },
    {
      title: 'the name of a list of lists, over the one element',
      argument: 'names',
      schema: listOf(texts),
      sent: { names: ['a'] },
      becomes: [['a']],
    },
    {
      title: 'the name of a list of lists, over their texts',
      argument: 'names',
      schema: listOf(texts),
      sent: { names: ['["a"]', '"[]"'] },
      becomes: [['a'], []],
      repairs: [
        '/names',
        'json_text_to_array /names/0',
        'json_text_to_array /names/1',
        'json_text_to_array /names/1',
      ],
    },
    {
      title: 'its singular',
      argument: 'names',
      schema: texts,
      sent: { name: 'a' },
      becomes: ['a'],
    },
    {
      title: 'the singular of movies',
      argument: 'movies',
      schema: texts,
      sent: { movie: ['a'] },
      becomes: ['a'],
    },
    ...['path', 'file', 'filePath', 'file_name'].map((key) => ({
      title: `${key} in a list of paths`,
      argument: 'paths',
      schema: texts,
      sent: { [key]: 'a' },
      becomes: ['a'],
    })),
    ...['url', 'uri', 'href', 'link'].map((key) => ({
      title: `${key} in a list of links`,
      argument: 'pageLinks',
      schema: texts,
      sent: { [key]: 'a' },
      becomes: ['a'],
    })),
    {
      title: 'a declared index',
      argument: 'rows',
      schema: listOf(closedOf({ '0': text })),
      sent: indexed,
      becomes: [indexed],
      repairs: 'wrap_in_array /rows',
    },
    ...['item', 'items', 'value', 'values', 'element', 'elements'].map((key) => ({
      title: `the neutral key ${key}`,
      argument: 'names',
      schema: texts,
      sent: { [key]: ['a'] },
      becomes: ['a'],
    })),
    {
      title: 'text that spells the list',
      argument: 'all',
      schema: texts,
      sent: { item: '["a"]' },
      becomes: ['a'],
      repairs: ['/all', 'json_text_to_array /all'],
    },
    ...pairsOf('boxes/box entries/entry entries/entri paths/path axes/axe sspecs/sspec').map(
      ([name, key]) => ({
        title: `${key} for ${name}`,
        argument: name,
        schema: texts,
        sent: { [key]: 'a' },
        becomes: ['a'],
      }),
    ),
    {
      title: 'an empty object where one is needed',
      schema: needsOne,
      sent: { rows: {} },
      becomes: { rows: [{}] },
      repairs: 'wrap_in_array /rows',
    },
    {
      title: 'neutral, if some elements name keys',
      argument: 'todos',
      schema: someNamed,
      sent: { item: { title: 'x' } },
      becomes: [{ title: 'x' }],
    },
    {
      title: 'a declared key',
      argument: 'rows',
      schema: listOf(closedOf({ value: text })),
      sent: valued,
      becomes: [valued],
      repairs: 'wrap_in_array /rows',
    },
    {
      title: 'the same key again inside',
      argument: 'names',
      schema: texts,
      sent: { item: { item: ['a'] } },
      becomes: ['a'],
    },
  ],
  refused: [
    {
      title: 'any other key over a link',
      argument: 'pageLinks',
      schema: texts,
      sent: { list: 'a' },
    },
    { title: 'an object inside', argument: 'names', schema: texts, sent: { item: {} } },
    {
      title: 'a list and text under a singular',
      argument: 'names',
      schema: listOf(listOf({})),
      sent: { name: [['a'], 'b'] },
    },
    {
      title: 'the same key inside beside another',
      argument: 'names',
      schema: texts,
      sent: { item: { item: ['a'], x: 1 } },
    },
    {
      title: 'an index that they declare',
      argument: 'rows',
      schema: listOf(zero),
      sent: { '0': { '0': 'a' }, '1': { '0': 'b' } },
    },
    {
      title: 'a list that may be the whole or its one element',
      argument: 'names',
      schema: listOf(listOf({})),
      sent: { names: [['a'], 'b'] },
    },
    ...['items', 'item', 'rows'].map((key) => ({
      title: `under ${key}, what may be a list of lists`,
      argument: 'rows',
      schema: listOf(texts),
      sent: { [key]: ['a', 'b'] },
    })),
    {
      title: 'a neutral key over any objects has two readings',
      argument: 'rows',
      schema: listOf(objectOf({})),
      sent: { item: { a: 1 } },
    },
    { title: 'two keys', argument: 'names', schema: texts, sent: { item: 'a', name: 'b' } },
    { title: 'any other key', argument: 'names', schema: texts, sent: { list: ['a'] } },
    {
      title: 'keys that count from 2',
      argument: 'names',
      schema: texts,
      sent: { '2': 'a', '3': 'b' },
    },
    {
      title: 'keys that leave one out',
      argument: 'names',
      schema: texts,
      sent: { '0': 'a', '2': 'b' },
    },
    {
      title: 'indices over any objects: an element, or a list',
      argument: 'rows',
      schema: listOf(objectOf({})),
      sent: { '0': { a: 1 } },
    },
    {
      title: 'a path in a list of other texts',
      argument: 'names',
      schema: texts,
      sent: { path: 'a' },
    },
    {
      title: 'a list under the key of a path',
      argument: 'files',
      schema: texts,
      sent: { path: ['a'] },
    },
    {
      title: 'a url in a list of other texts',
      argument: 'pages',
      schema: texts,
      sent: { url: 'a' },
    },
    {
      title: 'another key inside',
      argument: 'names',
      schema: texts,
      sent: { names: { other: ['a'] } },
    },
    {
      title: 'the place also takes an object that fails',
      argument: 'names',
      schema: listOrObject,
      sent: { item: ['a'] },
      issues: 'required /names',
    },
    {
      title: 'text that only starts like a list',
      argument: 'names',
      schema: texts,
      sent: { item: null },
    },
    {
      title: 'null, where elements may be null',
      argument: 'todos',
      schema: listOf({ type: ['string', 'null'] }),
      sent: { item: null },
    },
    ...pairsOf('address/addres data/dat paths/pat').map(([name, key]) => ({
      title: `${key} for ${name}`,
      argument: name,
      schema: texts,
      sent: { [key]: 'a' },
    })),
    {
      title: 'text that looks like several',
      argument: 'todos',
      schema: texts,
      sent: { item: 'a,b' },
    },
  ],
});
