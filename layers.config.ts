import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { defineConfig, type OxlintOverride } from 'oxlint';

/**
 * Folders of src from the top. A folder imports only from rows below its own. `adapters/*` is one
 * folder for each adapter, `adapters` the files that they share.
 */
const rows: readonly (readonly string[])[] = [
  ['index.ts'],
  ['cli'],
  ['gateway', 'mcp-proxy'],
  ['network'],
  ['adapters/*', 'testing'],
  ['adapters'],
  ['journal'],
  ['answers'],
  ['registry'],
  ['background'],
  ['run'],
  ['store'],
  ['execute'],
  ['wire'],
  ['interpret'],
  ['repair'],
  ['text'],
  ['notations'],
  ['providers'],
  ['messages'],
  ['validate'],
  ['decorators'],
  ['classes'],
  ['tool'],
  ['schema'],
  ['telemetry'],
  ['options'],
  ['errors'],
  ['json'],
  ['collections'],
  ['platform'],
];

/** Packages that one folder reads for all others. */
const packages = {
  '@noble/hashes': 'execute',
  'reflect-metadata': 'classes',
  'class-validator': 'classes',
  'class-transformer': 'classes',
};

const src = join(import.meta.dirname, 'src');
const named = rows.flat();
const adapters = readdirSync(join(src, 'adapters'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `adapters/${name}`);
const layers = rows.map((row) =>
  row.flatMap((folder) => (folder === 'adapters/*' ? adapters : folder)),
);

/** From structured answers down, everything runs in browsers and Workers too. */
const runsAnywhere = new Set(rows.slice(rows.findIndex(([first]) => first === 'answers')).flat());

const onlyNode = 'Browsers and Workers have none: src/platform asks what the runtime has.';

/** What Node has and others don't. */
const nodeGlobals: NonNullable<OxlintOverride['rules']> = {
  'eslint/no-restricted-globals': [
    'error',
    ...['process', 'Buffer', 'setImmediate', 'clearImmediate', 'global', 'require'].map((name) => ({
      name,
      message: onlyNode,
    })),
  ],
  'eslint/no-restricted-properties': [
    'error',
    ...['process', 'Buffer', 'setImmediate'].map((property) => ({
      object: 'globalThis',
      property,
      message: onlyNode,
    })),
    {
      object: 'crypto',
      property: 'randomUUID',
      message: 'A page that came by HTTP has none: write randomId().',
    },
  ],
};

const unordered = readdirSync(src).filter((name) => !named.includes(name));
if (unordered.length > 0)
  throw new Error(`layers.config.ts has no row for src/${unordered.join(', src/')}`);

/** What a file of `folder` may not import, `depth` folders below src. */
function restricted(folder: string, depth: number) {
  const row = layers.findIndex((names) => names.includes(folder));
  const forbidden = layers
    .slice(0, row + 1)
    .flat()
    .filter((other) => other !== folder);
  const from = folder + '/x'.repeat(depth - folder.split('/').length);
  const ways = forbidden.flatMap((other) => {
    const way = posix.relative(from, other);
    return [way.startsWith('.') ? way : `./${way}`, `${'../'.repeat(depth)}${other}`];
  });
  const pattern = [...new Set(ways)].map((way) => way.replaceAll('.', String.raw`\.`)).join('|');
  const others = Object.entries(packages).filter(([, owner]) => owner !== folder);
  return [
    { regex: `^(${pattern})(/|$)`, message: `src/${folder} imports only from layers below it.` },
    { regex: '^toolmend(/|$)', message: 'src imports its own files by relative paths.' },
    ...others.map(([name, owner]) => ({
      regex: `^${name}(/|$)`,
      message: `Only src/${owner} imports ${name}.`,
    })),
    ...(runsAnywhere.has(folder) ? [{ regex: '^node:', message: onlyNode }] : []),
  ];
}

const overrides = layers
  .flat()
  .filter((folder) => folder !== 'index.ts')
  .flatMap((folder) =>
    (folder === 'adapters' ? [0] : [0, 1]).map((below): OxlintOverride => {
      const patterns = restricted(folder, folder.split('/').length + below);
      return {
        files: [`src/${folder}/${'*/'.repeat(below)}*.ts`],
        rules: {
          'eslint/no-restricted-imports': ['error', { patterns }],
          ...(runsAnywhere.has(folder) && folder !== 'platform' ? nodeGlobals : {}),
        },
      };
    }),
  );

export default defineConfig({
  plugins: ['eslint', 'import', 'typescript'],
  env: { browser: true, node: true },
  categories: { correctness: 'off' },
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    // An import inside a type is not seen by the rule above: this one refuses it.
    'typescript/consistent-type-imports': 'error',
  },
  overrides,
});
