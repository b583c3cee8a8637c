import { testRule } from '../rule-case.ts';
import { closedOf, listOf, objectOf, orNull, text, texts } from '../../schemas.ts';

testRule('empty_object_to_array', {
  untouched: [
    { title: 'an empty list', argument: 'names', schema: texts, value: [] },
    {
      title: 'an empty object where an object is declared',
      argument: 'filter',
      schema: closedOf({ a: text }),
      value: {},
    },
    {
      title: 'an empty object in a list',
      argument: 'rows',
      schema: listOf(closedOf({ a: text })),
      value: [{}],
    },
  ],
  repaired: [
    {
      title: 'where a list is declared',
      schema: objectOf({ a: texts }, ['a']),
      sent: { a: {} },
      becomes: { a: [] },
      repairs: '/a',
    },
    {
      title: 'where the list is optional',
      argument: 'names',
      schema: texts,
      sent: {},
      becomes: [],
    },
    {
      title: 'in the branch of a union',
      schema: objectOf({ a: orNull(texts) }, ['a']),
      sent: { a: {} },
      becomes: { a: [] },
      repairs: '/a',
    },
  ],
  refused: [
    {
      title: 'an object that may be the one element',
      argument: 'rows',
      schema: listOf(objectOf({ a: text })),
      sent: {},
    },
    {
      title: 'elements that may be anything',
      schema: objectOf({ a: { type: 'array' } }, ['a']),
      sent: { a: {} },
      issues: 'type /a',
    },
    {
      title: 'a list that is too short',
      schema: objectOf({ a: listOf(text, { minItems: 1 }) }, ['a']),
      sent: { a: {} },
      issues: 'type /a',
    },
  ],
});
