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
    {
      title: 'nested values',
      schema: todos,
      value: { todos: [{ title: 'a' }], filter: { name: 'b' } },
    },
    {
      title: 'a declared key of that name',
      schema: closedOf({ 'a.b': text, a: closedOf({ b: text }) }),
      value: { 'a.b': 'x' },
    },
    { title: 'keys of a map', schema: mapOf(text), value: { 'a.b': 'x' } },
  ],
  repaired: [
    {
      title: 'anything or nothing',
      schema: maybe,
      sent: { 'a.x': 1 },
      becomes: { a: { x: 1 } },
      repairs: ['/a.x', '/a'],
    },
    {
      title: 'or nothing',
      schema: closedOf({ a: anyOf(nothing, inner) }),
      sent: { 'a.b': 'x' },
      becomes: { a: { b: 'x' } },
      repairs: ['/a.b', '/a'],
    },
    {
      title: 'an object',
      schema: todos,
      sent: { 'filter.name': 'b' },
      becomes: { filter: { name: 'b' } },
      repairs: ['/filter.name', '/filter'],
    },
    {
      title: 'points',
      schema: todos,
      sent: { 'todos.0.title': 'a' },
      becomes: { todos: [{ title: 'a' }] },
      repairs: ['/todos.0.title', '/todos'],
    },
    {
      title: 'any place in a required open object',
      schema: objectOf({ config: objectOf({ host: text }), n: whole }, ['config']),
      sent: { 'config.host': 'a', 'config.port': 1, n: 5 },
      becomes: { n: 5, config: { host: 'a', port: 1 } },
      repairs: ['/config.host', '/config.port', '/config'],
    },
    {
      title: 'beside a key of such a name',
      schema: dotted,
      sent: { 'a.b': 1, d: null },
      becomes: { 'a.b': 1 },
      repairs: 'drop_empty_key /d',
    },
    {
      title: 'eleven elements',
      schema: closedOf({ a: listOf(whole) }),
      sent: Object.fromEntries(eleven.map((at) => [`a[${at}]`, at])),
      becomes: { a: eleven },
      repairs: [...eleven.map((at) => `/a[${at}]`), '/a'],
    },
    {
      title: 'a last digit',
      schema: closedOf({ a: closedOf({ x1: {} }) }),
      sent: { 'a.x1': 1 },
      becomes: { a: { x1: 1 } },
      repairs: ['/a.x1', '/a'],
    },
    {
      title: 'digit first',
      schema: closedOf({ a: closedOf({ '2y': {} }) }),
      sent: { 'a.2y': 1 },
      becomes: { a: { '2y': 1 } },
      repairs: ['/a.2y', '/a'],
    },
    {
      title: 'an index that is a name, beside another name',
      schema: closedOf({ a: closedOf({ b: whole, '0': whole }) }),
      sent: { 'a[0]': 1, 'a.b': 2 },
      becomes: { a: { '0': 1, b: 2 } },
      repairs: ['/a[0]', '/a.b', '/a'],
    },
    {
      title: 'a key of 256 characters',
      schema: ofLong,
      sent: { [`a.${long}`]: 1 },
      becomes: { a: { [long]: 1 } },
      repairs: [`/a.${long}`, '/a'],
    },
  ],
  refused: [
    {
      title: 'a blank',
      schema: closedOf({ a: mapOf({}) }, ['a']),
      sent: { 'a.b c': 1 },
      issues: missingAndUnknown,
    },
    {
      title: 'a blank behind',
      schema: closedOf({ a: closedOf({ b: inner }) }),
      sent: { 'a.b c': 1 },
    },
    {
      title: 'no place for one key',
      schema: objectOf({ a: {} }, ['a']),
      sent: { 'a.b': 1, 'a.c.d': 2 },
      issues: 'required',
    },
    {
      title: 'a head that takes text',
      schema: objectOf({ body: text }, ['body']),
      sent: { 'body.x': 1 },
      issues: 'required',
    },
    {
      title: 'no place in a closed object',
      schema: objectOf({ a: inner }, ['a']),
      sent: { 'a.c': '' },
      issues: 'required',
    },
    {
      title: 'a hole',
      schema: closedOf({ a: listOf({}) }),
      sent: { 'a[0]': 'a', 'a[2]': 'c' },
      issues: twoUnknown,
    },
    {
      title: 'a place that no branch declares',
      schema: closedOf({ a: anyOf(nothing, inner) }),
      sent: { 'a.c': 'b' },
    },
    {
      title: 'two dots',
      schema: closedOf({ a: mapOf({}) }, ['a']),
      sent: { 'a.b.c': 1 },
      issues: missingAndUnknown,
    },
    {
      title: 'a part',
      schema: closedOf({ a: listOf(text) }),
      sent: { 'a[0]': '', 'a[ ]': '' },
      issues: twoUnknown,
    },
    {
      title: 'no place below the key',
      schema: closedOf({ a: listOf(text) }),
      sent: { 'a[]': ['c'] },
    },
    {
      title: 'the place is there already',
      schema: todos,
      sent: { filter: {}, 'filter.name': 'b' },
    },
    {
      title: 'a list with a hole',
      schema: todos,
      sent: { 'todos[0].title': 'a', 'todos[2].title': 'c' },
      issues: twoUnknown,
    },
    {
      title: 'a leaf and more below it',
      schema: todos,
      sent: { 'todos[0]': { title: 'a' }, 'todos[0].title': 'b' },
      issues: twoUnknown,
    },
    {
      title: 'a key of 257 characters',
      schema: closedOf({ a: closedOf({ [`${long}b`]: whole }) }),
      sent: { [`a.${long}b`]: 1 },
    },
    {
      title: 'a list of whatever',
      schema: closedOf({ a: { type: 'array' } }),
      sent: { 'a[0]': 1 },
    },
  ],
});
