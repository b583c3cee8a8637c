import { defined } from '../collections/objects.ts';
import { matches } from './call-filter.ts';
import { newestFirst, rateAlarms, runAlarms } from './alarms.ts';
import { countCalls, noCounts } from './call-numbers.ts';
import type {
  Alarms,
  CallDetail,
  CallNumbers,
  CallReader,
  CallsPage,
  CallsQuery,
  Counts,
  ListedCall,
  PageData,
} from './page-data.ts';

export interface RecentCallsOptions {
  readonly source: string;
  /** The most calls that are kept; older ones are forgotten. Default: 1,000,000. */
  readonly most?: number;
  /** Reads what a call holds beside its row. */
  readonly detail: (call: ListedCall) => Promise<Omit<CallDetail, 'call' | 'run'> | undefined>;
}

const usualMost = 1_000_000;
/** The calls of a run that a detail shows, at most. */
const longestRun = 60;

/** Calls in the memory of this process, in the order in which they came. */
export class RecentCalls implements PageData {
  readonly source: string;
  readonly #options: RecentCallsOptions;
  #calls: ListedCall[] = [];
  readonly #byId = new Map<string, ListedCall>();
  readonly #readers = new Set<CallReader>();
  /** Numbers of calls count from here. */
  #forgotten = 0;
  /** Cursors of another process are unknown here. */
  readonly #session = crypto.randomUUID().slice(0, 8);

  constructor(options: RecentCallsOptions) {
    this.source = options.source;
    this.#options = options;
  }

  /** Ends what readers follow: they can't read any more. */
  close(): void {
    for (const reader of this.#readers) reader.onLost();
    this.#readers.clear();
  }

  add(calls: readonly ListedCall[]): void {
    if (calls.length === 0) return;
    for (const call of calls) {
      this.#calls.push(call);
      this.#byId.set(call.id, call);
    }
    this.#forget();
    for (const reader of this.#readers) reader.onCalls({ calls, cursor: this.#cursor() });
  }

  /** In pieces: to take away the first element of a long list moves all others. */
  #forget(): void {
    const { most = usualMost } = this.#options;
    if (this.#calls.length < most * 1.1) return;
    const oldest = this.#calls.slice(0, this.#calls.length - most);
    for (const { id } of oldest) this.#byId.delete(id);
    this.#calls = this.#calls.slice(oldest.length);
    this.#forgotten += oldest.length;
  }

  #cursor(): string {
    return `${this.#session}.${this.#forgotten + this.#calls.length}`;
  }

  async list({ filter, since, before, limit }: CallsQuery): Promise<CallsPage> {
    const newest = this.#newestFirst();
    const from = before === undefined ? 0 : newest.findIndex(({ id }) => id === before) + 1;
    const calls = newest
      .values()
      .drop(from)
      .filter((call) => Date.parse(call.at) >= since && matches(call, filter))
      .take(limit + 1)
      .toArray();
    const next = calls.length > limit ? calls[limit - 1]?.id : undefined;
    return { calls: calls.slice(0, limit), ...defined({ next }) };
  }

  #sorted: { readonly length: number; readonly calls: readonly ListedCall[] } | undefined;

  /** A log may have lines that are out of order. */
  #newestFirst(): readonly ListedCall[] {
    const length = this.#forgotten + this.#calls.length;
    if (this.#sorted?.length !== length) {
      const calls = this.#calls
        .toReversed()
        .toSorted((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
      this.#sorted = { length, calls };
    }
    return this.#sorted.calls;
  }

  async counts({ filter, since }: Pick<CallsQuery, 'filter' | 'since'>): Promise<Counts> {
    const { status: _status, ...others } = filter;
    const counts = noCounts();
    for (const call of this.#calls) {
      if (Date.parse(call.at) >= since && matches(call, others)) counts[call.status] += 1;
    }
    return counts;
  }

  async call(id: string): Promise<CallDetail | undefined> {
    const call = this.#byId.get(id);
    const detail = call && (await this.#options.detail(call));
    if (call === undefined || detail === undefined) return undefined;
    const run =
      call.run === undefined
        ? [call]
        : this.#newestFirst()
            .filter((other) => other.run === call.run)
            .slice(0, longestRun)
            .toReversed();
    return { ...detail, call, run };
  }

  async numbers(since: number | undefined, until: number): Promise<CallNumbers> {
    return countCalls(this.#calls, since, until);
  }

  async alarms(since: number | undefined, now: number): Promise<Alarms> {
    const calls = this.#calls.filter(({ at }) => Date.parse(at) >= (since ?? 0));
    const { alarms, runs } = runAlarms(calls, now);
    const { releases } = countCalls(calls, since, now + 1);
    const tools = Map.groupBy(calls, ({ tool, release }) => JSON.stringify([tool, release]));
    const counts = [...tools.values()].flatMap(([first, ...others]) => {
      if (first?.release === undefined) return [];
      const { tool, release } = first;
      const tally = noCounts();
      for (const { status } of [first, ...others]) tally[status] += 1;
      return [{ tool, release, ...tally }];
    });
    return {
      alarms: newestFirst([...alarms, ...rateAlarms(releases, counts)]),
      runs,
      ...defined({ release: releases.at(-1)?.release }),
    };
  }

  async newest(): Promise<number | undefined> {
    const [call] = this.#newestFirst();
    return call === undefined ? undefined : Date.parse(call.at);
  }

  follow(after: string | undefined, reader: CallReader): () => void {
    this.#readers.add(reader);
    const [session, number = ''] = after?.split('.') ?? [];
    const at = Number(number) - this.#forgotten;
    if (session !== this.#session || !(at >= 0 && at <= this.#calls.length))
      reader.onReset(this.#cursor());
    else reader.onCalls({ calls: this.#calls.slice(at), cursor: this.#cursor() });
    return () => void this.#readers.delete(reader);
  }
}
