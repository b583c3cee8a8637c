// How much work is something, told so that neither a slow machine nor a busy one changes the answer?

/** A list of 20,000 small objects as JSON: its parse and stringify is the unit. */
const unitText = JSON.stringify(Array.from({ length: 20_000 }, (_item, at) => ({ at, name: `name ${at}` })));

/** Some systems count processor time in steps of 10 milliseconds: the unit is the mean of so many that it doesn't matter. */
const unitsMeasured = 20;

let unit: number | undefined;

/** The processor time of `work` as a multiple of parsing and writing a megabyte of JSON in this same process. */
export function costOf<Result>(work: () => Result): { readonly result: Result; readonly cost: number } {
  unit ??= processorTime(parseUnits) / unitsMeasured;
  let result: { readonly value: Result } | undefined;
  const time = processorTime(() => (result = { value: work() }));
  if (result === undefined) throw new Error('The work did not run.');
  return { result: result.value, cost: time / unit };
}

function parseUnits(): void {
  for (let count = 0; count < unitsMeasured; count += 1) JSON.stringify(JSON.parse(unitText));
}

/** Microseconds that this thread computed: without its waiting, and without what collects garbage beside it. */
function processorTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return Math.max(1, user + system);
}
