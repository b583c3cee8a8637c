// Compiles one fixture with each compiler and runs it in a process of its own; all must print the same bytes.
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
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--silent=false'];

let project: ReturnType<typeof createProject>;
beforeAll(() => {
  project = createProject();
}, 60_000);

/** The line that the fixture printed, or everything that the process did. */
function printed(...args: readonly string[]): string {
  const output = project.node(...args);
  return output.split('\n').find((line) => line.startsWith('{"name"')) ?? output;
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
    ['tsc, with emitted types', () => compiledByTsc({ ...legacy, emitDecoratorMetadata: true })],
    ['tsc, without', () => compiledByTsc({ ...legacy, useDefineForClassFields: false })],
    ['swc, with emitted types', () => compiledBySwc({ decoratorMetadata: true })],
    ['swc, with assigned fields', () => compiledBySwc({ useDefineForClassFields: false })],
    ['esbuild', compiledByEsbuild],
    ['tsx', () => printedWith(legacy, '--import', 'tsx', 'tool.ts')],
    ['vitest, by its tsconfig', () => printedWith({ ...legacy, emitDecoratorMetadata: true }, ...vitest)],
    [
      'vitest, by its own option',
      () => {
        project.configure(legacy, ['other/*.ts']);
        const decorator = '{ legacy: true, emitDecoratorMetadata: true }';
        project.write('vitest.config.js', `export default { oxc: { decorator: ${decorator} } };`);
        return printed(...vitest);
      },
    ],
  ];

  test.each(compilers)('%s', (_name, compiled) => expect(compiled()).toBe(JSON.stringify(expected)), 60_000);

  function printedWith(options: CompilerOptions, ...args: readonly string[]): string {
    project.configure(options);
    return printed(...args);
  }

  function compiledByTsc(options: CompilerOptions): string {
    project.configure(options, ['tool.ts']);
    const output = project.node(...tsc);
    return output === '' ? printed('out/tool.js') : output;
  }
});

describe('compiled as standard decorators', () => {
  const sentence =
    'path has @Describe compiled as a standard decorator, which can\'t be read: set "experimentalDecorators": true in a ' +
    'tsconfig.json whose "include" covers the file itself (tsx reads no other), and for vitest oxc: { decorator: ' +
    '{ legacy: true, emitDecoratorMetadata: true } }.';
  const standardSwc = swcOptions({ decoratorVersion: '2022-03' });
  const compilers: readonly (readonly [string, (file: string) => string])[] = [
    [
      'tsc',
      (file) => {
        project.configure({ ...legacy, target: 'es2022', experimentalDecorators: false }, [`${file}.ts`]);
        project.node(...tsc);
        return project.node(`out/${file}.js`);
      },
    ],
    ['swc', (file) => project.node(script(transformed.swc(file, standardSwc)))],
    ['esbuild', (file) => project.node(script(transformed.esbuild(file, esbuildOptions({}))))],
    [
      'tsx, where the tsconfig does not include the file',
      (file) => {
        project.configure(legacy, ['other/*.ts']);
        return project.node('--import', 'tsx', `${file}.ts`);
      },
    ],
  ];

  test.each(compilers)(
    '%s: ours says what to set',
    (_name, errorsOf) => expect(errorsOf('ours-first')).toContain(sentence),
    60_000,
  );

  test("class-validator's dies with words of its own where it runs first", () => {
    const [, errorsOf = () => ''] = compilers[2] ?? [];
    const words = "Cannot read properties of undefined (reading 'constructor')";
    expect(errorsOf('class-validator-first')).toContain(words);
  });
});
