import { once } from 'node:events';
import { CallMemory, toolMessage, type ToolOutcome, ToolRegistry, ToolRun } from 'toolmend';
import { callOf, never, toolOf } from '../tools.ts';
import { growthOf, heapNow } from './heap.ts';
import { countStatuses, lookUp, soakCall, statusOf } from './soak-calls.ts';

/** `npm run soak` makes a million. */
const soakCalls = Number(process.env['SOAK_CALLS'] ?? 2000);
const endedCalls = Math.min(10_000, Math.max(1000, soakCalls / 100));
/** Fewer calls are the warm-up, in which caches fill and code is compiled. */
const fewestForHeap = 500_000;
const timeout = 900_000 + soakCalls * 10;

// That they leave no timer and no listener is tested in limits.test.ts.
it(
  'calls that time out or are cancelled leave no memory behind',
  async () => {
    const concurrencyLimit = 100;
    const tools = new ToolRegistry({ concurrencyLimit, queueLimit: endedCalls }).register(
      toolOf(never),
      toolOf((_values, { signal }) => once(signal, 'abort'), { name: 'late' }),
    );
    const call = (
      name: string,
      count: number,
      timeoutMs: number,
      { signal } = new AbortController(),
    ) =>
      Promise.all(
        Array.from({ length: count }, () => tools.call(callOf({ name }), { signal, timeoutMs })),
      );
    const cancel = (count: number): Promise<readonly ToolOutcome[]> => {
      const controller = new AbortController();
      setImmediate(() => controller.abort());
      return call('work', count, 60_000, controller);
    };

    await call('late', concurrencyLimit, 1);
    const before = await heapNow();
    const outcomes = [
      ...(await call('work', endedCalls / 2, 1)),
      ...(await call('late', endedCalls / 2, 1)),
    ];
    // Half of the calls run and half wait when they are cancelled.
    for (let made = 0; made < endedCalls; made += 2 * concurrencyLimit)
      outcomes.push(...(await cancel(Math.min(2 * concurrencyLimit, endedCalls - made))));

    expect(countStatuses(outcomes.splice(0))).toEqual({
      timed_out: endedCalls,
      'cancelled during': endedCalls / 2,
      'cancelled before': endedCalls / 2,
    });
    expect((await heapNow()) - before).toBeLessThan(10);
  },
  timeout,
);

describe('fifty applications with tools of the same name', () => {
  class Application {
    readonly marker: string;
    readonly #own: ToolRegistry;
    #memory = new CallMemory();
    #run = new ToolRun();
    #runs = 1;
    #callsOfRun = 0;

    constructor(marker: string) {
      this.marker = marker;
      this.#own = new ToolRegistry({ context: { marker } }).register(lookUp(marker));
    }

    call(number: number, shared: ToolRegistry): Promise<ToolOutcome> {
      this.#goOn();
      const { call, ending } = soakCall(this.marker, number);
      const controller = new AbortController();
      if (ending === 'cancelled before') controller.abort();
      if (ending === 'cancelled during') setImmediate(() => controller.abort());
      const tools = (number + Math.floor(number / 50)) % 2 === 0 ? this.#own : shared;
      return tools.call(call, {
        context: { marker: this.marker },
        tenant: this.marker,
        memory: this.#memory,
        run: this.#run,
        signal: controller.signal,
        ...(ending === 'timed_out' ? { timeoutMs: 1 } : {}),
      });
    }

    /** Most runs stay below the 40 calls that a run may make of a tool; every tenth goes beyond. */
    #goOn(): void {
      this.#callsOfRun += 1;
      if (this.#callsOfRun < (this.#runs % 10 === 0 ? 60 : 35)) return;
      this.#runs += 1;
      this.#run = new ToolRun();
      this.#memory = new CallMemory();
      this.#callsOfRun = 0;
    }
  }

  it(
    `see nothing of each other, and don’t grow, in ${soakCalls} calls`,
    async () => {
      const shared = new ToolRegistry().register(lookUp());
      const applications = Array.from(
        { length: 50 },
        (_, index) => new Application(`marker-${index}-`),
      );
      const counts = new Map<string, number>();
      const heap: number[] = [];
      const samples = 30;
      let [calls, foreign] = [0, 0];
      for (let sample = 0; sample <= samples; sample += 1) {
        while (calls < (soakCalls * sample) / samples) {
          const made = applications.map((one, index) => one.call(calls + index, shared));
          const outcomes = await Promise.all(made);
          for (const [index, outcome] of outcomes.entries()) {
            const status = statusOf(outcome);
            counts.set(status, (counts.get(status) ?? 0) + 1);
            const text = JSON.stringify([outcome, toolMessage(outcome)]);
            if (text.replaceAll(applications[index]?.marker ?? '', '').includes('marker-'))
              foreign += 1;
          }
          calls += outcomes.length;
        }
        if (soakCalls >= fewestForHeap) heap.push(await heapNow());
      }
      process.stderr.write(
        `soak: ${JSON.stringify({ calls, counts: Object.fromEntries(counts), heap })}\n`,
      );
      expect(foreign).toBe(0);
      const ends = 'completed failed invalid_arguments retry timed_out unknown_tool'.split(' ');
      const all = expect.arrayContaining(['cancelled before', 'cancelled during', ...ends]);
      expect([...counts.keys()]).toEqual(all);
      const exceeded = [...counts].filter(([status]) => status.startsWith('limit_exceeded'));
      expect(exceeded.reduce((sum, [, count]) => sum + count, 0)).toBeLessThan(calls / 20);
      const measured = heap.slice(Math.ceil(heap.length / 3));
      const growth = measured.length > 0 ? growthOf(measured) : 0;
      expect(Math.abs(growth)).toBeLessThan(0.05);
      expect(measured.at(-1) ?? 0).toBeLessThanOrEqual(1.05 * (measured[0] ?? 0));
    },
    timeout,
  );
});
