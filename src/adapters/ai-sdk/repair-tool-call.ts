// What becomes of a call that the SDK can't read: text that is no JSON, or a name that is no tool's?
import type { ToolCallRepairFunction, ToolSet as AiToolSet } from 'ai';
import type { ToolCall } from '../../interpret/tool-call.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { type AiSdkOptions, callOptionsOf, tellOutcome } from './ai-sdk-options.ts';
import { inputAsInterpreted } from '../../registry/foreign-loop/input-as-interpreted.ts';
import type { SentCalls } from '../../registry/foreign-loop/sent-calls.ts';
import { ToolCallError } from '../../registry/foreign-loop/tool-call-error.ts';

/** For `generateText`, `streamText` and agents. */
export type RepairToolCall = ToolCallRepairFunction<AiToolSet>;

/**
 * A call that can be mended goes on mended. One that can't goes on too, with what can be shown of it, so that the registry
 * answers it in its own words; a name that is no tool's is answered at once.
 */
export function repairToolCallFor(tools: ToolSet, sent: SentCalls, options: AiSdkOptions): RepairToolCall {
  return async ({ toolCall, tools: offered }) => {
    const { toolCallId: id, toolName: name, input } = toolCall;
    const call = await endedCall(tools, { id, name, arguments: input }, options);
    const interpreted = tools.interpret(call);
    if (interpreted.outcome === 'unknown-tool') {
      const outcome = await tools.call(call, callOptionsOf(options));
      tellOutcome(options, outcome);
      throw new ToolCallError(outcome);
    }
    // Another of the program's tools, or one that this step doesn't offer.
    if (!Object.hasOwn(offered, interpreted.tool)) return null;
    const shown = inputAsInterpreted(tools, interpreted);
    sent.keepCall(call, { name: interpreted.tool, arguments: shown });
    return { ...toolCall, toolName: interpreted.tool, input: JSON.stringify(shown) };
  };
}

/**
 * The SDK runs calls only of an answer that ended normally, so its end may be mended; but it asks people before it knows
 * how the answer ended.
 */
async function endedCall(tools: ToolSet, call: ToolCall, { context }: AiSdkOptions): Promise<ToolCall> {
  const ended = { ...call, finishReason: 'stop' };
  const isAsked = await tools.asks(ended, context === undefined ? {} : { context }).catch(() => true);
  return isAsked ? call : ended;
}
