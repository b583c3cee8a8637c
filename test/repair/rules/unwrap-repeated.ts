import { testRule } from '../rule-case.ts';
import { closedOf, mapOf, text, whole } from '../../schemas.ts';

const filter = closedOf({ city: text, days: whole });

const map = { ...filter, required: ['city'], additionalProperties: filter };
testRule('unwrap_repeated', {
  untouched: [
    { title: 'the object', argument: 'filter', schema: filter, value: { city: 'Graz' } },
    {
      title: 'a declared key of that name',
      argument: 'a',
      schema: closedOf({ a: closedOf({ b: text }) }),
      value: { a: { b: 'x' } },
    },
    {
      title: 'a map',
      argument: 'filter',
      schema: mapOf(closedOf({ city: text })),
      value: { filter: { city: 'Graz' } },
    },
  ],
  repaired: [
    {
      title: 'the name again',
      argument: 'filter',
      schema: filter,
      sent: { filter: { city: 'Graz' } },
      becomes: { city: 'Graz' },
    },
  ],
  refused: [
    {
      title: 'an empty object',
      argument: 'filter',
      schema: filter,
      sent: { filter: {} },
      issues: 'additionalProperties /filter',
    },
    {
      title: 'a map',
      argument: 'filter',
      schema: map,
      sent: { filter: { city: 'x' } },
      issues: 'required /filter',
    },
    {
      title: 'another key',
      argument: 'filter',
      schema: filter,
      sent: { query: { city: 'x' } },
      issues: 'additionalProperties /filter',
    },
    {
      title: 'a key beside it',
      argument: 'filter',
      schema: filter,
      sent: { filter: { city: 'x' }, days: 1 },
      issues: 'additionalProperties /filter',
    },
    {
      title: 'an undeclared key inside',
      argument: 'filter',
      schema: filter,
      sent: { filter: { town: 'x' } },
      issues: 'additionalProperties /filter',
    },
    {
      title: 'others inside',
      argument: 'filter',
      schema: filter,
      sent: { filter: { days: 'two' } },
      issues: 'additionalProperties /filter',
    },
  ],
});
