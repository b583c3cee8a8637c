// The libraries that suite/RESULTS.md compares.
import { main } from '../../src/cli/main.ts';
import type { SuiteReport } from '../../src/cli/suite-cases.ts';

const peers = ['ai-sdk-tool-parser', 'typia', 'typebox', 'ajv-coercing', 'jsonrepair', 'ajv'];

/** The command of each. */
export const runners: readonly string[] = [
  'node suite/runners/toolmend.mjs',
  ...peers.map((name) => `node suite/runners/peers.mjs ${name}`),
  'python3 suite/runners/json-repair.py',
  'python3 suite/runners/python-json.py',
];

export interface LibraryRun {
  readonly kind: 'ran';
  readonly implementation: string;
  readonly report: SuiteReport;
}

type LibraryResult = LibraryRun | { readonly kind: 'failed'; readonly why: string };

export async function runLibrary(runner: string): Promise<LibraryResult> {
  const output = { stdout: '', stderr: '' };
  await main(['suite', '--runner', runner, '--json'], {
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
  });
  if (output.stdout === '') return { kind: 'failed', why: output.stderr.trim() };
  const { implementation, ...report } = JSON.parse(output.stdout);
  return { kind: 'ran', implementation, report };
}
