import { testRule } from '../rule-case.ts';
import { anyOf, closedOf, listOf, mapOf, objectOf, orNull, text, texts, whole } from '../../schemas.ts';

testRule('empty_object_to_array', {
  untouched: [
    ['an empty list', 'names', texts, []],
    ['an empty object where an object is declared', 'filter', closedOf({ a: text }), {}],
    ['an empty object in a list', 'rows', listOf(closedOf({ a: text })), [{}]],
    ['a union that takes an object', 'names', anyOf(texts, objectOf({})), {}],
    ['no arguments', objectOf({ names: texts }), {}],
  ],
  repaired: [
    ['where a list is declared', objectOf({ a: texts }, ['a']), { a: {} }, { a: [] }, '/a'],
    ['where the list is optional', 'names', texts, {}, []],
    [
      'beside null',
      objectOf({ a: { type: ['array', 'null'], items: text } }, ['a']),
      { a: {} },
      { a: [] },
      '/a',
    ],
    ['in the branch of a union', objectOf({ a: orNull(texts) }, ['a']), { a: {} }, { a: [] }, '/a'],
    ['in a list of lists', 'grid', listOf(listOf(whole)), [[1], {}], [[1], []], '/grid/1'],
    ['in a map', 'headers', mapOf(texts), { accept: {} }, { accept: [] }, '/headers/accept'],
    [
      'behind a reference, nested',
      objectOf({ job: objectOf({ names: { $ref: '#/$defs/names' } }, ['names']) }, [], {
        $defs: { names: texts },
      }),
      { job: { names: {} } },
      { job: { names: [] } },
      '/job/names',
    ],
    [
      'elements with a required key: {} is none of them',
      objectOf({ rows: listOf(closedOf({ a: text }, ['a'])) }, ['rows']),
      { rows: {} },
      { rows: [] },
      '/rows',
    ],
  ],
  refused: [
    [
      '{} is itself an element: a list of none, or of one?',
      objectOf({ rows: listOf(objectOf({ a: text })) }, ['rows']),
      { rows: {} },
      'type /rows',
    ],
    ['the same where the list is optional', 'rows', listOf(objectOf({ a: text })), {}],
    ['elements that may be anything', objectOf({ a: { type: 'array' } }, ['a']), { a: {} }, 'type /a'],
    ['a list that is too short', objectOf({ a: listOf(text, { minItems: 1 }) }, ['a']), { a: {} }, 'type /a'],
    [
      'the place allows an object that fails',
      objectOf({ names: { type: ['array', 'object'], minProperties: 1, items: text } }, ['names']),
      { names: {} },
      'minProperties /names',
    ],
    ['text is declared', objectOf({ name: text }, ['name']), { name: {} }, 'type /name'],
  ],
});
