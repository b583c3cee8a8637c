// A PostgreSQL that breaks in the middle of an answer: the process that uses it goes on.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Fault, faultNames, startFakePostgres } from './fake-postgres.ts';

/** Runs the process to its end. */
async function run(ports: readonly number[]) {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'outage-child.ts'), ...ports.map(String)],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, lines: stdout.trimEnd().split('\n'), stderr };
}

/** The server answers this often before it breaks. */
const breaks = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

async function useBroken(fault: Fault) {
  const servers = await Promise.all(
    [...breaks, Infinity].map((breakFrom) => startFakePostgres(fault, breakFrom)),
  );
  const ended = await run(servers.map(({ port }) => port));
  for (const server of servers) server.close();
  return ended;
}

it.each(faultNames)(
  'a process lives on when the server sends %s after an answer',
  async (fault) => {
    const { code, lines, stderr } = await useBroken(fault);

    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(lines).toHaveLength(breaks.length + 2);
    expect(lines.slice(0, 2)).toEqual([
      expect.stringContaining('rejected'),
      expect.stringContaining('rejected'),
    ]);
    expect(lines.slice(-2)).toEqual(['answered', 'alive']);
  },
);
