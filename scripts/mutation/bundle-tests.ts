// How are the tests run a thousand times and more? As one script that is loaded in a moment, engine and packages in it.
// Runs in Stryker's copy of the project, after the mutants were put into its sources.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform, type Options } from '@swc/core';
import { build, type Plugin } from 'esbuild';
import { mutationTests } from './test-files.ts';

const project = process.cwd();
const testFolder = join(project, 'test');
const [folder = '', outfile = ''] = process.argv.slice(2);

/** As the tests are compiled otherwise: esbuild alone leaves out the types of decorated fields. */
const compiled: Options = {
  configFile: false,
  module: { type: 'es6' },
  jsc: {
    target: 'es2023',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};

/** A test finds its files from where it stands, has no clock (the machine is busy), and asks a law a few times only. */
const asOneModule: Plugin = {
  name: 'as-one-module',
  setup: (building) => {
    building.onLoad({ filter: /[/\\]test[/\\].*\.ts$/ }, async ({ path }) => {
      const source = readFileSync(path, 'utf8')
        .replaceAll('import.meta.dirname', () => JSON.stringify(dirname(path)))
        .replaceAll('import.meta.url', () => JSON.stringify(pathToFileURL(path).href))
        .replaceAll('performance.now()', '0')
        .replaceAll(/numRuns: [\d_]{4,}/g, 'numRuns: 20');
      const { code } = await transform(source, { ...compiled, filename: path });
      return { contents: code, loader: 'js' };
    });
  },
};

await build({
  stdin: {
    contents: mutationTests(testFolder, folder)
      .map((file) => `import './${file}';`)
      .join('\n'),
    resolveDir: testFolder,
  },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  // Of packages and of the engine, which look for nothing beside themselves.
  define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(project, 'package.json')).href) },
  target: 'node22',
  keepNames: true,
  // Loaded once. class-transformer is not among them: it keeps all classes that it was ever told of.
  external: ['reflect-metadata', 'class-validator', 'ajv', 'ajv-formats', 're2js', 'fast-check'],
  outfile,
  // `sideEffects` says that importing a file does nothing, which is not so of tests.
  ignoreAnnotations: true,
  logLevel: 'error',
  plugins: [asOneModule],
});
