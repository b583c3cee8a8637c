// `npm run matrix`: runs the contract test against the packed package with the oldest and the
// newest version of each part of each peer range, installed from the registry.
// `npm run matrix -- openai ai` runs some. Takes about ten seconds a version.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { matrixRows, registryRow } from './matrix/rows.ts';

const root = join(import.meta.dirname, '..');
const { peerDependencies }: { peerDependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

/** Fails with the output of a program that fails. */
function run(cwd: string, command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error((stdout + stderr).trim() || `${command} failed`);
  return stdout.trim();
}

/** The first version of a part of a range: `^1.2.3`, `>=0.60.0 <1.0.0`. */
const oldestOf = (part: string): string => /\d+\.\d+\.\d+/.exec(part)?.[0] ?? part;

function newestOf(peer: string, part: string): string {
  const found: unknown = JSON.parse(
    run(root, 'npm', 'view', `${peer}@${part}`, 'version', '--json'),
  );
  // The registry lists versions in the order of their publication.
  const versions = [found].flat().map(String);
  return (
    versions.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1) ??
    part
  );
}

const scratch = mkdtempSync(join(tmpdir(), 'toolmend-matrix-'));

/**
 * The packed package, and the programs as JavaScript. What a case doesn't install is found in the
 * project's packages.
 */
function prepare(): string {
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
  const [packed] = JSON.parse(
    run(root, 'npm', 'pack', '--silent', '--json', '--pack-destination', scratch),
  );
  const compilerOptions = {
    noEmit: false,
    noCheck: true,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
    rootDir: join(root, 'test/adapters'),
    outDir: join(scratch, 'program'),
    paths: {},
  };
  const files = [join(root, 'test/adapters/contract/run-drivers.ts')];
  const tsconfig = { extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] };
  writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify(tsconfig));
  run(root, 'tsc', '-p', join(scratch, 'tsconfig.json'));
  return join(scratch, packed.filename);
}

/** What is wrong with a version; undefined if nothing is. */
function failureOf(peer: string, version: string, packed: string): string | undefined {
  const { drivers, alike = [], beside = {} } = matrixRows[peer] ?? registryRow;
  const others = beside[version.split('.', 1)[0] ?? '']?.split(' ') ?? [];
  const folder = join(scratch, `${peer}-${version}`.replaceAll('/', '-'));
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  try {
    const packages = [...[peer, ...alike].map((name) => `${name}@${version}`), ...others];
    run(
      folder,
      'npm',
      'install',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      '--prefer-offline',
      packed,
      ...packages,
    );
    cpSync(join(scratch, 'program'), join(folder, 'program'), { recursive: true });
    run(folder, 'node', 'program/contract/run-drivers.js', ...drivers);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

try {
  const packed = prepare();
  const wanted = process.argv.slice(2);
  const isAlike = (peer: string): boolean =>
    Object.values(matrixRows).some(({ alike = [] }) => alike.includes(peer));
  const peers = Object.entries(peerDependencies).filter(
    ([peer]) => !isAlike(peer) && (wanted.length === 0 || wanted.includes(peer)),
  );
  for (const [peer, range] of peers) {
    const versions = new Set(
      range.split('||').flatMap((part) => [oldestOf(part), newestOf(peer, part.trim())]),
    );
    for (const version of versions) {
      const failure = failureOf(peer, version, packed);
      console.log(`${failure === undefined ? 'ok    ' : 'FAILED'} ${peer} ${version}`);
      if (failure === undefined) continue;
      console.log(failure);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
