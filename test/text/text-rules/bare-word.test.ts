import { read } from '../../read.ts';
import { listOf, objectOf, orNull, text, whole } from '../../schemas.ts';
import { testTextRule } from '../text-case.ts';

const schema = objectOf({ query: text }, ['query']);

testTextRule('bare_word', {
  schema,
  untouched: [['a string', '{"query": "test"}']],
  repaired: [
    ['a word', '{query: test}', { query: 'test' }],
    ['behind a key in quotes', '{"query": weather}', { query: 'weather' }],
    ['behind a key in other quotes', "{'query': weather }\n", { query: 'weather' }],
    ['a name', '{query: Graz}', { query: 'Graz' }],
    ['a word with a hyphen and digits', '{query: utf-8}', { query: 'utf-8' }],
    ['another script', '{query: погода}', { query: 'погода' }],
    ['another spelling of the key', '{Query: test}', { query: 'test' }, 'bare_word, rename_key'],
  ],
  refused: [
    ['the name of a type', '{query: string}'],
    ['the name of a type with a capital', '{query: String}'],
    ['what stands for nothing', '{query: undefined}'],
    ['a placeholder', '{query: your-query}'],
    ['the name of the parameter', '{query: query}'],
    ['its name with another word', '{query: search-query}'],
    ['a name in code', '{query: userQuery}'],
    ['a name in code with an underscore', '{query: user_input}'],
    ['a constant', '{query: QUERY}'],
    ['a member of an object', '{query: user.name}'],
    ['a variable', '{query: $name}'],
    ['a word with a blank', '{query: new york}'],
    ['another member', '{query: test, limit: 5}'],
    ['another key', '{text: test}'],
    ['a brace that is missing', '{query: test'],
    ['a brace too many', '{query: test}}'],
    ['a list', '{query: [test]}', 'not_json'],
    ['words behind it', '{query: test} is what I need'],
    ['a quote that was lost', '{query: test"}'],
    ['a key that lost a quote', '{"query: test}', 'truncated'],
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
