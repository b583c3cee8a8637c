import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { objectAt, textAt } from '../json/members.ts';
import { parseJson } from '../json/parse.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';

/**
 * What a project's tools are for. `typescript` and `javascript` have a loop of their own, or will
 * have one.
 */
export type ProjectKind = 'nest' | 'next' | 'ai-sdk' | 'typescript' | 'javascript';

export type TestRunner = 'vitest' | 'jest' | 'node:test';

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

export interface Project {
  readonly folder: string;
  readonly kind: ProjectKind;
  readonly testRunner: TestRunner;
  /** `.js` if the compiler wants extensions in imports, else empty. */
  readonly importExtension: '.js' | '';
  /** The project's sources are in `src`. */
  readonly hasSourceFolder: boolean;
  /** The names of its dependencies of every sort. */
  readonly packages: ReadonlySet<string>;
  readonly packageManager: PackageManager;
  /** Its files are CommonJS, but its compiler settings allow imports in ES modules only. */
  readonly needsModuleType: boolean;
  /** The text of tsconfig.json. */
  readonly compilerSettings: string | undefined;
}

/** Reads what a folder's package.json, tsconfig.json and src say, or why it is no project. */
export async function readProject(folder: string): Promise<Project | string> {
  const textIn = (name: string) => readFile(join(folder, name), 'utf8').catch(() => undefined);
  const manifestText = await textIn('package.json');
  if (manifestText === undefined)
    return 'there is no package.json here: run npm init first, or give the folder of your project';
  const reading = parseJson(manifestText);
  if (reading.kind !== 'read' || !isJsonObject(reading.value)) return 'package.json is not JSON';

  const manifest = reading.value;
  const packages = packagesOf(manifest);
  const compilerSettings = await textIn('tsconfig.json');
  const hasCompiler = compilerSettings !== undefined || packages.has('typescript');
  const sources = await stat(join(folder, 'src')).catch(() => undefined);
  const isModule = textAt(manifest, 'type') === 'module';
  const needsModuleType = !isModule && allowsModulesOnly(compilerSettings);
  return {
    folder,
    kind: kindOf(packages, hasCompiler),
    testRunner: testRunners.find((name) => packages.has(name)) ?? 'node:test',
    importExtension: wantsExtensions(hasCompiler, isModule || needsModuleType, compilerSettings)
      ? '.js'
      : '',
    hasSourceFolder: sources?.isDirectory() === true,
    packages,
    packageManager: await packageManagerOf(folder, manifest),
    needsModuleType,
    compilerSettings,
  };
}

const testRunners = ['vitest', 'jest'] as const;

const packagesOf = (manifest: JsonObject): ReadonlySet<string> =>
  new Set(
    ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((key) =>
      Object.keys(objectAt(manifest, key) ?? {}),
    ),
  );

function kindOf(packages: ReadonlySet<string>, hasCompiler: boolean): ProjectKind {
  if (!hasCompiler) return 'javascript';
  if (packages.has('@nestjs/core')) return 'nest';
  if (packages.has('next')) return 'next';
  return packages.has('ai') ? 'ai-sdk' : 'typescript';
}

const lockFiles: readonly (readonly [string, PackageManager])[] = [
  ['package-lock.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

/** As package.json or the lock file says, else npm. */
async function packageManagerOf(folder: string, manifest: JsonObject): Promise<PackageManager> {
  const [declaredName] = (textAt(manifest, 'packageManager') ?? '').split('@');
  const names = await readdir(folder).catch((): readonly string[] => []);
  const [, manager] =
    lockFiles.find(([, name]) => name === declaredName) ??
    lockFiles.find(([file]) => names.includes(file)) ??
    [];
  return manager ?? 'npm';
}

// https://www.typescriptlang.org/tsconfig/#verbatimModuleSyntax
const allowsModulesOnly = (settings = ''): boolean =>
  settingOf(settings, 'verbatimModuleSyntax') === 'true' && /^node/i.test(moduleIn(settings));

/** Node resolves no import without its extension; bundlers and CommonJS do. */
function wantsExtensions(
  hasCompiler: boolean,
  isModule: boolean,
  compilerSettings: string | undefined,
): boolean {
  if (!hasCompiler) return true;
  return isModule && (compilerSettings === undefined || /^node/i.test(moduleIn(compilerSettings)));
}

const moduleIn = (settings: string): string =>
  /"module"\s*:\s*"([^"]*)"/.exec(withoutComments(settings))?.[1] ?? '';

/**
 * Whether a compiler before TypeScript 6 looks for files without the `exports` of package.json:
 * https://www.typescriptlang.org/tsconfig/#moduleResolution
 */
export const readsNoExports = (settings: string): boolean =>
  /^commonjs$/i.test(moduleIn(settings)) &&
  !/"moduleResolution"\s*:\s*"(?:node16|nodenext|bundler)"/i.test(withoutComments(settings));

/** Whether a tsconfig.json sets an option to true, sets it to something else, or doesn't say. */
export function settingOf(settings: string, option: string): 'true' | 'other' | 'absent' {
  const [, value] =
    new RegExp(String.raw`"${option}"\s*:\s*(\w+)`).exec(withoutComments(settings)) ?? [];
  if (value === undefined) return 'absent';
  return value === 'true' ? 'true' : 'other';
}

/** Whether a tsconfig.json lists the types of Node, or all that are installed. */
export const namesNodeTypes = (settings: string): boolean =>
  /"types"\s*:\s*\[[^\]]*"(node|\*)"/.test(withoutComments(settings));

export const hasMember = (settings: string, name: string): boolean =>
  new RegExp(String.raw`"${name}"\s*:`).test(withoutComments(settings));

const withoutComments = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"|\/\/.*|\/\*[\s\S]*?\*\//g, (part) =>
    part.startsWith('"') ? part : '',
  );
