/** A call to a tool, without any of its values. */
export interface ObservedCall {
  /** Milliseconds since 1970, before the call was interpreted. */
  readonly start: number;
  readonly callId: string;
  /** The tool's own name. Absent for an unknown tool. */
  readonly tool?: string | undefined;
  /** The author's description. */
  readonly description?: string | undefined;
  readonly model?: string | undefined;
}

/** How a call ended. Only `content` has values of it. */
export interface ObservedEnd {
  /** The status of the outcome. */
  readonly status: string;
  /** Whether the tool's code ran. */
  readonly execution: 'ran' | 'none';
  /** A status, a reason, or the class of an exception. Absent if nothing went wrong. */
  readonly errorType?: string | undefined;
  readonly errorId?: string | undefined;
  /** Rule ids, one for each repaired location. */
  readonly rules: readonly string[];
  /** Keywords of the issues of a rejected call, each once. */
  readonly keywords: readonly string[];
  /** How often in a row the same call was rejected for the same reason. */
  readonly failures?: number | undefined;
  /** With secrets redacted. Only called if content is switched on. */
  readonly content: () => ObservedContent;
}

/** Values of a call, as JSON text and text. */
export interface ObservedContent {
  /** JSON text of the interpreted arguments. Absent if the arguments were rejected. */
  readonly arguments?: string;
  /** What the model reads of a completed call. */
  readonly result?: string;
}

/** Runs around every call of a registry. If it throws, the call goes on without it. */
export interface CallTelemetry {
  /** Must settle as `run` does. */
  observe<Result>(
    call: ObservedCall,
    run: () => Promise<Result>,
    endOf: (result: Result) => ObservedEnd,
  ): Promise<Result>;
}

const { timeOrigin } = performance;

/** Milliseconds since 1970, with fractions. Never runs backwards. */
export const epochNow = (): number => timeOrigin + performance.now();
