import { missingAndUnknown, testRule, twoUnknown } from '../rule-case.ts';
import { closedOf, mapOf, objectOf, orNull, text, whole } from '../../schemas.ts';

const query = closedOf({ city: text, days: whole }, ['city']);
const graz = { city: 'Graz' };

const both = objectOf({ query: objectOf({ a: text, b: text }), b: text }, ['query']);
testRule('wrap_in_parameter', {
  untouched: [
    {
      title: 'the parameter',
      schema: closedOf({ query }, ['query']),
      value: { query: { city: 'Graz' } },
    },
    {
      title: 'an open object that takes the keys',
      schema: objectOf({ query }),
      value: { city: 'Graz' },
    },
  ],
  repaired: [
    {
      title: 'the only declared one',
      schema: closedOf({ query }),
      sent: { city: 'a', days: 2 },
      becomes: { query: { city: 'a', days: 2 } },
    },
    {
      title: 'required, in an open object',
      schema: objectOf({ query, note: text }, ['query']),
      sent: graz,
      becomes: { query: graz },
    },
  ],
  refused: [
    {
      title: 'an empty object',
      schema: closedOf({ query: closedOf({ n: whole }) }, ['query']),
      sent: {},
      issues: 'required',
    },
    { title: 'a key of both', schema: both, sent: { a: 'x', b: 'y' }, issues: 'required' },
    {
      title: 'an undeclared key',
      schema: closedOf({ query }),
      sent: { city: 'Graz', town: 'x' },
      issues: twoUnknown,
    },
    { title: 'what does not fit inside', schema: closedOf({ query }), sent: { days: 'two' } },
    {
      title: 'one that takes null, too',
      schema: closedOf({ query: orNull(query) }),
      sent: { city: 'Graz' },
    },
    {
      title: 'one that declares no keys',
      schema: closedOf({ query: mapOf(text) }),
      sent: { city: 'Graz' },
    },
  ],
});

describe('a tool whose parameter declares a name', () => {
  const named = closedOf({ query: closedOf({ name: text, max: whole }, ['name']), limit: whole }, [
    'query',
  ]);

  testRule(
    'wrap_in_parameter',
    {
      untouched: [
        {
          title: 'its own name as the argument',
          schema: named,
          value: { query: { name: 'search' } },
        },
      ],
      repaired: [
        {
          title: 'another name alone',
          schema: named,
          sent: { name: 'Graz' },
          becomes: { query: { name: 'Graz' } },
        },
      ],
      refused: [
        {
          title: 'its own name alone',
          schema: named,
          sent: { name: 'search' },
          issues: missingAndUnknown,
        },
      ],
    },
    { tool: 'search' },
  );
});
