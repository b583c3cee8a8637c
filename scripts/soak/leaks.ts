// What is left of calls that time out or are cancelled? No timer, no listener, no memory.
import { getEventListeners, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { defineTool, type ToolOutcome, ToolRegistry } from 'toolmend';
import { heapNow } from './heap.ts';

export interface LeakResult {
  /** `cancelled` with when: `before` or `during`. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly lateResults: number;
  /** More than before. */
  readonly timers: number;
  readonly listeners: number;
  readonly heapMegabytes: number;
}

const inputSchema = { type: 'object' } as const;
const places = 100;

/**
 * So many calls that time out, half of which return afterwards and half never do; and so many that are cancelled, half while
 * they run and half while they wait.
 */
export async function leaks(calls: number): Promise<LeakResult> {
  let lateResults = 0;
  const late = {
    onEvent: (event: { type: string }) => (event.type === 'tool_ended_late' ? (lateResults += 1) : 0),
  };
  const tools = new ToolRegistry({ listeners: [late], concurrencyLimit: places, queueLimit: calls }).register(
    defineTool({ name: 'never', description: 'x', inputSchema, execute: () => new Promise(() => {}) }),
    defineTool({
      name: 'late',
      description: 'x',
      inputSchema,
      execute: async (_values, { signal }) => {
        await once(signal, 'abort');
        await delay(1);
        return 'late';
      },
    }),
  );
  const signals: AbortSignal[] = [];
  const madeBy = (controller: AbortController): AbortSignal => {
    signals.push(controller.signal);
    return controller.signal;
  };
  const calling = (name: string, count: number, signal: AbortSignal, timeoutMs: number) =>
    Array.from({ length: count }, (_, id) =>
      tools.call({ id: `${id}`, name, arguments: '{}' }, { signal, timeoutMs }),
    );
  const timedOut = (name: string, count: number) =>
    Promise.all(calling(name, count, madeBy(new AbortController()), 1));
  const cancelled = (count: number) => {
    const controller = new AbortController();
    const outcomes = Promise.all(calling('never', count, madeBy(controller), 60_000));
    setImmediate(() => controller.abort());
    return outcomes;
  };
  await timedOut('late', places);
  await settled();
  lateResults = 0;
  const before = { timers: timersNow(), heap: await heapNow() };
  const outcomes = new Map<string, number>();
  const count = (ended: readonly ToolOutcome[]): void => {
    for (const outcome of ended) {
      const word = outcome.status === 'cancelled' ? `cancelled ${outcome.when}` : outcome.status;
      outcomes.set(word, (outcomes.get(word) ?? 0) + 1);
    }
  };
  count(await timedOut('never', calls / 2));
  count(await timedOut('late', calls / 2));
  // As many wait as run.
  for (let made = 0; made < calls; made += 2 * places)
    count(await cancelled(Math.min(2 * places, calls - made)));
  await settled();
  return {
    outcomes: Object.fromEntries(outcomes),
    lateResults,
    timers: timersNow() - before.timers,
    listeners: signals.flatMap((signal) => getEventListeners(signal, 'abort')).length,
    heapMegabytes: (await heapNow()) - before.heap,
  };
}

/** What comes too late has come. */
const settled = (): Promise<void> => delay(200);

const timersNow = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
