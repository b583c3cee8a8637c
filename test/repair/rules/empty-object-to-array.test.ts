import { testRule } from '../rule-case.ts';
import {
  anyOf,
  closedOf,
  listOf,
  nothing,
  objectOf,
  recordOf,
  text,
  texts,
  whole,
} from '../sample-schemas.ts';

testRule({
  untouched: [
    ['an empty list', objectOf({ names: texts }), { names: [] }],
    [
      'an empty object where an object is declared',
      objectOf({ filter: closedOf({ a: text }) }),
      { filter: {} },
    ],
    ['an empty object in a list', objectOf({ rows: listOf(closedOf({ a: text })) }), { rows: [{}] }],
    ['a union that takes an object', objectOf({ names: anyOf(texts, objectOf({})) }), { names: {} }],
    ['no arguments', objectOf({ names: texts }), {}],
  ],
  repaired: [
    [
      'where a list is declared',
      objectOf({ names: texts }, ['names']),
      { names: {} },
      { names: [] },
      'empty_object_to_array /names',
    ],
    [
      'where the list is optional',
      objectOf({ names: texts }),
      { names: {} },
      { names: [] },
      'empty_object_to_array /names',
    ],
    [
      'beside null',
      objectOf({ names: { type: ['array', 'null'], items: text } }, ['names']),
      { names: {} },
      { names: [] },
      'empty_object_to_array /names',
    ],
    [
      'in the branch of a union',
      objectOf({ names: anyOf(texts, nothing) }, ['names']),
      { names: {} },
      { names: [] },
      'empty_object_to_array /names',
    ],
    [
      'in a list of lists',
      objectOf({ grid: listOf(listOf(whole)) }),
      { grid: [[1], {}] },
      { grid: [[1], []] },
      'empty_object_to_array /grid/1',
    ],
    [
      'in a map',
      objectOf({ headers: recordOf(texts) }),
      { headers: { accept: {} } },
      { headers: { accept: [] } },
      'empty_object_to_array /headers/accept',
    ],
    [
      'behind a reference, nested',
      objectOf({ job: objectOf({ names: { $ref: '#/$defs/names' } }, ['names']) }, [], {
        $defs: { names: texts },
      }),
      { job: { names: {} } },
      { job: { names: [] } },
      'empty_object_to_array /job/names',
    ],
    [
      'elements with a required key: {} is none of them',
      objectOf({ rows: listOf(closedOf({ a: text }, ['a'])) }, ['rows']),
      { rows: {} },
      { rows: [] },
      'empty_object_to_array /rows',
    ],
  ],
  refused: [
    [
      '{} is itself an element: a list of none, or of one?',
      objectOf({ rows: listOf(objectOf({ a: text })) }, ['rows']),
      { rows: {} },
      'type /rows',
    ],
    [
      'the same where the list is optional',
      objectOf({ rows: listOf(objectOf({ a: text })) }),
      { rows: {} },
      'type /rows',
    ],
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
