import type { Settled } from '../execute/run-until-ended.ts';
import {
  type AcceptedOutcome,
  type ExecutedOutcome,
  type LimitExceeded,
  type InvalidArguments,
  type UnknownTool,
  type WithheldOutcome,
  wasExecuted,
} from '../execute/tool-outcome.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { quote } from '../json/preview.ts';
import { defined } from '../json/value.ts';
import { viewsOf } from '../validate/validator.ts';
import {
  type CallOwner,
  type RepairedPlace,
  type ToolCallRefused,
  type ToolEndedLate,
  type ToolError,
  type ToolExecuted,
  type ToolInputInvalid,
  type ToolInputRepaired,
  type ToolWithheld,
  type ToolListener,
  emitError,
  emitEvent,
} from '../telemetry/tool-event.ts';
import { redactPointer } from '../tool/secrets.ts';
import type { CallOptions } from './call-options.ts';
import type { AcceptedCall, InterpretedCall } from './interpret-call.ts';

interface EventSettings {
  readonly listeners: readonly ToolListener[];
  readonly eventArguments: boolean;
}

/** Listeners of one call: each event and error says whose call it is, and the arguments that were sent if that is asked for. */
export function listenersOfCall(
  { listeners, eventArguments }: EventSettings,
  { tenant, conversation, run }: Pick<CallOptions, 'tenant' | 'conversation' | 'run'>,
  sent: unknown,
): readonly ToolListener[] {
  const owner: CallOwner = defined({ tenant, conversation, run: run?.id });
  const isAsIs = listeners.length === 0 || (!eventArguments && Object.keys(owner).length === 0);
  if (isAsIs) return listeners;
  return listeners.map((listener) => ({
    onEvent(event) {
      const isAboutInput = event.type === 'tool_input_repaired' || event.type === 'tool_input_invalid';
      const shown = eventArguments && isAboutInput ? { arguments: sent } : {};
      return listener.onEvent?.(Object.freeze({ ...event, ...owner, ...shown }));
    },
    onError: (error) => listener.onError?.(Object.freeze({ ...error, ...owner })),
  }));
}

/** Notifies listeners of repaired or invalid arguments, and of nothing for a valid call. */
export function notifyInterpreted(interpreted: InterpretedCall, listeners: readonly ToolListener[]): void {
  if (listeners.length === 0) return;
  if (interpreted.status === 'accepted') {
    const repaired = repairedEvent(interpreted);
    if (repaired !== undefined) emitEvent(listeners, repaired);
    return;
  }
  for (const error of errorsOfChecks(interpreted)) emitError(listeners, error);
  emitEvent(listeners, invalidEvent(interpreted));
}

/** Notifies listeners of the end of a call, and returns its outcome. */
export function notifyEnded<Outcome extends AcceptedOutcome>(
  interpreted: InterpretedCall,
  outcome: Outcome,
  listeners: readonly ToolListener[],
): Outcome {
  if (listeners.length === 0) return outcome;
  if (outcome.status === 'limit_exceeded') {
    emitEvent(listeners, refusedEvent(outcome));
  } else if (interpreted.status === 'accepted') {
    const error = errorBehind(outcome);
    if (error !== undefined) emitError(listeners, error);
    emitEvent(listeners, endedEvent(interpreted, outcome));
  }
  return outcome;
}

/** Undefined if the call was valid as sent, its tool's name included. */
function repairedEvent(accepted: AcceptedCall): ToolInputRepaired | undefined {
  const repairs = repairsOf(accepted);
  if (repairs.length === 0) return undefined;
  const { tool } = accepted;
  return Object.freeze({ type: 'tool_input_repaired', tool, ...callFacts(accepted.call, tool), repairs });
}

function invalidEvent(refused: InvalidArguments | UnknownTool): ToolInputInvalid {
  if (refused.status === 'unknown_tool') {
    const issues = Object.freeze([Object.freeze({ keyword: 'unknown_tool', path: '' })]);
    return Object.freeze({ type: 'tool_input_invalid', ...callFacts(refused.call, undefined), issues });
  }
  const { call, tool, interpretation } = refused;
  const issues = interpretation.issues.map(({ keyword, path, key }) =>
    Object.freeze({
      keyword,
      path: path.slice(0, longestPath),
      ...(key === undefined ? {} : { key: key.slice(0, longestPath) }),
    }),
  );
  return Object.freeze({
    type: 'tool_input_invalid',
    tool,
    ...callFacts(call, tool),
    issues: Object.freeze(issues),
  });
}

const endedEvent = (
  accepted: AcceptedCall,
  ended: ExecutedOutcome | WithheldOutcome,
): ToolExecuted | ToolWithheld =>
  isWithheld(ended) ? withheldEvent(accepted, ended) : executedEvent(accepted, ended);

type Withheld = WithheldOutcome | Exclude<ExecutedOutcome, { readonly status: 'timed_out' }>;

const isWithheld = (ended: ExecutedOutcome | WithheldOutcome): ended is Withheld => !wasExecuted(ended);

function withheldEvent(accepted: AcceptedCall, withheld: Withheld): ToolWithheld {
  const { call, tool } = accepted;
  return Object.freeze({
    type: 'tool_withheld',
    tool,
    ...callFacts(call, tool),
    input: repairsOf(accepted).length === 0 ? 'unchanged' : 'repaired',
    status: withheld.status,
    reason: reasonOf(withheld),
    ...('errorId' in withheld ? { errorId: withheld.errorId } : {}),
  });
}

function reasonOf(withheld: Withheld): string {
  if (withheld.status === 'denied') return withheld.by;
  return withheld.status === 'approval_required' ? withheld.why : 'before';
}

function executedEvent(accepted: AcceptedCall, executed: ExecutedOutcome): ToolExecuted {
  const { call, tool } = accepted;
  const { status, duration } = executed;
  return Object.freeze({
    type: 'tool_executed',
    tool,
    ...callFacts(call, tool),
    input: repairsOf(accepted).length === 0 ? 'unchanged' : 'repaired',
    status,
    duration,
    ...('errorId' in executed ? { errorId: executed.errorId } : {}),
  });
}

/** The exception that the model saw only as an error id. */
function errorBehind(outcome: AcceptedOutcome): ToolError | undefined {
  if (!('errorId' in outcome)) return undefined;
  const { call, tool, errorId, cause } = outcome;
  return Object.freeze({ tool, callId: call.id, ...modelOf(call), errorId, error: cause });
}

/** Exceptions of an author's checks. */
function errorsOfChecks(refused: InvalidArguments | UnknownTool): readonly ToolError[] {
  if (refused.status === 'unknown_tool') return [];
  const { call, tool, interpretation, errorId } = refused;
  const shown = errorId === undefined ? {} : { errorId };
  return (interpretation.causes ?? []).map((error) =>
    Object.freeze({ tool, callId: call.id, ...modelOf(call), ...shown, error }),
  );
}

const longestPath = 200;

function repairsOf({ call, tool, contract, interpretation }: AcceptedCall): readonly RepairedPlace[] {
  const named = call.name === tool ? [] : [{ rule: 'tool_name', path: '' }];
  const repaired = interpretation.repairs.map(({ rule, path }) => ({
    rule,
    path: redactPointer(viewsOf(contract), path).slice(0, longestPath),
  }));
  return Object.freeze([...named, ...repaired].map((place) => Object.freeze(place)));
}

const modelOf = ({ model }: ToolCall): { readonly model?: string } => (model === undefined ? {} : { model });

/** The members that all events of a call share. `tool`: the tool's own name, undefined for an unknown tool. */
const callFacts = (call: ToolCall, tool: string | undefined): CallFacts => ({
  callId: call.id,
  ...modelOf(call),
  ...(call.name === tool ? {} : { requested: quote(call.name) }),
});

type CallFacts = Pick<ToolExecuted, 'callId' | 'model' | 'requested'>;

function refusedEvent({ call, tool, reason }: LimitExceeded): ToolCallRefused {
  return Object.freeze({ type: 'tool_call_refused', tool, ...callFacts(call, tool), reason });
}

/** A result or exception after the end of its call. */
export function lateEvent({ call, tool }: AcceptedCall, { kind }: Settled): ToolEndedLate {
  return Object.freeze({
    type: 'tool_ended_late',
    tool,
    ...callFacts(call, tool),
    dropped: kind === 'threw' ? 'error' : 'result',
  });
}
