// How is the engine loaded with changes in it? Its sources and packages as one module, each source changed on the way.
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
export type SourceChange = (path: string, source: string) => string;

const project = join(import.meta.dirname, '..', '..');

const entry = `export { defineTool, interpret } from './src/index.ts';`;

/** Writes the module into a folder that exists and loads it. */
export async function bundleEngine(folder: string, change: SourceChange): Promise<Engine> {
  const file = join(folder, 'engine.mjs');
  await build({
    stdin: { contents: entry, resolveDir: project },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    // Packages that are CommonJS ask for what Node brings along.
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
