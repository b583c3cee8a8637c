// Tests `.ci/run` with a stand-in for npm that prints how it was called.
import { chmodSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, runCommand } from './run-command.ts';
import { projectFolder, readManifest } from './sample-project.ts';
import { temporaryFolder, writeFiles } from './temporary-folder.ts';

/** Runs the gate; npm fails at the call that starts with `failing`, and jest reports these counts. */
function runGate(failing = 'nothing', report: object = { numPassedTests: 7 }): CommandResult {
  const folder = temporaryFolder();
  for (const name of ['.ci', 'scripts'])
    cpSync(join(projectFolder, name), join(folder, name), { recursive: true });
  const counts = { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0, ...report };
  writeFiles(folder, { 'bin/npm': standIn(failing, JSON.stringify(counts)) });
  chmodSync(join(folder, 'bin/npm'), 0o755);
  return runCommand(folder, join(folder, '.ci/run'), [], join(folder, 'bin'));
}

const standIn = (failing: string, report: string): string => `#!/bin/sh
echo "npm: $*"
case "$*" in *--outputFile=*) printf '%s' '${report}' > "\${*##*--outputFile=}" ;; esac
case "$*" in "${failing}"*) exit 3 ;; esac
`;

const lines = ({ output }: CommandResult): string[] => output.trim().split('\n');
const calls = (result: CommandResult): string[] =>
  lines(result).flatMap((line) => line.match(/^npm: (.*?)( -- --json .*)?$/)?.[1] ?? []);

describe('the gate', () => {
  it('installs, checks, tests and starts, and closes with what jest counted', () => {
    const result = runGate();
    expect(calls(result)).toEqual(['ci', 'run check', 'test', 'run test:slow', 'start', 'run start:nest']);
    expect(lines(result).at(-1)).toBe('14 passed, 0 failed');
    expect(result.status).toBe(0);
  });

  const untilTests = ['ci', 'run check', 'test', 'run test:slow'];

  it.each([
    ['ci', ['ci'], false],
    ['run check', ['ci', 'run check'], false],
    ['test', untilTests, true],
    ['run test:slow', untilTests, true],
    ['start', [...untilTests, 'start'], false],
    ['run start:nest', [...untilTests, 'start', 'run start:nest'], false],
  ])('fails with npm %s after %j, and counts both tiers of tests that ran: %s', (failing, called, counts) => {
    const result = runGate(failing, { numPassedTests: 5, numFailedTests: 2 });
    expect(calls(result)).toEqual(called);
    expect(/^10 passed, 4 failed$/m.test(result.output)).toBe(counts);
    expect(/\d passed/.test(result.output)).toBe(counts);
    expect(result.status).not.toBe(0);
  });

  it('counts a test file that could not be loaded as a failure', () => {
    const result = runGate('test', { numPassedTests: 5, numRuntimeErrorTestSuites: 1 });
    expect(lines(result).at(-1)).toBe('10 passed, 2 failed');
  });

  it('fails if no test ran, whatever npm says', () => {
    expect(runGate('nothing', { numPassedTests: 0 }).status).not.toBe(0);
  });
});

describe('the Node guard', () => {
  const guard = (version: string): CommandResult => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
    const script = join(projectFolder, 'scripts/require-node.mjs');
    const args = ['--import', `data:text/javascript,${pretend}`, script];
    return runCommand(projectFolder, process.execPath, args);
  };

  it.each(['22.12.0', '24.0.0', '100.1.0'])('accepts %s without a word', (version) => {
    expect(guard(version)).toEqual({ status: 0, output: '' });
  });

  it.each(['20.20.2', '22.11.9'])('refuses %s in one sentence', (version) => {
    const { status, output } = guard(version);
    expect(output).toBe(
      `toolmend needs Node 22.12 or newer and this is ${version}: run \`npm ci\` without --ignore-scripts, which puts the right one into node_modules.\n`,
    );
    expect(status).toBe(1);
  });

  it('comes first in the scripts that need it', () => {
    const { scripts = {} } = readManifest(projectFolder);
    const prefix = 'node scripts/require-node.mjs && ';
    const guarded = Object.keys(scripts).filter((name) => scripts[name]?.startsWith(prefix));
    const needing = ['test', 'test:slow', 'check', 'start', 'start:nest', 'serve'];
    expect(guarded).toEqual(expect.arrayContaining(needing));
  });
});
