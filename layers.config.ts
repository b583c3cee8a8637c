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
  ['page'],
  ['journal'],
  ['answers'],
  ['registry'],
  ['background'],
  ['run'],
  ['learning'],
  ['store'],
  ['outcomes'],
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

/**
 * The same inside a folder: its files and folders from the top. `*` stands for all that have no row.
 */
const rowsInside: { readonly [folder: string]: readonly (readonly string[])[] } = {
  gateway: [
    ['server.ts'],
    ['pages.ts'],
    ['gateway-record.ts'],
    ['gateway-calls.ts'],
    ['exchange.ts', 'open-requests.ts', 'request-counts.ts'],
    ['*'],
    ['protocol.ts', 'gateway-options.ts'],
    ['frames.ts', 'model-turn.ts', 'upstream.ts', 'call-counts.ts'],
  ],
  interpret: [['index.ts'], ['interpret-arguments.ts'], ['*'], ['interpretation.ts']],
  repair: [
    ['repair-value.ts'],
    ['plain-repair.ts'],
    ['repair-object.ts', 'repair-union.ts'],
    ['*'],
    ['rule-table.ts'],
    ['rules'],
    ['parts-without-separators.ts'],
    ['read-text.ts'],
    ['repair-rule.ts'],
  ],
  run: [
    ['call-steps.ts', 'answer-question.ts'],
    ['resolve-approval.ts'],
    ['steps'],
    ['*'],
    ['running-call.ts'],
    [
      'approval-settings.ts',
      'background-calls.ts',
      'background-options.ts',
      'call-events.ts',
      'call-instances.ts',
      'call-options.ts',
      'interceptor.ts',
      'open-calls.ts',
      'overrun.ts',
      'started-call.ts',
      'stored-background.ts',
      'tool-context.ts',
    ],
    ['entry-outcome.ts'],
    ['call-digests.ts', 'outcome-of-ending.ts', 'questions.ts'],
    ['apply-defaults.ts', 'interpreted-call.ts', 'run-until-ended.ts', 'tool-run.ts'],
    ['concurrency.ts'],
  ],
  text: [
    ['decode-arguments.ts'],
    ['text-rule-table.ts'],
    ['text-rules'],
    ['touching-text.ts'],
    ['text-rule.ts'],
    ['readings'],
  ],
  validate: [
    ['validator.ts', 'ajv-validator.ts'],
    ['schema-validator.ts'],
    ['schema-failures.ts'],
    ['schema-check.ts', 'strict-checks.ts', 'step-budget.ts'],
    ['value-kinds.ts'],
  ],
  wire: [['*'], ['wire-api.ts', 'merged-message.ts', 'block-numbers.ts']],
};

/** Packages that one folder reads for all others. */
const packages = {
  '@noble/hashes': 'outcomes',
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

for (const [folder, inside] of Object.entries(rowsInside)) {
  const names = new Set(inside.flat());
  const files = readdirSync(join(src, folder));
  const gone = [...names].filter((name) => name !== '*' && !files.includes(name));
  const rowless = names.has('*') ? [] : files.filter((name) => !names.has(name));
  if (gone.length + rowless.length > 0)
    throw new Error(
      `layers.config.ts: set the rows of src/${folder}/${[...gone, ...rowless].join(', ')}`,
    );
}

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

/** What a file or folder may not import of the folder that it is in. */
function restrictedInside(folder: string, name: string) {
  const inside = rowsInside[folder] ?? [];
  const rowOf = (one: string): number => {
    const row = inside.findIndex((names) => names.includes(one));
    return row === -1 ? inside.findIndex((names) => names.includes('*')) : row;
  };
  const above = readdirSync(join(src, folder)).filter(
    (other) => other !== name && rowOf(other) < rowOf(name),
  );
  if (above.length === 0) return [];
  const prefix = name.endsWith('.ts') ? '\\./' : '\\.\\./';
  const pattern = above.map((other) => other.replaceAll('.', String.raw`\.`)).join('|');
  return [
    {
      regex: `^${prefix}(${pattern})(/|$)`,
      message: `In src/${folder}, ${name} imports only from the rows below it.`,
    },
  ];
}

/** The files of a folder, each group with what it may not import. */
function overridesOf(folder: string): readonly OxlintOverride[] {
  const depth = folder.split('/').length;
  const override = (files: string, below: 0 | 1, name?: string): OxlintOverride => ({
    files: [`src/${folder}/${files}`],
    rules: {
      'eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            ...restricted(folder, depth + below),
            ...(name === undefined ? [] : restrictedInside(folder, name)),
          ],
        },
      ],
      ...(runsAnywhere.has(folder) && folder !== 'platform' ? nodeGlobals : {}),
    },
  });
  if (folder === 'adapters') return [override('*.ts', 0)];
  if (rowsInside[folder] === undefined) return [override('*.ts', 0), override('*/*.ts', 1)];
  return readdirSync(join(src, folder)).map((name) =>
    name.endsWith('.ts') ? override(name, 0, name) : override(`${name}/*.ts`, 1, name),
  );
}

const overrides = layers
  .flat()
  .filter((folder) => folder !== 'index.ts')
  .flatMap(overridesOf);

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
