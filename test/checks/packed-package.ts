// Installs this package as npm packs it, with all that it needs, into an empty project. Without
// network: the dependencies are packed from node_modules, so npm finds each one it asks for.
import { cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOfRun } from './folder-of-run.ts';
import { runCommand } from './run-command.ts';
import { projectFolder, readManifest } from './project-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const publishedAddress = 'https://github.com/example/toolmend';

/** Installs a packed copy of this package into a new, empty project. */
export async function installPackedPackage(): Promise<string> {
  const folder = await folderOfRun('archives', packPackage);
  const archives = readdirSync(folder).map((archive) => join(folder, archive));
  const project = temporaryFolder({ 'package.json': '{}' });
  npm(project, ['install', '--offline', '--no-audit', '--no-fund', ...archives]);
  return project;
}

/** Builds and packs a copy of this package, and packs what it needs, into a folder. */
function packPackage(folder: string): void {
  npm(copyOfPackage(publishedAddress), ['pack', '--pack-destination', folder]);
  npm(folder, ['pack', '--ignore-scripts', ...dependencyFolders(projectFolder)]);
}

/** A copy of this package whose owner has filled in its address. */
export function copyOfPackage(address: string): string {
  const copy = temporaryFolder();
  const built = [
    'src',
    'page',
    'docs',
    'skills',
    'scripts',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
  ];
  for (const name of [...built, 'README.md', 'LICENSE', 'CHANGELOG.md', 'llms.txt'])
    cpSync(join(projectFolder, name), join(copy, name), { recursive: true });
  writeFileSync(
    join(copy, 'scripts/package-address.ts'),
    `export const packageAddress = ${JSON.stringify(address)};`,
  );
  symlinkSync(join(projectFolder, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/**
 * The folders of all packages that a package needs, and of those that these need; what is optional
 * is left out.
 */
function dependencyFolders(packageFolder: string): string[] {
  const folders = new Set<string>();
  const add = (folder: string): void => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = readManifest(folder);
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      if (peerDependenciesMeta?.[name]?.optional === true) continue;
      const dependency = join(projectFolder, 'node_modules', name);
      if (folders.has(dependency)) continue;
      folders.add(dependency);
      add(dependency);
    }
  };
  add(packageFolder);
  return [...folders];
}

function npm(folder: string, args: readonly string[]): void {
  const { status, output } = runCommand(folder, 'npm', args);
  if (status !== 0) throw new Error(`npm ${args[0] ?? ''} failed in ${folder}:\n${output}`);
}
