import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { textRuleTable } from '../../src/text/text-rule-table.ts';
import { ruleTable } from '../../src/repair/rule-table.ts';
import { describedRules } from './described-rules.ts';
import { between, documentedRules, withBetween } from './rule-listing.ts';

const root = new URL('../../', import.meta.url);
const docs = new URL('docs/reference/rules.md', root);

const idsIn = (folder: string): readonly string[] =>
  readdirSync(new URL(folder, root)).map((name) => name.replace('.ts', '').replaceAll('-', '_'));

describe.each([
  { marker: 'text rules', folder: 'text/text-rules', rules: textRuleTable },
  { marker: 'value rules', folder: 'repair/rules', rules: ruleTable },
])('$marker', ({ marker, folder, rules }) => {
  const table = describedRules(`src/${folder}`, rules);

  test('docs/reference/rules.md has what the rules say of themselves', () => {
    const document = readFileSync(docs, 'utf8');
    const inside = documentedRules(table);
    // UPDATE_DOCS=1 writes the rows anew; then the document is compared with itself.
    if (process.env['UPDATE_DOCS'] === '1')
      writeFileSync(docs, withBetween(document, marker, inside));
    expect(between(readFileSync(docs, 'utf8'), marker)).toBe(inside);
  });

  test('every rule is in the table once, and has a file and a test of its name', () => {
    const ids = table.map(({ id }) => id).toSorted();
    expect(ids.length).toBeGreaterThan(5);
    expect(idsIn(`src/${folder}`).toSorted()).toEqual(ids);
    expect(idsIn(`test/${folder}`).toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('every rule says what it does', () => {
    for (const { id, sends, becomes, notWhen } of table) {
      expect(id).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
      for (const fact of [sends, becomes, notWhen]) expect(fact).toMatch(/^[^\n]{2,}$/);
    }
  });
});
