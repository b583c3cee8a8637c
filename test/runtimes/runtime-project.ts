// The packed package in a project outside of this one, and programs that every runtime runs.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { installPackedPackage } from '../checks/packed-package.ts';
import { type CommandResult, runCommand } from '../checks/run-command.ts';
import { projectFolder } from '../checks/project-folder.ts';
import { writeFiles } from '../checks/temporary-folder.ts';

/** What the programs import beside toolmend. */
const libraries = ['zod@4', 'class-validator@0.15', 'esbuild@0.28'];

/** Installs the packed package, and these packages from the registry. */
export async function createRuntimeProject(...packages: readonly string[]) {
  const folder = await installPackedPackage();
  const run = (command: string, ...args: readonly string[]): CommandResult =>
    runCommand(folder, command, args);
  const install = ['install', '--no-audit', '--no-fund', ...libraries, ...packages];
  const { status, output } = run('npm', ...install);
  if (status !== 0) throw new Error(output);
  cpSync(join(projectFolder, 'test/fixtures/runtimes'), folder, { recursive: true });
  writeFiles(folder, { 'package.json': '{ "type": "module" }' });
  return {
    folder,
    run,
    /** Bundles a file for browsers and Workers; what esbuild printed. */
    bundle: (file: string, decorators: 'standard' | 'experimental'): string =>
      run(
        'node_modules/.bin/esbuild',
        file,
        '--bundle',
        '--format=esm',
        '--platform=browser',
        '--target=es2022',
        `--outfile=${file.replace(/\.ts$/, '.js')}`,
        `--tsconfig-raw=${JSON.stringify({ compilerOptions: { experimentalDecorators: decorators === 'experimental' } })}`,
        '--log-level=warning',
        '--allow-overwrite',
      ).output,
  };
}

/** The value that a program printed as JSON in its last line; what it printed if it is none. */
export function printedBy({ output }: CommandResult): unknown {
  const last = output.trim().split('\n').at(-1) ?? '';
  try {
    return JSON.parse(last);
  } catch {
    return output;
  }
}

/** What `program.ts` gives in every runtime. */
export const expectedOfProgram = {
  ownClass: '["Graz: 21 celsius"]',
  offered: 9,
  alone: ['repaired', 'loose_json', 'json_text_to_array'],
  bytes: 'unchanged',
  misfit: 'rejected',
  proxies: ['not plain', 'not plain', 'not plain'],
  map: '{"a":[1,2]}',
  image: [{ data: 'AID/', mediaType: 'image/png' }],
  steps: ['whole', 'half'],
  hasErrorId: true,
  background: ['built'],
  approval: ['sha256', 'refunded 7'],
  zod: '3 since 2026-01-31T12:00:00Z',
  // printf '{"description":"Does it.","hints":[],"inputSchema":{"properties":{},"type":"object"},"name":"map"}' | sha256sum
  digest: 'sha256:6da8962064f51933bb66f39c5efb42cdc30825c6dac873df79416839d3b4a1ca',
};

/** What `class-validator-tool.ts` gives. */
export const expectedOfClassValidator = ['2 a', 'invalid_arguments'];
