import { testRule } from '../rule-case.ts';
import { closedOf, mapOf, text, whole } from '../../schemas.ts';

const filter = closedOf({ city: text, days: whole });

const map = { ...filter, required: ['city'], additionalProperties: filter };
testRule('unwrap_repeated', {
  untouched: [
    ['the object', 'filter', filter, { city: 'Graz' }],
    ['a declared key of that name', 'a', closedOf({ a: closedOf({ b: text }) }), { a: { b: 'x' } }],
    ['a map', 'filter', mapOf(closedOf({ city: text })), { filter: { city: 'Graz' } }],
  ],
  repaired: [['the name again', 'filter', filter, { filter: { city: 'Graz' } }, { city: 'Graz' }]],
  refused: [
    ['an empty object', 'filter', filter, { filter: {} }, 'additionalProperties /filter'],
    ['a map', 'filter', map, { filter: { city: 'x' } }, 'required /filter'],
    ['another key', 'filter', filter, { query: { city: 'x' } }, 'additionalProperties /filter'],
    [
      'a key beside it',
      'filter',
      filter,
      { filter: { city: 'x' }, days: 1 },
      'additionalProperties /filter',
    ],
    [
      'an undeclared key inside',
      'filter',
      filter,
      { filter: { town: 'x' } },
      'additionalProperties /filter',
    ],
    [
      'others inside',
      'filter',
      filter,
      { filter: { days: 'two' } },
      'additionalProperties /filter',
    ],
  ],
});
