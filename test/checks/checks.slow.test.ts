// Runs each check of `npm run check` on a sound sample project, and on the same project with planted faults.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runScript } from './run-command.ts';
import { projectFolder, samplePackage, sampleProject } from './sample-project.ts';

test('a sound project passes every check', () => {
  const { status, output } = runScript(sampleProject(), 'check');

  expect(output.match(/^(ok|FAILED) +\w+/gm)).toEqual([
    'ok     types',
    'ok     lint',
    'ok     format',
    'ok     unused',
    'ok     structure',
    'ok     packaging',
  ]);
  expect(status).toBe(0);
});

test('check goes on after a failure, shows what the check said, and names each that failed', () => {
  const project = sampleProject({
    'src/json/json-path.ts': 'export type JsonPath = Missing;\n',
    'docs/notes.md': '#  Notes\n',
  });

  const { status, output } = runScript(project, 'check');

  expect(output).toContain("Cannot find name 'Missing'");
  expect(output).toContain('docs/notes.md');
  expect(output).toMatch(/^check failed: types, format, packaging$/m);
  expect(status).toBe(1);
});

describe('types', () => {
  it('reads src, test, examples, bench and scripts, strictly', () => {
    const fault = 'export const first = (texts: readonly string[]): string => texts[0];\n';
    const folders = ['src/json', 'test', 'examples', 'bench', 'scripts'];
    const places = folders.map((folder) => `${folder}/first.ts`);
    const project = sampleProject(Object.fromEntries(places.map((place) => [place, fault])));

    const { status, output } = runScript(project, 'types');

    for (const place of places) expect(output).toContain(`${place}(1,60): error TS2322`);
    expect(status).not.toBe(0);
  });
});

describe('lint', () => {
  const faults: Readonly<Record<string, string>> = {
    'src/json/a.ts typescript(no-floating-promises)':
      'export function start(run: () => Promise<void>): void {\n  run();\n}',
    'src/json/b.ts typescript(no-explicit-any)': 'export const value: any = 1;',
    'src/json/c.ts typescript(no-non-null-assertion)':
      'export const size = (text?: string): number => text!.length;',
    'src/json/d.ts typescript(consistent-type-assertions)':
      'export const text = (value: unknown): string => value as string;',
    'src/json/e.ts import(no-default-export)': 'export default 1;',
    'src/json/f.ts node(no-top-level-await)': 'await Promise.resolve();\nexport const ready = 1;',
    'src/json/g.ts eslint(no-console)': "export const print = (): void => console.log('x');",
    'src/json/h.ts eslint(max-lines-per-function)': `export function long(): void {\n${'  void 0;\n'.repeat(59)}}`,
    'src/json/i.ts oxc(no-barrel-file)': "export * from './json-path.ts';",
    'src/json/j.ts Unused oxlint-disable directive (no problems were reported).':
      '// oxlint-disable-next-line no-console -- not needed\nexport const calm = 1;',
    'src/json/readText.ts unicorn(filename-case)': 'export const text = 1;',
    'src/messages/k.ts eslint(no-restricted-properties)':
      'export const read = (text: string): unknown => JSON.parse(text);',
    'src/json/n.ts eslint(no-restricted-globals)': 'export const now = (): number => Date.now();',
    'src/json/o.ts eslint(no-restricted-properties)':
      'export const upper = (text: string): string => text.toLocaleUpperCase();',
    'test/l.test.ts jest(no-focused-tests)': "test.only('one', () => {});",
    'test/m.test.ts jest(no-restricted-matchers)': "test('one', () => {\n  expect(1).toMatchSnapshot();\n});",
  };

  it('finds faults in src and in tests, and accepts a stated exception', () => {
    const files = Object.entries(faults).map(([place, text]) => [place.split(' ')[0] ?? '', `${text}\n`]);
    const stated =
      '// oxlint-disable-next-line typescript/no-explicit-any -- the sample shows it\nexport const value: any = 1;\n';

    const project = sampleProject({ ...Object.fromEntries(files), 'src/json/stated.ts': stated });
    const { status, output } = runScript(project, 'lint');

    expect(problems(output)).toEqual(expect.arrayContaining(Object.keys(faults)));
    expect(output).not.toContain('stated.ts');
    expect(status).not.toBe(0);
  });

  /** `file rule` of each problem in oxlint's default output. */
  const problems = (output: string): string[] =>
    [...output.matchAll(/^\s*x (\w+\([\w-]+\))?:?\s*(.*)\n\s*,-\[([^:\]]+)/gm)].map(
      ([, rule, text, file]) => `${file} ${rule ?? text}`,
    );
});

describe('format', () => {
  it('reads code, text and settings, and leaves case data alone', () => {
    const badly = {
      'src/json/wide.ts': 'export  const  wide=1\n',
      'docs/wide.md': '*  wide\n',
      'wide.json': '{"a" :1}',
    };

    const project = sampleProject({ ...badly, 'test/cases/wide.json': '{"a" :1}' });
    const { status, output } = runScript(project, 'format');

    for (const path of Object.keys(badly)) expect(output).toContain(`[warn] ${path}`);
    expect(output).not.toContain('test/cases');
    expect(status).not.toBe(0);
  });
});

describe('unused', () => {
  it('finds exports and files that nothing uses, and packages on one side only', () => {
    const project = sampleProject({
      'package.json': samplePackage({ dependencies: { ajv: '*' } }),
      'src/json/json-path.ts': 'export type JsonPath = readonly string[];\n\nexport const spareExport = 1;\n',
      'src/json/spare-file.ts': 'export const spare = 1;\n',
      'test/unlisted.test.ts':
        "import fc from 'fast-check';\n\ntest('one', () => {\n  expect(fc).toBeDefined();\n});\n",
    });

    const { status, output } = runScript(project, 'unused');

    expect(output).toMatch(/^Unused files \(1\)\nsrc\/json\/spare-file.ts/m);
    expect(output).toMatch(/^Unused exports \(1\)\nspareExport +src\/json\/json-path.ts/m);
    expect(output).toMatch(/^Unused dependencies \(1\)\najv +package.json/m);
    expect(output).toMatch(/^Unlisted dependencies \(1\)\nfast-check +test\/unlisted.test.ts/m);
    expect(status).not.toBe(0);
  });
});

describe('layers', () => {
  it('reads every file of src', () => {
    const files = readdirSync(join(projectFolder, 'src'), { recursive: true, encoding: 'utf8' });
    const read = files.filter((path) => /\.(?:c?ts|cjs)$/.test(path)).length;

    const { output } = runScript(projectFolder, 'layers');

    expect(read).toBeGreaterThan(100);
    expect(output).toContain(` on ${read} files `);
  });

  const upwards = 'src/json imports only from layers below it.';
  const faults: readonly (readonly [file: string, text: string, problem: string])[] = [
    ['json/static.ts', "import { parseText } from '../index.ts';\nexport const x = parseText;", upwards],
    ['json/type.ts', "import type { Issue } from '../messages/issue.ts';\nexport type X = Issue;", upwards],
    ['json/dynamic.ts', "export const load = (): unknown => import('../messages/issue.ts');", upwards],
    ['json/passed-on.ts', "export type { Issue } from '../messages/issue.ts';", upwards],
    ['json/inner/deep.ts', "import '../../messages/issue.ts';", upwards],
    [
      'json/in-type.ts',
      "export type X = import('../messages/issue.ts').Issue;",
      '`import()` type annotations are forbidden.',
    ],
    [
      'adapters/mcp/other-adapter.ts',
      "import '../../adapters/openai/index.ts';",
      'src/adapters/mcp imports only from layers below it.',
    ],
    ['json/own-name.ts', "import 'toolmend/openai';", 'src imports its own files by relative paths.'],
    ['tool/storage.ts', "import 'class-validator';", 'Only src/classes imports class-validator.'],
    [
      'json/cycle.ts',
      "import type { x } from './back.ts';\nexport type X = typeof x;",
      'Dependency cycle detected',
    ],
    [
      'json/back.ts',
      "export type { X } from './cycle.ts';\nexport const x = 1;",
      'Dependency cycle detected',
    ],
  ];

  it('finds imports upwards and sideways in each spelling, cycles, and packages in the wrong folder', () => {
    const sound = {
      'src/messages/downwards.ts':
        "import { parseText } from '../json/parse-text.ts';\nexport const x = parseText;\n",
      'src/json/quiet.ts':
        "// import '../messages/issue.ts';\nexport const text = `import('../messages/issue.ts')`;\n",
    };
    const files = Object.fromEntries(faults.map(([file, text]) => [`src/${file}`, `${text}\n`]));

    const { status, output } = runScript(sampleProject({ ...sound, ...files }), 'layers');

    const found = output.split(/^(?= *x )/m).slice(1);
    for (const [file, , problem] of faults) {
      const problems = found.filter((text) => text.includes(`[src/${file}:`));
      expect(problems).toEqual([expect.stringContaining(problem)]);
    }
    expect(found).toHaveLength(faults.length);
    expect(status).not.toBe(0);
  });

  it('refuses a folder that has no row', () => {
    const { status, output } = runScript(sampleProject({ 'src/parser/text.ts': 'export {};\n' }), 'layers');

    expect(output).toContain('layers.config.ts has no row for src/parser');
    expect(status).not.toBe(0);
  });
});

describe('packaging', () => {
  it('fails for an entry without types', () => {
    const entry = { types: './dist/index.d.ts', default: './dist/index.js' };
    const exports = { '.': entry, './plain': './plain.js' };
    const manifest = samplePackage({ exports, files: ['dist', 'plain.js'] });
    const project = sampleProject({ 'package.json': manifest, 'plain.js': 'export const plain = 1;\n' });

    const { status, output } = runScript(project, 'packaging');

    expect(output).toContain('❌ No types');
    expect(status).not.toBe(0);
  });
});
