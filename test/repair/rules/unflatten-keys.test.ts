// Do flat keys become the nested value whose place they spell, if the place is declared and free?
import { testRule } from '../rule-case.ts';
import { closedOf, listOf, objectOf, recordOf, text, whole } from '../sample-schemas.ts';

const todos = closedOf({
  todos: listOf(closedOf({ title: text, size: whole })),
  filter: closedOf({ name: text }),
});

testRule({
  untouched: [
    ['nested values', todos, { todos: [{ title: 'a' }], filter: { name: 'b' } }],
    [
      'a declared key of that very name',
      closedOf({ 'filter.name': text, filter: closedOf({ name: text }) }),
      { 'filter.name': 'a' },
    ],
    ['keys of a map', recordOf(text), { 'a.b': 'x' }],
  ],
  repaired: [
    [
      'an object',
      todos,
      { 'filter.name': 'b' },
      { filter: { name: 'b' } },
      [
        ['unflatten_keys', '/filter.name'],
        ['unflatten_keys', '/filter'],
      ],
    ],
    [
      'elements of a list, in whatever order',
      todos,
      { 'todos[1].title': 'b', 'todos[0].title': 'a' },
      { todos: [{ title: 'a' }, { title: 'b' }] },
      [
        ['unflatten_keys', '/todos[1].title'],
        ['unflatten_keys', '/todos[0].title'],
        ['unflatten_keys', '/todos'],
      ],
    ],
    [
      'elements written with points',
      todos,
      { 'todos.0.title': 'a' },
      { todos: [{ title: 'a' }] },
      [
        ['unflatten_keys', '/todos.0.title'],
        ['unflatten_keys', '/todos'],
      ],
    ],
    [
      'repair goes on inside',
      todos,
      { 'todos[0].size': '5' },
      { todos: [{ size: 5 }] },
      [
        ['unflatten_keys', '/todos[0].size'],
        ['unflatten_keys', '/todos'],
        ['text_to_integer', '/todos/0/size'],
      ],
    ],
    [
      'below a list, behind a reference',
      objectOf({ jobs: listOf({ $ref: '#/$defs/todos' }) }, [], { $defs: { todos } }),
      { jobs: [{ 'filter.name': 'b' }] },
      { jobs: [{ filter: { name: 'b' } }] },
      [
        ['unflatten_keys', '/jobs/0/filter.name'],
        ['unflatten_keys', '/jobs/0/filter'],
      ],
    ],
  ],
  refused: [
    ['the place is there already', todos, { filter: {}, 'filter.name': 'b' }, [['additionalProperties', '']]],
    [
      'a list with a hole',
      todos,
      { 'todos[0].title': 'a', 'todos[2].title': 'c' },
      [
        ['additionalProperties', ''],
        ['additionalProperties', ''],
      ],
    ],
    ['a list that starts late', todos, { 'todos[1].title': 'b' }, [['additionalProperties', '']]],
    ['a place that is not declared', todos, { 'filter.other': 'b' }, [['additionalProperties', '']]],
    [
      'a leaf and something below it',
      todos,
      { 'todos[0]': { title: 'a' }, 'todos[0].title': 'b' },
      [
        ['additionalProperties', ''],
        ['additionalProperties', ''],
      ],
    ],
    ['a value that does not fit', todos, { 'todos[0].size': 'many' }, [['additionalProperties', '']]],
    ['an index without an end', todos, { 'todos[99999999].title': 'a' }, [['additionalProperties', '']]],
    ['a prototype', todos, { 'filter.__proto__': 'a' }, [['additionalProperties', '']]],
  ],
});
