// Pages with the packed package in Debian's Chromium. The policy of the pages is `script-src 'self'`, without
// `unsafe-eval`, and they come by HTTP.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../checks/run-command.ts';
import { writeFiles } from '../checks/temporary-folder.ts';
import {
  createRuntimeProject,
  expectedOfClassValidator,
  expectedOfProgram,
  printedBy,
} from './runtime-project.ts';

let project: Awaited<ReturnType<typeof createRuntimeProject>>;

beforeAll(async () => {
  installChromium();
  project = await createRuntimeProject('playwright-core@1', 'vite@8');
});

/** As .ci/run does, for a machine without it. */
function installChromium(): void {
  if (existsSync('/usr/bin/chromium')) return;
  const install = 'apt-get update && apt-get install -y --no-install-recommends chromium';
  const { status, output } = runCommand('/', 'sh', ['-c', install]);
  if (status !== 0) throw new Error(output);
}

const browse = (...args: readonly string[]): unknown =>
  printedBy(project.run(process.execPath, 'browse.mjs', ...args));

const page = { results: expectedOfProgram, evaluation: 'EvalError', isSecureContext: false };

test.each(['standard', 'experimental'] as const)(
  'Chromium runs toolmend bundled by esbuild, with %s decorators',
  (decorators) => {
    expect(project.bundle('page.ts', decorators)).toBe('');
    expect(browse('bundled', 'page.js')).toEqual([page]);
  },
);

test("Chromium runs a class of class-validator's decorators bundled by esbuild", () => {
  expect(project.bundle('class-validator-page.ts', 'experimental')).toBe('');
  expect(browse('bundled', 'class-validator-page.js')).toEqual([expectedOfClassValidator]);
});

test('Chromium runs toolmend as Vite builds it and as its development server serves it', () => {
  const compilerOptions = { target: 'es2022', experimentalDecorators: true };
  writeFiles(project.folder, { 'tsconfig.json': JSON.stringify({ compilerOptions }) });
  expect(browse('vite', join(project.folder))).toEqual([[page, page]]);
});
