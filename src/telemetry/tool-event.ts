import { freezeDeep } from '../collections/objects.ts';
import { warn } from '../platform/warning.ts';

/**
 * Calls a function of the application and doesn't wait. What it throws or rejects with is ignored.
 */
export function notify(listener: () => unknown): void {
  void (async () => listener())().catch(() => undefined);
}

/** About one tool's input schema. Has parts of the schema, but no values of a call. */
export interface SchemaWarning {
  readonly tool: string;
  /**
   * `unusable_schema`: calls are decoded and passed on without validation and repair.
   * `unsafe_pattern`: a pattern that could take exponential time is not checked.
   * `unknown_keywords`: keywords that no draft of JSON Schema has.
   * `external_reference`: where the schema refers to another document, any value is accepted.
   * `type_words`: types of other languages, such as `str`, that are read as JSON Schema's.
   * `malformed_hints`: annotations such as `x-toolmend` that have no effect as they are written.
   */
  readonly code:
    | 'unusable_schema'
    | 'unsafe_pattern'
    | 'unknown_keywords'
    | 'external_reference'
    | 'type_words'
    | 'malformed_hints';
  /** One sentence. */
  readonly message: string;
  /** The keywords that unknown ones probably misspell. Absent if there are none. */
  readonly meant?: readonly string[];
}

/** What it throws or rejects with is ignored. */
export type WarningListener = (warning: SchemaWarning) => unknown;

/**
 * Without listeners, an unusable schema, an external reference and a misspelt keyword become a
 * warning of the process.
 */
export function emitWarnings(
  warnings: readonly SchemaWarning[],
  listeners: readonly WarningListener[],
): void {
  for (const warning of warnings) {
    for (const listener of listeners) notify(() => listener(warning));
    const isUrgent =
      warning.code === 'unusable_schema' ||
      warning.code === 'external_reference' ||
      warning.meant !== undefined;
    if (listeners.length === 0 && isUrgent) warn(warning.message, warning.code);
  }
}

/** Names, paths and statuses. Never a value of an argument or a result. */
export type ToolEvent =
  | ToolInputRepaired
  | ToolInputInvalid
  | ToolCallRefused
  | ToolExecuted
  | ToolEndedLate
  | ToolQuestionAsked
  | ToolWithheld
  | ToolDefinitionChanged
  | ToolCallInterpreted
  | ToolRunEnded;

/** Whose call it is, as far as the options of the call said so. */
export interface CallOwner {
  readonly tenant?: string;
  readonly conversation?: string;
  /** The `id` of its `ToolRun`. */
  readonly run?: string;
  /** The `label` of its `ToolRun`. */
  readonly label?: string;
}

interface EventOfCall extends CallOwner {
  readonly callId: string;
  /** Absent if the call doesn't name its model. */
  readonly model?: string;
  /**
   * The name that the model wrote, if it isn't the tool's own; shortened, and without control
   * characters.
   */
  readonly requested?: string;
}

/** A call was repaired before it was executed. */
export interface ToolInputRepaired extends EventOfCall {
  readonly type: 'tool_input_repaired';
  readonly tool: string;
  /** In the order in which they were made. */
  readonly repairs: readonly RepairedPlace[];
  /**
   * As the model sent them, secrets included. Present only with the registry's option
   * `eventArguments`.
   */
  readonly arguments?: unknown;
}

/** A location that a rule repaired. */
export interface RepairedPlace {
  /** The id of the rule, or `tool_name` if the name of the tool was misspelt. */
  readonly rule: string;
  /** JSON Pointer of at most 200 characters. */
  readonly path: string;
}

/** A call was rejected. Nothing was executed. */
export interface ToolInputInvalid extends EventOfCall {
  readonly type: 'tool_input_invalid';
  /** Absent for an unknown tool. */
  readonly tool?: string;
  readonly issues: readonly InvalidPlace[];
  /**
   * As the model sent them, secrets included. Present only with the registry's option
   * `eventArguments`.
   */
  readonly arguments?: unknown;
}

/** A location of an issue. */
export interface InvalidPlace {
  /** The keyword of the issue, or `unknown_tool`. */
  readonly keyword: string;
  /** JSON Pointer of at most 200 characters. */
  readonly path: string;
  /**
   * The key that is missing, unknown or repeated, in at most 200 characters. Absent if the issue is
   * not about a key.
   */
  readonly key?: string;
}

/** A limit kept a call from running (`limit_exceeded`). Nothing was executed. */
export interface ToolCallRefused extends EventOfCall {
  readonly type: 'tool_call_refused';
  readonly tool: string;
  /** The `reason` of the outcome. */
  readonly reason:
    'busy' | 'closed' | 'call_limit' | 'run_limit' | 'retry_limit' | 'rate_limit' | 'repeated';
}

/** A tool's code ended after its call. What it returned or threw was dropped. */
export interface ToolEndedLate extends EventOfCall {
  readonly type: 'tool_ended_late';
  readonly tool: string;
  /** An `error` usually means that the tool obeyed its signal. */
  readonly dropped: 'result' | 'error';
}

/** A call whose tool was executed has ended. */
export interface ToolExecuted extends EventOfCall {
  readonly type: 'tool_executed';
  readonly tool: string;
  readonly input: 'unchanged' | 'repaired';
  readonly status: 'completed' | 'retry' | 'failed' | 'timed_out' | 'cancelled';
  /** Milliseconds from the creation of the instance to the end. */
  readonly duration: number;
  /** Present if the model read only this id of an exception. */
  readonly errorId?: string;
}

/** A running tool has asked a person, and its call waits for the answer (`input_required`). */
export interface ToolQuestionAsked extends EventOfCall {
  readonly type: 'tool_question_asked';
  readonly tool: string;
  readonly input: 'unchanged' | 'repaired';
  /** The `why` of the outcome: `refused` if an answer was invalid. */
  readonly reason: 'asked' | 'refused' | 'changed';
}

/** A call with accepted arguments has ended or requires approval, and its tool was not executed. */
export interface ToolWithheld extends EventOfCall {
  readonly type: 'tool_withheld';
  readonly tool: string;
  readonly input: 'unchanged' | 'repaired';
  /** `completed`: an interceptor answered for the tool. */
  readonly status: 'denied' | 'approval_required' | 'completed' | 'retry' | 'failed' | 'cancelled';
  /**
   * Of `denied`: who denied it. Of `approval_required`: why approval is required. `before`: it
   * ended before the tool started.
   */
  readonly reason: string;
  /** Present if the model read only this id of an exception. */
  readonly errorId?: string;
}

/** The definition of a tool is not the accepted one, or not the one before. */
export interface ToolDefinitionChanged {
  readonly type: 'tool_definition_changed';
  readonly tool: string;
  /** Of the current definition. Pass it to `accept` after a review. */
  readonly digest: string;
  /** Of the accepted definition, or of the one before. Absent if none was accepted. */
  readonly former?: string;
  /** Whether calls are rejected until the digest is accepted. */
  readonly blocked: boolean;
}

/** A call went through `interpret` alone: the program runs it itself, or only asked. */
export interface ToolCallInterpreted extends EventOfCall {
  readonly type: 'tool_call_interpreted';
  /** Absent for an unknown tool. */
  readonly tool?: string;
  readonly input: 'unchanged' | 'repaired' | 'rejected';
  readonly repairs: readonly RepairedPlace[];
  readonly issues: readonly InvalidPlace[];
}

/** The calls of one agent run. */
export interface RunCounts {
  /** All calls; the sum of `unchanged`, `repaired`, `rejected` and `refused`. */
  readonly calls: number;
  /** Accepted as sent. */
  readonly unchanged: number;
  readonly repaired: number;
  readonly rejected: number;
  /** Kept from running by a limit, whatever their arguments were. */
  readonly refused: number;
  /** Accepted, and the tool gave no result (`retry`, `failed`, `timed_out`). */
  readonly failed: number;
  /** Calls of a tool whose last call was rejected or ended with `retry`. */
  readonly retried: number;
  /** By rule id: calls in which the rule repaired at least one location. */
  readonly rules: Readonly<Record<string, number>>;
  /** Milliseconds since the run was made, until it ended. */
  readonly duration: number;
}

/** `ToolRun.end` was called. */
export interface ToolRunEnded extends CallOwner, RunCounts {
  readonly type: 'tool_run_ended';
}

/** An exception that the model did not see. */
export interface ToolError extends CallOwner {
  readonly callId: string;
  readonly tool: string;
  readonly model?: string;
  /**
   * The id that the model read. Absent if a check of the arguments threw, and the model read the
   * issues of other checks.
   */
  readonly errorId?: string;
  /** The exception itself. It may contain secrets. */
  readonly error: unknown;
}

/** Informed about every call. Not awaited; what its methods throw or reject with is ignored. */
export interface ToolListener {
  onEvent?(event: ToolEvent): unknown;
  /** For the program's log: the exception behind an error id, or what a check threw. */
  onError?(error: ToolError): unknown;
  /** Called when a tool is registered whose schema can't be used in full. */
  onWarning?(warning: SchemaWarning): unknown;
}

export function emitEvent(listeners: readonly ToolListener[], event: ToolEvent): void {
  freezeDeep(event);
  for (const listener of listeners) notify(() => listener.onEvent?.(event));
}

export function emitError(listeners: readonly ToolListener[], error: ToolError): void {
  Object.freeze(error);
  for (const listener of listeners) notify(() => listener.onError?.(error));
}

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
  readonly conversation?: string | undefined;
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
  /**
   * JSON text of the interpreted arguments; of a rejected call, the text that was sent. Absent if the
   * call was rejected and its tool declares secrets, and for an unknown tool.
   */
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

/** Milliseconds since 1970, with fractions. Never runs backwards. */
export const epochNow = (): number => performance.timeOrigin + performance.now();
