import { testRule } from '../rule-case.ts';
import { closedOf, listOf, objectOf, recordOf, text, whole } from '../sample-schemas.ts';

const filter = closedOf({ city: text, days: whole });

testRule({
  untouched: [
    ['the object', objectOf({ filter }), { filter: { city: 'Graz' } }],
    [
      'a declared key of that name',
      objectOf({ filter: closedOf({ filter: closedOf({ city: text }) }) }),
      { filter: { filter: { city: 'Graz' } } },
    ],
    [
      'a map',
      objectOf({ filter: recordOf(closedOf({ city: text })) }),
      { filter: { filter: { city: 'Graz' } } },
    ],
    [
      'an open object that takes it',
      objectOf({ filter: objectOf({ city: text }) }),
      { filter: { filter: { city: 'x' } } },
    ],
  ],
  repaired: [
    [
      'the name again',
      objectOf({ filter }),
      { filter: { filter: { city: 'Graz' } } },
      { filter: { city: 'Graz' } },
      'unwrap_repeated /filter',
    ],
    [
      'another spelling of the name, and members that are repaired',
      objectOf({ searchFilter: filter }),
      { searchFilter: { search_filter: { days: '2' } } },
      { searchFilter: { days: 2 } },
      ['unwrap_repeated /searchFilter', 'text_to_integer /searchFilter/days'],
    ],
    [
      'an open object that lacks a required key',
      objectOf({ filter: objectOf({ city: text }, ['city']) }),
      { filter: { filter: { city: 'x' } } },
      { filter: { city: 'x' } },
      'unwrap_repeated /filter',
    ],
    [
      'in an element of a list',
      objectOf({ jobs: listOf(closedOf({ filter })) }),
      { jobs: [{ filter: { filter: { city: 'x' } } }] },
      { jobs: [{ filter: { city: 'x' } }] },
      'unwrap_repeated /jobs/0/filter',
    ],
  ],
  refused: [
    [
      'another key',
      objectOf({ filter }),
      { filter: { query: { city: 'x' } } },
      'additionalProperties /filter',
    ],
    [
      'a key beside it',
      objectOf({ filter }),
      { filter: { filter: { city: 'x' }, days: 1 } },
      'additionalProperties /filter',
    ],
    [
      'an undeclared key inside',
      objectOf({ filter }),
      { filter: { filter: { town: 'x' } } },
      'additionalProperties /filter',
    ],
    [
      'an inner object that does not fit',
      objectOf({ filter }),
      { filter: { filter: { days: 'two' } } },
      'additionalProperties /filter',
    ],
  ],
});
