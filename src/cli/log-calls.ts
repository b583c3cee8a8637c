// The calls of a log, of the gateway or of records, as the page shows them.
import { defined, ownValue } from '../collections/objects.ts';
import { arrayAt, numberAt, objectAt, textAt } from '../json/members.ts';
import { parseJson } from '../json/parse.ts';
import { type JsonObject, isJsonArray, isJsonObject } from '../json/value.ts';
import { caseLine } from '../page/case-line.ts';
import { type JudgedCall, issueName, judgedCall, ruleCounts } from '../page/judged-call.ts';
import type { CallDetail, ListedCall } from '../page/page-data.ts';
import { RecentCalls } from '../page/recent-calls.ts';
import { statusOfRecord } from '../page/recorded-status.ts';
import type { LearnedHint } from '../learning/hint-report.ts';
import { RecordContracts } from './cases.ts';
import { LoggedMisses } from './logged-misses.ts';
import { type RecordedCall, readRecord } from './read-records.ts';
import { type TailLine, TailLines } from './tail-lines.ts';

/** How often a log is looked at for new lines. */
const pollMs = 250;
const mostInPart = 1_000;

/** Follows a log. Rejects as `node:fs` does if the file can't be read. */
export class LogCalls {
  readonly calls: RecentCalls;
  readonly #lines: TailLines;
  readonly #contracts = new RecordContracts();
  readonly #misses = new LoggedMisses();
  #timer: NodeJS.Timeout | undefined;

  private constructor(source: string, lines: TailLines) {
    this.#lines = lines;
    this.calls = new RecentCalls({ source, detail: (call) => this.#detail(call) });
  }

  static async open(path: string, source: string): Promise<LogCalls> {
    const log = new LogCalls(source, await TailLines.open(path));
    await log.#readNew('end');
    log.#follow();
    return log;
  }

  #follow(): void {
    this.#timer = setTimeout(() => {
      this.#readNew().then(
        () => this.#follow(),
        () => this.#follow(),
      );
    }, pollMs);
  }

  async #readNew(end?: 'end'): Promise<void> {
    let part: ListedCall[] = [];
    for await (const line of this.#lines.next(end)) {
      const logged = this.#callsIn(line);
      part.push(...logged.map(({ call }) => call));
      for (const { record } of logged.slice(0, 1)) this.#misses.add(record);
      if (part.length < mostInPart) continue;
      this.calls.add(part);
      part = [];
    }
    this.calls.add(part);
  }

  #callsIn({ text, at, modified }: TailLine): readonly LoggedCall[] {
    const reading = parseJson(text);
    if (reading.kind !== 'read' || !isJsonObject(reading.value)) return [];
    const record = reading.value;
    const line = readRecord(text);
    const recordedCalls = line.kind === 'calls' ? line.calls : [];
    const calls = recordedCalls.length === 0 ? [undefined] : recordedCalls;
    return calls.flatMap((one, index) => {
      const id = `${at.toString(36)}${index === 0 ? '' : `-${index}`}`;
      const call = this.#listedCall(record, one, { id, at: modified.toISOString() });
      return call === undefined ? [] : [{ call, record, recordedCall: one }];
    });
  }

  /** Undefined for a line without a call. `at` is for lines without a time. */
  #listedCall(
    record: JsonObject,
    recordedCall: RecordedCall | undefined,
    { id, at }: Pick<ListedCall, 'id' | 'at'>,
  ): ListedCall | undefined {
    const recordedStatus = writtenStatus(record);
    const judged =
      recordedStatus === undefined && recordedCall !== undefined
        ? this.#judged(recordedCall)
        : undefined;
    const status = recordedStatus ?? judged?.status;
    const tool = recordedCall?.tool.name ?? textAt(record, 'tool') ?? textAt(record, 'requested');
    if (status === undefined) return undefined;
    const journal = objectAt(record, 'journal') ?? {};
    const outcome = objectAt(journal, 'outcome') ?? {};
    return {
      id,
      at: timeOf(record, journal) ?? at,
      tool: tool ?? '(no name)',
      status,
      rules: judged === undefined ? writtenRules(record) : ruleCounts(judged.repairs),
      issues: [...new Set((judged?.issues ?? []).map(issueName).concat(writtenIssues(record)))],
      ...defined({
        callId: recordedCall?.id ?? textAt(record, 'id'),
        model: textAt(record, 'model') ?? textAt(objectAt(record, 'request') ?? {}, 'model'),
        run: textAt(record, 'run'),
        release: textAt(record, 'release'),
        conversation: textAt(record, 'conversation') ?? textAt(journal, 'conversation'),
        milliseconds: numberAt(record, 'ms'),
        isStrict: ownValue(record, 'strict') === true ? true : undefined,
        retries: numberAt(record, 'retries'),
        error: status === 'failed' ? textAt(outcome, 'message') : undefined,
      }),
    };
  }

  #judged(recordedCall: RecordedCall): JudgedCall | undefined {
    const contract = this.#contracts.of(recordedCall);
    if (typeof contract === 'string') return undefined;
    const { sentArguments, finishReason } = recordedCall;
    return judgedCall({ contract: contract.contract, sent: sentArguments, finishReason });
  }

  async #detail(call: ListedCall): Promise<Omit<CallDetail, 'call' | 'run'> | undefined> {
    const logLine = await this.#lines.lineAt(Number.parseInt(call.id, 36));
    if (logLine === undefined) return { repairs: [], issues: [], notes: [], missing: 'replaced' };
    const loggedCall = this.#callsIn(logLine).find((one) => one.call.id === call.id);
    const judged = loggedCall?.recordedCall && this.#judged(loggedCall.recordedCall);
    if (judged === undefined) return { repairs: [], issues: [], notes: [], missing: 'contents' };
    const { status, ...detail } = judged;
    const { tool, model } = call;
    const line = caseLine({ ...judged, id: call.callId ?? call.id, tool, model });
    const isOther = status !== call.status && call.status !== 'failed';
    return { ...detail, ...defined({ line, today: isOther ? status : undefined }) };
  }

  hints(): readonly LearnedHint[] {
    return this.#misses.hints();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#lines.close();
  }
}

interface LoggedCall {
  readonly call: ListedCall;
  readonly record: JsonObject;
  readonly recordedCall: RecordedCall | undefined;
}

/** What became of the call when it was recorded. Undefined: the line doesn't say. */
function writtenStatus(record: JsonObject): ListedCall['status'] | undefined {
  const outcome = textAt(objectAt(objectAt(record, 'journal') ?? {}, 'outcome') ?? {}, 'status');
  if (outcome === 'failed' || outcome === 'timed_out') return 'failed';
  return statusOfRecord(textAt(record, 'status') ?? '');
}

function writtenRules(record: JsonObject): ListedCall['rules'] {
  const rules = ownValue(record, 'rules') ?? ownValue(record, 'repairs');
  if (!isJsonArray(rules)) return [];
  return ruleCounts(
    rules.flatMap((rule) => {
      const name = isJsonObject(rule) ? textAt(rule, 'rule') : rule;
      return typeof name === 'string' ? [{ rule: name }] : [];
    }),
  );
}

/** What a line says beside a judgement: a call without a schema has none. */
function writtenIssues(record: JsonObject): readonly string[] {
  const status = textAt(record, 'status') ?? '';
  const listedIssues = arrayAt(record, 'issues').flatMap((issue) => {
    const keyword = textAt(issue, 'keyword');
    return keyword === undefined
      ? []
      : issueName({
          keyword,
          path: textAt(issue, 'path') ?? '',
          ...defined({ key: textAt(issue, 'key') }),
        });
  });
  const isOwnIssue = statusOfRecord(status) === 'rejected' && status !== 'rejected';
  return isOwnIssue ? [status, ...listedIssues] : listedIssues;
}

function timeOf(record: JsonObject, journal: JsonObject): string | undefined {
  const text =
    textAt(record, 'time') ?? textAt(record, 'timestamp') ?? textAt(journal, 'createdAt');
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
