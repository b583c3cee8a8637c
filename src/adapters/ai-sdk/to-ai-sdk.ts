// How do the tools of a registry get into the AI SDK? As the three settings of its calls that have to do with tools.
import type { ToolSet } from '../../registry/tool-set.ts';
import { objectOf } from '../../json/own-key.ts';
import type { AiSdkOptions } from './ai-sdk-options.ts';
import { type AiSdkTool, aiSdkTool } from './ai-sdk-tool.ts';
import { type RepairToolCall, repairToolCallFor } from './repair-tool-call.ts';
import { SentCalls } from '../../registry/foreign-loop/sent-calls.ts';
import type { JsonObject } from '../../json/json-value.ts';

/** For `generateText`, `streamText` and agents: `{ model, prompt, ...toAiSdk(tools) }`. */
export interface AiSdkSettings {
  readonly tools: { readonly [name: string]: AiSdkTool };
  /** Mends text that is no JSON, and names that are only spelled differently. Without it the SDK refuses them. */
  readonly repairToolCall: RepairToolCall;
  /**
   * Asks the user in the SDK's way about calls that the registry's `approval` wants to be asked about. Without it the model
   * reads that such a call waits, and `onOutcome` gets what to hand to `tools.decide`.
   */
  readonly toolApproval: { readonly [name: string]: AskUser };
}

export type AskUser = (
  input: JsonObject,
  options: { readonly toolCallId: string },
) => Promise<'user-approval' | 'not-applicable'>;

/**
 * The tools of a registry or a selection, as they are now. Make it for each request, with that request's `context`; one for
 * all requests is right where they share everything.
 */
export function toAiSdk(tools: ToolSet, options: AiSdkOptions = {}): AiSdkSettings {
  const sent = new SentCalls();
  const contracts = new Map(tools.contracts().map((contract) => [contract.name, contract]));
  const entries = tools.schemas().flatMap((shown) => {
    const contract = contracts.get(shown.name);
    return contract === undefined
      ? []
      : [[shown.name, aiSdkTool(shown, contract, { tools, sent, options })] as const];
  });
  return {
    tools: objectOf(entries),
    repairToolCall: repairToolCallFor(tools, sent, options),
    toolApproval: objectOf(tools.names().map((name) => [name, askUser(name, tools, sent, options)])),
  };
}

const askUser =
  (name: string, tools: ToolSet, sent: SentCalls, { context }: AiSdkOptions): AskUser =>
  async (input, { toolCallId }) => {
    const call = sent.callOf(toolCallId, name, input);
    try {
      const isAsked = await tools.asks(call, context === undefined ? {} : { context });
      return isAsked ? 'user-approval' : 'not-applicable';
    } catch {
      // The registry asks again when the call runs, and answers what went wrong.
      return 'not-applicable';
    }
  };
