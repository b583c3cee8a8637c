// Finishes what tsc wrote into dist. Each module costs about a millisecond to load, so there are
// few: `dist/core.js` has all that toolmend/repair needs, `dist/tools.js` what toolmend needs beside
// it, and each other folder of src is one, file by file, unminified and with its comments.
// Declarations that no entry refers to are removed.
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
import { type OutputOptions, rolldown } from 'rolldown';

interface Manifest {
  readonly exports: Readonly<
    Record<string, string | { readonly types: string; readonly default: string }>
  >;
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
const requireNode = './dist/platform/require-node.js';
const inputs = [...modules, ...Object.values(manifest.bin ?? {}), requireNode].filter(isInRoot);
/** The path of a file without `dist/` and its ending. */
const nameOf = (file: string): string =>
  relative(dist, join(root, file)).replaceAll('\\', '/').replace(/\.js$/, '');
const inputNames = new Set(inputs.map(nameOf));

/** CommonJS modules stay files of their own: bundlers understand their `require`. By file name. */
const commonModules = new Map(
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.cjs'))
    .map((path) => [basename(path), path]),
);

/**
 * The package of which one function is bundled. As a dependency, its files would take a tenth of the
 * time of importing toolmend, and 700 KB.
 */
const bundled = '@noble/hashes';

/**
 * The module of `dist` that has this one; undefined for entries. Each adapter is a module.
 */
function roomOf(id: string, { repair, toolmend }: Reachable): string | undefined {
  if (id.includes(`/node_modules/${bundled}/`)) return 'noble-hashes';
  const path = nameOf(relative(root, id));
  if (inputNames.has(path)) return undefined;
  if (repair.has(id)) return 'core';
  if (toolmend.has(id)) return 'tools';
  const [folder = '', below = '', file] = path.split('/');
  return folder === 'adapters' && file !== undefined ? `adapters-${below}` : folder;
}

/** The modules that two entries load. */
interface Reachable {
  readonly repair: ReadonlySet<string>;
  readonly toolmend: ReadonlySet<string>;
}

/** These modules, and all that they import. */
function reachable(
  ids: readonly string[],
  importsOf: (id: string) => readonly string[],
  found = new Set<string>(),
): ReadonlySet<string> {
  for (const id of ids) {
    if (found.has(id) || !id.startsWith(dist)) continue;
    found.add(id);
    reachable(importsOf(id), importsOf, found);
  }
  return found;
}

let ofEntries: Reachable | undefined;

const output: OutputOptions = {
  dir: dist,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  minifyInternalExports: false,
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      {
        debugName: 'folders',
        name(id, context) {
          const importsOf = (one: string): readonly string[] =>
            context.getModuleInfo(one)?.importedIds ?? [];
          ofEntries ??= {
            repair: reachable([join(dist, 'interpret/index.js')], importsOf),
            toolmend: reachable([join(dist, 'index.js')], importsOf),
          };
          return roomOf(id, ofEntries) ?? null;
        },
      },
    ],
  },
};

const bundle = await rolldown({
  cwd: root,
  input: Object.fromEntries(inputs.map((file) => [nameOf(file), file])),
  platform: 'node',
  // Syntax that an older Node can parse: otherwise the check of its version never runs.
  transform: { target: 'node18' },
  preserveEntrySignatures: 'allow-extension',
  external: (id) =>
    id.endsWith('.cjs') ||
    (!/^[./]/.test(id) && !id.startsWith(`${bundled}/`) && !inputNames.has(id)),
});
const { output: made } = await bundle.generate(output);
const chunks = made.flatMap((one) => (one.type === 'chunk' ? [one] : []));

const declarations = referredTo(
  entries.map(({ types }) => join(root, types)).filter((file) => existsSync(file)),
);
for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  const file = join(dist, path);
  if (path.endsWith('.d.ts') ? !declarations.has(file) : path.endsWith('.js')) rmSync(file);
}
const licence = `/*!\n${readFileSync(join(root, 'node_modules', bundled, 'LICENSE'), 'utf8')}*/\n`;
const entryNames = new Set(modules.map((file) => `${nameOf(file)}.js`));
for (const { fileName, code } of chunks) {
  const path = join(dist, fileName);
  const linked = code
    .replaceAll(/^\/\/ dist\/(.*)\.js$/gm, '// src/$1.ts')
    .replaceAll(/"[./]+\/([\w-]+\.cjs)"/g, (_, name: string) =>
      JSON.stringify(relativeImport(path, join(dist, commonModules.get(name) ?? name))),
    );
  // Modules run in the order of a file's imports.
  const first = `import '${relativeImport(path, join(root, requireNode))}';\n`;
  mkdirSync(dirname(path), { recursive: true });
  const head = fileName === 'noble-hashes.js' ? licence : '';
  writeFileSync(path, entryNames.has(fileName) ? first + linked : head + linked);
}
for (const path of commonModules.values()) copyFileSync(join(root, 'src', path), join(dist, path));

function relativeImport(from: string, to: string): string {
  return relative(dirname(from), to)
    .replaceAll('\\', '/')
    .replace(/^(?!\.)/, './');
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
