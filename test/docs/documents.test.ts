import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder, readManifest } from '../checks/project-folder.ts';
import { readDocBlocks } from './doc-blocks.ts';
import { block, documents } from './read-documents.ts';

test('the index lists every page, and a page of the guide has an example in its first section', () => {
  const pages = Object.keys(documents).filter((name) => /^docs\/(?!README\.md)/.test(name));
  const index = documents['docs/README.md'] ?? '';
  const guides = pages.filter((name) => name.startsWith('docs/guide/'));
  const firstSection = (text: string): string => text.split(/^## /m, 2).join('');
  expect(guides.length).toBeGreaterThan(25);
  expect(pages.filter((name) => !index.includes(`](${name.slice('docs/'.length)})`))).toEqual([]);
  expect(guides.filter((name) => !firstSection(documents[name] ?? '').includes('```'))).toEqual([]);
});

test('the threats page names tests by their titles', () => {
  const page = documents['docs/internals/threats.md'] ?? '';
  const named = [...page.matchAll(/\]\(\.\.\/\.\.\/(test\/[^)]+)\): (.+?) *(?:<br>|\|)/g)];
  const missing = named.filter(([, file = '', title = '']) => {
    const source = readFileSync(join(projectFolder, file), 'utf8');
    return !source.replaceAll(/ %s|%s /g, '').includes(title);
  });
  expect(named.length).toBeGreaterThan(30);
  expect(missing).toEqual([]);
});

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('links between documents lead to files, and to headings in them', () => {
  const targets = Object.entries(documents).flatMap(([name, text]) =>
    [...text.matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].map(
      ([, path = '', anchor]) => [path === '' ? name : join(name, '..', path), anchor] as const,
    ),
  );
  const leads = ([page, anchor]: (typeof targets)[number]): boolean =>
    anchor === undefined
      ? existsSync(join(projectFolder, page))
      : anchorsOf(documents[page] ?? '').includes(anchor);
  expect(targets).toContainEqual(['docs/internals/architecture.md', undefined]);
  expect(targets).toContainEqual(['docs/reference/providers.md', 'strict-mode']);
  expect(targets.filter((target) => !leads(target))).toEqual([]);
  const anchors = anchorsOf("## A call\n### `validate`'s results, twice\n");
  expect(anchors).toEqual(['a-call', 'validates-results-twice']);
});

test('paths in the text exist', () => {
  const paths = Object.entries(documents).flatMap(([page, text]) =>
    [...text.matchAll(/`((?:src|test|scripts|bench|examples|docs)\/[\w./-]+)`/g)].map(
      ([, path = '']) => [page, path] as const,
    ),
  );
  const missing = paths.filter(
    ([page, path]) =>
      // Pages of measurements name the files of their date; others name files that the reader
      // writes.
      !/^docs\/internals\/(?:mutation|benchmarks)/.test(page) &&
      !/NAME|text-to-date|^src\/(?:read-files|near-miss)\.ts/.test(path) &&
      !existsSync(join(projectFolder, path)),
  );
  expect(paths).toContainEqual(['CONTRIBUTING.md', 'src/repair/rule-table.ts']);
  expect(missing).toEqual([]);
});

test('the README has the numbers of the accuracy page', () => {
  const accuracy = documents['docs/internals/accuracy.md'] ?? '';
  const rows = [...accuracy.matchAll(/^\| [\w-]+\.jsonl +\|(.+)\|$/gm)].map(([, cells = '']) =>
    cells.split('|').map(Number),
  );
  const generated = [
    ...accuracy.matchAll(/\*\*(\d+) calls: (\d+) right .+, (\d+) missed, (\d+) wrong/g),
  ].map(([, ...cells]) => cells.map(Number));
  const sums = (
    table: readonly (readonly number[])[],
    ...columns: readonly number[]
  ): readonly number[] =>
    columns.map((column) => table.reduce((total, row) => total + (row[column] ?? 0), 0));
  // Each with one fault and with several; of models' faults, those with one reading alone.
  const [faults = [], severalFaults = [], modelFaults = [], , , texts = [], severalTexts = []] =
    generated;
  const measured = [
    sums(rows, 0, 1, 3, 4),
    sums([faults, severalFaults], 0, 1, 2, 3),
    modelFaults,
    sums([texts, severalTexts], 0, 1, 2, 3),
  ];
  const claimed = [...(documents['README.md'] ?? '').matchAll(/^\| ([\d,]+) \w.*?\|(.+)\|$/gm)].map(
    ([, calls = '', cells = '']) =>
      [calls, ...cells.split('|')].map((cell) => Number(cell.replace(',', ''))),
  );
  expect(rows.length).toBeGreaterThan(3);
  expect(claimed).toEqual(measured);
});

test('the README has the numbers of the benchmarks page', () => {
  const page = documents['docs/internals/benchmarks.md'] ?? '';
  const [, section = ''] = /### Each rule([^]*?)### /.exec(page) ?? [];
  const rows = [...section.matchAll(/^\| [a-z_]+ +(\|(?: +[\d.–]+ +\|)+)$/gm)].map(
    ([, cells = '']) =>
      cells
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
  );
  const repaired = (column: number): number => rows.filter((row) => row[column] !== '–').length;
  const [own, ajv, , llmJson, jsonrepair] = [0, 1, 2, 3, 4].map(repaired);
  const [, table = ''] = /^\| library ([^]*?)<!-- end/m.exec(documents['README.md'] ?? '') ?? [];
  const claimed = [...table.matchAll(/^\| .+ \| +(\d+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(30);
  expect(claimed.map(([, count]) => Number(count))).toEqual([own, llmJson, ajv, jsonrepair]);
  expect(documents['README.md']).toContain(`one call for each of ${rows.length} rules`);
});

/** Packages that a document's programs import and that it does not say to install. */
function notInstalled(text: string): readonly string[] {
  const { name = '' } = readManifest(projectFolder);
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, said = '']) => said);
  const installed = found(/^npm install (?:--save-dev )?(.+)$/gm).flatMap((packages) =>
    packages.split(' '),
  );
  const imported = found(/^(?:import|} from).*'((?:@[^/']+\/)?[^./'][^/']*)[^']*';$/gm);
  const known = new Set([name, ...installed]);
  return [...new Set(imported)].filter(
    (wanted) => !wanted.startsWith('node:') && !known.has(wanted),
  );
}

test('a document says to install what its programs import', () => {
  const missing = Object.entries(documents).map(
    ([name, text]) => [name, notInstalled(text)] as const,
  );
  expect(missing.filter(([, packages]) => packages.length > 0)).toEqual([]);
  const program = block('ts', "import { z } from 'zod/v4';", "import { join } from 'node:path';");
  expect(notInstalled(program)).toEqual(['zod']);
  expect(notInstalled(program + block('sh', 'npm install toolmend zod'))).toEqual([]);
});

test('an unclosed block is an error, and an indented block is found', () => {
  expect(() => readDocBlocks('text\n\n```ts\nconst a = 1;\n')).toThrow(
    'the block in line 3 is never closed',
  );
  expect(readDocBlocks('- one\n\n  ```sh\n  npm ci\n  ```\n')).toEqual([
    { language: 'sh', text: 'npm ci\n', line: 3, origin: { kind: 'none' } },
  ]);
});
