import { main } from '../../src/cli/main.ts';

export type ToolmendResult = Awaited<ReturnType<typeof runOn>>;

/** Runs the command in this process. */
export const runToolmend = async (...args: readonly string[]) => runOn({}, args);

/** With a terminal as standard error. */
export const runOnTerminal = async (...args: readonly string[]) => runOn({ isTTY: true }, args);

async function runOn(terminal: { isTTY?: boolean }, args: readonly string[]) {
  const output = { stdout: '', stderr: '' };
  const status = await main(args, {
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { ...terminal, write: (text) => (output.stderr += text) },
  });
  return { status, ...output };
}
