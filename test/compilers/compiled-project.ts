// A project outside of this one, as a user has it: the built package among its node_modules, and a compiler of choice.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const fixtures = join(root, 'test', 'fixtures', 'compilers');

const dependencies = [
  'ajv',
  'class-transformer',
  'class-validator',
  'esbuild',
  'reflect-metadata',
  '@swc/core',
  'tsx',
  'typescript',
  'vitest',
];

export interface CompilerOptions {
  readonly [option: string]: unknown;
}

export interface RunResult {
  readonly output: string;
  readonly errors: string;
}

/** A folder with its own node_modules; `remove` it when done. */
export interface CompiledProject {
  /** Writes a tsconfig.json that includes these files. */
  configure(options: CompilerOptions, include?: readonly string[]): void;
  write(file: string, text: string): void;
  /** Runs Node in the folder. */
  node(...args: readonly string[]): RunResult;
  remove(): void;
}

/** Compiles the package once, with tsc, as it is published. */
export function createProject(): CompiledProject {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-compilers-'));
  const installed = join(folder, 'node_modules', 'toolmend');
  mkdirSync(installed, { recursive: true });
  for (const name of dependencies) link(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  cpSync(join(root, 'package.json'), join(installed, 'package.json'));
  tsc('-p', join(root, 'tsconfig.build.json'), '--outDir', join(installed, 'dist'));
  const commonModule = 'classes/class-transformer-storage.cjs';
  cpSync(join(root, 'src', commonModule), join(installed, 'dist', commonModule));
  cpSync(fixtures, folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return {
    configure: (options, include = ['*.ts']) =>
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include })),
    write: (file, text) => writeFileSync(join(folder, file), text),
    node: (...args) => run(folder, args),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

const tscPath = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

const tsc = (...args: readonly string[]): Buffer =>
  execFileSync(process.execPath, [tscPath, ...args], { cwd: root });

function run(folder: string, args: readonly string[]): RunResult {
  // Whatever runs the tests must not reach into the child.
  const { NODE_OPTIONS: _options, VITEST: _vitest, JEST_WORKER_ID: _worker, ...env } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { ...env, NO_COLOR: '1', CI: '1' },
    encoding: 'utf8',
    timeout: 800_000,
  });
  return { output: stdout, errors: stderr };
}
