// What happens when the SDK runs a call? The registry interprets it as it was sent, and answers it.
import type { ToolExecutionOptions } from 'ai';
import type { ToolOutcome } from '../../execute/tool-outcome.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { sameValue } from '../../json/same-value.ts';
import type { CallOptions } from '../../registry/running/call-options.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { type AiSdkOptions, callOptionsOf, tellOutcome } from './ai-sdk-options.ts';
import { isApprovedIn } from './approval-in-messages.ts';
import { ToolCallError } from '../../registry/foreign-loop/tool-call-error.ts';
import { type AiSdkOutput, outputOf } from './tool-output.ts';

/** Of one execution by the SDK. */
export interface SdkRun extends Pick<ToolExecutionOptions<unknown>, 'messages' | 'toolCallId'> {
  readonly abortSignal: AbortSignal | undefined;
  readonly call: ToolCall;
  /** The arguments as the SDK has them. */
  readonly input: unknown;
  readonly progress: ((update: unknown) => unknown) | undefined;
}

/** Throws a ToolCallError for a call that gave no result. */
export async function runCall(tools: ToolSet, run: SdkRun, options: AiSdkOptions): Promise<AiSdkOutput> {
  const { call, abortSignal, progress } = run;
  const callOptions: CallOptions = {
    ...callOptionsOf(options),
    ...(abortSignal === undefined ? {} : { signal: abortSignal }),
    ...(progress === undefined ? {} : { progress }),
  };
  const asked = await tools.call(call, callOptions);
  const outcome =
    asked.outcome === 'waiting' && isApproved(tools, asked, run)
      ? await tools.decide(asked.approval, { decision: 'approve' }, callOptions)
      : asked;
  tellOutcome(options, outcome);
  if (outcome.outcome === 'completed' || outcome.outcome === 'continued') return outputOf(outcome);
  throw new ToolCallError(outcome);
}

/** The person has seen the arguments that the SDK has; what an interceptor has changed since, nobody has seen. */
function isApproved(
  tools: ToolSet,
  waiting: Extract<ToolOutcome, { readonly outcome: 'waiting' }>,
  { call, input, messages, toolCallId }: SdkRun,
): boolean {
  const interpreted = tools.interpret(call);
  return (
    interpreted.outcome === 'accepted' &&
    sameValue(interpreted.interpretation.value, waiting.interpretation.value) &&
    isApprovedIn(messages, toolCallId, input)
  );
}
