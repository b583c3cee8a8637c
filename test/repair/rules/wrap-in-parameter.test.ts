import { missingAndUnknown, testRule, twoUnknown } from '../rule-case.ts';
import { closedOf, mapOf, objectOf, orNull, text, whole } from '../../schemas.ts';

const query = closedOf({ city: text, days: whole }, ['city']);
const graz = { city: 'Graz' };

const both = objectOf({ query: objectOf({ a: text, b: text }), b: text }, ['query']);
testRule('wrap_in_parameter', {
  untouched: [
    ['the parameter', closedOf({ query }, ['query']), { query: { city: 'Graz' } }],
    ['an open object that takes the keys', objectOf({ query }), { city: 'Graz' }],
  ],
  repaired: [
    [
      'the only declared one',
      closedOf({ query }),
      { city: 'a', days: 2 },
      { query: { city: 'a', days: 2 } },
    ],
    [
      'required, in an open object',
      objectOf({ query, note: text }, ['query']),
      graz,
      { query: graz },
    ],
  ],
  refused: [
    ['an empty object', closedOf({ query: closedOf({ n: whole }) }, ['query']), {}, 'required'],
    ['a key of both', both, { a: 'x', b: 'y' }, 'required'],
    ['an undeclared key', closedOf({ query }), { city: 'Graz', town: 'x' }, twoUnknown],
    ['what does not fit inside', closedOf({ query }), { days: 'two' }],
    ['one that takes null, too', closedOf({ query: orNull(query) }), { city: 'Graz' }],
    ['one that declares no keys', closedOf({ query: mapOf(text) }), { city: 'Graz' }],
  ],
});

describe('a tool whose parameter declares a name', () => {
  const named = closedOf({ query: closedOf({ name: text, max: whole }, ['name']), limit: whole }, [
    'query',
  ]);

  testRule(
    'wrap_in_parameter',
    {
      untouched: [['its own name as the argument', named, { query: { name: 'search' } }]],
      repaired: [['another name alone', named, { name: 'Graz' }, { query: { name: 'Graz' } }]],
      refused: [['its own name alone', named, { name: 'search' }, missingAndUnknown]],
    },
    { tool: 'search' },
  );
});
