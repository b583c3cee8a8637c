// The calls of a journal, as the page shows them.
import { defined, ownValue } from '../collections/objects.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { type LearnedHint, learnedHints } from '../learning/hint-report.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import { missesOf } from '../store/call-facts.ts';
import type { StatsQuery, StatsRow } from '../store/call-figures.ts';
import type { CallStore, JournalEntry, JournalQuery } from '../store/call-store.ts';
import { shownText, withoutSecrets } from '../telemetry/redact-arguments.ts';
import { newestFirst, rateAlarms, runAlarms, runOf } from './alarms.ts';
import { matches } from './call-filter.ts';
import { noCounts, stepLength, stepTimes } from './call-numbers.ts';
import { allEffects } from '../wire/tool-effects.ts';
import { caseLine } from './case-line.ts';
import { listedRepairs, nameOfIssue, ruleCounts } from './judged-call.ts';
import {
  type Alarms,
  type CallDetail,
  type CallFilter,
  type CallNumbers,
  type CallReader,
  type CallsPage,
  type CallsQuery,
  type Counts,
  type ListedCall,
  type PageData,
  callStatuses,
} from './page-data.ts';

export interface JournalCallsOptions {
  readonly source: string;
  /** Only calls of this tenant are seen. Absent: those of all. */
  readonly tenant?: string | undefined;
}

/** How often the journal is asked for changes. */
const pollMs = 400;
/** Entries that are read at once. */
const entriesInPart = 500;
/** Entries that one request reads to find calls that no index finds. */
const mostRead = 10_000;
/** Rejected calls, and runs of them, in which alarms are looked for: the newest. */
const mostRejected = 2_000;
const mostRuns = 200;
const hour = 3_600_000;
/** The calls of a run that a detail shows, at most. */
const longestRun = 60;

/** The hints of a journal, which are counted over all tenants. */
export const journalHints = async (journal: CallStore): Promise<readonly LearnedHint[]> =>
  learnedHints(await journal.hintCounts.exchange([]));

/** Keeps nothing between requests: an application may make one for each request and its tenant. */
export class JournalCalls implements PageData {
  readonly source: string;
  readonly #journal: CallStore;
  readonly #scope: { readonly tenant?: string };

  constructor(journal: CallStore, { source, tenant }: JournalCallsOptions) {
    this.source = source;
    this.#journal = journal;
    this.#scope = defined({ tenant });
  }

  async list({ filter, since, before, limit }: CallsQuery): Promise<CallsPage> {
    const indexedQuery = this.#queryOf(filter);
    if (indexedQuery === undefined) return { calls: [] };
    const query = { ...indexedQuery, ...sinceOf(since) };
    const calls: ListedCall[] = [];
    let next = before;
    for (let read = 0; read < mostRead; read += entriesInPart) {
      const part = Math.min(entriesInPart, filter.text === undefined ? limit + 1 : entriesInPart);
      const entries = await this.#journal.list({
        ...query,
        ...defined({ before: next }),
        limit: part,
      });
      for (const entry of entries) {
        const call = listedCall(entry);
        if (!matches(call, filter)) continue;
        if (calls.length === limit) return { calls, ...defined({ next: calls.at(-1)?.id }) };
        calls.push(call);
      }
      if (entries.length < part) return { calls };
      next = entries.at(-1)?.id;
    }
    return { calls, ...defined({ next }) };
  }

  /** What an index of the journal finds. Undefined: no call can match. */
  #queryOf(filter: CallFilter): JournalQuery | undefined {
    const { model, tool, rule, issue, run, release } = filter;
    const status = callStatuses.find((one) => one === filter.status);
    // A rejected call has no repair.
    if (status !== filter.status || (rule !== undefined && issue !== undefined)) return undefined;
    const [keyword, field] = issue === undefined ? [] : issuePlace(issue);
    return {
      ...this.#scope,
      ...defined({ model, tool, status, rule, run, release, issue: keyword, field }),
    };
  }

  async counts({
    filter,
    since,
  }: Pick<CallsQuery, 'filter' | 'since'>): Promise<Counts | undefined> {
    const { model, tool, release, rule, issue, run, text } = filter;
    if (text !== undefined || run !== undefined) return undefined;
    if (rule !== undefined && issue !== undefined) return noCounts();
    const query = { ...this.#scope, ...defined({ model, tool, release }), ...sinceOf(since) };
    if (rule !== undefined)
      return countsOf(
        (await this.#journal.stats({ ...query, by: 'rule' })).filter((row) => row.rule === rule),
      );
    if (issue !== undefined)
      return countsOf(
        (await this.#journal.stats({ ...query, by: 'issue' })).filter(
          (row) => issueOf(row) === issue,
        ),
      );
    return countsOf(await this.#journal.stats({ ...query, by: [] }));
  }

  async call(id: string): Promise<CallDetail | undefined> {
    const entry = await this.#journal.entry(id);
    const { tenant } = this.#scope;
    if (entry === undefined || (tenant !== undefined && entry.tenant !== tenant)) return undefined;
    const { run, contract } = entry;
    const [ofRun, definition] = await Promise.all([
      run === undefined ? [entry] : this.#journal.list({ ...this.#scope, run, limit: longestRun }),
      contract === undefined ? undefined : this.#journal.definition(contract),
    ]);
    return {
      ...detailOf(entry, definition),
      run: ofRun.toReversed().map(listedCall),
    };
  }

  async numbers(since: number | undefined, until: number): Promise<CallNumbers> {
    const start = since ?? (await this.#firstTime()) ?? until;
    const stepMs = stepLength(start, until);
    const range = { ...this.#scope, since: new Date(start), until: new Date(until) };
    const beforeStart = Math.max(0, start - (until - start));
    const before = { since: new Date(beforeStart), until: new Date(start) };
    const stats = (query: Pick<StatsQuery, 'by' | 'stepMs'>): Promise<readonly StatsRow[]> =>
      this.#journal.stats({ ...range, ...query });
    const [steps, cells, rules, issues, rowsBefore] = await Promise.all([
      stats({ by: ['release', 'time'], stepMs }),
      stats({ by: ['model', 'tool'] }),
      stats({ by: 'rule' }),
      stats({ by: ['tool', 'issue'] }),
      since === undefined ? undefined : this.#journal.stats({ ...range, ...before, by: [] }),
    ]);
    return {
      since: start,
      until,
      total: countsOf(cells),
      ...(rowsBefore === undefined ? {} : { before: countsOf(rowsBefore) }),
      stepMs,
      steps: stepsOf(steps, start, until, stepMs),
      cells: cells.map(({ model = '', tool = '', ...row }) => ({
        model,
        tool,
        ...countsOf([row]),
      })),
      mistakes: mistakesOf(cells),
      releases: releasesOf(steps),
      rules: rules.flatMap(({ rule, repaired }) =>
        rule === undefined || repaired === 0 ? [] : [{ rule, calls: repaired }],
      ),
      issues: issues.flatMap(({ tool = '', rejected, ...row }) =>
        rejected === 0 ? [] : [{ tool, issue: issueOf(row), calls: rejected }],
      ),
    };
  }

  async alarms(since: number | undefined, now: number): Promise<Alarms> {
    const range = { ...this.#scope, ...sinceOf(since ?? 0) };
    const [rejectedEntries, byTime, byTool] = await Promise.all([
      this.#journal.list({ ...range, status: 'rejected', limit: mostRejected }),
      this.#journal.stats({ ...range, by: ['release', 'time'], stepMs: hour }),
      this.#journal.stats({ ...range, by: ['tool', 'release'] }),
    ]);
    const runs = [...new Map(rejectedEntries.map((entry) => [runOf(entry), entry])).values()]
      .filter((entry) => runOf(entry) !== undefined)
      .slice(0, mostRuns);
    const calls = await Promise.all(
      runs.map(({ run, conversation }) =>
        this.#journal.list({
          ...this.#scope,
          ...(run === undefined ? defined({ conversation }) : { run }),
          limit: longestRun,
        }),
      ),
    );
    // The oldest first: calls of the same millisecond keep their order.
    const ofRuns = runAlarms(
      calls.flatMap((run) => run.toReversed().map(listedCall)),
      now,
    );
    const counts = byTool.flatMap(({ tool, release, ...row }) =>
      tool === undefined || release === undefined ? [] : [{ tool, release, ...countsOf([row]) }],
    );
    const releases = releasesOf(byTime);
    return {
      alarms: newestFirst([...ofRuns.alarms, ...rateAlarms(releases, counts)]),
      runs: ofRuns.runs,
      ...defined({ release: releases.at(-1)?.release }),
    };
  }

  async #firstTime(): Promise<number | undefined> {
    const [first] = await this.#journal.stats({ ...this.#scope, by: 'time', stepMs: 24 * hour });
    return first?.time === undefined ? undefined : Date.parse(first.time);
  }

  async newest(): Promise<number | undefined> {
    const [entry] = await this.#journal.list({ ...this.#scope, limit: 1 });
    return entry === undefined ? undefined : Date.parse(entry.createdAt);
  }

  follow(after: string | undefined, reader: CallReader): () => void {
    const follower = new Follower(this.#journal, this.#scope, reader);
    follower.start(after);
    return () => follower.stop();
  }
}

/** Asks a journal for changes, again and again. */
class Follower {
  readonly #journal: CallStore;
  readonly #scope: { readonly tenant?: string };
  readonly #reader: CallReader;
  /** The last state of calls that the journal tells of again, as long as a transaction is open. */
  #told = new Map<string, string>();
  #wake: (() => void) | undefined;
  #isStopped = false;

  constructor(journal: CallStore, scope: { readonly tenant?: string }, reader: CallReader) {
    this.#journal = journal;
    this.#scope = scope;
    this.#reader = reader;
  }

  start(after: string | undefined): void {
    this.#run(after).catch(() => {
      if (!this.#isStopped) this.#reader.onLost();
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake?.();
  }

  async #run(after: string | undefined): Promise<void> {
    for (let cursor = await this.#begin(after); !this.#isStopped;) {
      await this.#pause();
      cursor = await this.#read(cursor);
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** The cursor from which to follow. */
  async #begin(after: string | undefined): Promise<string> {
    if (after !== undefined) {
      try {
        return await this.#read(after);
      } catch (error) {
        // A cursor of another journal.
        if (!(error instanceof DefinitionError)) throw error;
      }
    }
    const { cursor } = await this.#journal.changes(this.#scope);
    if (!this.#isStopped) this.#reader.onReset(cursor);
    return cursor;
  }

  /** Tells of all changes since; returns the cursor after them. */
  async #read(after: string): Promise<string> {
    const messages = new Map<string, string>();
    for (let cursor = after; ;) {
      const changes = await this.#journal.changes({
        ...this.#scope,
        after: cursor,
        limit: entriesInPart,
      });
      cursor = changes.cursor;
      const calls = changes.entries.map(listedCall).filter((call) => {
        const text = JSON.stringify(call);
        messages.set(call.id, text);
        return this.#told.get(call.id) !== text;
      });
      if (this.#isStopped) return cursor;
      if (calls.length > 0) this.#reader.onCalls({ calls, cursor });
      if (changes.hasMore) continue;
      this.#told = messages;
      return cursor;
    }
  }
}

const sinceOf = (since: number): { readonly since?: Date } =>
  since > 0 ? { since: new Date(since) } : {};

function listedCall(entry: JournalEntry): ListedCall {
  const { id, callId, createdAt, tool, status, state, call, rules, outcome } = entry;
  const { model, run, release, conversation } = entry;
  const isOpen = state === 'running' || state === 'waiting' || state === 'in_doubt';
  const repairs = call?.repairs ?? [];
  const others = rules.filter((rule) => repairs.every((repair) => repair.rule !== rule));
  return {
    id,
    callId,
    at: createdAt,
    tool,
    status,
    rules: [...others.map((rule) => ({ rule, times: 1 })), ...ruleCounts(repairs)],
    issues: missesOf(entry).flatMap(({ kind, name, fields }) =>
      kind === 'rule' ? [] : fields.map((field) => issueOf({ issue: name, field })),
    ),
    ...defined({
      state: state === 'queued' ? 'running' : isOpen ? state : undefined,
      model,
      run,
      release,
      conversation,
      milliseconds: outcome !== undefined && 'duration' in outcome ? outcome.duration : undefined,
      error:
        status === 'rejected' || outcome === undefined || !('message' in outcome)
          ? undefined
          : shownText(outcome.message),
    }),
  };
}

function detailOf(
  entry: JournalEntry,
  definition: JsonObject | undefined,
): Omit<CallDetail, 'run'> {
  const { call: record, issues, outcome, attempts, hasSecrets } = entry;
  const call = listedCall(entry);
  const safeSent = entry.sent === undefined ? undefined : withoutSecrets(entry.sent);
  const sentText = typeof safeSent === 'string' ? safeSent : undefined;
  const safeUsed = record === undefined ? undefined : withoutSecrets(record.arguments);
  const usedText = typeof safeUsed === 'string' ? safeUsed : undefined;
  const isWhole = sentText === entry.sent;
  const message = outcome !== undefined && 'message' in outcome ? outcome.message : undefined;
  const notes = [
    ...(record?.notes ?? []).map(({ text }) => text),
    ...(outcome !== undefined && 'notes' in outcome ? (outcome.notes ?? []) : []),
  ];
  const { status } = call;
  const { finishReason } = record ?? {};
  const facts = defined({ sent: sentText, used: usedText, ...toolFacts(definition), finishReason });
  return {
    ...facts,
    call,
    repairs: listedRepairs(record?.repairs ?? []),
    issues,
    // They may repeat what was sent.
    notes: isWhole ? notes.map(shownText) : [],
    attempts,
    ...defined({
      message: isWhole && message !== undefined ? shownText(message) : undefined,
      result: outcome?.status === 'completed' ? shownText(outcome.content.text) : undefined,
      missing: hasSecrets || (!isWhole && sentText === undefined) ? 'secrets' : undefined,
      line:
        status === 'failed'
          ? undefined
          : caseLine({ ...facts, id: entry.callId, tool: entry.tool, model: entry.model, status }),
    }),
  };
}

function toolFacts(definition: JsonObject = {}): Pick<Partial<CallDetail>, 'schema' | 'effects'> {
  const [schema, effects] = [ownValue(definition, 'inputSchema'), ownValue(definition, 'effects')];
  return defined({
    schema: schema !== undefined && isJsonObject(schema) ? schema : undefined,
    effects: allEffects.find((one) => one === effects),
  });
}

const issueOf = ({ issue = '', field = '' }: Pick<StatsRow, 'issue' | 'field'>): string =>
  nameOfIssue(issue, field);

function issuePlace(issue: string): readonly [keyword: string, field: string] {
  const at = issue.indexOf(' ');
  return at === -1 ? [issue, ''] : [issue.slice(0, at), issue.slice(at + 1)];
}

type CountedRow = Pick<StatsRow, 'valid' | 'repaired' | 'rejected' | 'failed'>;

function countsOf(rows: readonly CountedRow[]): Counts {
  const counts = noCounts();
  for (const { valid, repaired, rejected, failed } of rows) {
    counts.valid += valid;
    counts.repaired += repaired;
    counts.rejected += rejected;
    counts.failed += failed;
  }
  return counts;
}

function stepsOf(
  rows: readonly StatsRow[],
  start: number,
  until: number,
  stepMs: number,
): CallNumbers['steps'] {
  const byTime = Map.groupBy(rows, ({ time = '' }) => Date.parse(time));
  return stepTimes(start, until, stepMs).map((at) => ({ at, ...countsOf(byTime.get(at) ?? []) }));
}

/**
 * Without what was prevented and retried: no call says whether a server's grammar constrained it, or
 * which rejected call it takes the place of.
 */
function mistakesOf(rows: readonly StatsRow[]): CallNumbers['mistakes'] {
  const byModel = Map.groupBy(rows, ({ model = '' }) => model);
  return Array.from(byModel, ([model, ofModel]) => {
    const { valid, repaired, rejected, failed } = countsOf(ofModel);
    const calls = valid + repaired + rejected + failed;
    return { model, calls, repaired, refused: rejected };
  }).toSorted((one, other) => other.calls - one.calls);
}

/** The oldest first; of those that began in the same step, the lower version. */
function releasesOf(rows: readonly StatsRow[]): CallNumbers['releases'] {
  const byRelease = Map.groupBy(rows, ({ release }) => release);
  return [...byRelease]
    .flatMap(([release, [first, ...others]]) =>
      release === undefined || first === undefined
        ? []
        : [{ release, first: Date.parse(first.time ?? ''), ...countsOf([first, ...others]) }],
    )
    .toSorted(
      (one, other) =>
        one.first - other.first ||
        one.release.localeCompare(other.release, 'en', { numeric: true }),
    );
}
