import { testRule } from '../rule-case.ts';
import { closedOf, listOf, mapOf, objectOf, orNull, text, texts, whole } from '../../schemas.ts';

const ofUser = objectOf({ user: { $ref: '#/$defs/u' } }, [], {
  $defs: { u: closedOf({ age: whole }) },
});
const ofNulls = objectOf({ names: listOf({ type: ['string', 'null'] }) }, ['names']);

testRule('drop_null', {
  untouched: [
    {
      title: 'null in a type list',
      argument: 'name',
      schema: { type: ['string', 'null'] },
      value: null,
    },
    { title: 'null in a union', argument: 'name', schema: orNull(text), value: null },
    {
      title: 'null as a member of an enum',
      argument: 'name',
      schema: { enum: ['a', null] },
      value: null,
    },
  ],
  repaired: [
    {
      title: 'an optional key',
      schema: objectOf({ a: text, b: whole }, ['a']),
      sent: { a: 'x', b: null },
      becomes: { a: 'x' },
      repairs: '/b',
    },
    {
      title: 'an optional list',
      schema: objectOf({ names: texts }),
      sent: { names: null },
      becomes: {},
      repairs: '/names',
    },
    {
      title: 'an optional object',
      schema: objectOf({ filter: closedOf({}) }),
      sent: { filter: null },
      becomes: {},
      repairs: '/filter',
    },
    {
      title: 'in an object in a map',
      argument: 'm',
      schema: mapOf(closedOf({ b: whole })),
      sent: { a: { b: null } },
      becomes: { a: {} },
      repairs: '/m/a/b',
    },
    {
      title: 'behind a reference',
      schema: ofUser,
      sent: { user: { age: null } },
      becomes: { user: {} },
      repairs: '/user/age',
    },
  ],
  refused: [
    {
      title: 'required without a default',
      schema: objectOf({ name: text }, ['name']),
      sent: { name: null },
      issues: 'type /name',
    },
    {
      title: 'inside a list',
      argument: 'names',
      schema: texts,
      sent: ['a', null],
      issues: 'type /names/1',
    },
    {
      title: 'a value of a map',
      argument: 'headers',
      schema: mapOf(text),
      sent: { accept: null },
      issues: 'type /headers/accept',
    },
    {
      title: 'an undeclared key of a closed object',
      schema: closedOf({}),
      sent: { zzz: { a: null } },
    },
    {
      title: 'a required list, however it could be wrapped',
      schema: ofNulls,
      sent: { names: null },
      issues: 'type /names',
    },
    {
      title: 'beside another',
      schema: objectOf({ a: whole, b: whole }, ['a']),
      sent: { a: null, b: 'x' },
      issues: ['type /a', 'type /b'],
    },
  ],
});
