// A copy of this project with the package built and the examples compiled against it.
import { cpSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, runCommand } from '../checks/run-command.ts';
import { projectFolder } from '../checks/project-folder.ts';
import { type Files, temporaryFolder, writeFiles } from '../checks/temporary-folder.ts';

const sources = [
  ...'src page examples docs scripts README.md package.json tsconfig.json tsconfig.build.json'.split(
    ' ',
  ),
  ...'tsconfig.examples.json'.split(' '),
];

/**
 * The project's sources and packages in a folder of their own, with further files; nothing is
 * built.
 */
export function copyOfProject(files: Files = {}): string {
  const copy = temporaryFolder();
  for (const name of sources)
    cpSync(join(projectFolder, name), join(copy, name), { recursive: true });
  symlinkSync(join(projectFolder, 'node_modules'), join(copy, 'node_modules'));
  writeFiles(copy, files);
  return copy;
}

let builtPackage: string | undefined;

/**
 * Builds the package, once for all copies, and the examples. Throws what the compiler says of the
 * package.
 */
export function buildCopy(copy: string): { readonly compilerOutput: string } {
  if (builtPackage === undefined) {
    const built = compile(copy, 'tsconfig.build.json');
    if (built.status !== 0) throw new Error(built.output);
    // The compiler leaves CommonJS modules out; scripts/bundle-package.ts adds them to the package.
    for (const path of readdirSync(join(copy, 'src'), { recursive: true, encoding: 'utf8' }))
      if (path.endsWith('.cjs')) cpSync(join(copy, 'src', path), join(copy, 'dist', path));
    builtPackage = join(copy, 'dist');
  } else {
    cpSync(builtPackage, join(copy, 'dist'), { recursive: true });
  }
  return { compilerOutput: compile(copy, 'tsconfig.examples.json').output };
}

const compile = (copy: string, config: string): CommandResult =>
  runCommand(copy, process.execPath, [
    join(projectFolder, 'node_modules/typescript/bin/tsc'),
    '-p',
    config,
  ]);
