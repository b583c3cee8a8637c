// A port: telemetry is a library's, not ours.
/** A call to a tool; no value of it. */
export interface ObservedCall {
  /** Milliseconds since 1970, before the call was interpreted. */
  readonly start: number;
  readonly callId: string;
  /** The tool's own name; absent: there is no such tool. */
  readonly tool?: string | undefined;
  /** The author's description. */
  readonly description?: string | undefined;
  readonly model?: string | undefined;
}

/** What became of a call; no value of it but for `content`. */
export interface ObservedEnd {
  /** The outcome's word. */
  readonly status: string;
  /** Whether the tool's code was run, whatever became of it. */
  readonly execution: 'ran' | 'none';
  /** A word, or the class of an exception; absent: nothing went wrong. */
  readonly errorType?: string | undefined;
  readonly errorId?: string | undefined;
  /** Rule ids, one for each repaired place. */
  readonly rules: readonly string[];
  /** Keywords of the issues of a rejected call, each once. */
  readonly keywords: readonly string[];
  /** How often in a row the very call was rejected in this way. */
  readonly failures?: number | undefined;
  /** Asked for only where content is switched on; secrets are masked. */
  readonly content: () => ObservedContent;
}

export interface ObservedContent {
  /** JSON text of the interpreted arguments; absent where none were accepted. */
  readonly arguments?: string;
  /** Of a completed call: what the model reads; what its schema calls secret is masked. */
  readonly result?: string;
}

/** Around every call of a registry. What it throws is dropped, and the call goes on without it. */
export interface CallTelemetry {
  /** Returns what `run` returns, and never settles otherwise. */
  observe<Result>(
    call: ObservedCall,
    run: () => Promise<Result>,
    endOf: (result: Result) => ObservedEnd,
  ): Promise<Result>;
}

const { timeOrigin } = performance;

/** Milliseconds since 1970, with fractions; never runs backwards. */
export const epochNow = (): number => timeOrigin + performance.now();
