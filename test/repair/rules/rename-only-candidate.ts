import { interpretArguments } from 'toolmend';
import { missingAndUnknown, testRule } from '../rule-case.ts';
import { closedOf, listOf, mapOf, number, objectOf, text, whole } from '../../schemas.ts';

const search = closedOf({ query: text, limit: whole }, ['query']);
const withPath = closedOf({ query: text, path: text }, ['query']);
const convert = closedOf({ unit: { enum: ['km', 'mi'] }, value: number }, ['unit', 'value']);
const places = closedOf({ cities: text }, ['cities']);

testRule(
  'rename_only_candidate',
  {
    untouched: [
      { title: 'the declared keys', schema: search, value: { query: 'cats', limit: 3 } },
      {
        title: 'an open object',
        schema: objectOf({ query: text }, ['query']),
        value: { query: 'cats', term: 'dogs' },
      },
    ],
    repaired: [
      {
        title: 'another name',
        schema: search,
        sent: { term: 'cats' },
        becomes: { query: 'cats' },
        repairs: '/term',
      },
      ...['site: cats', 'https://a.b/?limited=1', 'find(cats)'].map((sent) => ({
        title: `text with a colon, an equals sign or a bracket: ${sent}`,
        schema: search,
        sent: { term: sent },
        becomes: { query: sent },
        repairs: '/term',
      })),
      {
        title: 'a member of an enum',
        schema: convert,
        sent: { value: 3, measure: 'km' },
        becomes: { value: 3, unit: 'km' },
        repairs: '/measure',
      },
      {
        title: 'a name of two words',
        schema: closedOf({ q: text }, ['q']),
        sent: { searchTerm: 'cats' },
        becomes: { q: 'cats' },
        repairs: '/searchTerm',
      },
      {
        title: 'the singular of the key',
        schema: places,
        sent: { city: 'Graz' },
        becomes: { cities: 'Graz' },
        repairs: 'rename_related /city',
      },
      {
        title: 'beside other keys',
        schema: search,
        sent: { limit: 3, term: 'cats' },
        becomes: { limit: 3, query: 'cats' },
        repairs: '/term',
      },
      {
        title: 'below a list',
        argument: 'all',
        schema: listOf(search),
        sent: [{ term: 'cats' }],
        becomes: [{ query: 'cats' }],
        repairs: '/all/0/term',
      },
    ],
    refused: [
      {
        title: 'a map',
        schema: { ...mapOf(text), ...objectOf({ query: text }, ['query']) },
        sent: { term: 'cats' },
        issues: 'required',
      },
      {
        title: 'several under the singular',
        schema: places,
        sent: { city: 'Graz, Wien' },
        issues: missingAndUnknown,
      },
      {
        title: 'a value that does not fit',
        schema: search,
        sent: { term: ['a', 'b'] },
        issues: missingAndUnknown,
      },
      {
        title: 'two unknown keys',
        schema: objectOf({ query: text }, ['query']),
        sent: { term: 'cats', other: 'x' },
        issues: 'required',
      },
      ...['error', 'reason', 'lastResult', 'not_query', 'exclude', 'thought'].map((key) => ({
        title: `what is said about a call: ${key}`,
        schema: search,
        sent: { [key]: 'cats' },
        issues: missingAndUnknown,
      })),
      ...[
        '{"query": "cats", "sort": 1}',
        '"[1]',
        'search(query="cats")',
        'query: cats, limit: 3',
        'cats; limit=3',
      ].map((sent) => ({
        title: `text that may be the arguments: ${sent}`,
        schema: search,
        sent: { term: sent },
        issues: missingAndUnknown,
      })),
      { title: 'a key too many', schema: search, sent: { query: 'cats', term: 'dogs' } },
      {
        title: 'an optional key would take the value too',
        schema: withPath,
        sent: { term: 'cats' },
        issues: missingAndUnknown,
      },
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
