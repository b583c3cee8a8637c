import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from './installed-package.ts';

/** A file that a browser asks for. */
export interface PageFile {
  readonly type: string;
  readonly gzipped: Buffer;
}

/** The files of the page by their path: `index.html`, `assets/…`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const ending = '.gz';

/** Reads what the build has made and gzipped; undefined if the page has not been built. */
export function readPageFiles(
  folder = fileURLToPath(packageFile('dist/page-files')),
): PageFiles | undefined {
  if (!existsSync(join(folder, `index.html${ending}`))) return undefined;
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    paths.flatMap((path) => {
      const type = types[extname(basename(path, ending))];
      if (type === undefined || !path.endsWith(ending)) return [];
      const place = path.slice(0, -ending.length).replaceAll('\\', '/');
      return [[place, { type, gzipped: readFileSync(join(folder, path)) }] as const];
    }),
  );
}
