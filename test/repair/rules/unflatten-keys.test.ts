import { missingAndUnknown, testRule, twoUnknown } from '../rule-case.ts';
import { anyOf, closedOf, listOf, mapOf, nothing, objectOf, text, whole } from '../../schemas.ts';

const todos = closedOf({
  todos: listOf(closedOf({ title: text, size: whole })),
  filter: closedOf({ name: text }),
});

const eleven = Array.from({ length: 11 }, (_element, at) => at);
const long = 'b'.repeat(254);

const inner = closedOf({ b: text });
testRule('unflatten_keys', {
  untouched: [
    ['nested values', todos, { todos: [{ title: 'a' }], filter: { name: 'b' } }],
    ['a declared key of that name', closedOf({ 'a.b': text, a: closedOf({ b: text }) }), { 'a.b': 'x' }],
    ['keys of a map', mapOf(text), { 'a.b': 'x' }],
    ['an optional place of an open object', objectOf({ a: closedOf({ b: text }) }), { 'a.b': 'x' }],
  ],
  repaired: [
    ['or nothing', closedOf({ a: anyOf(nothing, inner) }), { 'a.b': 'x' }, { a: { b: 'x' } }, '/a.b, /a'],
    [
      'a place in another spelling, which is renamed there',
      closedOf({ filter: closedOf({ firstName: text }) }),
      { 'filter.first_name': 'b' },
      { filter: { firstName: 'b' } },
      '/filter.first_name, /filter, rename_key /filter/first_name',
    ],
    ['an object', todos, { 'filter.name': 'b' }, { filter: { name: 'b' } }, '/filter.name, /filter'],
    [
      'elements of a list, in whatever order',
      todos,
      { 'todos[1].title': 'b', 'todos[0].title': 'a' },
      { todos: [{ title: 'a' }, { title: 'b' }] },
      '/todos[1].title, /todos[0].title, /todos',
    ],
    ['points', todos, { 'todos.0.title': 'a' }, { todos: [{ title: 'a' }] }, '/todos.0.title, /todos'],
    [
      'repair goes on inside',
      todos,
      { 'todos[0].size': '5' },
      { todos: [{ size: 5 }] },
      '/todos[0].size, /todos, text_to_integer /todos/0/size',
    ],
    [
      'a place that is required',
      objectOf({ a: inner }, ['a']),
      { 'a.b': 'x' },
      { a: { b: 'x' } },
      '/a.b, /a',
    ],
    [
      'any place in a required open object',
      objectOf({ config: objectOf({ host: text }), n: whole }, ['config']),
      { 'config.host': 'a', 'config.port': 1, n: 5 },
      { n: 5, config: { host: 'a', port: 1 } },
      '/config.host, /config.port, /config',
    ],
    ['a required map', closedOf({ a: mapOf(text) }, ['a']), { 'a.B': '/' }, { a: { B: '/' } }, '/a.B, /a'],
    [
      'beside a declared key of such a name',
      closedOf({ 'a.b': whole, a: closedOf({ b: whole }), c: whole }),
      { 'a.b': 1, d: null },
      { 'a.b': 1 },
      'drop_empty_key /d',
    ],
    [
      'eleven elements',
      closedOf({ a: listOf(whole) }),
      Object.fromEntries(eleven.map((at) => [`a[${at}]`, at])),
      { a: eleven },
      [...eleven.map((at) => `/a[${at}]`), '/a'].join(', '),
    ],
    [
      'a digit at its end',
      closedOf({ a: closedOf({ x1: {} }) }),
      { 'a.x1': 1 },
      { a: { x1: 1 } },
      '/a.x1, /a',
    ],
    [
      'a digit first',
      closedOf({ a: closedOf({ '2y': {} }) }),
      { 'a.2y': 1 },
      { a: { '2y': 1 } },
      '/a.2y, /a',
    ],
    [
      'an index that is a name, beside another name',
      closedOf({ a: closedOf({ b: whole, '0': whole }) }),
      { 'a[0]': 1, 'a.b': 2 },
      { a: { '0': 1, b: 2 } },
      '/a[0], /a.b, /a',
    ],
    [
      'a key of 256 characters',
      closedOf({ a: closedOf({ [long]: whole }) }),
      { [`a.${long}`]: 1 },
      { a: { [long]: 1 } },
      `/a.${long}, /a`,
    ],
  ],
  refused: [
    ['a place that no branch declares', closedOf({ a: anyOf(nothing, inner) }), { 'a.c': 'b' }],
    ['two dots', closedOf({ a: mapOf({}) }, ['a']), { 'a.b.c': 1 }, missingAndUnknown],
    ['a part', closedOf({ a: listOf(text) }), { 'a[0]': '', 'a[ ]': '' }, twoUnknown],
    ['the place is there already', todos, { filter: {}, 'filter.name': 'b' }],
    ['a list with a hole', todos, { 'todos[0].title': 'a', 'todos[2].title': 'c' }, twoUnknown],
    ['a list that starts late', todos, { 'todos[1].title': 'b' }],
    ['a place that is not declared', todos, { 'filter.other': 'b' }],
    [
      'a leaf and something below it',
      todos,
      { 'todos[0]': { title: 'a' }, 'todos[0].title': 'b' },
      twoUnknown,
    ],
    ['a value that does not fit', todos, { 'todos[0].size': 'many' }],
    ['an index without an end', todos, { 'todos[99999999].title': 'a' }],
    ['a prototype', todos, { 'filter.__proto__': 'a' }],
    ['a key of 257 characters', closedOf({ a: closedOf({ [`${long}b`]: whole }) }), { [`a.${long}b`]: 1 }],
    ['a blank before the point', closedOf({ 'b c': closedOf({ a: {} }) }), { 'b c.a': 1 }],
    ['a blank behind the point', closedOf({ a: closedOf({ 'b c': {} }) }), { 'a.b c': 1 }],
    ['an element’s key without an index', todos, { 'todos.title': 'a' }],
    [
      'one that is not declared: none is nested',
      closedOf({ a: inner }),
      { 'a.b': 'x', 'a.c': 'y' },
      twoUnknown,
    ],
    ['a list of whatever', closedOf({ a: { type: 'array' } }), { 'a[0]': 1 }],
  ],
});
