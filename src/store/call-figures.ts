// What pages and reports read of a store: how calls went, their counts, and what has changed since.

/**
 * How a call went; every call has exactly one. `valid`, `repaired`: its arguments were accepted, as
 * sent or after repair; also while it waits or runs, and if it was denied or cancelled. `rejected`:
 * its arguments or its tool's name were not accepted. `failed`: its arguments were accepted, its
 * tool ran, and gave no result (`retry`, `failed`, `timed_out`).
 */
export type CallStatus = 'valid' | 'repaired' | 'rejected' | 'failed';

/** Why arguments were rejected. Has no value of the call. */
export interface RejectedPlace {
  /** The keyword of the issue, or `unknown_tool`. */
  readonly keyword: string;
  /** JSON Pointer, of at most 200 characters; '' for the arguments as a whole. */
  readonly path: string;
  /** The key that is missing, unknown or repeated, in at most 200 characters. */
  readonly key?: string;
}

/** Numbers of calls. `calls` is the sum of the others. */
export interface CallFigures {
  readonly calls: number;
  readonly valid: number;
  readonly repaired: number;
  readonly rejected: number;
  readonly failed: number;
}

/**
 * By what calls are counted. `time`: by steps of `stepMs`. `rule`: only calls in which a rule
 * repaired something; a call counts for each of its rules. `issue`: only rejected calls; a call
 * counts for each of its issues, by keyword and field.
 */
export type StatsDimension = 'model' | 'tool' | 'release' | 'time' | 'rule' | 'issue';

/** Which calls `journal.stats` counts, and by what. */
export interface StatsQuery {
  /**
   * One, or several such as `['model', 'tool']`; of `rule` and `issue` at most one. `[]`: one row
   * for all calls.
   */
  readonly by: StatsDimension | readonly StatsDimension[];
  /** Calls that came at this time or later. Default: from the first one. */
  readonly since?: Date;
  /** Calls that came before this time. Default: to the last one. */
  readonly until?: Date;
  /** Milliseconds of a step, at least 1,000. Required for `time`. Steps begin at multiples of it. */
  readonly stepMs?: number;
  /** Those of one tenant. Default: of all. */
  readonly tenant?: string;
  /** Those of one model. */
  readonly model?: string;
  /** Those of one tool, by its name. */
  readonly tool?: string;
  /** Those of one release. */
  readonly release?: string;
}

/**
 * Counts of the calls that have the same values. A value is absent if the query doesn't count by
 * it, or if the calls have none: no model, or no release.
 */
export interface StatsRow extends CallFigures {
  readonly model?: string;
  readonly tool?: string;
  readonly release?: string;
  /** The beginning of the step: ISO 8601, in UTC. Steps without calls have no row. */
  readonly time?: string;
  /** The id of a rule, or `tool_name` if the tool's name was misspelt. */
  readonly rule?: string;
  /** The keyword of an issue, or `unknown_tool`. */
  readonly issue?: string;
  /**
   * Of an issue: JSON Pointer of the field, the key included, with `*` for the indexes of arrays.
   */
  readonly field?: string;
}

/** From where `journal.changes` reads on. */
export interface ChangesQuery {
  /**
   * The `cursor` of the answer before. Default: now; the answer has a cursor and perhaps the entries
   * that are being written.
   */
  readonly after?: string;
  /** Those of one tenant. Default: of all. */
  readonly tenant?: string;
  /** Default: 100. */
  readonly limit?: number;
}

/** Entries that were written or changed after a cursor, oldest change first. */
export interface EntryChanges<Entry> {
  /**
   * None is left out, whatever transactions were open meanwhile. One may come again unchanged, so
   * let an entry replace the one with its `id`.
   */
  readonly entries: readonly Entry[];
  /**
   * Pass it as `after`. Text without a meaning of its own, which may be kept, for example as the id
   * of a server-sent event.
   */
  readonly cursor: string;
  /** Whether more have changed already: ask again at once. */
  readonly hasMore: boolean;
}

/** What of a call is counted and looked for; columns of a journal in a database. */
export interface CallFacts {
  readonly model?: string;
  readonly provider?: string;
  /** The `id` of the call's `ToolRun`. */
  readonly run?: string;
  /** The version of the application that took the call: the registry's option `release`. */
  readonly release?: string;
  readonly status: CallStatus;
  /** The rules that repaired something, each once; `tool_name` if the tool's name was misspelt. */
  readonly rules: readonly string[];
  /** Empty unless the call was rejected. */
  readonly issues: readonly RejectedPlace[];
}

/** The conditions of `journal.list` about facts of a call and its time. */
export interface FactsQuery {
  /** Those of one model. */
  readonly model?: string;
  /** Those that went so. */
  readonly status?: CallStatus;
  /** Those in which this rule repaired something, by its id. */
  readonly rule?: string;
  /** Those that were rejected for an issue with this keyword. */
  readonly issue?: string;
  /** With `issue`: those that have it in this field, as `journal.stats` names it. */
  readonly field?: string;
  /** Those of the `ToolRun` with this id. */
  readonly run?: string;
  /** Those of one release. */
  readonly release?: string;
  /** Those that came at this time or later. */
  readonly since?: Date;
  /** Those that came before this time. */
  readonly until?: Date;
}

/** The methods by which a store tells what became of its calls. */
export interface CallFiguresReader<Entry> {
  /** Counts, most calls first; by `time`, oldest first. Rejects with a DefinitionError. */
  stats(query: StatsQuery): Promise<readonly StatsRow[]>;
  /** What was written or changed since. Rejects with a DefinitionError for a wrong query. */
  changes(query?: ChangesQuery): Promise<EntryChanges<Entry>>;
}
