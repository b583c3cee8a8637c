// Counts calls for the overview.
import type { CallNumbers, CallStatus, Counts, ListedCall, MistakeCounts } from './page-data.ts';

type Tally = { -readonly [Status in CallStatus]: number };

export const noCounts = (): Tally => ({ valid: 0, repaired: 0, rejected: 0, failed: 0 });

export const sumOf = ({ valid, repaired, rejected, failed }: Counts): number =>
  valid + repaired + rejected + failed;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const stepLengths: readonly number[] = [
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  3 * hour,
  12 * hour,
  day,
  7 * day,
  30 * day,
];
const mostSteps = 92;

/** The shortest step of which a chart has room for all. */
export const stepLength = (since: number, until: number): number =>
  stepLengths.find((length) => (until - since) / length <= mostSteps) ?? 365 * day;

/** When each step of a time begins. */
export function stepTimes(since: number, until: number, stepMs: number): readonly number[] {
  const start = Math.floor(since / stepMs) * stepMs;
  const length = Math.max(1, Math.ceil((until - start) / stepMs));
  return Array.from({ length }, (_none, index) => start + index * stepMs);
}

/** Calls before `until`. A time without a beginning has the steps of its calls. */
export function countCalls(
  calls: Iterable<ListedCall>,
  since: number | undefined,
  until: number,
): CallNumbers {
  const countedCalls = [...calls].flatMap((call) => {
    const at = Date.parse(call.at);
    return at < until ? [{ call, at }] : [];
  });
  const first = countedCalls.reduce((least, { at }) => Math.min(least, at), until);
  const start = since ?? first;
  const stepMs = stepLength(start, until);
  const numbers = new NumbersOfTime(start, until, stepMs);
  const before = noCounts();
  for (const { call, at } of countedCalls) {
    if (at >= start) numbers.add(call, at);
    else if (at >= start - (until - start)) before[call.status] += 1;
  }
  return { ...numbers.numbers(), ...(since === undefined ? {} : { before }) };
}

class NumbersOfTime {
  readonly #since: number;
  readonly #until: number;
  readonly #stepMs: number;
  readonly #total = noCounts();
  readonly #steps = new Map<number, Tally>();
  readonly #cells = new Map<string, Tally & { readonly model: string; readonly tool: string }>();
  readonly #releases = new Map<string, Tally & { readonly release: string; first: number }>();
  readonly #mistakes = new Map<string, MistakeTally>();
  readonly #rules = new Map<string, number>();
  readonly #issues = new Map<
    string,
    { readonly tool: string; readonly issue: string; calls: number }
  >();

  constructor(since: number, until: number, stepMs: number) {
    this.#since = since;
    this.#until = until;
    this.#stepMs = stepMs;
  }

  add(call: ListedCall, at: number): void {
    const { tool, model = '', release, status } = call;
    this.#total[status] += 1;
    const step = Math.floor(at / this.#stepMs) * this.#stepMs;
    entryOf(this.#steps, step, noCounts)[status] += 1;
    const cell = JSON.stringify([model, tool]);
    entryOf(this.#cells, cell, () => ({ model, tool, ...noCounts() }))[status] += 1;
    const mistakes = entryOf(this.#mistakes, model, () => ({ model, ...noMistakes }));
    mistakes.calls += 1;
    const become = whatBecame(call);
    if (become !== undefined) mistakes[become] += 1;
    if (release !== undefined) {
      const counts = entryOf(this.#releases, release, () => ({
        release,
        first: at,
        ...noCounts(),
      }));
      counts[status] += 1;
      counts.first = Math.min(counts.first, at);
    }
    if (status === 'repaired')
      for (const { rule } of call.rules) this.#rules.set(rule, (this.#rules.get(rule) ?? 0) + 1);
    if (status !== 'rejected') return;
    for (const issue of new Set(call.issues))
      entryOf(this.#issues, JSON.stringify([tool, issue]), () => ({
        tool,
        issue,
        calls: 0,
      })).calls += 1;
  }

  numbers(): CallNumbers {
    const steps = stepTimes(this.#since, this.#until, this.#stepMs).map((at) => ({
      at,
      ...(this.#steps.get(at) ?? noCounts()),
    }));
    return {
      since: this.#since,
      until: this.#until,
      total: this.#total,
      stepMs: this.#stepMs,
      steps,
      cells: [...this.#cells.values()],
      mistakes: [...this.#mistakes.values()].toSorted(mostFirst),
      releases: [...this.#releases.values()].toSorted((one, other) => one.first - other.first),
      rules: Array.from(this.#rules, ([rule, calls]) => ({ rule, calls })).toSorted(mostFirst),
      issues: [...this.#issues.values()].toSorted(mostFirst),
    };
  }
}

type MistakeTally = { -readonly [Name in keyof MistakeCounts]: MistakeCounts[Name] };

const noMistakes = { calls: 0, prevented: 0, repaired: 0, retried: 0, refused: 0 };

/** Undefined: the call had no mistake, or the tool failed. */
function whatBecame({
  status,
  isStrict,
  retries = 0,
}: ListedCall): Exclude<keyof typeof noMistakes, 'calls'> | undefined {
  if (status === 'rejected') return 'refused';
  if (status === 'failed') return undefined;
  if (retries > 0) return 'retried';
  if (status === 'repaired') return 'repaired';
  return isStrict === true ? 'prevented' : undefined;
}

const mostFirst = (one: { readonly calls: number }, other: { readonly calls: number }): number =>
  other.calls - one.calls;

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
