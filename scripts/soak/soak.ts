// Does anything grow, and does anybody see what is another's, over very many calls of many applications?
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CallMemory, defineTool, toolMessage, ToolFailure, ToolRegistry, ToolRun } from 'toolmend';

export interface SoakResult {
  readonly calls: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Answers that held another application's value. */
  readonly foreign: number;
  /** Growth of the heap over the measured calls, by a straight line, as a part of its mean. */
  readonly heapSlope: number;
  readonly heapMegabytes: number;
}

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Megabytes in use after the garbage is gone. */
export function heapNow(): number {
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

interface Application {
  readonly marker: string;
  readonly own: ToolRegistry;
  memory: CallMemory;
  run: ToolRun;
}

const properties = {
  path: { type: 'string' },
  lines: { type: 'array', items: { type: 'integer' } },
} as const;
const inputSchema = { type: 'object', properties, required: ['path'], additionalProperties: false } as const;

/** The same tool of the same name; its answer names who it was made for, and who it was called for. */
const lookUp = (owner: string) =>
  defineTool({
    name: 'look_up',
    description: 'Look something up.',
    inputSchema,
    concurrency: { key: ({ path }) => path },
    execute: async ({ path }, { values }) => {
      await Promise.resolve();
      if (path === 'gone') throw new ToolFailure(`Nothing of ${String(values['marker'])}.`);
      if (path === 'broken') throw new Error(owner);
      return {
        owner: owner === '' ? values['marker'] : owner,
        path,
        text: path === 'long' ? 'long '.repeat(400) : '',
      };
    },
  });

const sent: readonly string[] = [
  '{"path":"a"}',
  '{"path":"b","lines":[1,2,3]}',
  '{"Path":"c","lines":"[1,2]"}',
  '```json\n{"path":"d"}\n```',
  '{"path":"long"}',
  '{"path":"gone"}',
  '{"path":"broken"}',
  '{"lines":["x"]}',
  '{"path":"cut',
];

/** Makes so many calls, of all kinds, some side by side. */
export async function soak(calls: number, samples = 20): Promise<SoakResult> {
  const shared = new ToolRegistry({ resultLimit: 500 }).register(lookUp(''));
  const all = Array.from({ length: 50 }, (_, index) => applicationOf(`marker-${index}-`));
  const outcomes: Record<string, number> = {};
  const heap: number[] = [];
  let [done, foreign] = [0, 0];
  for (let sample = 0; sample <= samples; sample += 1) {
    const until = Math.round((calls * sample) / samples);
    while (done < until) {
      const batch = all.map((application, index) => one(application, shared, done + index));
      for (const [index, { outcome, text }] of (await Promise.all(batch)).entries()) {
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        const others = text.replaceAll(all[index]?.marker ?? '', '');
        if (others.includes('marker-')) foreign += 1;
      }
      done += batch.length;
    }
    heap.push(heapNow());
  }
  // The first third warms up: caches fill, code is compiled.
  const measured = heap.slice(Math.ceil(heap.length / 3));
  return {
    calls: done,
    outcomes,
    foreign,
    heapSlope: slopeOf(measured),
    heapMegabytes: measured.at(-1) ?? 0,
  };
}

const applicationOf = (marker: string): Application => ({
  marker,
  own: new ToolRegistry({ context: { marker }, resultLimit: 500 }).register(lookUp(marker)),
  memory: new CallMemory(),
  run: new ToolRun(),
});

async function one(
  application: Application,
  shared: ToolRegistry,
  number: number,
): Promise<{ readonly outcome: string; readonly text: string }> {
  const { marker, own, memory, run } = application;
  if (number % 97 === 0) application.run = new ToolRun();
  const tools = number % 2 === 0 ? own : shared;
  const name = number % 31 === 0 ? 'lookup_nothing' : number % 13 === 0 ? 'Look-Up' : 'look_up';
  const call = {
    id: `${marker}${number}`,
    name,
    arguments: sent[number % sent.length],
    finishReason: 'stop',
  };
  const aborted = number % 29 === 0 ? { signal: AbortSignal.abort() } : {};
  const options = { context: { marker }, caller: marker, memory, run, ...aborted };
  const outcome = await tools.call(call, options);
  return { outcome: outcome.outcome, text: JSON.stringify([outcome, toolMessage(outcome)]) };
}

/** Of the line through the samples: its rise from the first to the last, as a part of their mean. */
function slopeOf(samples: readonly number[]): number {
  const middle = (samples.length - 1) / 2;
  const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length;
  const rise = samples.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0);
  const run = samples.reduce((sum, _value, at) => sum + (at - middle) ** 2, 0);
  return ((rise / run) * (samples.length - 1)) / mean;
}
