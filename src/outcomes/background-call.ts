import type { ToolCall } from '../interpret/tool-call.ts';
import {
  endedAfterAnswer,
  endedAfterDecision,
  endedInBackground,
} from '../messages/call-messages.ts';
import type { PendingQuestion } from './question.ts';
import { type AcceptedOutcome, toolMessage } from './tool-outcome.ts';

/** A call that runs in the background, or has ended there; frozen. */
export type BackgroundCall = RunningBackgroundCall | EndedCall;

export interface CallInBackground {
  /** Names the call to the model and the application. It can't be guessed. */
  readonly handle: string;
  /** The tool's own name. */
  readonly tool: string;
  readonly call: ToolCall;
  readonly tenant: string;
  readonly conversation: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** A background call that has not ended. `waiting`: it has no slot yet, or no worker. */
export interface RunningBackgroundCall extends CallInBackground {
  readonly state: 'waiting' | 'running';
  /** What a waiting call waits for. Absent for a slot. */
  readonly waitsFor?: 'worker' | 'approval' | 'answer';
  /** The question that it waits for. Absent if the journal doesn't keep it, because of secrets. */
  readonly question?: PendingQuestion;
  /**
   * The process that ran the call has died, or can't reach the journal. `ToolRegistry.resume` takes
   * the call over.
   */
  readonly isAbandoned?: true;
  /** The last update that the tool reported. Absent if the call runs in another process. */
  readonly progress?: unknown;
}

/**
 * A background call that has ended, or a call with a journal that ended after its approval or its
 * answer.
 */
export interface EndedCall extends CallInBackground {
  readonly state: 'ended';
  /** Milliseconds since 1970. */
  readonly endedAt: number;
  readonly outcome: AcceptedOutcome;
  /** For the model: which call has ended, and its result. */
  readonly text: string;
}

/** `why`: why the outcome comes late. */
export function endedCall(
  { handle, tool, call, tenant, conversation, since }: CallInBackground,
  outcome: AcceptedOutcome,
  endedAt: number,
  why: 'background' | 'decision' | 'answer' = 'background',
): EndedCall {
  const { text, notes } = toolMessage(outcome);
  const firstLines = {
    background: () => endedInBackground(tool, handle, outcome.status),
    decision: () => endedAfterDecision(tool, call.id, outcome.status),
    answer: () => endedAfterAnswer(tool, call.id, outcome.status),
  };
  return Object.freeze({
    handle,
    tool,
    call,
    tenant,
    conversation,
    since,
    state: 'ended',
    endedAt,
    outcome,
    text: [firstLines[why](), text, ...notes].join('\n'),
  });
}
