import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { packageFile } from './installed-package.ts';

/** A file that a browser asks for. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
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

/** Reads what the build has made; undefined if the page has not been built. */
export function readPageFiles(
  folder = fileURLToPath(packageFile('dist/page-files')),
): PageFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    paths.flatMap((path) => {
      const type = types[extname(path)];
      if (type === undefined) return [];
      const bytes = readFileSync(join(folder, path));
      return [[path.replaceAll('\\', '/'), { type, bytes, gzipped: gzipSync(bytes) }] as const];
    }),
  );
}
