import { missingAndUnknown, testRule, twoUnknown } from '../rule-case.ts';
import { anyOf, closedOf, listOf, mapOf, nothing, objectOf, text, whole } from '../../schemas.ts';

const todos = closedOf({
  todos: listOf(closedOf({ title: text, size: whole })),
  filter: closedOf({ name: text }),
});

const eleven = Array.from({ length: 11 }, (_element, at) => at);
const dotted = closedOf({ 'a.b': whole, a: closedOf({ b: whole }), c: whole });
const long = 'b'.repeat(254);
const ofLong = closedOf({ a: closedOf({ [long]: whole }) });

const inner = closedOf({ b: text });
const maybe = objectOf({ a: anyOf(nothing, mapOf({})) }, ['a']);
testRule('unflatten_keys', {
  untouched: [
    ['nested values', todos, { todos: [{ title: 'a' }], filter: { name: 'b' } }],
    [
      'a declared key of that name',
      closedOf({ 'a.b': text, a: closedOf({ b: text }) }),
      { 'a.b': 'x' },
    ],
    ['keys of a map', mapOf(text), { 'a.b': 'x' }],
  ],
  repaired: [
    ['anything or nothing', maybe, { 'a.x': 1 }, { a: { x: 1 } }, '/a.x, /a'],
    [
      'or nothing',
      closedOf({ a: anyOf(nothing, inner) }),
      { 'a.b': 'x' },
      { a: { b: 'x' } },
      '/a.b, /a',
    ],
    [
      'an object',
      todos,
      { 'filter.name': 'b' },
      { filter: { name: 'b' } },
      '/filter.name, /filter',
    ],
    [
      'points',
      todos,
      { 'todos.0.title': 'a' },
      { todos: [{ title: 'a' }] },
      '/todos.0.title, /todos',
    ],
    [
      'any place in a required open object',
      objectOf({ config: objectOf({ host: text }), n: whole }, ['config']),
      { 'config.host': 'a', 'config.port': 1, n: 5 },
      { n: 5, config: { host: 'a', port: 1 } },
      '/config.host, /config.port, /config',
    ],
    [
      'beside a key of such a name',
      dotted,
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
      'a last digit',
      closedOf({ a: closedOf({ x1: {} }) }),
      { 'a.x1': 1 },
      { a: { x1: 1 } },
      '/a.x1, /a',
    ],
    [
      'digit first',
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
      ofLong,
      { [`a.${long}`]: 1 },
      { a: { [long]: 1 } },
      `/a.${long}, /a`,
    ],
  ],
  refused: [
    ['a blank', closedOf({ a: mapOf({}) }, ['a']), { 'a.b c': 1 }, missingAndUnknown],
    ['a blank behind', closedOf({ a: closedOf({ b: inner }) }), { 'a.b c': 1 }],
    ['no place for one key', objectOf({ a: {} }, ['a']), { 'a.b': 1, 'a.c.d': 2 }, 'required'],
    ['a head that takes text', objectOf({ body: text }, ['body']), { 'body.x': 1 }, 'required'],
    ['no place in a closed object', objectOf({ a: inner }, ['a']), { 'a.c': '' }, 'required'],
    ['a hole', closedOf({ a: listOf({}) }), { 'a[0]': 'a', 'a[2]': 'c' }, twoUnknown],
    ['a place that no branch declares', closedOf({ a: anyOf(nothing, inner) }), { 'a.c': 'b' }],
    ['two dots', closedOf({ a: mapOf({}) }, ['a']), { 'a.b.c': 1 }, missingAndUnknown],
    ['a part', closedOf({ a: listOf(text) }), { 'a[0]': '', 'a[ ]': '' }, twoUnknown],
    ['no place below the key', closedOf({ a: listOf(text) }), { 'a[]': ['c'] }],
    ['the place is there already', todos, { filter: {}, 'filter.name': 'b' }],
    ['a list with a hole', todos, { 'todos[0].title': 'a', 'todos[2].title': 'c' }, twoUnknown],
    [
      'a leaf and more below it',
      todos,
      { 'todos[0]': { title: 'a' }, 'todos[0].title': 'b' },
      twoUnknown,
    ],
    [
      'a key of 257 characters',
      closedOf({ a: closedOf({ [`${long}b`]: whole }) }),
      { [`a.${long}b`]: 1 },
    ],
    ['a list of whatever', closedOf({ a: { type: 'array' } }), { 'a[0]': 1 }],
  ],
});
