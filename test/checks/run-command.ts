// Runs commands with the Node of the test run, without the test run's environment.
import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';

export interface CommandResult {
  readonly status: number | null;
  /** Standard output and standard error. */
  readonly output: string;
}

/** Runs a command to its end. Never throws for its exit code. */
export function runCommand(
  cwd: string,
  command: string,
  args: readonly string[],
  path = '',
): CommandResult {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_OPTIONS$|VITEST|CI$|FORCE_COLOR$)/i.test(name),
  );
  const env = {
    ...Object.fromEntries(inherited),
    NO_COLOR: '1',
    PATH: [path, dirname(process.execPath), process.env['PATH']].filter(Boolean).join(delimiter),
  };
  const options = { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const { status, stdout, stderr, error } = spawnSync(command, args, options);
  if (error !== undefined) throw error;
  return { status, output: stdout + stderr };
}
