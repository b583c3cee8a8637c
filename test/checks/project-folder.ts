import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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
