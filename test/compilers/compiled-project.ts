// A project outside of this one, as a user has it: the built package among its node_modules, and a
// compiler of choice.
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from '../checks/run-command.ts';
import { projectFolder } from '../checks/project-folder.ts';
import { temporaryFolder, writeFiles } from '../checks/temporary-folder.ts';

const dependencies =
  '@noble/hashes class-transformer class-validator esbuild reflect-metadata @swc/core tokenx tsx typescript vitest'.split(
    ' ',
  );

export type CompilerOptions = Readonly<Record<string, unknown>>;

/** A folder with its own node_modules. Compiles the package once, with tsc, as it is published. */
export function createProject() {
  const folder = temporaryFolder({ 'package.json': '{ "type": "module" }' });
  const installed = join(folder, 'node_modules/toolmend');
  const write = (file: string, text: string): void => writeFiles(folder, { [file]: text });
  const node = (...args: readonly string[]): string =>
    runCommand(folder, process.execPath, args).output;
  for (const path of dependencies.map((name) => join('node_modules', name))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(projectFolder, path), join(folder, path));
  }
  cpSync(join(projectFolder, 'package.json'), join(installed, 'package.json'));
  const build = join(projectFolder, 'tsconfig.build.json');
  node('node_modules/typescript/bin/tsc', '-p', build, '--outDir', join(installed, 'dist'));
  const commonModule = 'classes/class-transformer-storage.cjs';
  cpSync(join(projectFolder, 'src', commonModule), join(installed, 'dist', commonModule));
  cpSync(join(projectFolder, 'test/fixtures/compilers'), folder, { recursive: true });
  return {
    /** Writes a tsconfig.json that includes these files. */
    configure: (options: CompilerOptions, include: readonly string[] = ['*.ts']): void =>
      write('tsconfig.json', JSON.stringify({ compilerOptions: options, include })),
    write,
    /** Runs Node in the folder; what it printed. */
    node,
  };
}
