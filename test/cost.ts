// How much work is something, told so that neither a slow machine nor a busy one changes the answer?

/** A list of 20,000 small objects as JSON: its parse and stringify is the unit. */
const unitText = JSON.stringify(Array.from({ length: 20_000 }, (_item, at) => ({ at, name: `name ${at}` })));

let unit: number | undefined;

/** The processor time of `work` as a multiple of parsing and writing a megabyte of JSON in this same process. */
export function costOf<Result>(work: () => Result): { readonly result: Result; readonly cost: number } {
  unit ??= Math.min(
    ...Array.from({ length: 5 }, () => processorTime(() => JSON.stringify(JSON.parse(unitText)))),
  );
  let result: { readonly value: Result } | undefined;
  const time = processorTime(() => (result = { value: work() }));
  if (result === undefined) throw new Error('The work did not run.');
  return { result: result.value, cost: time / unit };
}

/** Microseconds that this process computed, its waiting for other processes left out. */
function processorTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, user + system);
}
