// Compiles one fixture with each compiler and runs it in a process of its own; all must print the
// same bytes.
import { createProject, type CompilerOptions } from './compiled-project.ts';

const legacy: CompilerOptions = {
  target: 'es2023',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  skipLibCheck: true,
  experimentalDecorators: true,
  rewriteRelativeImportExtensions: true,
  outDir: 'out',
};

const expected = {
  name: 'read_files',
  schema: {
    type: 'object',
    properties: {
      paths: {
        type: 'array',
        items: { type: 'string', 'x-toolmend': { semantic: 'path' } },
        maxItems: 20,
        description: 'Workspace-relative paths.',
        'x-toolmend': { aliases: ['file'] },
      },
      offset: { type: 'integer', minimum: 0 },
      limit: { type: 'integer', minimum: 1 },
      level: { type: 'integer', enum: [0, 1], default: 1 },
      owner: { $ref: '#/$defs/Person' },
      people: { type: 'object', additionalProperties: { $ref: '#/$defs/Person' } },
      since: { type: 'string', format: 'date-time' },
    },
    required: ['paths', 'owner'],
    additionalProperties: false,
    'x-toolmend': { relational: [{ requires: ['limit', 'offset'], defaults: { offset: 0 } }] },
    $defs: {
      Person: {
        type: 'object',
        properties: { mail: { type: 'string', format: 'email' }, name: { type: 'string' } },
        required: ['mail'],
        additionalProperties: false,
      },
    },
  },
  result: {
    read: ['content of a.ts'],
    limit: 3,
    level: 'High',
    owner: 'a@b.co',
    people: [['x', 'C']],
    since: 1000,
    user: 'u',
    cache: [['cached', 'yes']],
    secret: 'private',
  },
  accepted: [],
  refused: [{ path: '/owner/mail', check: 'isEmail', message: 'mail must be an email' }],
  empty: [{ path: '', check: 'enough', message: 'Name at least one path.' }],
};

/** Compiles a file with swc or esbuild, in the project's own process, and runs what came out. */
const transformed = {
  swc: (file: string, options: object) => `
    import { writeFileSync } from 'node:fs';
    import { transformFileSync } from '@swc/core';
    const { code } = transformFileSync('${file}.ts', ${JSON.stringify(options)});
    writeFileSync('${file}.swc.js', code);
    await import('./${file}.swc.js');`,
  esbuild: (file: string, options: object) => `
    import { readFileSync, writeFileSync } from 'node:fs';
    import { transformSync } from 'esbuild';
    const { code } = transformSync(readFileSync('${file}.ts', 'utf8'), ${JSON.stringify(options)});
    writeFileSync('${file}.esbuild.js', code);
    await import('./${file}.esbuild.js');`,
};

const swcParser = { syntax: 'typescript', decorators: true };
const swcOptions = (transform: object) => ({
  swcrc: false,
  module: { type: 'es6' },
  jsc: { target: 'es2022', keepClassNames: true, parser: swcParser, transform },
});

const esbuildOptions = (compilerOptions: object) => ({
  loader: 'ts',
  format: 'esm',
  target: 'es2022',
  keepNames: true,
  tsconfigRaw: { compilerOptions },
});

const tsc = ['node_modules/typescript/bin/tsc', '-p', '.'];
/** Runs the test `print-NAME`, which imports the fixture. */
const vitest = (name: string): readonly string[] => [
  'node_modules/vitest/vitest.mjs',
  'run',
  `print-${name}`,
  '--silent=false',
  '--testTimeout=300000',
];

let project: ReturnType<typeof createProject>;
beforeAll(() => {
  project = createProject();
});

/** The line that the fixture printed, or everything that the process did. */
function printed(...args: readonly string[]): string {
  const output = project.node(...args);
  return output.split('\n').find((line) => line.startsWith('{"name"')) ?? output;
}

function printedWith(options: CompilerOptions, ...args: readonly string[]): string {
  project.configure(options);
  return printed(...args);
}

function compiledByTsc(file: string, options: CompilerOptions): string {
  project.configure(options, [`${file}.ts`]);
  const output = project.node(...tsc);
  return output === '' ? printed(`out/${file}.js`) : output;
}

const script = (text: string): string => {
  project.write('compile.js', text);
  return 'compile.js';
};

describe('every compiler gives the same tool', () => {
  const compiledBySwc = (options: object): string =>
    printed(script(transformed.swc('tool', swcOptions({ legacyDecorator: true, ...options }))));
  const compiledByEsbuild = (): string =>
    printed(script(transformed.esbuild('tool', esbuildOptions({ experimentalDecorators: true }))));
  const compilers: readonly (readonly [string, () => string])[] = [
    [
      'tsc, with emitted types',
      () => compiledByTsc('tool', { ...legacy, emitDecoratorMetadata: true }),
    ],
    ['tsc, without', () => compiledByTsc('tool', { ...legacy, useDefineForClassFields: false })],
    ['swc, with emitted types', () => compiledBySwc({ decoratorMetadata: true })],
    ['swc, with assigned fields', () => compiledBySwc({ useDefineForClassFields: false })],
    ['esbuild', compiledByEsbuild],
    ['tsx', () => printedWith(legacy, '--import', 'tsx', 'tool.ts')],
    [
      'vitest, by its tsconfig',
      () => printedWith({ ...legacy, emitDecoratorMetadata: true }, ...vitest('tool')),
    ],
    [
      'vitest, by its own option',
      () => {
        project.configure(legacy, ['other/*.ts']);
        const decorator = '{ legacy: true, emitDecoratorMetadata: true }';
        project.write('vitest.config.js', `export default { oxc: { decorator: ${decorator} } };`);
        return printed(...vitest('tool'));
      },
    ],
  ];

  test.each(compilers)('%s', (_name, compiled) =>
    expect(compiled()).toBe(JSON.stringify(expected)),
  );
});

const standardExpected = {
  name: 'read_files',
  schema: {
    type: 'object',
    properties: {
      paths: {
        type: 'array',
        items: { type: 'string', 'x-toolmend': { semantic: 'path' } },
        description: 'Workspace-relative paths.',
        'x-toolmend': { aliases: ['file'] },
      },
      offset: { type: 'integer' },
      limit: { type: 'integer' },
      level: { type: 'string', enum: ['low', 'high'], default: 'high' },
      owner: { $ref: '#/$defs/Person' },
      people: { type: 'object', additionalProperties: { $ref: '#/$defs/Person' } },
    },
    required: ['paths', 'owner'],
    additionalProperties: false,
    'x-toolmend': { relational: [{ requires: ['limit', 'offset'], defaults: { offset: 0 } }] },
    $defs: {
      Person: {
        type: 'object',
        properties: { mail: { type: 'string' }, name: { type: 'string' } },
        required: ['mail'],
        additionalProperties: false,
      },
    },
  },
  result: {
    paths: ['a.ts'],
    limit: 3,
    level: 'high',
    owner: 'a@b.co',
    labels: [['x', 'C']],
    user: 'u',
    cache: [['cached', 'yes']],
    secret: 'private',
  },
  accepted: [],
  empty: [{ path: '', check: 'enough', message: 'Name at least one path.' }],
};

describe("a class of toolmend's decorators alone needs no flag", () => {
  const file = 'standard-tool';
  const standard: CompilerOptions = { ...legacy, experimentalDecorators: false };
  const compilers: readonly (readonly [string, () => string])[] = [
    ['tsc', () => compiledByTsc(file, standard)],
    ['tsc, with the flag', () => compiledByTsc(file, legacy)],
    [
      'tsc, with the flag and emitted types',
      () => compiledByTsc(file, { ...legacy, emitDecoratorMetadata: true }),
    ],
    ...['2022-03', '2023-11'].map(
      (decoratorVersion) =>
        [
          `swc, decorators of ${decoratorVersion}`,
          () => printed(script(transformed.swc(file, swcOptions({ decoratorVersion })))),
        ] as const,
    ),
    ['esbuild', () => printed(script(transformed.esbuild(file, esbuildOptions({}))))],
    ['tsx', () => printedWith(standard, '--import', 'tsx', `${file}.ts`)],
    [
      'tsx, without a tsconfig.json for the file',
      () => {
        project.configure(legacy, ['other/*.ts']);
        return printed('--import', 'tsx', `${file}.ts`);
      },
    ],
    ['vitest', () => printedWith(standard, ...vitest(file))],
  ];

  test.each(compilers)('%s', (_name, compiled) =>
    expect(compiled()).toBe(JSON.stringify(standardExpected)),
  );
});

test("class-validator's decorators can't be compiled as standard ones", () => {
  const compiled = script(transformed.esbuild('class-validator-first', esbuildOptions({})));
  expect(project.node(compiled)).toContain(
    "Cannot read properties of undefined (reading 'constructor')",
  );
});
