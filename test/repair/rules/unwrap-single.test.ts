// Does a list of one become the one, where a single value is declared and it is valid as it stands?
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
    ['a list where a list is declared', objectOf({ names: texts }), { names: ['a'] }],
    ['a list of lists', objectOf({ grid: listOf(listOf(whole)) }), { grid: [[1, 2]] }],
    ['a list in a union that takes one', objectOf({ names: anyOf(text, texts) }), { names: ['a'] }],
    ['the one', objectOf({ name: text }), { name: 'a' }],
    [
      'a list of entries where lists may stand',
      objectOf({ vars: listOf(recordOf(text)) }),
      { vars: [{ key: 'a', value: 'b' }] },
    ],
  ],
  repaired: [
    ['text', objectOf({ name: text }), { name: ['a'] }, { name: 'a' }, [['unwrap_single', '/name']]],
    ['a number', objectOf({ limit: whole }), { limit: [5] }, { limit: 5 }, [['unwrap_single', '/limit']]],
    [
      'an object',
      objectOf({ edit: closedOf({ a: text }) }),
      { edit: [{ a: 'x' }] },
      { edit: { a: 'x' } },
      [['unwrap_single', '/edit']],
    ],
    [
      'a member',
      objectOf({ mode: { type: 'string', enum: ['a'] } }),
      { mode: ['a'] },
      { mode: 'a' },
      [['unwrap_single', '/mode']],
    ],
    [
      'an element of a list',
      objectOf({ ids: listOf(whole) }),
      { ids: [1, [2]] },
      { ids: [1, 2] },
      [['unwrap_single', '/ids/1']],
    ],
    ['a value of a map', recordOf(text), { a: ['x'] }, { a: 'x' }, [['unwrap_single', '/a']]],
    [
      'behind a reference, beside null',
      objectOf({ a: anyOf({ $ref: '#/$defs/a' }, nothing) }, [], { $defs: { a: text } }),
      { a: ['x'] },
      { a: 'x' },
      [['unwrap_single', '/a']],
    ],
    [
      'an entry whose keys are declared',
      objectOf({ one: closedOf({ key: text, value: text }) }),
      { one: [{ key: 'a', value: 'b' }] },
      { one: { key: 'a', value: 'b' } },
      [['unwrap_single', '/one']],
    ],
    [
      'a list in a list of one',
      objectOf({ ids: listOf(whole) }),
      { ids: [[1, 2]] },
      { ids: [1, 2] },
      [['unwrap_single', '/ids']],
    ],
    [
      'an empty list in a list of one',
      objectOf({ ids: listOf(whole) }),
      { ids: [[]] },
      { ids: [] },
      [['unwrap_single', '/ids']],
    ],
    [
      'one map',
      objectOf({ vars: recordOf(text) }),
      { vars: [{ a: 'b' }] },
      { vars: { a: 'b' } },
      [['unwrap_single', '/vars']],
    ],
  ],
  refused: [
    [
      'an entry of a map',
      objectOf({ env: recordOf(text) }),
      { env: [{ key: 'a', value: 'b' }] },
      [['type', '/env']],
    ],
    [
      'two lists in a list',
      objectOf({ ids: listOf(whole) }),
      {
        ids: [
          [1, 2],
          [3, 4],
        ],
      },
      [
        ['type', '/ids/0'],
        ['type', '/ids/1'],
      ],
    ],
    [
      'an inner list that is not valid in the place of the outer one',
      objectOf({ ids: listOf(whole) }),
      { ids: [['1', '2']] },
      [['type', '/ids/0']],
    ],
    ['two', objectOf({ name: text }), { name: ['a', 'b'] }, [['type', '/name']]],
    ['none', objectOf({ name: text }, ['name']), { name: [] }, [['type', '/name']]],
    ['an element that is not valid', objectOf({ name: text }), { name: [5] }, [['type', '/name']]],
    ['a list of a list of one', objectOf({ name: text }), { name: [['a']] }, [['type', '/name']]],
    ['null in a list', objectOf({ name: text }, ['name']), { name: [null] }, [['type', '/name']]],
    [
      'two branches that take it differently',
      objectOf({ id: anyOf(whole, { type: 'string', pattern: '^x' }) }),
      { id: ['5'] },
      [['anyOf', '/id']],
    ],
    ['an empty list', objectOf({ name: text }, ['name']), { name: [] }, [['type', '/name']]],
    [
      'an entry of a map',
      objectOf({ vars: recordOf(text) }),
      { vars: [{ value: 'b', key: 'a' }] },
      [['type', '/vars']],
    ],
    [
      'a named entry of a map',
      objectOf({ vars: recordOf(text) }),
      { vars: [{ name: 'a', value: 'b' }] },
      [['type', '/vars']],
    ],
  ],
});
