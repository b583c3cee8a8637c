// So that nothing which becomes of it reaches whoever calls.
/** Calls at once and doesn't wait; what the function throws or rejects with is dropped. */
export function tell(onlooker: () => unknown): void {
  void settled(onlooker);
}

async function settled(onlooker: () => unknown): Promise<void> {
  try {
    await onlooker();
  } catch {
    // Whoever looks on never changes what becomes of a call.
  }
}

// Once for each contract, when the tool is registered or first asked about.
/** About one tool's input schema; holds parts of the schema, never of a call. */
export interface SchemaWarning {
  readonly tool: string;
  /**
   * `unusable_schema`: calls are decoded and passed on, and nobody validates or repairs them.
   * `unsafe_pattern`: a pattern that could take time without end is not looked at.
   * `unknown_keywords`: keywords that no draft of JSON Schema knows.
   */
  readonly code: 'unusable_schema' | 'unsafe_pattern' | 'unknown_keywords';
  /** One sentence. */
  readonly message: string;
}

/** Told of warnings; what it throws or rejects with is dropped. */
export type TellWarning = (warning: SchemaWarning) => unknown;

/** Without anybody to tell, only that a tool's calls are validated by nobody reaches the process. */
export function tellWarnings(warnings: readonly SchemaWarning[], tellers: readonly TellWarning[]): void {
  for (const warning of warnings) {
    for (const teller of tellers) tell(() => teller(warning));
    if (tellers.length === 0 && warning.code === 'unusable_schema') warnProcess(warning);
  }
}

function warnProcess({ message, code }: SchemaWarning): void {
  // Workers have no process, or one that can't warn.
  if (typeof process === 'object' && typeof process.emitWarning === 'function') {
    process.emitWarning(message, { type: 'ToolmendWarning', code });
  }
}

// Names, places and outcomes; never a value of an argument or a result.
export type ToolEvent =
  | ToolInputRepaired
  | ToolInputInvalid
  | ToolCallRefused
  | ToolExecuted
  | ToolEndedLate
  | ToolWithheld
  | ToolDefinitionChanged;

interface CallFacts {
  readonly callId: string;
  /** As the call named it; absent if it didn't. */
  readonly model?: string;
  /** The name as the model wrote it, cut and cleaned, where it is not the tool's own. */
  readonly requested?: string;
}

/** A call was mended before it was executed. */
export interface ToolInputRepaired extends CallFacts {
  readonly type: 'tool_input_repaired';
  readonly tool: string;
  /** What was done, in order. */
  readonly repairs: readonly RepairedPlace[];
}

export interface RepairedPlace {
  /** The rule's id; `tool_name` if the name of the tool was a near-miss. */
  readonly rule: string;
  /** JSON Pointer, cut at 200 characters. */
  readonly path: string;
}

/** A call was refused: nothing was executed. */
export interface ToolInputInvalid extends CallFacts {
  readonly type: 'tool_input_invalid';
  /** Absent: there is no such tool. */
  readonly tool?: string;
  readonly issues: readonly InvalidPlace[];
}

export interface InvalidPlace {
  /** The issue's keyword; `unknown_tool` if there is no such tool. */
  readonly keyword: string;
  /** JSON Pointer, cut at 200 characters. */
  readonly path: string;
}

/** A call was not let in, whatever its arguments: nothing was executed. */
export interface ToolCallRefused extends CallFacts {
  readonly type: 'tool_call_refused';
  readonly tool: string;
  /** As the outcome says. */
  readonly reason: 'busy' | 'closed' | 'call_limit' | 'run_limit' | 'retry_limit' | 'repeated';
}

/** A tool's code came to its end after its call had; what it returned or threw was dropped. */
export interface ToolEndedLate extends CallFacts {
  readonly type: 'tool_ended_late';
  readonly tool: string;
  /** An `error` is mostly the tool obeying its signal. */
  readonly dropped: 'result' | 'error';
}

/** A call whose tool was executed has ended, however it ended. */
export interface ToolExecuted extends CallFacts {
  readonly type: 'tool_executed';
  readonly tool: string;
  readonly input: 'unchanged' | 'repaired';
  readonly status: 'completed' | 'retry' | 'failed' | 'timed_out' | 'cancelled';
  /** Milliseconds from the creation of the instance to the end. */
  readonly duration: number;
  /** Where the model read nothing but this id. */
  readonly errorId?: string;
}

/** A call whose arguments were accepted has ended, or waits, and its tool was not executed. */
export interface ToolWithheld extends CallFacts {
  readonly type: 'tool_withheld';
  readonly tool: string;
  readonly input: 'unchanged' | 'repaired';
  /** `completed`: an interceptor's answer stands for the result. */
  readonly status: 'denied' | 'approval_required' | 'completed' | 'retry' | 'failed' | 'cancelled';
  /** `denied`: who said no. `waiting`: why somebody is asked. `before`: it ended before the tool could start. */
  readonly reason: string;
  /** Where the model read nothing but this id. */
  readonly errorId?: string;
}

/** A tool is not the one that was accepted, or that stood there before. */
export interface ToolDefinitionChanged {
  readonly type: 'tool_definition_changed';
  readonly tool: string;
  /** Of the definition as it is now: hand it to `accept` once somebody has looked at it. */
  readonly digest: string;
  /** Of the accepted definition, or of the one before; absent: none was ever accepted. */
  readonly former?: string;
  /** Calls are rejected until the digest is accepted. */
  readonly blocked: boolean;
}

/** An exception that the model was not shown. */
export interface ToolError {
  readonly callId: string;
  readonly tool: string;
  readonly model?: string;
  /** The id that the model read. Absent: one check of the arguments threw, and the model was told what others said. */
  readonly errorId?: string;
  /** What was thrown, untouched: it can hold anything, secrets too. */
  readonly error: unknown;
}

/** Told of every call. Not waited for; what it throws or rejects with is dropped. */
export interface ToolListener {
  onEvent?(event: ToolEvent): unknown;
  /** For the program's own log: the exception behind an error id, or what a check threw instead of validating. */
  onError?(error: ToolError): unknown;
  /** When a tool is registered whose schema can't be used in full. */
  onWarning?(warning: SchemaWarning): unknown;
}

export function tellEvent(listeners: readonly ToolListener[], event: ToolEvent): void {
  for (const listener of listeners) tell(() => listener.onEvent?.(event));
}

export function tellError(listeners: readonly ToolListener[], error: ToolError): void {
  for (const listener of listeners) tell(() => listener.onError?.(error));
}
