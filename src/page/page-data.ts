// What the page shows, and the port by which it gets it: a journal, a log and the gateway have it.
import type { RejectedPlace } from '../store/call-figures.ts';
import type { Effects } from '../tool/tool-contract.ts';
import type { ChangedPlace } from './difference.ts';

/**
 * `valid`: the tool got what was sent. `rejected`: nothing ran, and the model read why. `failed`:
 * the arguments were right, and the tool failed.
 */
export const callStatuses = ['valid', 'repaired', 'rejected', 'failed'] as const;

export type CallStatus = (typeof callStatuses)[number];

/** What a call that has no outcome yet does: its status is that of its arguments. */
export type OpenState = 'running' | 'waiting' | 'in_doubt';

/** A call in a list. */
export interface ListedCall {
  readonly id: string;
  /** The id that the model's server gave. */
  readonly callId?: string;
  /** ISO 8601, in UTC. */
  readonly at: string;
  readonly tool: string;
  readonly status: CallStatus;
  readonly state?: OpenState;
  /** The rules of its repairs, with how often each of them acted. */
  readonly rules: readonly { readonly rule: string; readonly times: number }[];
  /**
   * What is wrong with a rejected call, each once, by keyword and field as `journal.stats` has them:
   * `required /command`.
   */
  readonly issues: readonly string[];
  readonly model?: string;
  readonly run?: string;
  /** The version of the application. */
  readonly release?: string;
  readonly conversation?: string;
  readonly milliseconds?: number;
  /** A server with a grammar was told to constrain its arguments. Only the gateway tells. */
  readonly isStrict?: boolean;
  /** How often the model was asked again before it made the call. Only the gateway tells. */
  readonly retries?: number;
  /** Why a call failed or did not run. */
  readonly error?: string;
}

/** A repair without values. */
export interface ListedRepair {
  readonly rule: string;
  /** JSON Pointer of what was repaired. */
  readonly path: string;
  readonly operations: readonly ChangedPlace[];
}

/** A call with its arguments. */
export interface CallDetail {
  readonly call: ListedCall;
  /** The argument text as it came; JSON text if a provider parsed it. Absent: it is not recorded. */
  readonly sent?: string;
  /** JSON text of what the tool got. Absent for a call that did not run. */
  readonly used?: string;
  readonly schema?: object;
  readonly effects?: Effects;
  /** The reason that the provider gave for the end of the answer. */
  readonly finishReason?: string;
  readonly repairs: readonly ListedRepair[];
  readonly issues: readonly RejectedPlace[];
  /** What the model read in place of a result. */
  readonly message?: string;
  /** What the model read beside the result. */
  readonly notes: readonly string[];
  readonly result?: string;
  readonly attempts?: number;
  /** What this version makes of the call, if it is not what was recorded. */
  readonly today?: CallStatus;
  /** Why something is missing: declared secrets, a log without contents, or one that was replaced since. */
  readonly missing?: 'secrets' | 'contents' | 'replaced';
  /** Calls of the same run, the oldest first. */
  readonly run: readonly ListedCall[];
  /** A line for `toolmend cases`. */
  readonly line?: string;
}

/** What a call may be asked for. `text`: any part of what a row shows. */
export const filterKeys = [
  'model',
  'tool',
  'status',
  'rule',
  'issue',
  'run',
  'release',
  'text',
] as const;

export type FilterKey = (typeof filterKeys)[number];

/** Every part must fit. Capitals don't count in `text`. */
export type CallFilter = { readonly [Key in FilterKey]?: string };

export interface CallsQuery {
  readonly filter: CallFilter;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** The `next` of the page before. */
  readonly before?: string;
  readonly limit: number;
}

export interface CallsPage {
  /** The newest first. */
  readonly calls: readonly ListedCall[];
  /** The `before` of the next page. Absent: there are no older calls. */
  readonly next?: string;
}

/** How many calls have each status. */
export type Counts = { readonly [Status in CallStatus]: number };

/** What became of the mistakes of a model; each call counts once at most. */
export interface MistakeCounts {
  readonly model: string;
  readonly calls: number;
  /**
   * Valid calls whose arguments a server's grammar had constrained. Absent: the source doesn't know.
   */
  readonly prevented?: number;
  readonly repaired: number;
  /** Right calls for which the model was asked again. Absent: the source doesn't know. */
  readonly retried?: number;
  readonly refused: number;
}

/** What the overview shows of a time. */
export interface CallNumbers {
  readonly since: number;
  readonly until: number;
  readonly total: Counts;
  /** Of as long a time before; undefined if the time has no beginning. */
  readonly before?: Counts;
  readonly stepMs: number;
  /** Every step from the first one on, also those without calls. */
  readonly steps: readonly (Counts & { readonly at: number })[];
  readonly cells: readonly (Counts & { readonly model: string; readonly tool: string })[];
  /** The most calls first. */
  readonly mistakes: readonly MistakeCounts[];
  /** The oldest first. */
  readonly releases: readonly (Counts & { readonly release: string; readonly first: number })[];
  /** Repaired calls by rule, the most first. A call counts for each of its rules. */
  readonly rules: readonly { readonly rule: string; readonly calls: number }[];
  /** Rejected calls by tool and issue, the most first. A call counts for each of its issues. */
  readonly issues: readonly {
    readonly tool: string;
    readonly issue: string;
    readonly calls: number;
  }[];
}

/** The last call of a run was rejected, and no further call followed. */
export interface SilentRun {
  readonly kind: 'silent';
  readonly tool: string;
  /** ISO 8601, in UTC: the time of the last call. */
  readonly at: string;
  /** The calls of the run, the oldest first. */
  readonly calls: readonly ListedCall[];
}

/** The same tool was rejected for the same issues, again and again. */
export interface RepeatedRejection {
  readonly kind: 'repeated';
  readonly tool: string;
  readonly at: string;
  readonly issues: readonly string[];
  readonly times: number;
  readonly calls: readonly ListedCall[];
}

/** The interval of a rate lies above that of the release before. */
export interface RisenRate {
  readonly kind: 'rate';
  readonly tool: string;
  /** When the release came. */
  readonly at: string;
  readonly status: 'repaired' | 'rejected' | 'failed';
  readonly before: ReleaseCounts;
  readonly after: ReleaseCounts;
}

export type Alarm = SilentRun | RepeatedRejection | RisenRate;

export interface ReleaseCounts extends Counts {
  readonly release: string;
}

export interface Alarms {
  /** The newest first. */
  readonly alarms: readonly Alarm[];
  /** Runs with a rejected call that were looked at. */
  readonly runs: number;
  /** The newest release of the time. */
  readonly release?: string;
}

/** Calls that are new or have changed, with the place from which a reader may go on. */
export interface CallChanges {
  readonly calls: readonly ListedCall[];
  readonly cursor: string;
}

/** Where the calls are. */
export interface PageData {
  /** Where they come from, for people: `calls.jsonl`. */
  readonly source: string;
  list(query: CallsQuery): Promise<CallsPage>;
  /**
   * How many calls the filter lets through, by status; its own status is ignored. Undefined: the
   * source would have to read every call.
   */
  counts(query: Pick<CallsQuery, 'filter' | 'since'>): Promise<Counts | undefined>;
  call(id: string): Promise<CallDetail | undefined>;
  /** Of the calls before `until`. */
  numbers(since: number | undefined, until: number): Promise<CallNumbers>;
  /** What somebody should look at, of the calls from `since` on. */
  alarms(since: number | undefined, now: number): Promise<Alarms>;
  /** The time of the newest call. */
  newest(): Promise<number | undefined>;
  /**
   * Tells of calls that are new or have changed, from a cursor on, or from now on. A cursor that is
   * unknown by now, as after a restart, is a `reset`: the reader loads everything again. Returns
   * what stops it.
   */
  follow(after: string | undefined, reader: CallReader): () => void;
}

export interface CallReader {
  onCalls(changes: CallChanges): void;
  onReset(cursor: string): void;
  /** The source can't be read now, and tells nothing more. */
  onLost(): void;
}
