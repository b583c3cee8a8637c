import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textRuleTable } from '../../src/repair/text-rule-table.ts';
import { ruleTable } from '../../src/repair/rule-table.ts';
import { describedRules } from './described-rules.ts';
import {
  type RuleFacts,
  type RuleListing,
  between,
  documentedRules,
  idsIn,
  listingComplaints,
  withBetween,
} from './rule-listing.ts';

const root = new URL('../../', import.meta.url);
const docs = new URL('docs/reference/rules.md', root);

/** File names of a folder, without a rule's ending; folders and other files too, so that nothing hides there. */
const namesIn = (folder: string | URL, ending: string): readonly string[] =>
  readdirSync(folder)
    .map((name) => (name.endsWith(ending) ? name.slice(0, -ending.length) : name))
    .toSorted();

interface Kind {
  readonly marker: string;
  readonly table: readonly RuleFacts[];
  readonly source: string;
  readonly tests: string;
}

const kinds: readonly Kind[] = [
  {
    marker: 'text rules',
    table: describedRules(textRuleTable),
    source: 'src/repair/text-rules',
    tests: 'test/repair/text-rules',
  },
  {
    marker: 'value rules',
    table: describedRules(ruleTable),
    source: 'src/repair/rules',
    tests: 'test/repair/rules',
  },
];

const listingOf = ({ marker, table, source, tests }: Kind): RuleListing => ({
  table,
  files: namesIn(new URL(source, root), '.ts'),
  tests: namesIn(new URL(tests, root), '.test.ts'),
  documented: idsIn(readFileSync(docs, 'utf8'), marker),
});

describe.each(kinds)('$marker', (kind) => {
  test('docs/reference/rules.md has what the rules say of themselves', () => {
    const document = readFileSync(docs, 'utf8');
    const inside = documentedRules(kind.table);
    // UPDATE_DOCS=1 writes the rows anew; then the document is compared with itself.
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(docs, withBetween(document, kind.marker, inside));
    expect(between(readFileSync(docs, 'utf8'), kind.marker)).toBe(inside);
  });

  test('files, table, tests and docs name the same rules', () => {
    const listing = listingOf(kind);
    expect(listing.files.length).toBeGreaterThan(5);
    expect(listingComplaints(listing)).toEqual([]);
  });

  test('every rule says what it does', () => {
    for (const { id, sends, becomes, notWhen } of kind.table) {
      expect(id).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
      for (const fact of [sends, becomes, notWhen]) expect(fact).toMatch(/^[^\n]{2,}$/);
    }
  });
});

describe('a planted fault is found', () => {
  const fact = (id: string): RuleFacts => ({ id, sends: 'a', becomes: 'b', notWhen: 'c', keeps: 'lossy' });
  const whole: RuleListing = {
    table: [fact('drop_null'), fact('null_word')],
    files: ['drop-null', 'null-word'],
    tests: ['drop-null', 'null-word'],
    documented: ['drop_null', 'null_word'],
  };

  test('none is planted', () => {
    expect(listingComplaints(whole)).toEqual([]);
  });

  test.each<[string, Partial<RuleListing>, string]>([
    [
      'a file that is in no table',
      { table: [fact('drop_null')], documented: ['drop_null'] },
      'null-word.ts is not in the table under its own name',
    ],
    ['no file', { files: ['drop-null'], tests: ['drop-null'] }, 'null_word is in the table and has no file'],
    ['a rule twice', { table: [...whole.table, fact('drop_null')] }, 'drop_null is in the table twice'],
    ['a rule without a test', { tests: ['drop-null'] }, 'null-word.ts has no test file'],
    ['a test without a rule', { tests: [...whole.tests, 'gone'] }, 'gone.test.ts tests no rule'],
    ['a rule without a row in the docs', { documented: ['drop_null'] }, 'null_word has no row in the docs'],
    [
      'a row in the docs without a rule',
      { documented: [...whole.documented, 'gone'] },
      'gone has a row in the docs and is no rule',
    ],
  ])('%s', (_title, planted, complaint) => {
    expect(listingComplaints({ ...whole, ...planted })).toEqual([complaint]);
  });

  test('in folders and documents as they are read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rules-'));
    try {
      for (const name of ['drop-null.ts', 'null-word.ts', 'notes.txt']) writeFileSync(join(folder, name), '');
      const document = `# Rules\n<!-- r: made from the rules by their test -->\n${documentedRules([fact('drop_null')])}\n<!-- end of r -->\n| \`other\` |\n`;
      const listing = { ...whole, files: namesIn(folder, '.ts'), documented: idsIn(document, 'r') };
      expect(listingComplaints(listing)).toEqual([
        'notes.txt.ts is not in the table under its own name',
        'notes.txt.ts has no test file',
        'null_word has no row in the docs',
      ]);
      expect(idsIn(withBetween(document, 'r', documentedRules(whole.table)), 'r')).toEqual(whole.documented);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
