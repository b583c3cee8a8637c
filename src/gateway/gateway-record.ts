// What the gateway keeps of exchanges: counts in memory, and lines of a log if one is wanted.
import { rulesOf, statusOf } from './answer-repair.ts';
import { CallCounts, type CountedCall, type ModelCounts } from './call-counts.ts';
import type { ExchangeEnd, ExchangeCall } from './exchange.ts';
import { GatewayCalls } from './gateway-calls.ts';
import type { LearnedHint } from '../learning/hint-report.ts';
import type { OpenCounts, RequestEnd } from './open-requests.ts';
import type { LeftInText } from './text-group.ts';
import type { RecentCalls } from '../page/recent-calls.ts';
import { recordedArguments } from '../telemetry/redact-arguments.ts';
import {
  type Histogram,
  RequestCounts,
  type RequestStats,
  TimeHistogram,
} from './request-counts.ts';

export interface RecordOptions {
  /** Writes a line of the log; undefined: there is no log. */
  readonly writeLine: ((line: string) => void) | undefined;
  /** Lines have the schema and the arguments of calls, without secrets. */
  readonly contents: boolean;
  /** The page has the schemas and the arguments of calls, without secrets. Default: as `contents`. */
  readonly pageContents?: boolean;
  /** Writes a line for each request; undefined: there is no access log. */
  readonly writeAccess?: ((line: string) => void) | undefined;
}

/** Upper bounds in seconds of the added time of an exchange. */
const addedTimeBounds: readonly number[] = [
  0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5,
];

/** A copy of the counts. */
export interface GatewayStats {
  readonly since: string;
  /** Exchanges by API and end. */
  readonly exchanges: readonly {
    readonly protocol: string;
    readonly end: string;
    readonly count: number;
  }[];
  readonly models: readonly ModelCounts[];
  /** The gateway's own work in an exchange. */
  readonly addedTime: Histogram;
  readonly requests: RequestStats;
}

/** The counts, and how many requests are open now. */
export interface CurrentStats extends GatewayStats {
  /** What models often get wrong, and the sentences that are on or would be. */
  readonly hints: readonly LearnedHint[];
  readonly open: OpenCounts;
}

export class GatewayRecord {
  readonly #options: RecordOptions;
  readonly #counts = new CallCounts();
  readonly #since = new Date().toISOString();
  readonly #exchanges = new Map<string, { protocol: string; end: string; count: number }>();
  readonly #addedTime = new TimeHistogram(addedTimeBounds);
  readonly #requests = new RequestCounts();
  readonly #calls: GatewayCalls;

  constructor(options: RecordOptions) {
    this.#options = options;
    this.#calls = new GatewayCalls({ hasContents: options.pageContents ?? options.contents });
  }

  /** The newest calls, for the page. */
  get calls(): RecentCalls {
    return this.#calls.page;
  }

  add(end: ExchangeEnd): void {
    const { protocol, model, calls, leftInText, addedMs } = end;
    this.#counts.add(model, [...calls.map(countedCall), ...leftInText.map(countedText)], end);
    this.#calls.add(end);
    const key = `${protocol} ${end.end}`;
    const exchanges = this.#exchanges.get(key) ?? { protocol, end: end.end, count: 0 };
    exchanges.count += 1;
    this.#exchanges.set(key, exchanges);
    this.#addedTime.add(addedMs / 1_000);
    const { writeLine, contents } = this.#options;
    if (writeLine !== undefined)
      for (const line of linesOf(end, contents)) writeLine(`${JSON.stringify(line)}\n`);
  }

  /** A request of any path has ended. Those of known APIs are exchanges too. */
  addRequest(request: RequestEnd): void {
    const { writeLine, writeAccess } = this.#options;
    const { protocol, end, status } = request;
    if (protocol === 'own') return;
    this.#requests.add(request);
    if (writeLine !== undefined && protocol === 'other' && !isGood(end, status))
      writeLine(`${JSON.stringify(requestLine(request))}\n`);
    writeAccess?.(`${JSON.stringify(accessLine(request))}\n`);
  }

  stats(): GatewayStats {
    return {
      since: this.#since,
      exchanges: Array.from(this.#exchanges.values(), (exchange) => ({ ...exchange })),
      models: this.#counts.snapshot(),
      addedTime: this.#addedTime.snapshot(),
      requests: this.#requests.snapshot(),
    };
  }
}

function countedCall(exchangeCall: ExchangeCall): CountedCall {
  const { call, verdict, tool } = exchangeCall;
  return {
    tool: tool?.name ?? call.name.slice(0, longestName),
    status: statusOf(exchangeCall),
    rules: rulesOf(exchangeCall),
    issues: verdict.kind === 'rejected' ? verdict.issues.map(({ keyword }) => keyword) : [],
  };
}

const isGood = (end: RequestEnd['end'], status: number): boolean =>
  end === 'complete' && status < 400;

function requestLine({ protocol, method, path, status, end }: RequestEnd): object {
  return { time: new Date().toISOString(), protocol, method, path, answer: status, end };
}

/** Without headers, queries and bodies. */
function accessLine(request: RequestEnd): object {
  const { protocol, method, path, model, status, end, milliseconds, firstByteMs, bytes } = request;
  return {
    time: new Date().toISOString(),
    method,
    path,
    status,
    end,
    protocol,
    ...(model === undefined ? {} : { model }),
    ms: roundMilliseconds(milliseconds),
    ...(firstByteMs === undefined ? {} : { firstByteMs: roundMilliseconds(firstByteMs) }),
    bytes,
  };
}

/** A call that stayed in the text: the client did not get it as a call. */
const countedText = ({ name }: LeftInText): CountedCall => ({
  tool: name.slice(0, longestName),
  status: 'left_in_text',
  rules: [],
  issues: [],
});

/**
 * A line for each call; one without a call for an exchange that did not end well, or whose answer
 * is an error. No line has a key, a header or text.
 */
function linesOf(end: ExchangeEnd, contents: boolean): readonly object[] {
  const { id, protocol, model, status, calls, retries } = end;
  const head = { time: new Date().toISOString(), request: id, protocol, model, answer: status };
  const times = { addedMs: roundMilliseconds(end.addedMs), heldMs: roundMilliseconds(end.heldMs) };
  const endFields = {
    ...(end.end === 'complete' ? {} : { end: end.end }),
    ...(retries > 0 ? { retries } : {}),
    ...(end.isStrict ? { strict: true } : {}),
  };
  const leftLines = end.leftInText.map((call) => {
    const { tool, status: become } = countedText(call);
    const { notation, reason } = call;
    return {
      ...head,
      ...endFields,
      tool,
      status: become,
      ...(notation === undefined ? {} : { notation }),
      reason,
      ...times,
    };
  });
  if (calls.length === 0 && leftLines.length === 0)
    return isGood(end.end, status) ? [] : [{ ...head, ...endFields, ...times }];
  const ofCalls = calls.map((exchangeCall) => ({
    ...head,
    ...endFields,
    ...callOf(exchangeCall, contents),
    ...times,
    ...(contents ? contentsOf(exchangeCall) : {}),
  }));
  return [...ofCalls, ...leftLines];
}

const roundMilliseconds = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;

/**
 * The model made up the keys in paths of issues, and names of tools that there are not: they are
 * contents.
 */
function callOf(exchangeCall: ExchangeCall, contents: boolean): object {
  const { call, verdict } = exchangeCall;
  const { tool, status, rules } = countedCall(exchangeCall);
  return {
    id: call.id,
    ...(contents || exchangeCall.tool !== undefined ? { tool } : {}),
    ...(contents && call.name !== tool ? { requested: call.name.slice(0, longestName) } : {}),
    status,
    ...(exchangeCall.notation === undefined ? {} : { notation: exchangeCall.notation }),
    ...(rules.length === 0 ? {} : { rules }),
    ...(verdict.kind === 'rejected'
      ? {
          issues: verdict.issues.map(({ keyword, path }) =>
            contents ? { keyword, path } : { keyword },
          ),
        }
      : {}),
    // The sentences name arguments of the schema, which is contents too.
    ...(contents && 'misses' in verdict && verdict.misses.length > 0
      ? { misses: verdict.misses }
      : {}),
    ...(exchangeCall.isHinted ? { hinted: true } : {}),
    ...(call.finishReason === undefined ? {} : { finishReason: call.finishReason }),
  };
}

/** The most characters of a tool's name that the model made up. */
const longestName = 128;

const contentsOf = ({ call, tool }: ExchangeCall): object => ({
  ...(tool?.schema === undefined ? {} : { schema: tool.schema }),
  ...recordedArguments(call.arguments),
});
