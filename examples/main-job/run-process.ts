// Runs a program with a minimal environment, and stops it with everything it started when its time
// is over.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ProcessResult {
  readonly exit_code: number | null;
  /** Standard output and standard error, cut at 4,000 characters. */
  readonly output: string;
}

export interface ProcessOptions {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const longestOutput = 4000;

/**
 * Runs a program to its end, or until the signal fires: then `stopped`. Throws if it can't be
 * started.
 */
export async function runProcess(
  program: string,
  args: readonly string[],
  { folder, environment, signal }: ProcessOptions,
): Promise<ProcessResult | 'stopped'> {
  if (signal.aborted) return 'stopped';
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd: folder,
    // No key or token of the application reaches the program.
    env: { ...environment, PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, so that what it starts can be stopped with it.
    detached: true,
  });
  const stop = (): void => stopGroup(child);
  signal.addEventListener('abort', stop, { once: true });
  const output = collectOutput(child);
  try {
    const [exitCode]: readonly unknown[] = await once(child, 'close');
    if (signal.aborted) return 'stopped';
    return { exit_code: typeof exitCode === 'number' ? exitCode : null, output: output() };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function collectOutput({ stdout, stderr }: ChildProcess): () => string {
  let output = '';
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(0, longestOutput);
    });
  }
  return () => output;
}

function stopGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has ended already.
  }
}
