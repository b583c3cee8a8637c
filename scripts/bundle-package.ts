// Finishes what tsc wrote into dist. Hundreds of small modules load slower than all dependencies together, so each entry
// becomes one module, plus those that entries share. Declarations that no entry refers to are removed.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { build, transformSync } from 'esbuild';

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly bin?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const isInRoot = (file: string): boolean => existsSync(join(root, file));

const entries = Object.values(manifest.exports).flatMap((entry) =>
  typeof entry === 'string' ? [] : [entry],
);
// publint reports files that are missing.
const modules = entries.map((entry) => entry.default).filter(isInRoot);
const requireNode = 'dist/errors/require-node.js';
/** CommonJS modules stay files of their own: bundlers understand their `require`. By file name. */
const commonModules = new Map(
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.cjs'))
    .map((path) => [basename(path), join(dist, path)]),
);

const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: [...modules, ...Object.values(manifest.bin ?? {}), requireNode].filter(isInRoot),
  outbase: 'dist',
  outdir: 'dist',
  bundle: true,
  splitting: true,
  packages: 'external',
  external: ['*.cjs'],
  format: 'esm',
  platform: 'node',
  // Syntax that an older Node can parse: otherwise the check of its version never runs.
  target: 'node18',
  chunkNames: 'chunks/[name]-[hash]',
  write: false,
  logLevel: 'warning',
});

const declarations = referredTo(
  entries.map(({ types }) => join(root, types)).filter((file) => existsSync(file)),
);
for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  const file = join(dist, path);
  if (path.endsWith('.d.ts') ? !declarations.has(file) : path.endsWith('.js')) rmSync(file);
}
const entryPaths = new Set(modules.map((file) => join(root, file)));
for (const { path, text } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  // Modules run in the order of a file's imports; esbuild doesn't keep that order between the modules it makes.
  const first = relativeImport(path, join(root, requireNode));
  const linked = withClassNames(text).replaceAll(/"\.\/([\w-]+\.cjs)"/g, (_, name: string) =>
    JSON.stringify(relativeImport(path, commonModules.get(name) ?? name)),
  );
  // Names stay, for stacks. Lines are short enough to be read.
  const { code } = transformSync(linked, { minifyWhitespace: true, lineLimit: 120, charset: 'utf8' });
  writeFileSync(path, entryPaths.has(path) ? `import '${first}';\n${code}` : code);
}
for (const path of commonModules.values()) copyFileSync(join(root, 'src', relative(dist, path)), path);

function relativeImport(from: string, to: string): string {
  return relative(dirname(from), to)
    .replaceAll('\\', '/')
    .replace(/^(?!\.)/, './');
}

/**
 * `var A = class {` instead of `var A = class A2 {`, as esbuild writes a decorated class, because Nest logs the names of modules.
 * `keepNames` would do so too, but it slows down every function that makes functions.
 */
function withClassNames(code: string): string {
  return code.replaceAll(
    /^(var (\w+) = class) (\2\d+)\b/gm,
    (whole, unnamed: string, _: string, name: string) => (code.split(name).length === 2 ? unnamed : whole),
  );
}

/** These declaration files, and all that they import. */
function referredTo(files: readonly string[], found = new Set<string>()): ReadonlySet<string> {
  for (const file of files) {
    if (found.has(file)) continue;
    found.add(file);
    const imports = readFileSync(file, 'utf8').matchAll(
      /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.[jt]s['"]/g,
    );
    referredTo(
      [...imports].map(([, path = '']) => join(dirname(file), `${path}.d.ts`)),
      found,
    );
  }
  return found;
}
