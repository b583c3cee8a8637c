// Compiles the README's blocks with the packed package and several versions of TypeScript, as ES
// modules and as CommonJS, and runs them. The compilers come from the registry.
import { join } from 'node:path';
import { installPackedPackage } from '../checks/packed-package.ts';
import { runCommand } from '../checks/run-command.ts';
import { writeFiles } from '../checks/temporary-folder.ts';
import { regionOf } from '../docs/doc-blocks.ts';
import { readProjectFile } from '../docs/read-documents.ts';

const versions = ['5.0', '5.7', '5.8', '7.0'];
const packages = [
  ...versions.map((version) => `typescript-${version}@npm:typescript@${version}`),
  'openai@7',
  '@types/node@24',
];

const decoratedClass = regionOf(readProjectFile('examples/first-tool.ts'), 'class') ?? '';
const [imports = '', body = ''] = decoratedClass.split(/(?=@Tool)/);
const [declaration = '', use = ''] = body.split(/(?=const tools)/);
const programs = {
  module: `${decoratedClass}console.log(isError, text, request.tools.length);\n`,
  commonjs: `${imports}${declaration}async function main(): Promise<void> {\n${use}console.log(isError, text, request.tools.length);\n}\nvoid main();\n`,
  // As it stands in the file, with what the snippet takes for granted.
  loop: readProjectFile('examples/own-loop.ts'),
};

let folder: string;
beforeAll(async () => {
  folder = await installPackedPackage();
  const install = ['install', '--no-audit', '--no-fund', ...packages];
  const { status, output } = runCommand(folder, 'npm', install);
  if (status !== 0) throw new Error(output);
});

interface Compilation {
  readonly type: 'module' | 'commonjs';
  readonly program: string;
  readonly options: object;
}

/** What the compiler says, and what the compiled program prints if it says nothing. */
function compiled(version: string, { type, program, options }: Compilation): string {
  const compilerOptions = {
    // TypeScript 5.0 and 5.1 give standard decorators no metadata.
    experimentalDecorators: version === '5.0',
    target: 'es2022',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    outDir: 'out',
    rootDir: '.',
    ...options,
  };
  writeFiles(folder, {
    'package.json': JSON.stringify({ type }),
    'tsconfig.json': JSON.stringify({ compilerOptions, files: ['main.ts'] }),
    'main.ts': program,
  });
  const tsc = join(folder, `node_modules/typescript-${version}/bin/tsc`);
  const { output } = runCommand(folder, process.execPath, [tsc]);
  return output === '' ? runCommand(folder, process.execPath, ['out/main.js']).output : output;
}

const printed = 'false ["Graz: 21 celsius"] 1\n';
const nodenext = { module: 'nodenext' };
const commonjs = { module: 'commonjs', moduleResolution: 'node10' };

test.each(versions)('the blocks compile with TypeScript %s as ES modules, and run', (version) => {
  const type = 'module';
  expect(compiled(version, { type, program: programs.module, options: nodenext })).toBe(printed);
  expect(compiled(version, { type, program: programs.loop, options: nodenext })).toMatch(
    /^repair json_text_to_array \/todos$/m,
  );
});

test.each([
  ['5.0', commonjs],
  ['5.7', commonjs],
  ['5.8', nodenext],
  ['7.0', nodenext],
])('CommonJS needs no "type": "module" with TypeScript %s and %j', (version, options) => {
  const type = 'commonjs';
  expect(compiled(version, { type, program: programs.commonjs, options })).toBe(printed);
});

test('CommonJS is refused as the guide says', () => {
  const refused = { type: 'commonjs', options: nodenext } as const;
  expect(compiled('5.7', { ...refused, program: programs.commonjs })).toContain('error TS1479');
  expect(compiled('7.0', { ...refused, program: programs.module })).toContain('error TS1309');
  expect(compiled('5.0', { ...refused, program: programs.module, options: commonjs })).toContain(
    'error TS1378',
  );
});
