import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { writeCall } from 'toolmend/testing';
import { notationForms } from '../../src/notations/notation-forms.ts';
import { notationTable } from '../../src/notations/notation-table.ts';
import { between, withBetween } from '../repair/rule-listing.ts';

const root = new URL('../../', import.meta.url);
const docs = new URL('docs/reference/notations.md', root);

const fileOf = (id: string): string => id.replaceAll('_', '-');
const cell = (text: string): string => text.replaceAll('|', '\\|');

const rows = [
  '',
  '<!-- prettier-ignore -->',
  '| id | models | what they write | what it can’t express |',
  '| --- | --- | --- | --- |',
  ...[...notationForms].map(([id, { models, form, notExpressed }]) => {
    const cells = [`\`${id}\``, models, form, notExpressed].map(cell);
    return `| ${cells.join(' | ')} |`;
  }),
  '',
].join('\n');

test('docs/reference/notations.md has what the notations say of themselves', () => {
  // UPDATE_DOCS=1 writes the rows anew; then the document is compared with itself.
  if (process.env['UPDATE_DOCS'] === '1')
    writeFileSync(docs, withBetween(readFileSync(docs, 'utf8'), 'notations', rows));
  expect(between(readFileSync(docs, 'utf8'), 'notations')).toBe(rows);
});

test.each(notationTable.map(({ id }) => id))('%s has a file and a test of its own', (id) => {
  expect(readdirSync(new URL('src/notations', root))).toContain(`${fileOf(id)}.ts`);
  expect(readdirSync(new URL('test/notations', root))).toContain(`${fileOf(id)}.test.ts`);
});

test.each([
  ['pythonic', '<|tool_call_start|>[look(city=None)]<|tool_call_end|>'],
  [
    'kimi_k3',
    '<|open|>tools<|sep|><|open|>call tool="look" index="1"<|sep|><|open|>argument key="city" type="null"<|sep|>null<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  ],
  ['gemma', '<|tool_call>call:look{city:null}<tool_call|>'],
])('%s writes null', (id, written) => {
  expect(writeCall(id, { name: 'look', arguments: { city: null } })).toBe(written);
});

test('each id is in the table once', () => {
  const ids = notationTable.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
