// What does a program learn of each call as it happens? Names, places and outcomes; never a value of an argument or a result.

export type ToolEvent =
  | ToolInputRepaired
  | ToolInputInvalid
  | ToolCallRefused
  | ToolExecuted
  | ToolEndedLate
  | ToolResultContinued
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
  readonly reason:
    'busy' | 'closed' | 'deadlock' | 'call-limit' | 'run-limit' | 'retry-limit' | 'repeated' | 'continuation';
}

/** The model has read on in a long result: nothing was executed. */
export interface ToolResultContinued extends CallFacts {
  readonly type: 'tool_result_continued';
  readonly tool: string;
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
  readonly outcome: 'completed' | 'retry' | 'failed' | 'timed-out' | 'cancelled';
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
  readonly outcome: 'denied' | 'waiting' | 'completed' | 'retry' | 'failed' | 'cancelled';
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
