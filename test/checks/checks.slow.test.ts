// Runs each check of `npm run check` on a sound sample project, and on the same project with planted faults.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, runScript } from './run-command.ts';
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

describe('check, of a project with faults', () => {
  const untyped = ['src/json', 'test', 'examples', 'bench', 'scripts'].map((folder) => `${folder}/first.ts`);
  const unformatted = {
    'src/json/wide.ts': 'export  const  wide=1\n',
    'docs/wide.md': '*  wide\n',
    'wide.json': '{"a" :1}',
  };
  const faulty: Readonly<Record<string, string>> = {
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

  let checked: CommandResult;
  beforeAll(() => {
    const untypedText = 'export const first = (texts: readonly string[]): string => texts[0];\n';
    const files = Object.entries(faulty).map(([place, text]) => [place.split(' ')[0] ?? '', `${text}\n`]);
    const project = sampleProject({
      ...Object.fromEntries([...files, ...untyped.map((place) => [place, untypedText])]),
      ...unformatted,
      'test/cases/wide.json': '{"a" :1}',
      'src/json/stated.ts':
        '// oxlint-disable-next-line typescript/no-explicit-any -- the sample shows it\nexport const value: any = 1;\n',
      'package.json': samplePackage({ dependencies: { ajv: '*' } }),
      'src/json/json-path.ts': 'export type JsonPath = readonly string[];\n\nexport const spareExport = 1;\n',
      'src/json/spare-file.ts': 'export const spare = 1;\n',
      'test/unlisted.test.ts':
        "import fc from 'fast-check';\n\ntest('one', () => {\n  expect(fc).toBeDefined();\n});\n",
    });
    checked = runScript(project, 'check');
  });

  it('goes on after a failure, and names each that failed', () => {
    expect(checked.output).toMatch(/^check failed: types, lint, format, unused, packaging$/m);
    expect(checked.status).toBe(1);
  });

  it('types: reads src, test, examples, bench and scripts, strictly', () => {
    for (const place of untyped) expect(checked.output).toContain(`${place}(1,60): error TS2322`);
  });

  it('lint: finds faults in src and in tests, and accepts a stated exception', () => {
    const problems = [...checked.output.matchAll(/^\s*x (\w+\([\w-]+\))?:?\s*(.*)\n\s*,-\[([^:\]]+)/gm)];
    expect(problems.map(([, rule, text, file]) => `${file} ${rule ?? text}`)).toEqual(
      expect.arrayContaining(Object.keys(faulty)),
    );
    expect(problems.map(([, , , file]) => file)).not.toContain('src/json/stated.ts');
  });

  it('format: reads code, text and settings, and leaves case data alone', () => {
    for (const path of Object.keys(unformatted)) expect(checked.output).toContain(`[warn] ${path}`);
    expect(checked.output).not.toContain('test/cases');
  });

  it.each([
    /^Unused files \(\d+\)\n(?:src\/.+\n)*src\/json\/spare-file\.ts/m,
    /^Unused exports \(1\)\nspareExport +src\/json\/json-path\.ts/m,
    /^Unused dependencies \(1\)\najv +package\.json/m,
    /^Unlisted dependencies \(1\)\nfast-check +test\/unlisted\.test\.ts/m,
  ])('unused: finds exports, files and packages of one side: %s', (finding) => {
    expect(checked.output).toMatch(finding);
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
      '`import()` type annotations',
    ],
    [
      'adapters/mcp/other.ts',
      "import '../../adapters/openai/index.ts';",
      upwards.replace('json', 'adapters/mcp'),
    ],
    ['json/own-name.ts', "import 'toolmend/openai';", 'src imports its own files by relative paths.'],
    ['tool/storage.ts', "import 'class-validator';", 'Only src/classes imports class-validator.'],
    ['json/cycle.ts', "import type { x } from './back.ts';\nexport type X = typeof x;", 'Dependency cycle'],
    ['json/back.ts', "export type { X } from './cycle.ts';\nexport const x = 1;", 'Dependency cycle'],
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

it('packaging fails for an entry without types', () => {
  const entry = { types: './dist/index.d.ts', default: './dist/index.js' };
  const exports = { '.': entry, './plain': './plain.js' };
  const manifest = samplePackage({ exports, files: ['dist', 'plain.js'] });
  const project = sampleProject({ 'package.json': manifest, 'plain.js': 'export const plain = 1;\n' });
  const { status, output } = runScript(project, 'packaging');
  expect(output).toContain('❌ No types');
  expect(status).not.toBe(0);
});
