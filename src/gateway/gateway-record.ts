// What the gateway keeps of exchanges: counts in memory, and lines of a log if one is wanted.
import { CallCounts, type CountedCall, type ModelCounts } from './call-counts.ts';
import type { ExchangeEnd, RecordedCall } from './exchange.ts';
import { recordedArguments } from './redact-arguments.ts';

export interface RecordOptions {
  /** Writes a line of the log; undefined: there is no log. */
  readonly writeLine: ((line: string) => void) | undefined;
  /** Lines have the schema and the arguments of calls, without secrets. */
  readonly contents: boolean;
}

/** Upper bounds in seconds of the added time of an exchange. */
const addedTimeBounds: readonly number[] = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5];

/** A copy of the counts. */
export interface GatewayStats {
  readonly since: string;
  /** Exchanges by API and end. */
  readonly exchanges: readonly { readonly protocol: string; readonly end: string; readonly count: number }[];
  readonly models: readonly ModelCounts[];
  /** The gateway's own work in an exchange: how many took at most each bound, and all of it. */
  readonly addedTime: {
    readonly count: number;
    readonly seconds: number;
    readonly atMost: readonly { readonly seconds: number; readonly count: number }[];
  };
}

export class GatewayRecord {
  readonly #options: RecordOptions;
  readonly #counts = new CallCounts();
  readonly #since = new Date().toISOString();
  readonly #exchanges = new Map<string, { protocol: string; end: string; count: number }>();
  readonly #atMost: number[] = addedTimeBounds.map(() => 0);
  #exchangeCount = 0;
  #seconds = 0;

  constructor(options: RecordOptions) {
    this.#options = options;
  }

  add(end: ExchangeEnd): void {
    const { protocol, model, calls, addedMs } = end;
    this.#counts.add(model, calls.map(countedCall));
    const key = `${protocol} ${end.end}`;
    const exchanges = this.#exchanges.get(key) ?? { protocol, end: end.end, count: 0 };
    exchanges.count += 1;
    this.#exchanges.set(key, exchanges);
    this.#exchangeCount += 1;
    this.#seconds += addedMs / 1_000;
    for (const [index, bound] of addedTimeBounds.entries())
      if (addedMs / 1_000 <= bound) this.#atMost[index] = (this.#atMost[index] ?? 0) + 1;
    const { writeLine, contents } = this.#options;
    if (writeLine !== undefined)
      for (const line of linesOf(end, contents)) writeLine(`${JSON.stringify(line)}\n`);
  }

  stats(): GatewayStats {
    return {
      since: this.#since,
      exchanges: Array.from(this.#exchanges.values(), (exchange) => ({ ...exchange })),
      models: this.#counts.snapshot(),
      addedTime: {
        count: this.#exchangeCount,
        seconds: this.#seconds,
        atMost: addedTimeBounds.map((seconds, index) => ({ seconds, count: this.#atMost[index] ?? 0 })),
      },
    };
  }
}

function countedCall({ call, verdict, tool }: RecordedCall): CountedCall {
  return {
    tool: tool?.name ?? call.name.slice(0, longestName),
    status: verdict.kind,
    rules: verdict.kind === 'repaired' ? verdict.rules : [],
    issues: verdict.kind === 'rejected' ? verdict.issues.map(({ keyword }) => keyword) : [],
  };
}

/** A line for each call; one without a call for an exchange that did not end well. No line has a key, a header or text. */
function linesOf(end: ExchangeEnd, contents: boolean): readonly object[] {
  const { id, protocol, model, status, calls, retries } = end;
  const head = { time: new Date().toISOString(), request: id, protocol, model, answer: status };
  const times = { addedMs: rounded(end.addedMs), heldMs: rounded(end.heldMs) };
  const ended = { ...(end.end === 'complete' ? {} : { end: end.end }), ...(retries > 0 ? { retries } : {}) };
  if (calls.length === 0) return end.end === 'complete' ? [] : [{ ...head, ...ended, ...times }];
  return calls.map((recorded) => ({
    ...head,
    ...ended,
    ...callOf(recorded, contents),
    ...times,
    ...(contents ? contentsOf(recorded) : {}),
  }));
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;

/** The model made up the keys in paths of issues, and names of tools that there are not: they are contents. */
function callOf(recorded: RecordedCall, contents: boolean): object {
  const { call, verdict } = recorded;
  const { tool, status, rules } = countedCall(recorded);
  return {
    id: call.id,
    ...(contents || recorded.tool !== undefined ? { tool } : {}),
    ...(contents && call.name !== tool ? { requested: call.name.slice(0, longestName) } : {}),
    status,
    ...(recorded.notation === undefined ? {} : { notation: recorded.notation }),
    ...(rules.length === 0 ? {} : { rules }),
    ...(verdict.kind === 'rejected'
      ? { issues: verdict.issues.map(({ keyword, path }) => (contents ? { keyword, path } : { keyword })) }
      : {}),
    ...(call.finishReason === undefined ? {} : { finishReason: call.finishReason }),
  };
}

/** The most characters of a tool's name that the model made up. */
const longestName = 128;

const contentsOf = ({ call, tool }: RecordedCall): object => ({
  ...(tool?.schema === undefined ? {} : { schema: tool.schema }),
  ...recordedArguments(call.arguments),
});
