// `npm run soak`: very many calls, and what is left of those that time out; fails if anything grows or is another's.
import { parseArgs } from 'node:util';
import { leaks } from './soak/leaks.ts';
import { soak } from './soak/soak.ts';

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '1000000' }, ends: { type: 'string', default: '10000' } },
});

const left = await leaks(Number(values.ends));
console.log(JSON.stringify(left));
const start = performance.now();
const result = await soak(Number(values.calls));
console.log(JSON.stringify({ ...result, seconds: Math.round((performance.now() - start) / 1000) }));
const ends = Number(values.ends);
const refused = Object.entries(result.outcomes)
  .filter(([word]) => word.startsWith('refused'))
  .reduce((sum, [, count]) => sum + count, 0);
/** Fewer calls are the warm-up: what is kept for the applications fills, and code is compiled. */
const isLongEnough = result.calls >= 500_000;
const isHeapStill =
  Math.abs(result.heapSlope) < 0.05 &&
  (result.heapMegabytes.at(-1) ?? 0) <
    1.05 * (result.heapMegabytes.at(Math.ceil(result.heapMegabytes.length / 3)) ?? 0);
if (!isLongEnough) console.log('The heap is judged from 500,000 calls on.');
const isSound =
  left.outcomes['timed_out'] === ends &&
  left.timers <= 0 &&
  left.listeners === 0 &&
  left.heapMegabytes < 10 &&
  refused < result.calls / 20 &&
  result.foreign === 0 &&
  (isHeapStill || !isLongEnough);
process.exitCode = isSound ? 0 : 1;
