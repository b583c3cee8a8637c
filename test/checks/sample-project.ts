// A small sound project with the configuration of this one.
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Files, temporaryFolder, writeFiles } from './temporary-folder.ts';

/** The folder of this project. */
export const projectFolder = join(import.meta.dirname, '../..');

/** What the tests read of a package.json. */
interface Manifest {
  readonly name?: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export const readManifest = (packageFolder: string): Manifest =>
  JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));

const configuration = [
  ...'package.json tsconfig.json tsconfig.build.json jest.config.ts jest.slow.config.ts'.split(' '),
  ...'layers.config.ts knip.json LICENSE .oxlintrc.json .prettierrc.json .prettierignore'.split(' '),
  ...'.gitignore scripts/bundle-package.ts scripts/check.ts scripts/require-node.mjs'.split(' '),
];

/** The packages that the checks need. The sample uses no others. */
const toolPackages = [
  ...'@arethetypeswrong/cli @swc/core @swc/jest @types/jest @types/node esbuild jest knip node'.split(' '),
  ...'oxlint oxlint-tsgolint prettier publint typescript'.split(' '),
];

const sources: Files = {
  'README.md': '# Sample\n\nA list:\n\n- one\n',
  'src/index.ts':
    "export { parseText } from './json/parse-text.ts';\nexport type { Issue } from './messages/issue.ts';\n",
  'src/json/parse-text.ts':
    '/** The value that a text spells. */\nexport const parseText = (text: string): unknown => JSON.parse(text);\n',
  'src/messages/issue.ts':
    "import type { JsonPath } from '../json/json-path.ts';\n\nexport interface Issue {\n  readonly path: JsonPath;\n}\n",
  'src/json/json-path.ts': 'export type JsonPath = readonly string[];\n',
  'test/json/parse-text.test.ts':
    "import { parseText } from 'toolmend';\n\ntest('reads a number', () => {\n  expect(parseText('1')).toBe(1);\n});\n",
  'examples/parse.ts':
    "import { parseText } from 'toolmend';\nimport type { Issue } from 'toolmend';\n\nconst issue: Issue = { path: [] };\nconsole.log(parseText('1'), issue);\n",
};

/** The package's other entries, as small files. */
function otherEntries(): Files {
  const entries = JSON.stringify(readManifest(projectFolder).exports).matchAll(/"types":"([^"]+)"/g);
  const files = [...entries]
    .map(([, types = '']) => types.replace('./dist/', 'src/').replace('.d.ts', '.ts'))
    .filter((file) => file !== 'src/index.ts');
  expect(files.length).toBeGreaterThan(2);
  return Object.fromEntries(files.map((file) => [file, entryIn(file)]));
}

const entryIn = (file: string): string =>
  `import type { JsonPath } from '${'../'.repeat(file.split('/').length - 2)}json/json-path.ts';\n\nexport const entry: JsonPath = [];\n`;

/** A copy of the sample with these files added or replaced. */
export function sampleProject(files: Files = {}): string {
  const folder = temporaryFolder();
  for (const name of configuration)
    cpSync(join(projectFolder, name), join(folder, name), { recursive: true });
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  writeFiles(folder, { 'package.json': samplePackage(), ...sources, ...otherEntries(), ...files });
  return folder;
}

/** This project's package.json with the packages of the checks only, and with these changes. */
export function samplePackage(changes: object = {}): string {
  const devDependencies = Object.fromEntries(toolPackages.map((name) => [name, '*']));
  const manifest = readManifest(projectFolder);
  const sample = {
    ...manifest,
    // The sample has no calls to measure.
    scripts: { ...manifest.scripts, structure: 'node --version' },
    dependencies: {},
    peerDependencies: {},
    overrides: {},
    bin: undefined,
    devDependencies,
    ...changes,
  };
  return `${JSON.stringify(sample, null, 2)}\n`;
}
