// Measures costs in a unit that is independent of how fast or busy the machine is.

/** An array of 20,000 small objects as JSON. To parse and stringify it is the unit. */
const unitText = JSON.stringify(
  Array.from({ length: 20_000 }, (_item, at) => ({ at, name: `name ${at}` })),
);

/**
 * Some systems count processor time in steps of 10 milliseconds, so the unit is a mean of several.
 */
const unitsMeasured = 20;

let unit: number | undefined;

/**
 * The processor time of `work` as a multiple of parsing and writing a megabyte of JSON. 0 if
 * `COSTS=ignored`.
 */
export function costOf<Result>(work: () => Result): {
  readonly result: Result;
  readonly cost: number;
} {
  if (process.env['COSTS'] === 'ignored') return { result: work(), cost: 0 };
  unit ??= processorTime(parseUnits) / unitsMeasured;
  let result: { readonly value: Result } | undefined;
  const time = processorTime(() => (result = { value: work() }));
  if (result === undefined) throw new Error('The work did not run.');
  return { result: result.value, cost: time / unit };
}

function parseUnits(): void {
  for (let count = 0; count < unitsMeasured; count += 1) JSON.stringify(JSON.parse(unitText));
}

/** Microseconds that this thread computed, without waiting and garbage collection. */
function processorTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return Math.max(1, user + system);
}
