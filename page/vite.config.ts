import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defineConfig, mergeConfig, type Plugin } from 'vite';
import { shared } from './shared.config.ts';

/** Leaves of each file its gzipped form, so that the package is small: `index.html.gz`. */
const gzipFiles: Plugin = {
  name: 'gzip-files',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle)) {
      const file = join(dir, name);
      writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
      rmSync(file);
    }
  },
};

/** Builds the page into the package: `toolmend ui` needs no bundler. */
export default mergeConfig(
  shared,
  defineConfig({ plugins: [gzipFiles], build: { outDir: '../dist/page-files' } }),
);
