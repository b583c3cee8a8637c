// Does anything grow, and does anybody see what is another's, over very many calls of many applications?
import { CallMemory, toolMessage, type ToolOutcome, ToolRegistry, ToolRun } from 'toolmend';
import { heapNow, slopeOf } from './heap.ts';
import { lookUp, sentCall } from './soak-calls.ts';

export interface SoakResult {
  readonly calls: number;
  /** By outcome, and for `refused` and `cancelled` by why and when. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Answers that held another application's value. */
  readonly foreign: number;
  /** Growth of the heap over the measured calls, as a part of its mean. */
  readonly heapSlope: number;
  /** At each sample; the first third is the warm-up. */
  readonly heapMegabytes: readonly number[];
}

interface Application {
  readonly marker: string;
  readonly own: ToolRegistry;
  memory: CallMemory;
  run: ToolRun;
  runs: number;
  callsOfRun: number;
}

/** Makes so many calls, of all kinds, some side by side. */
export async function soak(calls: number, samples = 30): Promise<SoakResult> {
  const shared = new ToolRegistry().register(lookUp(''));
  const all = Array.from({ length: 50 }, (_, index) => applicationOf(`marker-${index}-`));
  const outcomes: Record<string, number> = {};
  const heap: number[] = [];
  let [done, foreign] = [0, 0];
  for (let sample = 0; sample <= samples; sample += 1) {
    const until = Math.round((calls * sample) / samples);
    while (done < until) {
      const batch = all.map((application, index) => one(application, shared, done + index));
      for (const [index, { word, text }] of (await Promise.all(batch)).entries()) {
        outcomes[word] = (outcomes[word] ?? 0) + 1;
        const others = text.replaceAll(all[index]?.marker ?? '', '');
        if (others.includes('marker-')) foreign += 1;
      }
      done += batch.length;
    }
    heap.push(await heapNow());
  }
  // The first third warms up: caches fill, code is compiled.
  const measured = heap.slice(Math.ceil(heap.length / 3));
  return {
    calls: done,
    outcomes,
    foreign,
    heapSlope: slopeOf(measured),
    heapMegabytes: heap.map((megabytes) => Math.round(megabytes * 100) / 100),
  };
}

const applicationOf = (marker: string): Application => ({
  marker,
  own: new ToolRegistry({ context: { marker } }).register(lookUp(marker)),
  memory: new CallMemory(),
  run: new ToolRun(),
  runs: 1,
  callsOfRun: 0,
});

/** Mostly below the 40 calls that a run may make of a tool; every tenth run goes on. */
function goOn(application: Application): void {
  application.callsOfRun += 1;
  if (application.callsOfRun < (application.runs % 10 === 0 ? 60 : 35)) return;
  application.runs += 1;
  application.run = new ToolRun();
  application.memory = new CallMemory();
  application.callsOfRun = 0;
}

async function one(
  application: Application,
  shared: ToolRegistry,
  number: number,
): Promise<{ readonly word: string; readonly text: string }> {
  goOn(application);
  const { marker, own, memory, run } = application;
  const { call, ending } = sentCall(marker, number);
  const controller = new AbortController();
  if (ending === 'cancelled before') controller.abort();
  if (ending === 'cancelled during') setImmediate(() => controller.abort());
  const options = {
    context: { marker },
    caller: marker,
    memory,
    run,
    signal: controller.signal,
    ...(ending === 'timed_out' ? { timeoutMs: 1 } : {}),
  };
  const tools = (number + Math.floor(number / 50)) % 2 === 0 ? own : shared;
  const outcome = await tools.call(call, options);
  return { word: wordOf(outcome), text: JSON.stringify([outcome, toolMessage(outcome)]) };
}

function wordOf(outcome: ToolOutcome): string {
  if (outcome.status === 'limit_exceeded') return `refused: ${outcome.reason}`;
  return outcome.status === 'cancelled' ? `cancelled ${outcome.when}` : outcome.status;
}
