// Runs an agent once with the task, before a scripted model, and says what it read.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Agent } from './agent-table.ts';
import { portOf, startScriptedModel, taskFiles } from './scripted-model.ts';

export interface AgentRun {
  /** Calls that the model made; 0 if the agent never asked it with its tools. */
  readonly calls: number;
  /** Calls whose result came back to the model. */
  readonly ran: number;
  /** The last words of the agent. */
  readonly output: string;
}

const patienceMs = 90_000;

/** `installed`: the folder whose node_modules have the agent. */
export async function runAgent(
  agent: Agent,
  installed: string,
  way: 'directly' | 'through the gateway',
): Promise<AgentRun> {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-task-'));
  const home = mkdtempSync(join(tmpdir(), 'toolmend-home-'));
  for (const [file, word] of Object.entries(taskFiles))
    writeFileSync(join(folder, file), `${word}\n`);
  const model = await startScriptedModel(folder);
  const gateway = way === 'directly' ? undefined : await startGateway(model.origin);
  try {
    const origin = gateway?.origin ?? model.origin;
    const { command, args, env } = agent.start({ origin, folder, home });
    const path = [join(installed, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
    const output = await outputOf(command, args, folder, {
      PATH: path,
      HOME: home,
      CI: '1',
      ...env,
    });
    return { calls: model.calls, ran: model.filesRead.size, output: output.slice(-400) };
  } finally {
    gateway?.stop();
    model.close();
    for (const temporary of [folder, home]) rmSync(temporary, { recursive: true, force: true });
  }
}

function outputOf(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  // A group of its own: agents start servers, which must end with them.
  const child = spawn(command, [...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += String(chunk)));
  const end = (): void => {
    clearTimeout(timer);
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has ended.
    }
    resolve(output);
  };
  const timer = setTimeout(end, patienceMs);
  child.on('error', (error) => {
    output += error.message;
    end();
  });
  child.on('exit', end);
  return promise;
}

async function startGateway(upstream: string) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const args = [
    'src/cli/toolmend.ts',
    'gateway',
    '--upstream',
    `${upstream}/v1`,
    '--port',
    String(port),
  ];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  for (let attempt = 0; attempt < 900; attempt += 1) {
    const answer = await fetch(origin).catch(() => undefined);
    if (answer !== undefined) return { origin, stop: () => child.kill('SIGKILL') };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill('SIGKILL');
  throw new Error('The gateway did not start.');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
