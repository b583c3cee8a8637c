import { testRule } from '../rule-case.ts';
import { anyOf, closedOf, listOf, mapOf, objectOf, orNull, text, texts, whole } from '../../schemas.ts';

testRule('unwrap_single', {
  untouched: [
    ['a list where a list is declared', 'names', texts, ['a']],
    ['a list of lists', 'grid', listOf(listOf(whole)), [[1, 2]]],
    ['a list in a union that takes one', 'names', anyOf(text, texts), ['a']],
    ['the one', 'name', text, 'a'],
    ['a list of entries where lists may stand', 'vars', listOf(mapOf(text)), [{ key: 'a', value: 'b' }]],
  ],
  repaired: [
    ['text', 'name', text, ['a'], 'a'],
    ['a number', 'limit', whole, [5], 5],
    ['an object', 'edit', closedOf({ a: text }), [{ a: 'x' }], { a: 'x' }],
    ['a member', 'mode', { ...text, enum: ['a'] }, ['a'], 'a'],
    ['an element of a list', 'ids', listOf(whole), [1, [2]], [1, 2], '/ids/1'],
    ['a value of a map', mapOf(text), { a: ['x'] }, { a: 'x' }, '/a'],
    [
      'behind a reference, beside null',
      objectOf({ a: orNull({ $ref: '#/$defs/a' }) }, [], { $defs: { a: text } }),
      { a: ['x'] },
      { a: 'x' },
      '/a',
    ],
    ['an entry', 'one', closedOf({ key: {}, value: {} }), [{ key: 1, value: 2 }], { key: 1, value: 2 }],
    ['a list in a list of one', 'ids', listOf(whole), [[1, 2]], [1, 2]],
    ['an empty list in a list of one', 'ids', listOf(whole), [[]], []],
    ['one map', 'vars', mapOf(text), [{ a: 'b' }], { a: 'b' }],
  ],
  refused: [
    ['an entry of a map', 'env', mapOf(text), [{ key: 'a', value: 'b' }]],
    [
      'two lists in a list',
      'ids',
      listOf(whole),
      [
        [1, 2],
        [3, 4],
      ],
      'type /ids/0, type /ids/1',
    ],
    ['an inner list that is not valid one level up', 'ids', listOf(whole), [['1', '2']], 'type /ids/0'],
    ['two', 'name', text, ['a', 'b']],
    ['none', objectOf({ name: text }, ['name']), { name: [] }, 'type /name'],
    ['an element that is not valid', 'name', text, [5]],
    ['a list of a list of one', 'name', text, [['a']]],
    ['null in a list', objectOf({ name: text }, ['name']), { name: [null] }, 'type /name'],
    ['two branches that take it', 'id', anyOf(whole, { ...text, pattern: '^x' }), ['5'], 'anyOf /id'],
    ['an empty list', objectOf({ name: text }, ['name']), { name: [] }, 'type /name'],
    ['an entry of a map', 'vars', mapOf(text), [{ value: 'b', key: 'a' }]],
    ['a named entry of a map', 'vars', mapOf(text), [{ name: 'a', value: 'b' }]],
    ['an entry of an open object', 'vars', objectOf({ a: text }), [{ key: 'a', value: 'b' }]],
    [
      'entries in a list of maps',
      objectOf({ a: listOf(mapOf(text)) }),
      { a: [[{ key: '', value: '' }]] },
      'type /a/0',
    ],
  ],
});
