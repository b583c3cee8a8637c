import type { Settled } from '../execute/run-until-ended.ts';
import {
  type AcceptedOutcome,
  type ExecutedOutcome,
  type InvalidArguments,
  type LimitExceeded,
  type ToolOutcome,
  type UnknownTool,
  type WithheldOutcome,
  wasExecuted,
} from '../execute/tool-outcome.ts';
import { resultWithoutSecrets } from '../execute/tool-result.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { quote } from '../json/preview.ts';
import { defined } from '../json/value.ts';
import {
  type CallTelemetry,
  type ObservedCall,
  type ObservedContent,
  type ObservedEnd,
  type CallOwner,
  type RepairedPlace,
  type ToolCallRefused,
  type ToolEndedLate,
  type ToolError,
  type ToolExecuted,
  type ToolInputInvalid,
  type ToolInputRepaired,
  type ToolListener,
  type ToolWithheld,
  epochNow,
  emitError,
  emitEvent,
} from '../telemetry/tool-event.ts';
import { redact, redactPointer } from '../tool/secrets.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { viewsOf } from '../validate/validator.ts';
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

function endedEvent(
  accepted: AcceptedCall,
  ended: ExecutedOutcome | WithheldOutcome,
): ToolExecuted | ToolWithheld {
  const { call, tool } = accepted;
  const facts = { tool, ...callFacts(call, tool), input: inputOf(accepted) };
  const error = 'errorId' in ended ? { errorId: ended.errorId } : {};
  return isWithheld(ended)
    ? Object.freeze({
        type: 'tool_withheld',
        ...facts,
        status: ended.status,
        reason: reasonOf(ended),
        ...error,
      })
    : Object.freeze({
        type: 'tool_executed',
        ...facts,
        status: ended.status,
        duration: ended.duration,
        ...error,
      });
}

const inputOf = (accepted: AcceptedCall): ToolExecuted['input'] =>
  repairsOf(accepted).length === 0 ? 'unchanged' : 'repaired';

type Withheld = WithheldOutcome | Exclude<ExecutedOutcome, { readonly status: 'timed_out' }>;

const isWithheld = (ended: ExecutedOutcome | WithheldOutcome): ended is Withheld => !wasExecuted(ended);

function reasonOf(withheld: Withheld): string {
  if (withheld.status === 'denied') return withheld.by;
  return withheld.status === 'approval_required' ? withheld.why : 'before';
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

// Telemetry.

export interface ObservedSteps {
  readonly tools: ReadonlyMap<string, ToolContract>;
  /** `known`: the repairs were counted when the call came, before its approval. */
  readonly repairs: 'new' | 'known';
  readonly interpret: () => InterpretedCall;
  readonly answer: (interpreted: InterpretedCall) => Promise<ToolOutcome>;
}

/** Interprets and answers a call with telemetry around both. */
export function observeCall(
  telemetry: CallTelemetry,
  { tools, repairs, interpret, answer }: ObservedSteps,
): Promise<ToolOutcome> {
  const start = epochNow();
  const interpreted = interpret();
  const contract = 'tool' in interpreted ? tools.get(interpreted.tool) : undefined;
  return telemetry.observe(
    observed(interpreted, start, contract?.description),
    () => answer(interpreted),
    (outcome) => endOf(outcome, interpreted, repairs),
  );
}

const observed = (
  interpreted: InterpretedCall,
  start: number,
  description: string | undefined,
): ObservedCall => ({
  start,
  callId: interpreted.call.id,
  tool: 'tool' in interpreted ? interpreted.tool : undefined,
  description,
  model: interpreted.call.model,
});

const endOf = (
  outcome: ToolOutcome,
  interpreted: InterpretedCall,
  repairs: ObservedSteps['repairs'],
): ObservedEnd => ({
  status: outcome.status,
  execution: wasExecuted(outcome) ? 'ran' : 'none',
  errorType: errorTypeOf(outcome),
  errorId: 'errorId' in outcome ? outcome.errorId : undefined,
  rules:
    interpreted.status === 'accepted' && repairs === 'new'
      ? repairsOf(interpreted).map(({ rule }) => rule)
      : none,
  keywords: keywordsOf(outcome),
  failures: outcome.status === 'invalid_arguments' ? outcome.failures : undefined,
  content: () => contentOf(outcome, 'contract' in interpreted ? interpreted.contract : undefined),
});

const none: readonly string[] = Object.freeze([]);

function keywordsOf(outcome: ToolOutcome): readonly string[] {
  if (outcome.status === 'unknown_tool') return ['unknown_tool'];
  if (outcome.status !== 'invalid_arguments') return none;
  return [...new Set(outcome.interpretation.issues.map(({ keyword }) => keyword))];
}

const errorTypes: ReadonlyMap<string, string | undefined> = new Map([
  ['completed', undefined],
  ['approval_required', undefined],
  ['in_background', undefined],
  ['unknown_tool', 'unknown_tool'],
  ['timed_out', 'timeout'],
  ['retry', 'tool_retry'],
]);

/** A word for each kind of failure, and the class of an unexpected exception. */
function errorTypeOf(outcome: ToolOutcome): string | undefined {
  if (outcome.status === 'failed') {
    if (outcome.reason === 'declared') return 'tool_failed';
    if (outcome.reason === 'in_doubt') return 'in_doubt';
    return outcome.reason === 'result' ? 'invalid_result' : className(outcome.cause);
  }
  if (outcome.status === 'invalid_arguments' && outcome.errorId !== undefined)
    return className(outcome.interpretation.causes?.[0]);
  return errorTypes.has(outcome.status) ? errorTypes.get(outcome.status) : outcome.status;
}

/** Never throws: the thrown value may be a proxy that does. */
function className(thrown: unknown): string {
  try {
    const name: unknown = thrown instanceof Error ? thrown.constructor.name : undefined;
    return typeof name === 'string' && /^\w{1,64}$/.test(name) ? name : 'Error';
  } catch {
    return 'Error';
  }
}

function contentOf(outcome: ToolOutcome, contract: ToolContract | undefined): ObservedContent {
  if (contract === undefined || outcome.status === 'unknown_tool') return {};
  const { interpretation } = outcome;
  if (interpretation.status === 'rejected') return {};
  const views = viewsOf(contract);
  const shown = redact(views, interpretation.value);
  const result = outcome.status === 'completed' ? resultWithoutSecrets(contract, outcome.content) : undefined;
  return { arguments: JSON.stringify(shown), ...(result === undefined ? {} : { result }) };
}
