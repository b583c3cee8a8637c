// Bundles the engine into one module, with a change in its sources.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { defineTool, interpret } from 'toolmend';

export interface Engine {
  readonly interpret: typeof interpret;
  readonly defineTool: typeof defineTool;
}

/** The new source of a file; `path` from the project's folder, with slashes. */
type SourceChange = (path: string, source: string) => string;

const project = join(import.meta.dirname, '..', '..');

const entry = `export { defineTool, interpret } from './src/index.ts';`;

/** Writes the module into an existing folder and loads it. */
async function bundleEngine(folder: string, change: SourceChange): Promise<Engine> {
  const file = join(folder, 'engine.mjs');
  await build({
    stdin: { contents: entry, resolveDir: project },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    // CommonJS packages require Node's own modules.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire('file:///');" },
    outfile: file,
    logLevel: 'error',
    plugins: [
      {
        name: 'change',
        setup: (building) => {
          building.onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => {
            const name = relative(project, path).replaceAll('\\', '/');
            return { contents: change(name, readFileSync(path, 'utf8')), loader: 'ts' };
          });
        },
      },
    ],
  });
  const engine: Engine = await import(pathToFileURL(file).href);
  return engine;
}

export interface SourceMutant {
  /** Relative to the project. */
  readonly file: string;
  readonly original: string;
  readonly mutated: string;
}

/** Throws unless the original text occurs exactly once. */
function mutate({ file, original, mutated }: SourceMutant, source: string): string {
  if (source.split(original).length !== 2) throw new Error(`${file} has not exactly one ${original}`);
  return source.replace(original, () => mutated);
}

/** The engine with that change, built in an existing folder. */
export async function mutantEngine(folder: string, mutant: SourceMutant): Promise<Engine> {
  let isMutated = false;
  const engine = await bundleEngine(folder, (path, source) => {
    if (path !== mutant.file) return source;
    isMutated = true;
    return mutate(mutant, source);
  });
  if (!isMutated) throw new Error(`${mutant.file} is not part of the engine`);
  return engine;
}
