// What is left of calls that time out or are cancelled? No timer, no listener, no memory.
import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { defineTool, ToolRegistry } from 'toolmend';
import { heapNow } from './soak.ts';

export interface LeakResult {
  readonly outcomes: Readonly<Record<string, number>>;
  readonly lateResults: number;
  /** More than before. */
  readonly timers: number;
  readonly listeners: number;
  readonly heapMegabytes: number;
}

const inputSchema = { type: 'object' } as const;

/** So many calls of each kind: half of the timed-out ones return later, the others never do. */
export async function leaks(calls: number): Promise<LeakResult> {
  const outcomes: Record<string, number> = {};
  let lateResults = 0;
  const late = {
    onEvent: (event: { type: string }) => (event.type === 'tool_ended_late' ? (lateResults += 1) : 0),
  };
  const tools = new ToolRegistry({ listeners: [late], concurrencyLimit: 100, queueLimit: calls }).register(
    defineTool({ name: 'never', description: 'x', inputSchema, execute: () => new Promise(() => {}) }),
    defineTool({ name: 'slow', description: 'x', inputSchema, execute: () => delay(200, 'late') }),
  );
  const { signal } = new AbortController();
  const timedOut = (name: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, id) =>
        tools.call({ id: `${id}`, name, arguments: '{}' }, { signal, timeLimit: 1 }),
      ),
    );
  await timedOut('slow', 100);
  await delay(400);
  lateResults = 0;
  const before = { timers: timersNow(), heap: heapNow() };
  const cancelling = new AbortController();
  const waves = [await timedOut('never', calls / 2), await timedOut('slow', calls / 2)];
  const cancelled = Array.from({ length: calls }, (_, id) =>
    tools.call(
      { id: `${id}`, name: 'never', arguments: '{}' },
      { signal: cancelling.signal, timeLimit: 60_000 },
    ),
  );
  cancelling.abort();
  waves.push(await Promise.all(cancelled));
  for (const { outcome } of waves.splice(0).flat()) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  cancelled.length = 0;
  await delay(400);
  return {
    outcomes,
    lateResults,
    timers: timersNow() - before.timers,
    listeners: [signal, cancelling.signal].flatMap((one) => getEventListeners(one, 'abort')).length,
    heapMegabytes: heapNow() - before.heap,
  };
}

const timersNow = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
