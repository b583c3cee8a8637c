// Small projects of each kind that `toolmend init` knows.
import { type Files } from './temporary-folder.ts';

/** What they need beside toolmend. */
export const initPackages: readonly string[] =
  '@ai-sdk @nestjs/common @nestjs/core @types ai class-validator openai rxjs tsx typescript vitest zod'.split(
    ' ',
  );

const manifest = (...dependencies: readonly string[]): string =>
  JSON.stringify({
    type: 'module',
    dependencies: Object.fromEntries(['toolmend', ...dependencies].map((name) => [name, '*'])),
  });

const settings = (options: object): string =>
  JSON.stringify(
    {
      compilerOptions: {
        target: 'es2023',
        strict: true,
        types: ['node'],
        noEmit: true,
        ...options,
      },
    },
    null,
    2,
  );

const nodeModules = { module: 'nodenext', skipLibCheck: true };

export interface InitProject {
  readonly kind: string;
  readonly files: Files;
  /** Programs of node_modules that must end with 0; the empty one is Node alone. */
  readonly programs: readonly (readonly string[])[];
}

const compiler = ['typescript/bin/tsc'];
const tsx = (path: string): readonly string[] => ['tsx/dist/cli.mjs', '--test', path];

export const initProjects: readonly InitProject[] = [
  {
    kind: 'nest',
    files: {
      'package.json': manifest('@nestjs/core'),
      'tsconfig.json': settings({ ...nodeModules, experimentalDecorators: true }),
    },
    programs: [compiler, tsx('src/tools/get-weather.spec.ts')],
  },
  {
    kind: 'next',
    files: {
      'package.json': manifest('next', 'vitest', 'typescript'),
      'tsconfig.json': settings({
        module: 'esnext',
        moduleResolution: 'bundler',
        skipLibCheck: true,
      }),
    },
    programs: [compiler, ['vitest/vitest.mjs', 'run']],
  },
  {
    kind: 'ai-sdk',
    files: {
      'package.json': manifest('ai'),
      'tsconfig.json': settings({ module: 'nodenext' }),
    },
    programs: [compiler, tsx('get-weather.test.ts')],
  },
  {
    kind: 'typescript',
    files: { 'package.json': manifest('typescript') },
    programs: [[...compiler, '--noEmit'], tsx('get-weather.test.ts')],
  },
  {
    kind: 'javascript',
    files: { 'package.json': manifest('openai') },
    programs: [['', '--test', 'get-weather.test.mjs']],
  },
];

/** Where the programs that `toolmend init` lists are in node_modules. */
export const testPrograms: Readonly<Record<string, string>> = {
  tsx: 'tsx/dist/cli.mjs',
  vitest: 'vitest/vitest.mjs',
};

interface FreshProject {
  readonly title: string;
  readonly manifest: {
    readonly type?: 'commonjs' | 'module';
    readonly devDependencies?: Readonly<Record<string, string>>;
  };
  /** The tsconfig.json is the one of `tsc --init`, else there is none. */
  readonly hasSettings: boolean;
}

/** Projects with nothing but what `npm init` and `tsc --init` write, and perhaps a test runner. */
export const freshProjects: readonly FreshProject[] = [
  { title: 'tsc --init', manifest: {}, hasSettings: true },
  { title: 'tsc --init in CommonJS', manifest: { type: 'commonjs' }, hasSettings: true },
  { title: 'tsc --init in ES modules', manifest: { type: 'module' }, hasSettings: true },
  {
    title: 'no tsconfig.json',
    manifest: { devDependencies: { typescript: '*' } },
    hasSettings: false,
  },
  {
    title: 'no tsconfig.json, tests by vitest',
    manifest: { type: 'module', devDependencies: { typescript: '*', vitest: '*' } },
    hasSettings: false,
  },
];
