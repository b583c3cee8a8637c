import { main } from '../../src/cli/main.ts';

export type ToolmendResult = Awaited<ReturnType<typeof runOn>>;

/** Runs the command in this process. */
export const runToolmend = async (...args: readonly string[]) => runOn({}, args);

/** With a terminal as standard error. */
export const runOnTerminal = async (...args: readonly string[]) => runOn({ isTTY: true }, args);

async function runOn(terminal: { isTTY?: boolean }, args: readonly string[]) {
  const written = { stdout: '', stderr: '' };
  const status = await main(args, {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { ...terminal, write: (text) => (written.stderr += text) },
  });
  return { status, ...written };
}
