// Why are the files of the built package few? Hundreds of small modules take a program longer to load than all they depend on.
// What the compiler has written becomes one file for each entry, and one for what several share; declarations stay.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const { exports: entries, bin = {} }: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly bin?: Readonly<Record<string, string>>;
}

const files = [
  ...Object.values(entries).flatMap((entry) => (typeof entry === 'string' ? [] : [entry.default])),
  ...Object.values(bin),
  // What isn't there is publint's to say.
].filter((file) => existsSync(join(root, file)));

const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: files,
  outbase: 'dist',
  outdir: 'dist',
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node22',
  sourcemap: 'linked',
  chunkNames: 'chunks/[name]-[hash]',
  write: false,
  logLevel: 'warning',
});

const dist = join(root, 'dist');
for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (/\.js(\.map)?$/.test(path)) rmSync(join(dist, path));
}
for (const { path, contents } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}
