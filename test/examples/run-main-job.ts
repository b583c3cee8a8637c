// Runs the main job as a program beside this process, so that servers of the test can answer it.
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import type { CommandResult } from '../checks/run-command.ts';

/** Variables of the test's own process that would turn the job into another one. */
const foreign = /^(npm_|NODE_|VITEST|OPENAI_|MODEL$|NO_COLOR$|FORCE_COLOR$)/i;

export interface MainJobRun {
  /** The project's folder. */
  readonly folder: string;
  /** Where the workspace is made. */
  readonly temporary: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** `npm start`; never rejects for its exit code. */
export const runNpmStart = (run: MainJobRun): Promise<CommandResult> =>
  start(run, 'npm', ['start']);

/** The compiled program alone. */
export const runMainJob = (run: MainJobRun): Promise<CommandResult> =>
  start(run, process.execPath, ['dist-examples/main-job/main.js']);

function start(run: MainJobRun, command: string, args: readonly string[]): Promise<CommandResult> {
  const { folder, temporary, environment = {} } = run;
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const env = { ...Object.fromEntries(inherited), PATH, TMPDIR: temporary, ...environment };
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  const child = execFile(command, args, { cwd: folder, env }, (_error, stdout, stderr) =>
    resolve({ status: child.exitCode, output: stdout + stderr }),
  );
  return promise;
}
