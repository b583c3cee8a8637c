import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { main } from '../../src/cli/main.ts';
import { type Files, temporaryFolder } from '../checks/temporary-folder.ts';
import { runToolmend } from './run-toolmend.ts';

const manifest = (dependencies: readonly string[], rest: object = {}): string =>
  JSON.stringify({
    ...rest,
    dependencies: Object.fromEntries(dependencies.map((name) => [name, '*'])),
  });

const settings = `{
  // As create-next-app writes it.
  "compilerOptions": {
    "module": "esnext",
    "strict": true
  }
}
`;

const projects: readonly {
  readonly found: string;
  readonly files: Files;
  readonly written: readonly string[];
  /** In what is shown. */
  readonly shown: readonly string[];
}[] = [
  {
    found: 'NestJS, tests by jest',
    files: {
      'package.json': manifest(['@nestjs/core', 'jest', 'toolmend']),
      'tsconfig.json':
        '{\n  "compilerOptions": {\n    "module": "commonjs",\n    "experimentalDecorators": true\n  }\n}\n',
      'src/main.ts': '',
    },
    written: [
      'src/tools/get-weather.ts',
      'src/tools/get-weather.spec.ts',
      'src/tools/tools.module.ts',
      'tsconfig.json',
    ],
    shown: [
      'tsconfig.json, line 1\n  {\n    "compilerOptions": {\n+     "emitDecoratorMetadata": true,\n      "module": "commonjs",\n      "experimentalDecorators": true\n',
      'Set "module": "nodenext" in tsconfig.json',
      '  node --experimental-vm-modules node_modules/jest/bin/jest.js src/tools/get-weather.spec.ts\n',
    ],
  },
  {
    found: 'Next.js, tests by vitest',
    files: {
      'package.json': manifest(['next', 'ai', 'vitest', 'typescript']),
      'tsconfig.json': settings,
    },
    written: ['lib/get-weather.ts', 'lib/get-weather.test.ts', 'tsconfig.json'],
    shown: [
      '+     "experimentalDecorators": true,\n      "module": "esnext",\n',
      "+ import { tools } from './get-weather';\n",
      '  npm install toolmend\n',
    ],
  },
  {
    found: "AI SDK, tests by Node's test runner",
    files: {
      'package.json': manifest(['ai'], { type: 'module' }),
      'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "skipLibCheck": true } }',
      'src/agent.ts': '',
    },
    written: ['src/get-weather.ts', 'src/get-weather.test.ts'],
    shown: [
      "+ import { tools } from './get-weather.js';\n",
      '+ export const aiSdkTools = toAiSdk(tools);\n',
    ],
  },
  {
    found: "TypeScript, tests by Node's test runner",
    files: { 'package.json': manifest(['typescript', 'openai'], { type: 'module' }) },
    written: ['get-weather.ts', 'get-weather.test.ts', 'tsconfig.json'],
    shown: ['new file tsconfig.json\n+ {\n+   "compilerOptions": {\n'],
  },
  {
    found: 'TypeScript, tests by vitest',
    files: { 'package.json': manifest(['typescript', 'vitest'], { type: 'module' }) },
    written: ['get-weather.ts', 'get-weather.test.ts', 'tsconfig.json'],
    shown: [
      '+     "experimentalDecorators": true,\n',
      "+ import { tools } from './get-weather.js';\n",
    ],
  },
  {
    found: "JavaScript, tests by Node's test runner",
    files: { 'package.json': manifest(['openai']) },
    written: ['get-weather.mjs', 'get-weather.test.mjs'],
    shown: ['  node --test get-weather.test.mjs\n', '+ const getWeather = defineTool({\n'],
  },
];

describe.each(projects)('$found', ({ found, files, written, shown }) => {
  test('shows all that it writes', async () => {
    const folder = temporaryFolder(files);
    const { status, stdout, stderr } = await runToolmend('init', folder, '--yes');

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.startsWith(`${found}\n`)).toBe(true);
    expect(stdout).toContain(`Written: ${written.join(', ')}\n`);
    for (const part of shown) expect(stdout).toContain(part);
    for (const path of written) {
      const [first = ''] = readFileSync(join(folder, path), 'utf8').split('\n');
      expect(stdout).toContain(first);
    }
  });

  test('changes nothing the second time', async () => {
    const folder = temporaryFolder(files);
    await runToolmend('init', folder, '--yes');
    const before = written.map((path) => readFileSync(join(folder, path), 'utf8'));
    const { status, stdout } = await runToolmend('init', folder, '--yes');

    expect(status).toBe(0);
    expect(stdout).toContain('Nothing is left to write.');
    expect(written.map((path) => readFileSync(join(folder, path), 'utf8'))).toEqual(before);
  });
});

/** What `tsc --init` writes, in short. */
const compilerInit = `{
  "compilerOptions": {
    "module": "nodenext",
    "types": [],
    // "types": ["node"],
    "strict": true,
    "verbatimModuleSyntax": true,
  }
}
`;
const install = 'npm install --save-dev';
const moduleStep =
  'Set "type": "module" in package.json: "verbatimModuleSyntax" allows imports in ES modules only.';
const nextSteps = async (files: Files): Promise<readonly string[]> => {
  const { stdout } = await runToolmend('init', temporaryFolder(files), '--yes');
  const [, steps = ''] = stdout.split('Next:\n');
  // The last step is how the tool is used.
  return steps
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .map((line) => line.trim());
};

test.each<readonly [string, Files, readonly string[]]>([
  [
    'the settings of tsc --init, CommonJS',
    { 'package.json': manifest([]), 'tsconfig.json': compilerInit },
    ['npm install toolmend', `${install} tsx typescript @types/node`, moduleStep],
  ],
  [
    'the settings of tsc --init, ES modules',
    { 'package.json': manifest(['toolmend'], { type: 'module' }), 'tsconfig.json': compilerInit },
    [`${install} tsx typescript @types/node`],
  ],
  [
    'no settings',
    { 'package.json': manifest(['toolmend', 'typescript']) },
    [`${install} tsx @types/node`],
  ],
  [
    'nothing absent',
    { 'package.json': manifest(['toolmend', 'typescript', 'tsx', '@types/node']) },
    [],
  ],
  [
    'settings with other types',
    {
      'package.json': manifest(['toolmend', 'typescript', 'tsx', '@types/node']),
      'tsconfig.json': compilerInit
        .replace('[]', '["mocha"]')
        .replace('"verbatimModuleSyntax": true', '"verbatimModuleSyntax": false'),
    },
    [],
  ],
  [
    'settings that extend others',
    {
      'package.json': manifest(['toolmend', 'typescript', 'tsx', '@types/node']),
      'tsconfig.json':
        '{\n  "extends": "./base.json",\n  "compilerOptions": {\n    "strict": true\n  }\n}\n',
    },
    ['Add "node" to the list "types" in the compilerOptions of tsconfig.json.'],
  ],
])('the steps before the test, %s', async (_title, files, steps) => {
  expect(await nextSteps(files)).toEqual([...steps, 'npx tsx --test get-weather.test.ts']);
});

test.each([
  [{ 'pnpm-lock.yaml': '' }, {}, 'pnpm add toolmend', 'pnpm add --save-dev tsx', 'pnpm exec'],
  [{ 'yarn.lock': '' }, {}, 'yarn add toolmend', 'yarn add --dev tsx', 'yarn'],
  [{ 'bun.lock': '' }, {}, 'bun add toolmend', 'bun add --dev tsx', 'bunx'],
  [
    { 'package-lock.json': '' },
    { packageManager: 'pnpm@10.1.0' },
    'pnpm add toolmend',
    'pnpm add --save-dev tsx',
    'pnpm exec',
  ],
])('the steps use the package manager of %j %j', async (files, rest, add, addDev, run) => {
  const packages = manifest(['typescript', '@types/node'], rest);
  const steps = await nextSteps({ ...files, 'package.json': packages });
  expect(steps).toEqual([add, addDev, `${run} tsx --test get-weather.test.ts`]);
});

test('an empty list of types gets those of Node, and the change is shown', async () => {
  const folder = temporaryFolder({ 'package.json': manifest([]), 'tsconfig.json': compilerInit });
  const { stdout } = await runToolmend('init', folder, '--yes');

  expect(stdout).toContain(
    'tsconfig.json, line 2\n    "compilerOptions": {\n      "module": "nodenext",\n-     "types": [],\n+     "types": ["node"],\n      // "types": ["node"],\n',
  );
  expect(readFileSync(join(folder, 'tsconfig.json'), 'utf8')).toBe(
    compilerInit.replace('[]', '["node"]'),
  );
});

test.each([
  ['without a list', '    "strict": true\n', '    "types": ["node"],\n    "strict": true\n'],
  ['with another list', '    "types": ["mocha"]\n', '    "types": ["node", "mocha"]\n'],
  [
    'with a list of two lines',
    '    "types": [\n      "mocha"\n    ]\n',
    '    "types": ["node", "mocha"\n    ]\n',
  ],
])('settings %s get the types of Node, which are shown', async (_title, before, after) => {
  const text = (options: string): string => `{\n  "compilerOptions": {\n${options}  }\n}\n`;
  const folder = temporaryFolder({ 'package.json': manifest([]), 'tsconfig.json': text(before) });
  const { stdout } = await runToolmend('init', folder, '--yes');

  expect(readFileSync(join(folder, 'tsconfig.json'), 'utf8')).toBe(text(after));
  expect(stdout).toMatch(/^\+ {5}"types": \["node"/m);
});

const [, next] = projects;
const nextFiles = next?.files ?? {};

test('without a terminal and --yes, nothing is written', async () => {
  const folder = temporaryFolder(nextFiles);
  const { status, stdout } = await runToolmend('init', folder);

  expect(status).toBe(1);
  expect(stdout).toContain('new file lib/get-weather.ts\n');
  expect(stdout).toContain('Nothing was written.');
  expect(readdirSync(folder).toSorted()).toEqual(['package.json', 'tsconfig.json']);
});

test.each([
  ['y\n', 0, true],
  ['no\n', 1, false],
  ['\n', 1, false],
])('a person who answers %j: exit code %d', async (answer, status, isWritten) => {
  const folder = temporaryFolder(nextFiles);
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  let shown = '';
  const stdout = { write: (text: string) => (shown += text) };
  stdin.write(answer);

  expect(await main(['init', folder], { stdin, stdout, stderr: stdout })).toBe(status);
  expect(shown).toContain('Write these files? [y/N]');
  expect(readdirSync(folder).includes('lib')).toBe(isWritten);
});

test('a file of the same name is left alone, and said', async () => {
  const folder = temporaryFolder({ ...nextFiles, 'lib/get-weather.ts': 'mine' });
  const { stdout } = await runToolmend('init', folder, '--yes');

  expect(stdout).toContain('lib/get-weather.ts is there already and stays as it is.\n');
  expect(readFileSync(join(folder, 'lib/get-weather.ts'), 'utf8')).toBe('mine');
});

test.each([
  ['{ "compilerOptions": { "experimentalDecorators": false } }'],
  ['{ "extends": "./base.json" }'],
])('settings that can’t be added to are left alone: %s', async (text) => {
  const folder = temporaryFolder({ ...nextFiles, 'tsconfig.json': text });
  const { stdout } = await runToolmend('init', folder, '--yes');

  expect(stdout).toContain(
    'Set "experimentalDecorators": true in the compilerOptions of tsconfig.json.',
  );
  expect(readFileSync(join(folder, 'tsconfig.json'), 'utf8')).toBe(text);
});

test('a commented-out setting is not set', async () => {
  const text = '{\n  "compilerOptions": {\n    // "experimentalDecorators": true,\n  }\n}\n';
  const folder = temporaryFolder({ ...nextFiles, 'tsconfig.json': text });
  await runToolmend('init', folder, '--yes');

  expect(readFileSync(join(folder, 'tsconfig.json'), 'utf8')).toBe(
    text.replace('{\n    //', '{\n    "experimentalDecorators": true,\n    //'),
  );
});

test('a folder that is no project is refused', async () => {
  const folder = temporaryFolder();
  expect(await runToolmend('init', folder)).toMatchObject({ status: 2, stdout: '' });
  writeFileSync(join(folder, 'package.json'), '[');
  expect((await runToolmend('init', folder)).stderr).toBe('toolmend: package.json is not JSON\n');
});
