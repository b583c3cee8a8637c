import { read } from '../../read.ts';
import { listOf, objectOf, orNull, text, whole } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

const schema = objectOf({ query: text }, ['query']);

testTextRule('bare_word', {
  schema,
  untouched: [{ title: 'a string', text: '{"query": "test"}' }],
  repaired: [
    { title: 'a word', text: '{query: test}', becomes: { query: 'test' } },
    { title: 'a comma behind it', text: '{"query": test , }', becomes: { query: 'test' } },
    { title: 'behind a key in quotes', text: '{"query": weather}', becomes: { query: 'weather' } },
    {
      title: 'behind a key in other quotes',
      text: "{'query': weather }\n",
      becomes: { query: 'weather' },
    },
    { title: 'a name', text: '{query: Graz}', becomes: { query: 'Graz' } },
    {
      title: 'a word with a hyphen and digits',
      text: '{query: utf-8}',
      becomes: { query: 'utf-8' },
    },
    { title: 'another script', text: '{query: погода}', becomes: { query: 'погода' } },
    {
      title: 'another spelling of the key',
      text: '{Query: test}',
      becomes: { query: 'test' },
      rules: ['bare_word', 'rename_key'],
    },
  ],
  refused: [
    { title: 'the name of a type', text: '{query: string}' },
    { title: 'the name of a type with a capital', text: '{query: String}' },
    { title: 'what stands for nothing', text: '{query: undefined}' },
    { title: 'a placeholder', text: '{query: your-query}' },
    { title: 'the name of the parameter', text: '{query: query}' },
    { title: 'its name with another word', text: '{query: search-query}' },
    { title: 'a name in code', text: '{query: userQuery}' },
    { title: 'a name in code with an underscore', text: '{query: user_input}' },
    { title: 'a constant', text: '{query: QUERY}' },
    { title: 'a member of an object', text: '{query: user.name}' },
    { title: 'a variable', text: '{query: $name}' },
    { title: 'a word with a blank', text: '{query: new york}' },
    { title: 'another member', text: '{query: test, limit: 5}' },
    { title: 'two commas behind it', text: '{query: test,,}' },
    { title: 'another key', text: '{text: test}' },
    { title: 'a brace that is missing', text: '{query: test' },
    { title: 'a brace too many', text: '{query: test}}' },
    { title: 'a list', text: '{query: [test]}', issue: 'not_json' },
    { title: 'words behind it', text: '{query: test} is what I need' },
    { title: 'a quote that was lost', text: '{query: test"}' },
    { title: 'a key that lost a quote', text: '{"query: test}', issue: 'truncated' },
  ],
});

test.each([
  ['a parameter beside another one', objectOf({ query: text, limit: whole }, ['query'])],
  ['a number', objectOf({ query: whole })],
  ['a list', objectOf({ query: listOf(text) })],
  ['what may be null', objectOf({ query: orNull(text) })],
  ['an enum without it', objectOf({ query: { enum: ['asc', 'desc'] } })],
])('%s takes no bare word', (_title, other) => {
  expect(read(other, '{query: test}').status).toBe('rejected');
});

test('the word may be the only parameter that is optional, or a member of its enum', () => {
  expect(
    read(objectOf({ order: { type: 'string', enum: ['asc'] } }), '{order: asc}'),
  ).toMatchObject({ status: 'repaired', value: { order: 'asc' } });
});

test('the model is told, and confirms a destructive call', () => {
  expect(read(schema, '{query: test}').notes).toEqual([
    { rule: 'bare_word', path: '', text: 'The arguments were repaired (bare_word).' },
  ]);
  const destructive = read(schema, '{query: test}', { tool: { effects: 'destructive' } });
  expect(destructive).toMatchObject({ status: 'rejected', issues: [{ keyword: 'not_confirmed' }] });
});

test('a cut text is cut', () => {
  expect(read(schema, '{query: test}', { finishReason: 'length' })).toMatchObject({
    status: 'rejected',
    issues: [{ keyword: 'truncated' }],
  });
});
