import type { Settled } from './run-until-ended.ts';
import {
  type AcceptedOutcome,
  type ExecutedOutcome,
  type InvalidArguments,
  type ToolOutcome,
  type WithheldOutcome,
  wasExecuted,
} from '../outcomes/tool-outcome.ts';
import { echoMaskOfSent, withoutEchoes } from '../outcomes/stored-outcome.ts';
import { argumentsWithoutSecrets, resultWithoutSecrets } from '../outcomes/tool-result.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { pointerKeys, pointerTo } from '../json/pointers.ts';
import { quote } from '../json/preview.ts';
import { attempt } from '../collections/attempt.ts';
import { defined } from '../collections/objects.ts';
import {
  type CallTelemetry,
  type ObservedContent,
  type ObservedEnd,
  type CallOwner,
  type InvalidPlace,
  type RepairedPlace,
  type ToolEndedLate,
  type ToolExecuted,
  type ToolListener,
  type ToolWithheld,
  epochNow,
  emitError,
  emitEvent,
} from '../telemetry/tool-event.ts';
import { redactPointer } from '../tool/secrets.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { viewsOf } from '../validate/validator.ts';
import { declaresSecrets, sentText } from './call-digests.ts';
import type { CallOptions } from './call-options.ts';
import type { AcceptedCall, InterpretedCall } from './interpreted-call.ts';

/**
 * Listeners of one call: each event and error says whose call it is, and the arguments that were
 * sent if that is asked for.
 */
export function listenersOfCall(
  {
    listeners,
    eventArguments,
  }: { readonly listeners: readonly ToolListener[]; readonly eventArguments: boolean },
  { tenant, conversation, run }: Pick<CallOptions, 'tenant' | 'conversation' | 'run'>,
  sentArguments: unknown,
): readonly ToolListener[] {
  if (listeners.length === 0) return listeners;
  const owner: CallOwner = defined({ tenant, conversation, run: run?.id, label: run?.label });
  if (!eventArguments && Object.keys(owner).length === 0) return listeners;
  return listeners.map((listener) => ({
    onEvent(event) {
      const isAboutInput =
        event.type === 'tool_input_repaired' || event.type === 'tool_input_invalid';
      const eventMembers = eventArguments && isAboutInput ? { arguments: sentArguments } : {};
      return listener.onEvent?.(Object.freeze({ ...event, ...owner, ...eventMembers }));
    },
    onError: (error) => listener.onError?.(Object.freeze({ ...error, ...owner })),
  }));
}

/** Notifies listeners of repaired or invalid arguments, and of nothing for a valid call. */
export function notifyInterpreted(
  interpretedCall: InterpretedCall,
  contract: ToolContract | undefined,
  listeners: readonly ToolListener[],
): void {
  if (listeners.length === 0) return;
  const { call } = interpretedCall;
  if (interpretedCall.status === 'accepted') {
    const { tool } = interpretedCall;
    const repairs = repairsOf(interpretedCall);
    const facts = callFacts(call, tool);
    if (repairs.length > 0)
      emitEvent(listeners, { type: 'tool_input_repaired', tool, ...facts, repairs });
    return;
  }
  if (interpretedCall.status === 'unknown_tool') {
    const issues = [{ keyword: 'unknown_tool', path: '' }];
    emitEvent(listeners, { type: 'tool_input_invalid', ...callFacts(call, undefined), issues });
    return;
  }
  const { tool, interpretation, errorId } = interpretedCall;
  // Exceptions of an author's checks.
  for (const error of interpretation.causes ?? [])
    emitError(listeners, {
      tool,
      callId: call.id,
      ...defined({ model: call.model, errorId }),
      error,
    });
  const issues = placesOf(interpretedCall, contract);
  emitEvent(listeners, { type: 'tool_input_invalid', tool, ...callFacts(call, tool), issues });
}

/** Notifies listeners of a call that is only interpreted. */
export function notifyInterpretedAlone(
  interpretedCall: InterpretedCall,
  contract: ToolContract | undefined,
  listeners: readonly ToolListener[],
): void {
  if (listeners.length === 0) return;
  const tool = interpretedCall.status === 'unknown_tool' ? undefined : interpretedCall.tool;
  const facts = {
    type: 'tool_call_interpreted',
    ...callFacts(interpretedCall.call, tool),
  } as const;
  const repairs = interpretedCall.status === 'accepted' ? repairsOf(interpretedCall) : [];
  const input = repairs.length === 0 ? 'unchanged' : 'repaired';
  if (interpretedCall.status === 'accepted')
    return emitEvent(listeners, { ...facts, ...defined({ tool }), input, repairs, issues: [] });
  const issues =
    interpretedCall.status === 'unknown_tool'
      ? [{ keyword: 'unknown_tool', path: '' }]
      : placesOf(interpretedCall, contract);
  emitEvent(listeners, { ...facts, ...defined({ tool }), input: 'rejected', repairs, issues });
}

/** Notifies listeners of the end of a call, and returns its outcome. */
export function notifyEnded<Outcome extends AcceptedOutcome>(
  interpretedCall: InterpretedCall,
  outcome: Outcome,
  listeners: readonly ToolListener[],
): Outcome {
  if (listeners.length === 0) return outcome;
  const { call, tool } = outcome;
  if (outcome.status === 'limit_exceeded') {
    const { reason } = outcome;
    emitEvent(listeners, { type: 'tool_call_refused', tool, ...callFacts(call, tool), reason });
  } else if (outcome.status === 'input_required') {
    const input = outcome.interpretation.repairs.length === 0 ? 'unchanged' : 'repaired';
    const facts = { tool, ...callFacts(call, tool), input, reason: outcome.why } as const;
    emitEvent(listeners, { type: 'tool_question_asked', ...facts });
  } else if (interpretedCall.status === 'accepted') {
    // The exception that the model saw only as an error id.
    if ('errorId' in outcome) {
      const { errorId, cause: error } = outcome;
      emitError(listeners, {
        tool,
        callId: call.id,
        ...defined({ model: call.model }),
        errorId,
        error,
      });
    }
    emitEvent(listeners, endedEvent(interpretedCall, outcome));
  }
  return outcome;
}

function endedEvent(
  acceptedCall: AcceptedCall,
  outcome: ExecutedOutcome | WithheldOutcome,
): ToolExecuted | ToolWithheld {
  const { call, tool } = acceptedCall;
  const input = repairsOf(acceptedCall).length === 0 ? 'unchanged' : 'repaired';
  const error = 'errorId' in outcome ? { errorId: outcome.errorId } : {};
  const facts = { tool, ...callFacts(call, tool), input, ...error } as const;
  return isWithheld(outcome)
    ? { type: 'tool_withheld', ...facts, status: outcome.status, reason: reasonOf(outcome) }
    : { type: 'tool_executed', ...facts, status: outcome.status, duration: outcome.duration };
}

type Withheld = WithheldOutcome | Exclude<ExecutedOutcome, { readonly status: 'timed_out' }>;

const isWithheld = (outcome: ExecutedOutcome | WithheldOutcome): outcome is Withheld =>
  !wasExecuted(outcome);

function reasonOf(withheld: Withheld): string {
  if (withheld.status === 'denied') return withheld.by;
  return withheld.status === 'approval_required' ? withheld.why : 'before';
}

const maxPathLength = 200;

/** Where the arguments are wrong. Models repeat secrets in keys. */
export function placesOf(
  { call, interpretation: { issues } }: InvalidArguments,
  contract: ToolContract | undefined,
): readonly InvalidPlace[] {
  const mask = contract && echoMaskOfSent(contract, call);
  const shownKey = (key: string): string => mask?.text(key) ?? key;
  return issues.map(({ keyword, path, key }) => ({
    keyword,
    path: pointerKeys(path).map(shownKey).reduce(pointerTo, '').slice(0, maxPathLength),
    ...defined({ key: key && shownKey(key).slice(0, maxPathLength) }),
  }));
}

export function repairsOf({
  call,
  tool,
  contract,
  interpretation,
}: AcceptedCall): readonly RepairedPlace[] {
  const nameRepair = call.name === tool ? [] : [{ rule: 'tool_name', path: '' }];
  const views = viewsOf(contract);
  const valueRepairs = interpretation.repairs.map(({ rule, path }) => ({
    rule,
    path: redactPointer(views, path).slice(0, maxPathLength),
  }));
  return [...nameRepair, ...valueRepairs];
}

/**
 * The members that all events of a call share. `tool`: the tool's own name, undefined for an
 * unknown tool.
 */
const callFacts = ({ id: callId, name, model }: ToolCall, tool: string | undefined) => ({
  callId,
  ...defined({ model, requested: name === tool ? undefined : quote(name) }),
});

/** A result or exception after the end of its call. */
export const lateEvent = ({ call, tool }: AcceptedCall, { kind }: Settled): ToolEndedLate => ({
  type: 'tool_ended_late',
  tool,
  ...callFacts(call, tool),
  dropped: kind === 'threw' ? 'error' : 'result',
});

export interface ObservedSteps {
  readonly tools: ReadonlyMap<string, ToolContract>;
  readonly conversation: string | undefined;
  /** Whether the repairs were counted before: when the call came, and then waited for approval. */
  readonly areRepairsCounted: boolean;
  readonly interpret: () => InterpretedCall;
  readonly answer: (interpretedCall: InterpretedCall) => Promise<ToolOutcome>;
}

/** Interprets and answers a call with telemetry around both. */
export function observeCall(
  telemetry: CallTelemetry,
  { tools, conversation, areRepairsCounted, interpret, answer }: ObservedSteps,
): Promise<ToolOutcome> {
  const start = epochNow();
  const interpretedCall = interpret();
  const { id: callId, model } = interpretedCall.call;
  const tool = 'tool' in interpretedCall ? interpretedCall.tool : undefined;
  const description = tool === undefined ? undefined : tools.get(tool)?.description;
  return telemetry.observe(
    { start, callId, tool, description, model, conversation },
    () => answer(interpretedCall),
    (outcome) => endOf(outcome, interpretedCall, { areRepairsCounted, tools }),
  );
}

const endOf = (
  outcome: ToolOutcome,
  interpretedCall: InterpretedCall,
  { areRepairsCounted, tools }: Pick<ObservedSteps, 'areRepairsCounted' | 'tools'>,
): ObservedEnd => ({
  status: outcome.status,
  execution: wasExecuted(outcome) ? 'ran' : 'none',
  errorType: errorTypeOf(outcome),
  errorId: 'errorId' in outcome ? outcome.errorId : undefined,
  rules:
    interpretedCall.status === 'accepted' && !areRepairsCounted
      ? repairsOf(interpretedCall).map(({ rule }) => rule)
      : none,
  keywords: keywordsOf(outcome),
  failures: outcome.status === 'invalid_arguments' ? outcome.failures : undefined,
  content: () => contentOf(outcome, contractOf(interpretedCall, tools)),
});

const contractOf = (
  interpretedCall: InterpretedCall,
  tools: ObservedSteps['tools'],
): ToolContract | undefined => {
  if (interpretedCall.status === 'accepted') return interpretedCall.contract;
  return interpretedCall.status === 'unknown_tool' ? undefined : tools.get(interpretedCall.tool);
};

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
  ['input_required', undefined],
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
function className(error: unknown): string {
  const name: unknown = attempt(() =>
    error instanceof Error ? error.constructor.name : undefined,
  );
  return typeof name === 'string' && /^\w{1,64}$/.test(name) ? name : 'Error';
}

function contentOf(wholeOutcome: ToolOutcome, contract: ToolContract | undefined): ObservedContent {
  const outcome = withoutEchoes(wholeOutcome, contract);
  if (contract === undefined || outcome.status === 'unknown_tool') return {};
  const { interpretation } = outcome;
  if (interpretation.status === 'rejected') {
    const text = declaresSecrets(contract) ? undefined : sentText(outcome.call);
    return defined({ arguments: text });
  }
  const shownValues = argumentsWithoutSecrets(contract, interpretation.value);
  const result =
    outcome.status === 'completed' ? resultWithoutSecrets(contract, outcome.content) : undefined;
  return { arguments: JSON.stringify(shownValues), ...defined({ result }) };
}
