import { interpretArguments } from 'toolmend';
import { missingAndUnknown, testRule } from '../rule-case.ts';
import { closedOf, listOf, mapOf, objectOf, text, whole } from '../../schemas.ts';

const search = closedOf({ query: text, limit: whole }, ['query']);
const withPath = closedOf({ query: text, path: text }, ['query']);

testRule(
  'rename_only_candidate',
  {
    untouched: [
      ['the declared keys', search, { query: 'cats', limit: 3 }],
      ['an open object', objectOf({ query: text }, ['query']), { query: 'cats', term: 'dogs' }],
    ],
    repaired: [
      ['another name', search, { term: 'cats' }, { query: 'cats' }, '/term'],
      [
        'beside other keys',
        search,
        { limit: 3, term: 'cats' },
        { limit: 3, query: 'cats' },
        '/term',
      ],
      [
        'below a list',
        'all',
        listOf(search),
        [{ term: 'cats' }],
        [{ query: 'cats' }],
        '/all/0/term',
      ],
    ],
    refused: [
      [
        'a map',
        { ...mapOf(text), ...objectOf({ query: text }, ['query']) },
        { term: 'cats' },
        'required',
      ],
      ['a value that does not fit', search, { term: ['a', 'b'] }, missingAndUnknown],
      [
        'two unknown keys',
        objectOf({ query: text }, ['query']),
        { term: 'cats', other: 'x' },
        'required',
      ],
      ['a key too many', search, { query: 'cats', term: 'dogs' }],
      ['an optional key would take the value too', withPath, { term: 'cats' }, missingAndUnknown],
    ],
  },
  { tool: { name: 'search', effects: 'read' } },
);

test.each([undefined, 'write', 'destructive'] as const)(
  'a tool with effects %s is not guessed at',
  (effects) => {
    const tool = { name: 'search', ...(effects === undefined ? {} : { effects }) };
    expect(interpretArguments(search, { value: { term: 'cats' } }, { tool }).status).toBe(
      'rejected',
    );
  },
);

test('the model is told', () => {
  const tool = { name: 'search', effects: 'read' } as const;
  const { notes } = interpretArguments(search, { value: { term: 'cats' } }, { tool });
  expect(notes).toMatchObject([{ rule: 'rename_only_candidate', path: '/term' }]);
});
