// Which events tell of what was dropped: a call that was not let in, and what a tool's code came to too late?
import type { Settled } from '../../execute/run-until-ended.ts';
import type { Continued, RefusedCall } from '../../execute/tool-outcome.ts';
import type { ToolCallRefused, ToolEndedLate, ToolResultContinued } from '../../telemetry/tool-event.ts';
import { callFacts } from '../call-events.ts';
import type { AcceptedCall } from '../interpret-call.ts';

export function refusedEvent({ call, tool, reason }: RefusedCall): ToolCallRefused {
  return Object.freeze({ type: 'tool_call_refused', tool, ...callFacts(call, tool), reason });
}

/** What came after the end of a call, and reached nobody. */
export function lateEvent({ call, tool }: AcceptedCall, { kind }: Settled): ToolEndedLate {
  return Object.freeze({
    type: 'tool_ended_late',
    tool,
    ...callFacts(call, tool),
    dropped: kind === 'threw' ? 'error' : 'result',
  });
}

export function continuedEvent({ call, tool }: Continued): ToolResultContinued {
  return Object.freeze({ type: 'tool_result_continued', tool, ...callFacts(call, tool) });
}
