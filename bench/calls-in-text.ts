import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, createServer, request } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { MeasureSettings } from './measure.ts';
import { type Section, shown } from './section.ts';

const kilobyte = 1_024;
const sizes = [50, 100, 200, 400];
/** How many times as long a kilobyte of the longest text may take as one of the shortest. */
const mostTimes = 3;

const tools = [{ type: 'function', function: { name: 'note', parameters: { type: 'object' } } }];

/** Texts that wait to their end, and one that passes as it comes. */
const texts: Readonly<Record<string, (length: number) => string>> = {
  'one call': (length) =>
    `<tool_call>{"name":"note","arguments":{"text":"${'a word } more '.repeat(length / 14)}"}}</tool_call>`,
  'many calls': (length) =>
    '<tool_call>{"name":"note","arguments":{"text":"a"}}</tool_call>\n'.repeat(length / 64),
  'no call': (length) => 'A sentence of some words. '.repeat(length / 26),
};

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** A server that sends a text in tokens of four characters. */
async function startServer(): Promise<string> {
  const server = createServer((incoming, response) => {
    void textOf(incoming).then((body) => {
      const { kind, length } = JSON.parse(body);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const tokens = texts[kind]?.(length).match(/[^]{1,4}/g) ?? [];
      for (const content of tokens) response.write(chunk({ content }));
      response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
    });
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}/v1`;
}

async function startGateway(upstream: string): Promise<{ child: ChildProcess; url: string }> {
  const program = join(import.meta.dirname, '../dist/cli/toolmend.js');
  const child = spawn(process.execPath, [
    program,
    'gateway',
    '--upstream',
    upstream,
    '--calls-in-text',
  ]);
  for await (const printed of child.stdout) {
    const url = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(String(printed))?.[0];
    if (url !== undefined) return { child, url };
  }
  throw new Error('the gateway ended');
}

/** Milliseconds until the end of an answer. */
async function timeOf(url: string, kind: string, length: number): Promise<number> {
  const begun = performance.now();
  const sent = request(`${url}/chat/completions`, { method: 'POST' });
  sent.end(JSON.stringify({ model: 'm', messages: [], tools, kind, length }));
  const [incoming]: IncomingMessage[] = await once(sent, 'response');
  if (incoming !== undefined) for await (const _bytes of incoming);
  return performance.now() - begun;
}

/** Streamed answers in which the gateway looks for calls. */
export async function callsInText({ rounds }: MeasureSettings): Promise<Section> {
  const { child, url } = await startGateway(await startServer());
  const times = new Map(Object.keys(texts).map((kind) => [kind, sizes.map(() => Infinity)]));
  for (const kind of times.keys()) await timeOf(url, kind, 20 * kilobyte);
  for (let round = 0; round < Math.min(rounds, 5); round += 1)
    for (const [kind, fastest] of times)
      for (const [at, size] of sizes.entries()) {
        const milliseconds = await timeOf(url, kind, size * kilobyte);
        fastest[at] = Math.min(fastest[at] ?? Infinity, milliseconds);
      }
  child.kill();
  const ratios = [...times].map(([kind, fastest]) => {
    const each = fastest.map((time, at) => time / (sizes[at] ?? Number.NaN));
    return { kind, ratio: (each.at(-1) ?? Number.NaN) / (each[0] ?? Number.NaN) };
  });
  const worst = Math.max(...ratios.map(({ ratio }) => ratio));
  return {
    title: 'Calls in the text of a stream',
    about:
      'Milliseconds for an answer in tokens of four characters through `--calls-in-text`: the fastest of five.',
    columns: ['text', ...sizes.map((size) => `${size} KB`), 'a kilobyte of the longest'],
    rows: [...times].map(([kind, fastest], at) => [
      kind,
      ...fastest.map((time) => shown(time)),
      `${shown(ratios[at]?.ratio ?? Number.NaN)} times`,
    ]),
    goals: [
      {
        goal: `a kilobyte of the longest text takes at most ${mostTimes} times as long as one of the shortest`,
        measured: `${shown(worst)} times`,
        isMet: worst <= mostTimes,
      },
    ],
  };
}
