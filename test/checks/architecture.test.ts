// Does src keep its layers, names and budgets, and would the check notice if not? Every law has a planted breach.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkArchitecture } from '../../scripts/architecture/check-architecture.ts';
import { projectFolder } from './sample-project.ts';
import type { Files } from './temporary-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

const sound: Files = {
  'src/index.ts': "export { read } from './json/read.ts';\nexport type { Issue } from './issues/issue.ts';\n",
  'src/json/read.ts': 'export const read = (text: string): unknown => JSON.parse(text);\n',
  'src/issues/issue.ts':
    "import type { read } from '../json/read.ts';\nexport type Issue = ReturnType<typeof read>;\n",
  'src/adapters/openai/index.ts': "export { tools } from './openai-tools.ts';\n",
  'src/adapters/openai/openai-tools.ts':
    "import { read } from '../../json/read.ts';\nexport const tools = read('[]');\n",
  'src/metadata/declarations.ts': "import 'reflect-metadata';\nexport const declarations = 1;\n",
};

/** `[law] where: what` of each breach in the sound tree with these files added or replaced. */
function breaches(files: Files): string[] {
  const { violations } = checkArchitecture(temporaryFolder({ ...sound, ...files }));
  return violations.map(({ law, where, what }) => `[${law}] ${where}: ${what}`);
}

describe('src', () => {
  const { files, edges, violations } = checkArchitecture(projectFolder);

  it('breaks no law', () => {
    expect(violations.map(({ law, where, what }) => `[${law}] ${where}: ${what}`)).toEqual([]);
  });

  it('was read whole: every file, and at least the imports that plain text search finds', () => {
    const paths = readdirSync(join(projectFolder, 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.ts'),
    );
    const imports = paths.flatMap(
      (path) =>
        readFileSync(join(projectFolder, 'src', path), 'utf8').match(
          /^(import|export|\}) .*from '\.\.?\/.*';$/gm,
        ) ?? [],
    );

    expect(files).toBe(paths.length);
    expect(files).toBeGreaterThan(150);
    expect(edges).toBeGreaterThanOrEqual(imports.length);
    expect(imports.length).toBeGreaterThan(files);
  });
});

describe('a sound tree', () => {
  it('breaks no law', () => {
    expect(breaches({})).toEqual([]);
  });

  it('is counted file by file and import by import', () => {
    const count = (files: Files): readonly [number, number] => {
      const report = checkArchitecture(temporaryFolder({ ...sound, ...files }));
      return [report.files, report.edges];
    };

    expect(count({})).toEqual([6, 5]);
    expect(
      count({
        'src/json/more.ts': "import type { read } from './read.ts';\nexport type Read = typeof read;\n",
      }),
    ).toEqual([7, 6]);
  });

  it('is no proof if it holds no import', () => {
    const { violations } = checkArchitecture(
      temporaryFolder({ 'src/json/read.ts': 'export const read = 1;\n' }),
    );

    expect(violations.map(({ law }) => law)).toEqual(['nothing-read']);
  });
});

describe('imports', () => {
  const up = 'json imports upwards to issues (issues/issue.ts)';
  const cases: readonly (readonly [string, string, string])[] = [
    ['static', "import { issue } from '../issues/issue.ts';\nexport const x = issue;\n", up],
    ['type-only', "import type { Issue } from '../issues/issue.ts';\nexport type X = Issue;\n", up],
    [
      'of one type among values',
      "import { type Issue } from '../issues/issue.ts';\nexport type X = Issue;\n",
      up,
    ],
    ['for its effect', "import '../issues/issue.ts';\nexport const x = 1;\n", up],
    ['dynamic', "export const load = () => import('../issues/issue.ts');\n", up],
    ['inside a type', "export type X = import('../issues/issue.ts').Issue;\n", up],
    ['inside a typeof type', "export type X = typeof import('../issues/issue.ts');\n", up],
  ];

  it.each(cases)('%s: upwards is refused', (_kind, text, what) => {
    expect(breaches({ 'src/json/fault.ts': text })).toContainEqual(
      expect.stringMatching(new RegExp(`^\\[layer\\] json/fault.ts:1: ${what.replace(/[()]/g, '\\$&')}$`)),
    );
  });

  it('re-exports upwards are refused', () => {
    expect(breaches({ 'src/json/fault.ts': "export * from '../issues/issue.ts';\n" })).toContain(
      `[layer] json/fault.ts:1: ${up}`,
    );
  });

  it('comments and strings that look like imports are none', () => {
    expect(
      breaches({
        'src/json/quiet.ts':
          "// import '../issues/issue.ts';\nexport const text = `import('../issues/issue.ts')`;\n",
      }),
    ).toEqual([]);
  });

  it.each([
    ['src/errors/fault.ts', '../issues/issue.ts', 'errors imports its neighbour issues (issues/issue.ts)'],
    [
      'src/decorators/fault.ts',
      '../contract/tool.ts',
      'decorators imports its neighbour contract (contract/tool.ts)',
    ],
    [
      'src/adapters/mcp/fault.ts',
      '../openai/index.ts',
      'adapters/mcp imports its neighbour adapters/openai (adapters/openai/index.ts)',
    ],
    ['src/metadata/fault.ts', '../index.ts', 'metadata imports upwards to index (index.ts)'],
  ])('%s may not import %s', (path, specifier, what) => {
    const files = { [path]: `import '${specifier}';\n`, 'src/contract/tool.ts': 'export const tool = 1;\n' };

    expect(breaches(files)).toContain(`[layer] ${path.slice(4)}:1: ${what}`);
  });

  it('folders that import each other are refused', () => {
    const files = {
      'src/repair/round.ts': "import { decode } from '../decode/text.ts';\nexport const round = decode;\n",
      'src/decode/text.ts': 'export const decode = 1;\n',
      'src/decode/fence.ts':
        "import type { round } from '../repair/round.ts';\nexport type Fence = typeof round;\n",
    };

    expect(breaches(files)).toContain('[mutual-folders] decode: imports repair and is imported by it');
  });

  it('circles are refused, also between files of one folder and through types', () => {
    const files = {
      'src/json/one.ts':
        "import type { two } from './two.ts';\nexport const one = (value: typeof two): unknown => value;\n",
      'src/json/two.ts': "export const two = (): unknown => import('./three.ts');\n",
      'src/json/three.ts': "import { one } from './one.ts';\nexport const three = one;\n",
    };

    expect(breaches(files)).toEqual([
      '[import-cycle] json/one.ts: imports lead back to it: json/one.ts → json/two.ts → json/three.ts → json/one.ts',
    ]);
  });

  it('what is not there, or computed, is refused', () => {
    const text = "import './gone.ts';\nexport const load = (name: string): unknown => import(name);\n";

    expect(breaches({ 'src/json/fault.ts': text })).toEqual([
      '[missing-file] json/fault.ts:1: imports json/gone.ts, which is not a source file',
      '[computed-import] json/fault.ts:2: imports a computed name, which no check can follow',
    ]);
  });

  it('reflect-metadata and the storage of class-validator belong to metadata/', () => {
    const text =
      "import 'reflect-metadata';\nimport { getMetadataStorage as s } from 'class-validator';\nexport const x = s;\n";

    expect(breaches({ 'src/contract/fault.ts': text, 'src/metadata/right.ts': text })).toEqual([
      '[reflect-metadata] contract/fault.ts:1: imports reflect-metadata outside metadata/',
      '[metadata-storage] contract/fault.ts:2: reads the storage of class-validator outside metadata/',
    ]);
  });
});

describe('names', () => {
  it.each([
    ['src/json/readText.ts', '[kebab-case] json/readText.ts: is not in kebab-case'],
    ['src/repair/rules/wrap_in_array.ts', '[kebab-case] repair/rules/wrap_in_array.ts: is not in kebab-case'],
    ['src/json/utils.ts', '[empty-name] json/utils.ts: is named utils, which says nothing of what is in it'],
    [
      'src/json/helpers/text.ts',
      '[empty-name] json/helpers: is named helpers, which says nothing of what is in it',
    ],
    ['src/parser/text.ts', '[unknown-layer] parser/text.ts: belongs to no layer that layers.ts knows'],
    ['src/text.ts', '[unknown-layer] text.ts: belongs to no layer that layers.ts knows'],
    [
      'src/repair/rules/text/deep.ts',
      '[depth] repair/rules/text/deep.ts: lies deeper than two folders below src',
    ],
    ['src/issues/read.ts', '[unique-name] json/read.ts: shares the name read.ts with issues/read.ts'],
    ['src/json/notes.md', '[file-name] json/notes.md: is no TypeScript source file'],
  ])('%s', (path, breach) => {
    expect(breaches({ [path]: 'export const fault = 1;\n' })).toEqual([breach]);
  });
});

describe('contents', () => {
  it('no barrel but the entries, and those name by name', () => {
    const files = {
      'src/json/index-of-json.ts': "export { read } from './read.ts';\n",
      'src/json/passing.ts': "import { read } from './read.ts';\nexport { read };\n",
      'src/adapters/openai/index.ts': "export * from './openai-tools.ts';\n",
    };

    expect(breaches(files)).toEqual([
      '[barrel] adapters/openai/index.ts: exports * instead of name by name, from ./openai-tools.ts',
      '[barrel] json/index-of-json.ts: is a barrel: it passes on names of ./read.ts',
      '[barrel] json/passing.ts: is a barrel: it passes on names of ./read.ts',
    ]);
  });

  it.each(['JSON.parse(text)', "JSON['parse'](text)", 'JSON?.parse(text)', '[text].map(JSON.parse)'])(
    'no %s outside json/',
    (call) => {
      expect(breaches({ 'src/issues/fault.ts': `export const read = (text: string) => ${call};\n` })).toEqual(
        ['[json-parse] issues/fault.ts:1: calls JSON.parse outside json/'],
      );
    },
  );

  it('no parse taken out of JSON either; writing JSON is free', () => {
    const text =
      'const { parse } = JSON;\nexport const texts = [JSON.stringify(parse)];\n// JSON.parse(text)\n';

    expect(breaches({ 'src/issues/fault.ts': text })).toEqual([
      '[json-parse] issues/fault.ts:1: calls JSON.parse outside json/',
    ]);
  });

  it('no lint rule is switched off without a reason', () => {
    const text = [
      '// oxlint-disable-next-line no-console -- the page is a terminal',
      '// oxlint-disable-next-line no-console',
      'export const quiet = 1; // eslint-disable-line no-undef --',
      '',
    ].join('\n');

    expect(breaches({ 'src/json/quiet.ts': text })).toEqual([
      '[silenced-lint] json/quiet.ts:2: switches off a lint rule without saying why (write `-- reason` after the rule)',
      '[silenced-lint] json/quiet.ts:3: switches off a lint rule without saying why (write `-- reason` after the rule)',
    ]);
  });

  it('what does not parse is told', () => {
    expect(breaches({ 'src/json/fault.ts': 'export const = 1;\n' })).toContainEqual(
      expect.stringMatching(/^\[syntax\] json\/fault.ts: /),
    );
  });
});

describe('budgets', () => {
  const values = (count: number): string =>
    Array.from({ length: count }, (_, n) => `export const value${n} = ${n};\n`).join('');
  const body = (lines: number): string => `{\n${'  void 0;\n'.repeat(lines - 2)}}`;
  const inFolder = (folder: string, count: number): Files =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`src/${folder}/file-${n}.ts`, values(1)]));
  const imports = (count: number): string =>
    `${Array.from({ length: count }, (_, n) => `import 'package-${n}';\n`).join('')}export const x = 1;\n`;

  it.each<readonly [string, Files, Files, string]>([
    [
      'lines of a file',
      { 'src/json/long.ts': `${'//\n'.repeat(249)}export const x = 1;\n` },
      { 'src/json/long.ts': `${'//\n'.repeat(250)}export const x = 1;\n` },
      'json/long.ts: has 251 lines; the limit is 250',
    ],
    [
      'lines of a function',
      { 'src/json/long.ts': `export function long(): void ${body(50)}\n` },
      { 'src/json/long.ts': `export function long(): void ${body(51)}\n` },
      'json/long.ts:1: has 51 lines in a function; the limit is 50',
    ],
    [
      'lines of an arrow function',
      { 'src/json/long.ts': `\nexport const long = (): void => ${body(50)};\n` },
      { 'src/json/long.ts': `\nexport const long = (): void => ${body(51)};\n` },
      'json/long.ts:2: has 51 lines in a function; the limit is 50',
    ],
    [
      'parameters',
      { 'src/json/wide.ts': 'export class Wide {\n  wide(a: 1, b: 1, c: 1, d: 1) {}\n}\n' },
      { 'src/json/wide.ts': 'export class Wide {\n  wide(a: 1, b: 1, c: 1, d: 1, e: 1) {}\n}\n' },
      'json/wide.ts:2: has 5 parameters; the limit is 4',
    ],
    [
      'exported values; types are free',
      { 'src/json/many.ts': `${values(6)}export type One = 1;\nexport interface Two {}\n` },
      { 'src/json/many.ts': values(7) },
      'json/many.ts: has 7 exported values; the limit is 6',
    ],
    [
      'imports',
      { 'src/json/taker.ts': imports(10) },
      { 'src/json/taker.ts': imports(11) },
      'json/taker.ts: has 11 imports; the limit is 10',
    ],
    [
      'files of a folder',
      inFolder('hints', 15),
      inFolder('hints', 16),
      'hints: has 16 files; the limit is 15',
    ],
  ])('%s', (_name, within, beyond, breach) => {
    expect(breaches(within)).toEqual([]);
    expect(breaches(beyond)).toEqual([`[budget] ${breach}`]);
  });

  it('rules and decorators may fill their folders, the table of rules may import them, entries may export', () => {
    expect(breaches({ ...inFolder('repair/rules', 16) })).toEqual([]);
    expect(breaches({ ...inFolder('decorators', 16) })).toEqual([]);
    expect(breaches({ 'src/repair/rule-table.ts': imports(11) })).toEqual([]);
    expect(breaches({ 'src/adapters/mcp/index.ts': values(7) })).toEqual([]);
  });
});
