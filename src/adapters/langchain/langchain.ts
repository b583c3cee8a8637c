import type { CallbackManagerForToolRun } from '@langchain/core/callbacks/manager';
import { type AIMessage, ToolMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  type ToolRunnableConfig,
  type ToolSchemaBase,
  DynamicStructuredTool,
} from '@langchain/core/tools';
import * as jsonSchemas from '@langchain/core/utils/json_schema';
import { type OptionKinds, callback, checkOptions } from '../../options/check-options.ts';
import { newErrorId, signalTextOf, ToolmendError } from '../../errors/errors.ts';
import { type ToolOutcome, toolMessage } from '../../outcomes/tool-outcome.ts';
import type { ResultImage } from '../../outcomes/tool-result.ts';
import { defined } from '../../collections/objects.ts';
import { internalErrorMessage } from '../../messages/call-messages.ts';
import type { NeutralTool } from '../../providers/providers.ts';
import type { CallOptions } from '../../run/call-options.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { notify } from '../../telemetry/tool-event.ts';
import {
  type SdkCallOptions as LangChainCallOptions,
  type SdkLoopOptions,
  notifyOutcome,
  requireExport,
  sdkLoopOptionKinds,
  SentCalls,
  ToolCallError,
} from '../sdk-driven-loop.ts';
import { dataUrl, textOrParts } from '../tool-turn.ts';
import { type Block, repairMessage } from './repair-tool-calls.ts';

requireExport(jsonSchemas, ['toJsonSchema'], {
  name: '@langchain/core',
  versions: '^0.3.80 || ^1.2.0',
});

/** The call options of `tools.call`, without the signal, which LangChain's configuration has. */
export interface LangChainOptions extends SdkLoopOptions {
  /**
   * Options for one call, from its configuration: its tenant, or the memory of its thread. These
   * options override the others. If the function throws a `ToolFailure`, the model reads its text.
   * If the function throws another exception, the model reads an error id, and the exception is the
   * `cause`.
   */
  readonly forCall?: (config: RunnableConfig) => LangChainCallOptions;
}

const langChainOptionKinds: OptionKinds<LangChainOptions> = {
  ...sdkLoopOptionKinds,
  forCall: callback('write a function that returns options for one call, (config) => ({ … })'),
};

/** What `toLangChain` returns. */
export interface LangChainTools {
  /** For `bindTools`, tool nodes and agents. Each repairs its arguments itself. */
  readonly tools: DynamicStructuredTool[];
  /**
   * A message with repaired calls: text that isn't JSON, misspelt names, and arguments as they
   * would run. Put it after the model: `model.bindTools(tools).pipe(repairToolCalls)`. A message
   * without calls is returned as it is.
   */
  readonly repairToolCalls: (message: AIMessage) => AIMessage;
}

/**
 * The tools of a registry or a selection, as they are now. One call of `toLangChain` is enough for
 * all requests.
 */
export function toLangChain(tools: ToolSet, options: LangChainOptions = {}): LangChainTools {
  checkOptions('toLangChain', options, langChainOptionKinds);
  const sentCalls = new SentCalls(tools);
  const direct = new Set(
    tools
      .contracts()
      .flatMap(({ name, execution }) => (execution?.returnDirect === true ? [name] : [])),
  );
  return {
    tools: tools
      .schemas()
      .map((shownTool) =>
        langChainTool(shownTool, direct.has(shownTool.name), { tools, sentCalls, options }),
      ),
    repairToolCalls: (message) => repairMessage(message, (call) => sentCalls.readCall(call)),
  };
}

interface ToolSource {
  readonly tools: ToolSet;
  readonly sentCalls: SentCalls;
  readonly options: LangChainOptions;
}

/**
 * LangChain validates by the schema of a tool before it invokes the tool, and would refuse what can
 * be repaired. So the tool that models see passes its calls to a second one that accepts any
 * arguments.
 */
function langChainTool(
  { name, description, inputSchema }: NeutralTool,
  returnDirect: boolean,
  { tools, sentCalls, options }: ToolSource,
): DynamicStructuredTool {
  // A tool message for a tool call. If the program invokes the tool itself: the content, or an
  // exception.
  const func = async (
    input: unknown,
    runManager?: CallbackManagerForToolRun,
    config: ToolRunnableConfig = {},
  ): Promise<unknown> => {
    const id = config.toolCall?.id;
    const outcome = await tools.call(sentCalls.callOf(id ?? '', name, input), {
      ...callOptionsFor(options, config),
      // `@langchain/core` 0.3 has no events of tools.
      progress: (update) => notify(() => runManager?.handleToolEvent?.(update)),
    });
    notifyOutcome(options, outcome);
    if (id !== undefined) return toolMessageOf(outcome, id, name);
    if (toolMessage(outcome).isError) throw new ToolCallError(outcome);
    return textOrParts(toolMessage(outcome), blockFormat);
  };
  const fields = { name, description, func, returnDirect };
  // A copy, because LangChain's models may write to it.
  const schema: ToolSchemaBase = structuredClone({ ...inputSchema });
  const sdkTool = new DynamicStructuredTool({ ...fields, schema });
  const open = new DynamicStructuredTool({ ...fields, schema: {} });
  return Object.assign(sdkTool, { invoke: open.invoke.bind(open) });
}

function callOptionsFor(options: LangChainOptions, config: RunnableConfig): CallOptions {
  const { forCall, onOutcome: _, ...callOptions } = options;
  const { signal } = config;
  return { ...callOptions, ...optionsFromProgram(forCall, config), ...defined({ signal }) };
}

/** LangChain's tool nodes show a model the message of an exception. */
function optionsFromProgram(
  forCall: LangChainOptions['forCall'],
  config: RunnableConfig,
): LangChainCallOptions {
  try {
    return forCall?.(config) ?? {};
  } catch (error) {
    if (signalTextOf(error) !== undefined) throw error;
    const message = internalErrorMessage('The call', newErrorId());
    throw new ToolmendError('call-options', message, { cause: error });
  }
}

function toolMessageOf(outcome: ToolOutcome, id: string, name: string): ToolMessage {
  const message = toolMessage(outcome);
  const artifact = artifactOf(outcome);
  return new ToolMessage({
    content: textOrParts(message, blockFormat),
    tool_call_id: id,
    name,
    status: message.isError ? 'error' : 'success',
    ...defined({ artifact }),
  });
}

/**
 * The tool's own artifact, else its result as data. Of a call that waits for a person, the approval
 * or the question.
 */
function artifactOf(outcome: ToolOutcome): unknown {
  if (outcome.status === 'approval_required') return outcome.approval;
  if (outcome.status === 'input_required') return outcome.question;
  return outcome.status === 'completed'
    ? (outcome.artifact ?? outcome.content.structured)
    : undefined;
}

const blockFormat = {
  text: (text: string): Block => ({ type: 'text', text }),
  image: (image: ResultImage): Block => ({ type: 'image_url', image_url: { url: dataUrl(image) } }),
};
