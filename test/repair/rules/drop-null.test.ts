import { testRule } from '../rule-case.ts';
import { closedOf, listOf, mapOf, objectOf, orNull, text, texts, whole } from '../../schemas.ts';

const ofUser = objectOf({ user: { $ref: '#/$defs/u' } }, [], {
  $defs: { u: closedOf({ age: whole }) },
});
const ofNulls = objectOf({ names: listOf({ type: ['string', 'null'] }) }, ['names']);

testRule('drop_null', {
  untouched: [
    ['null in a type list', 'name', { type: ['string', 'null'] }, null],
    ['null in a union', 'name', orNull(text), null],
    ['null as a member of an enum', 'name', { enum: ['a', null] }, null],
  ],
  repaired: [
    [
      'an optional key',
      objectOf({ a: text, b: whole }, ['a']),
      { a: 'x', b: null },
      { a: 'x' },
      '/b',
    ],
    ['an optional list', objectOf({ names: texts }), { names: null }, {}, '/names'],
    ['an optional object', objectOf({ filter: closedOf({}) }), { filter: null }, {}, '/filter'],
    [
      'in an object in a map',
      'm',
      mapOf(closedOf({ b: whole })),
      { a: { b: null } },
      { a: {} },
      '/m/a/b',
    ],
    ['behind a reference', ofUser, { user: { age: null } }, { user: {} }, '/user/age'],
  ],
  refused: [
    [
      'required without a default',
      objectOf({ name: text }, ['name']),
      { name: null },
      'type /name',
    ],
    ['inside a list', 'names', texts, ['a', null], 'type /names/1'],
    ['a value of a map', 'headers', mapOf(text), { accept: null }, 'type /headers/accept'],
    ['an undeclared key of a closed object', closedOf({}), { zzz: { a: null } }],
    ['a required list, however it could be wrapped', ofNulls, { names: null }, 'type /names'],
    [
      'beside another',
      objectOf({ a: whole, b: whole }, ['a']),
      { a: null, b: 'x' },
      'type /a, type /b',
    ],
  ],
});
