import { existsSync } from 'node:fs';

/** A file of this package, which a module of its source or of its build belongs to. */
export function packageFile(path: string): URL {
  const folder = ['..', '../..', '../../..']
    .map((parentPath) => new URL(`${parentPath}/`, import.meta.url))
    .find((url) => existsSync(new URL('package.json', url)));
  return new URL(path, folder ?? import.meta.url);
}
