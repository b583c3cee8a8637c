// Is a null left out where its key may be absent, and nowhere else?
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
    ['null in a type list', objectOf({ name: { type: ['string', 'null'] } }), { name: null }],
    ['null in a union', objectOf({ name: anyOf(text, nothing) }), { name: null }],
    ['null as a member of an enum', objectOf({ name: { enum: ['a', null] } }), { name: null }],
    ['null as OpenAPI allows it', objectOf({ name: { type: 'string', nullable: true } }), { name: null }],
    ['null where nothing is said', objectOf({ name: {} }), { name: null }],
    ['null at an undeclared key of an open object', objectOf({ name: text }), { other: null }],
    [
      'null in a list that allows it',
      objectOf({ rows: listOf({ type: ['integer', 'null'] }) }),
      { rows: [1, null] },
    ],
  ],
  repaired: [
    [
      'an optional key',
      objectOf({ path: text, limit: whole }, ['path']),
      { path: 'a', limit: null },
      { path: 'a' },
      [['drop_null', '/limit']],
    ],
    [
      'several of them, the others stay in order',
      objectOf({ a: text, b: text, c: text, d: text }),
      { d: null, c: 'x', b: null, a: 'y' },
      { c: 'x', a: 'y' },
      [
        ['drop_null', '/b'],
        ['drop_null', '/d'],
      ],
    ],
    ['an optional list', objectOf({ names: texts }), { names: null }, {}, [['drop_null', '/names']]],
    [
      'an optional object',
      objectOf({ filter: closedOf({}) }),
      { filter: null },
      {},
      [['drop_null', '/filter']],
    ],
    [
      'an optional union without null',
      objectOf({ id: anyOf(whole, text) }),
      { id: null },
      {},
      [['drop_null', '/id']],
    ],
    [
      'required with a default',
      objectOf({ limit: { type: 'integer', default: 10 } }, ['limit']),
      { limit: null },
      { limit: 10 },
      [
        ['drop_null', '/limit'],
        ['fill_default', '/limit'],
      ],
    ],
    [
      'in an object in a list',
      objectOf({ rows: listOf(closedOf({ a: text, b: text }, ['a'])) }),
      { rows: [{ a: 'x', b: null }, { a: 'y' }] },
      { rows: [{ a: 'x' }, { a: 'y' }] },
      [['drop_null', '/rows/0/b']],
    ],
    [
      'in an object in a map',
      objectOf({ users: recordOf(closedOf({ age: whole })) }),
      { users: { ada: { age: null } } },
      { users: { ada: {} } },
      [['drop_null', '/users/ada/age']],
    ],
    [
      'behind a reference',
      objectOf({ user: { $ref: '#/$defs/user' } }, [], { $defs: { user: closedOf({ age: whole }) } }),
      { user: { age: null } },
      { user: {} },
      [['drop_null', '/user/age']],
    ],
    [
      'in the branch of a union that its other keys belong to',
      objectOf({
        shape: anyOf(
          closedOf({ radius: whole, name: text }, ['radius']),
          closedOf({ side: whole }, ['side']),
        ),
      }),
      { shape: { radius: 1, name: null } },
      { shape: { radius: 1 } },
      [['drop_null', '/shape/name']],
    ],
    [
      'below text that spells an object',
      objectOf({ user: closedOf({ age: whole }) }),
      { user: '{"age": null}' },
      { user: {} },
      [
        ['json_text_to_object', '/user'],
        ['drop_null', '/user/age'],
      ],
    ],
  ],
  refused: [
    ['required without a default', objectOf({ name: text }, ['name']), { name: null }, [['type', '/name']]],
    ['inside a list', objectOf({ names: texts }), { names: ['a', null] }, [['type', '/names/1']]],
    [
      'a value of a map',
      objectOf({ headers: recordOf(text) }),
      { headers: { accept: null } },
      [['type', '/headers/accept']],
    ],
    [
      'an undeclared key of a closed object',
      closedOf({ name: text }),
      { zzz: { a: null } },
      [['additionalProperties', '']],
    ],
    [
      'a required list, however it could be wrapped',
      objectOf({ names: listOf({ type: ['string', 'null'] }) }, ['names']),
      { names: null },
      [['type', '/names']],
    ],
    [
      'without it too few keys are left',
      objectOf({ a: text }, [], { minProperties: 1 }),
      { a: null },
      [['type', '/a']],
    ],
    [
      'another key depends on it',
      objectOf({ a: text, b: text }, [], { dependentRequired: { a: ['b'] } }),
      { a: 'x', b: null },
      [['type', '/b']],
    ],
    [
      'a required null beside another failure',
      objectOf({ a: whole, b: whole }, ['a']),
      { a: null, b: 'x' },
      [
        ['type', '/a'],
        ['type', '/b'],
      ],
    ],
  ],
});
