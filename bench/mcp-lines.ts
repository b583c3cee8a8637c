import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { MeasureSettings } from './measure.ts';
import { type Section, shown } from './section.ts';

const megabyte = 1024 * 1024;
const sizes = [2.5, 5, 10, 20];
/** How many times as long a megabyte of the longest message may take as one of the shortest. */
const mostTimes = 4;

type Program = ChildProcessByStdio<Writable, Readable, null>;

const server = join(import.meta.dirname, 'mcp-server.ts');
const proxy = join(import.meta.dirname, '../dist/cli/toolmend.js');

const start = (...args: readonly string[]): Program =>
  spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });

/** Milliseconds until a message of this many characters has come back. */
async function roundTrip({ stdin, stdout }: Program, length: number): Promise<number> {
  const message = { jsonrpc: '2.0', id: 1, method: 'x/echo', params: { text: 'x'.repeat(length) } };
  const begun = performance.now();
  stdin.write(`${JSON.stringify(message)}\n`);
  let isWhole = false;
  while (!isWhole) {
    const [bytes]: Buffer[] = await once(stdout, 'data');
    isWhole = bytes?.at(-1) === 10;
  }
  return performance.now() - begun;
}

/** Each size several times in turn; of each, the fastest. */
async function timesOf(program: Program, rounds: number): Promise<readonly number[]> {
  const times = sizes.map(() => Infinity);
  await roundTrip(program, megabyte);
  for (let round = 0; round < rounds; round += 1)
    for (const [at, size] of sizes.entries()) {
      const milliseconds = await roundTrip(program, size * megabyte);
      times[at] = Math.min(times[at] ?? Infinity, milliseconds);
    }
  program.kill();
  return times;
}

/** Milliseconds for each megabyte. */
const perMegabyte = (times: readonly number[]): readonly number[] =>
  times.map((time, at) => time / (sizes[at] ?? Number.NaN));

/** One long message to a server and back, with and without the proxy between. */
export async function mcpLines({ rounds }: MeasureSettings): Promise<Section> {
  const count = Math.min(rounds, 5);
  const direct = await timesOf(start(server), count);
  const proxied = await timesOf(start(proxy, 'mcp', '--', process.execPath, server), count);
  const each = perMegabyte(proxied);
  const [shortest = Number.NaN] = each;
  const times = (each.at(-1) ?? Number.NaN) / shortest;
  return {
    title: 'A long message through the MCP proxy',
    about:
      'Milliseconds for one line of JSON to a server and back, on standard input and output: the fastest of five.',
    columns: ['megabytes', 'server alone', 'with the proxy', 'for each megabyte'],
    rows: sizes.map((size, at) => [
      String(size),
      ...[direct[at], proxied[at], each[at]].map((time = Number.NaN) => shown(time)),
    ]),
    goals: [
      {
        goal: `a megabyte of the longest message takes at most ${mostTimes} times as long as one of the shortest`,
        measured: `${shown(times)} times`,
        isMet: times <= mostTimes,
      },
    ],
  };
}
