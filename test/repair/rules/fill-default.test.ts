import { interpretArguments } from 'toolmend';
import { testRule } from '../rule-case.ts';
import { anyOf, closedOf, listOf, objectOf, text, whole } from '../../schemas.ts';

const limit = { ...whole, default: 10 } as const;

testRule('fill_default', {
  untouched: [
    ['an optional key with a default stays absent', objectOf({ limit }), {}],
    ['a required key that is there', objectOf({ limit }, ['limit']), { limit: 3 }],
    ['nested optional keys with defaults', 'page', closedOf({ limit }), {}],
  ],
  repaired: [
    ['a required key', objectOf({ limit }, ['limit']), {}, { limit: 10 }, '/limit'],
    [
      'false, 0 and null are defaults too',
      objectOf({ a: { default: false }, b: { default: 0 }, c: { default: null } }, ['a', 'b', 'c']),
      {},
      { a: false, b: 0, c: null },
      '/a, /b, /c',
    ],
    [
      'in objects in a list',
      'pages',
      listOf(closedOf({ limit, offset: whole }, ['limit'])),
      [{ offset: 1 }, { limit: 2 }],
      [{ offset: 1, limit: 10 }, { limit: 2 }],
      '/pages/0/limit',
    ],
    [
      'a default stands behind a reference',
      objectOf({ limit: { $ref: '#/$defs/limit' } }, ['limit'], { $defs: { limit } }),
      {},
      { limit: 10 },
      '/limit',
    ],
    [
      'in the one branch of a union that it completes',
      'page',
      anyOf(closedOf({ limit, name: text }, ['limit', 'name']), closedOf({ all: { const: true } }, ['all'])),
      { name: 'a' },
      { name: 'a', limit: 10 },
      '/page/limit',
    ],
    [
      'a key that text of an object may hold, and does not',
      objectOf({ limit, page: objectOf({ name: text }) }, ['limit']),
      { page: '{"name":"no limit"}' },
      { page: { name: 'no limit' }, limit: 10 },
      'json_text_to_object /page, /limit',
    ],
    [
      'a key that text of an object holds is moved up, not filled',
      objectOf({ limit, page: objectOf({ name: text }) }, ['limit']),
      { page: '{"name":"a","limit":3}' },
      { page: { name: 'a' }, limit: 3 },
      'json_text_to_object /page, hoist_member /page/limit',
    ],
  ],
  refused: [
    [
      'a key that some elements hold without declaring it',
      objectOf({ limit, pages: listOf(objectOf({ name: text })) }, ['limit']),
      { pages: [{ name: 'a', limit: 3 }, { name: 'b' }] },
      'required',
    ],
    ['no default', objectOf({ limit: whole }, ['limit']), {}, 'required'],
    ['an invalid default', objectOf({ n: { ...whole, default: 'ten' } }, ['n']), {}, 'required'],
    ['another key is missing as well', objectOf({ limit, path: text }, ['limit', 'path']), {}, 'required'],
    [
      'two branches of a union, each completed differently',
      objectOf({ page: anyOf(closedOf({ limit }, ['limit']), closedOf({ size: limit }, ['size'])) }, [
        'page',
      ]),
      { page: {} },
      'anyOf /page',
    ],
    [
      'in an open object, a key that was meant for it and can’t be brought to fit',
      objectOf({ limit, name: text }, ['name'], {
        if: { properties: { name: { const: 'red' } }, required: ['name'] },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { required: ['limit'] },
      }),
      { NAME: 'red', LIMIT: { a: [7] } },
      'required, misspelt, misspelt',
    ],
  ],
});

test('what was absent is recorded as such', () => {
  const schema = objectOf({ depth: { ...whole, default: 9 } }, ['depth']);
  expect(interpretArguments(schema, { value: {} }).repairs).toEqual([
    {
      rule: 'fill_default',
      path: '/depth',
      was: 'absent',
      tell: false,
      operations: [{ op: 'add', path: '/depth', value: 9 }],
    },
  ]);
});
