import { testRule } from '../rule-case.ts';
import { closedOf, listOf, objectOf, orNull, text, texts } from '../../schemas.ts';

testRule('empty_object_to_array', {
  untouched: [
    ['an empty list', 'names', texts, []],
    ['an empty object where an object is declared', 'filter', closedOf({ a: text }), {}],
    ['an empty object in a list', 'rows', listOf(closedOf({ a: text })), [{}]],
  ],
  repaired: [
    ['where a list is declared', objectOf({ a: texts }, ['a']), { a: {} }, { a: [] }, '/a'],
    ['where the list is optional', 'names', texts, {}, []],
    ['in the branch of a union', objectOf({ a: orNull(texts) }, ['a']), { a: {} }, { a: [] }, '/a'],
  ],
  refused: [
    ['an object that may be the one element', 'rows', listOf(objectOf({ a: text })), {}],
    [
      'elements that may be anything',
      objectOf({ a: { type: 'array' } }, ['a']),
      { a: {} },
      'type /a',
    ],
    [
      'a list that is too short',
      objectOf({ a: listOf(text, { minItems: 1 }) }, ['a']),
      { a: {} },
      'type /a',
    ],
  ],
});
