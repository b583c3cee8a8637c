import { type ToolOutcome, wasExecuted } from '../execute/tool-outcome.ts';
import { resultWithoutSecrets } from '../execute/tool-result.ts';
import { viewsOf } from '../validate/validator.ts';
import {
  type CallTelemetry,
  type ObservedCall,
  type ObservedContent,
  type ObservedEnd,
  epochNow,
} from '../telemetry/call-telemetry.ts';
import { redact } from '../tool/secrets.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import type { AcceptedCall, InterpretedCall } from './interpret-call.ts';

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
  rules: interpreted.status === 'accepted' && repairs === 'new' ? rulesOf(interpreted) : none,
  keywords: keywordsOf(outcome),
  failures: outcome.status === 'invalid_arguments' ? outcome.failures : undefined,
  content: () => contentOf(outcome, 'contract' in interpreted ? interpreted.contract : undefined),
});

const none: readonly string[] = Object.freeze([]);

function rulesOf({ call, tool, interpretation }: AcceptedCall): readonly string[] {
  const { repairs } = interpretation;
  if (call.name === tool && repairs.length === 0) return none;
  return [...(call.name === tool ? [] : ['tool_name']), ...repairs.map(({ rule }) => rule)];
}

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
