import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { MeasureSettings } from './measure.ts';
import { type Section, shown } from './section.ts';

/** Milliseconds that the gateway may add to the first text of a stream, at the median. */
const mostAddedToFirstText = 5;
const streamsAtOnce = 200;
const tokensOfStream = 50;
/** Nearly the 4 Mi characters that arguments may have. */
const largeText = 4 * 1024 * 1024 - 100;

/**
 * Milliseconds, longer than any pause here: no connection is closed while a request is on its way.
 */
const keepAliveTimeout = 600_000;

const tools = [
  {
    type: 'function',
    function: {
      name: 'read_files',
      parameters: {
        type: 'object',
        properties: {
          paths: { type: 'array', items: { type: 'string' } },
          note: { type: 'string' },
        },
        required: ['paths'],
      },
    },
  },
];

/** What the scripted server is asked for: how it answers is in the request. */
interface Wanted {
  readonly stream: boolean;
  readonly tokens: number;
  readonly gapMs: number;
  readonly id: string;
  readonly note: number;
}

const body = (wanted: Partial<Wanted>): string =>
  JSON.stringify({ model: 'm', messages: [], tools, ...wanted });

const callOf = (id: string, note: number): string =>
  JSON.stringify({ paths: JSON.stringify([id]), note: 'n'.repeat(note) });

const chunk = (id: string, delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** Each token says when it was sent. */
async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const {
    stream,
    tokens = 0,
    gapMs = 0,
    id = 'c',
    note = 0,
  }: Partial<Wanted> = JSON.parse(await textOf(incoming));
  const called = { name: 'read_files', arguments: callOf(id, note) };
  if (stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json' });
    const message = { content: null, tool_calls: [{ id, type: 'function', function: called }] };
    response.end(
      JSON.stringify({ id, choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }),
    );
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let token = 0; token < tokens && !response.destroyed; token += 1) {
    response.write(chunk(id, { content: String(performance.now()) }));
    if (gapMs > 0) await pause(gapMs);
  }
  response.write(
    chunk(id, { tool_calls: [{ index: 0, id, function: { name: called.name, arguments: '' } }] }),
  );
  for (const piece of called.arguments.match(/[^]{1,4096}/g) ?? [])
    response.write(chunk(id, { tool_calls: [{ index: 0, function: { arguments: piece } }] }));
  response.end(`${chunk(id, {}, 'tool_calls')}data: [DONE]\n\n`);
}

const agent = new Agent({ keepAlive: true });

interface Received {
  readonly milliseconds: number;
  /** From the sending of each token to its arrival. */
  readonly delays: readonly number[];
  /** All content and arguments are those of this request. */
  readonly isWhole: boolean;
}

async function ask(url: string, wanted: Partial<Wanted>, isRepaired: boolean): Promise<Received> {
  const begun = performance.now();
  const sent = request(`${url}/chat/completions`, {
    agent,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  sent.end(body(wanted));
  const [incoming]: IncomingMessage[] = await once(sent, 'response');
  if (incoming === undefined) throw new Error('no answer');
  const delays: number[] = [];
  const texts: string[] = [];
  for await (const bytes of incoming.setEncoding('utf8')) {
    const now = performance.now();
    const text = String(bytes);
    texts.push(text);
    for (const [, time] of text.matchAll(/"content":"([\d.]+)"/g)) delays.push(now - Number(time));
  }
  const milliseconds = performance.now() - begun;
  return { milliseconds, delays, isWhole: isWhole(texts.join(''), wanted, isRepaired) };
}

function isWhole(
  text: string,
  { id = 'c', note = 0, stream, tokens = 0 }: Partial<Wanted>,
  isRepaired: boolean,
): boolean {
  const arguments_ =
    stream === true
      ? text
          .split('\n')
          .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
          .map((event) => {
            if (event.id !== id) throw new Error('a crossed byte');
            return event.choices[0].delta.tool_calls?.[0].function.arguments ?? '';
          })
          .join('')
      : JSON.parse(text).choices[0].message.tool_calls[0].function.arguments;
  const expected = isRepaired
    ? JSON.stringify({ paths: [id], note: 'n'.repeat(note) })
    : callOf(id, note);
  return arguments_ === expected && (text.match(/"content":"\d/g) ?? []).length === tokens;
}

const percentile = (times: readonly number[], part: number): number =>
  times.toSorted((one, other) => one - other)[
    Math.min(times.length - 1, Math.floor(times.length * part))
  ] ?? 0;

/** A program that prints its URL. */
async function start(children: ChildProcess[], ...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  children.push(child);
  if (child.stdout === null) throw new Error('there is no output');
  for await (const printed of child.stdout) {
    const url = /http:\S+/.exec(String(printed))?.[0];
    if (url !== undefined) return url;
  }
  throw new Error(`${args.join(' ')} ended`);
}

/** Megabytes of a program's heap after a garbage collection. */
async function heapOf(child: ChildProcess | undefined): Promise<number> {
  if (child === undefined) throw new Error('there is no program');
  child.send('heap');
  const [bytes] = await once(child, 'message');
  return Number(bytes) / 2 ** 20;
}

/** The gateway beside a plain proxy and no proxy, each in a process of its own. */
export async function gateway({ rounds }: MeasureSettings): Promise<Section> {
  const isShort = rounds === 1;
  const children: ChildProcess[] = [];
  const server = createServer(
    { keepAliveTimeout },
    (incoming, response) => void answer(incoming, response),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const direct = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/v1`;
  try {
    const plain = await start(children, join(import.meta.dirname, 'plain-proxy.ts'), direct);
    const repairing = await start(
      children,
      '--expose-gc',
      '--import',
      join(import.meta.dirname, 'report-heap.ts'),
      join(import.meta.dirname, '../dist/cli/toolmend.js'),
      'gateway',
      '--upstream',
      direct,
    );
    const ways = [
      { name: 'no proxy', url: direct, isRepaired: false },
      { name: 'plain proxy', url: plain, isRepaired: false },
      { name: 'toolmend gateway', url: repairing, isRepaired: true },
    ];
    const rows = await measureWays(ways, isShort);
    const many = await manyStreams(repairing, children[1], isShort ? 1 : 60);
    const [, proxy, own] = rows;
    const added = (own?.first ?? 0) - (proxy?.first ?? 0);
    return {
      title: 'The gateway, beside a plain proxy on the same HTTP',
      about: `Milliseconds, median and 99th percentile: of whole answers with a call to repair, from the sending of a token of a stream to its arrival, and of a streamed call with 4 MiB of arguments.`,
      columns: ['', 'answer', 'p99', 'token', 'p99', 'first token', '4 MiB'],
      rows: rows.map(({ name, whole, wholeWorst, token, tokenWorst, first, large }) => [
        name,
        ...[whole, wholeWorst, token, tokenWorst, first, large].map((time) =>
          typeof time === 'number' ? shown(time) : time,
        ),
      ]),
      goals: [
        {
          goal: `the first text at most ${mostAddedToFirstText} ms later than through a plain proxy, at the median`,
          measured: `${shown(added)} ms`,
          isMet: added <= mostAddedToFirstText,
        },
        {
          goal: `${streamsAtOnce} streams at once, without a lost or crossed byte`,
          measured: `${many.streams} streams, ${many.wrong} wrong`,
          isMet: many.wrong === 0,
        },
        {
          goal: `the heap after a garbage collection grows by at most a tenth between 20 and 60 s of it`,
          measured: `${many.heaps.map((heap) => heap.toFixed(1)).join(', ')} MB after 20, 40 and 60 s`,
          isMet: (many.heaps[2] ?? 0) <= (many.heaps[0] ?? 0) * 1.1,
        },
      ],
    };
  } finally {
    for (const child of children) child.kill();
    server.close();
    server.closeAllConnections();
    agent.destroy();
  }
}

interface Way {
  readonly name: string;
  readonly url: string;
  readonly isRepaired: boolean;
}

async function measureWays(ways: readonly Way[], isShort: boolean) {
  const requests = isShort ? 3 : 600;
  const streams = isShort ? 1 : 60;
  const results = ways.map((way) => ({
    ...way,
    whole: [] as number[],
    tokens: [] as number[],
    firsts: [] as number[],
    large: [] as number[],
  }));
  for (let at = 0; at < requests; at += 1)
    for (const way of results) {
      const { milliseconds, isWhole: isRight } = await ask(
        way.url,
        { id: `w${at}` },
        way.isRepaired,
      );
      if (!isRight) throw new Error(`${way.name} sent another answer`);
      if (at >= requests / 3) way.whole.push(milliseconds);
    }
  for (let at = 0; at < streams; at += 1)
    for (const way of results) {
      const wanted = { id: `s${at}`, stream: true, tokens: tokensOfStream, gapMs: 2 };
      const { delays } = await ask(way.url, wanted, way.isRepaired);
      way.tokens.push(...delays);
      way.firsts.push(delays[0] ?? 0);
    }
  for (let at = 0; at < (isShort ? 1 : 5); at += 1)
    for (const way of results) {
      const { milliseconds, isWhole: isRight } = await ask(
        way.url,
        { id: `l${at}`, stream: true, note: largeText },
        way.isRepaired,
      );
      if (!isRight) throw new Error(`${way.name} sent another answer`);
      way.large.push(milliseconds);
    }
  return results.map(({ name, whole, tokens, firsts, large }) => ({
    name,
    whole: percentile(whole, 0.5),
    wholeWorst: percentile(whole, 0.99),
    token: percentile(tokens, 0.5),
    tokenWorst: percentile(tokens, 0.99),
    first: percentile(firsts, 0.5),
    large: percentile(large, 0.5),
  }));
}

/**
 * Keeps as many streams running for some seconds. The heap is measured after each third of the
 * time, while they run.
 */
async function manyStreams(url: string, child: ChildProcess | undefined, seconds: number) {
  const end = performance.now() + seconds * 1_000;
  let [streams, wrong] = [0, 0];
  const run = async (lane: number): Promise<void> => {
    while (performance.now() < end) {
      const wanted = { id: `${lane}-${streams}`, stream: true, tokens: tokensOfStream, gapMs: 40 };
      const isRight = await ask(url, wanted, true).then(
        ({ isWhole: isSame }) => isSame,
        () => false,
      );
      streams += 1;
      if (!isRight) wrong += 1;
    }
  };
  const lanes = Array.from({ length: streamsAtOnce }, (_, lane) => run(lane));
  const heaps: number[] = [];
  for (let third = 0; third < 3; third += 1) {
    await pause((seconds * 1_000) / 3 - (third === 2 ? 500 : 0));
    heaps.push(await heapOf(child));
  }
  await Promise.all(lanes);
  return { streams, wrong, heaps };
}
