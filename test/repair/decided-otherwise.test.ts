// The rows of "Differences from other projects" in docs/reference/rules.md.
import { interpretArguments } from 'toolmend';
import { closedOf, flag, listOf, number, objectOf, text, texts } from '../schemas.ts';

const schema = closedOf({
  paths: texts,
  rows: listOf(objectOf({})),
  edits: listOf(closedOf({ find: text, put: text })),
});
const required = closedOf({ name: text, size: number, all: flag }, ['name', 'size', 'all']);
const valid = { name: 'a', size: 1, all: true };

test.each([
  ['a placeholder object under a key of its own', schema, { paths: { exclude: 'a' } }],
  ['null for a required string', required, { ...valid, name: null }],
  ['null for a required number', required, { ...valid, size: null }],
  ['null for a required boolean', required, { ...valid, all: null }],
  ['an empty object for an array of open objects', schema, { rows: {} }],
  ['a value that cannot be made to fit', required, { ...valid, size: 'large' }],
  ['a list of edits as text that is not JSON', schema, { edits: '[{"find": "a\\", "put": "b"}]' }],
])('%s is rejected', (_title, one, value) => {
  expect(interpretArguments(one, { value })).toMatchObject({ status: 'rejected' });
});

test.each([
  ['under the singular', { paths: { path: 'a' } }, { paths: ['a'] }],
  ['under a word for any element', { paths: { item: 'a' } }, { paths: ['a'] }],
  ['empty, for an array of objects that can be told apart', { paths: {} }, { paths: [] }],
])('an object for an array, %s, is repaired', (_title, value, becomes) => {
  expect(interpretArguments(schema, { value })).toMatchObject({
    status: 'repaired',
    value: becomes,
  });
});
