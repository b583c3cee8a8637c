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
    [
      'where a list is declared',
      objectOf({ names: texts }, ['names']),
      { names: {} },
      { names: [] },
      '/names',
    ],
    ['where the list is optional', 'names', texts, {}, []],
    [
      'beside null',
      objectOf({ names: { type: ['array', 'null'], items: text } }, ['names']),
      { names: {} },
      { names: [] },
      '/names',
    ],
    [
      'in the branch of a union',
      objectOf({ names: orNull(texts) }, ['names']),
      { names: {} },
      { names: [] },
      '/names',
    ],
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
    [
      'elements that may be anything',
      objectOf({ rows: { type: 'array' } }, ['rows']),
      { rows: {} },
      'type /rows',
    ],
    [
      'an empty list is too short',
      objectOf({ names: listOf(text, { minItems: 1 }) }, ['names']),
      { names: {} },
      'type /names',
    ],
    [
      'the place allows an object that fails',
      objectOf({ names: { type: ['array', 'object'], minProperties: 1, items: text } }, ['names']),
      { names: {} },
      'minProperties /names',
    ],
    ['text is declared', objectOf({ name: text }, ['name']), { name: {} }, 'type /name'],
  ],
});
