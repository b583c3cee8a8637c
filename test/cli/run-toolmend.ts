import { main } from '../../src/cli/main.ts';

export interface ToolmendResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in this process. */
export const runToolmend = async (...args: readonly string[]): Promise<ToolmendResult> => runOn({}, args);

/** With a terminal as standard error. */
export const runOnTerminal = async (...args: readonly string[]): Promise<ToolmendResult> =>
  runOn({ isTTY: true }, args);

async function runOn(terminal: { isTTY?: boolean }, args: readonly string[]): Promise<ToolmendResult> {
  const written = { stdout: '', stderr: '' };
  const status = await main(args, {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { ...terminal, write: (text) => (written.stderr += text) },
  });
  return { status, ...written };
}
