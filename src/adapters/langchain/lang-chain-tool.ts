// How does one tool of a registry stand among LangChain's? It shows its JSON Schema, and only the registry judges by it.
import type { CallbackManagerForToolRun } from '@langchain/core/callbacks/manager';
import { DynamicStructuredTool, type ToolRunnableConfig, type ToolSchemaBase } from '@langchain/core/tools';
import type { ShownTool } from '../../dialects/shown-tool.ts';
import { ToolCallError } from '../../registry/foreign-loop/tool-call-error.ts';
import { toolMessage } from '../../execute/tool-message.ts';
import type { SentCalls } from '../../registry/foreign-loop/sent-calls.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { tell } from '../../telemetry/tell.ts';
import { contentOf, langChainMessage } from './lang-chain-message.ts';
import { callOptionsFor, type LangChainOptions } from './lang-chain-options.ts';

/** What the tools of one set have in common. */
export interface LangChainSource {
  readonly tools: ToolSet;
  readonly sent: SentCalls;
  readonly options: LangChainOptions;
}

/**
 * LangChain validates by a tool's schema before the tool is asked, and refuses what could be repaired. So the tool that models
 * are shown hands its calls to another one that takes anything.
 */
export function langChainTool(
  { name, description, inputSchema }: ShownTool,
  returnDirect: boolean,
  source: LangChainSource,
): DynamicStructuredTool {
  const func = (input: unknown, runManager?: CallbackManagerForToolRun, config: ToolRunnableConfig = {}) =>
    runTool(name, { input, runManager, config }, source);
  const made = { name, description, func, returnDirect };
  const shown = new DynamicStructuredTool({ ...made, schema: schemaCopy(inputSchema) });
  const open = new DynamicStructuredTool({ ...made, schema: {} });
  return Object.assign(shown, { invoke: open.invoke.bind(open) });
}

interface LangChainRun {
  readonly input: unknown;
  readonly runManager: CallbackManagerForToolRun | undefined;
  readonly config: ToolRunnableConfig;
}

/** A tool message for a call; without a call the content, or an exception. */
async function runTool(
  name: string,
  { input, runManager, config }: LangChainRun,
  { tools, sent, options }: LangChainSource,
): Promise<unknown> {
  const id = config.toolCall?.id;
  const outcome = await tools.call(sent.callOf(id ?? '', name, input), {
    ...callOptionsFor(options, config),
    progress: (update) => tell(() => runManager?.handleToolEvent(update)),
  });
  tell(() => options.onOutcome?.(outcome));
  if (id !== undefined) return langChainMessage(outcome, id, name);
  if (toolMessage(outcome).isError) throw new ToolCallError(outcome);
  return contentOf(outcome);
}

/** A JSON object is a schema as far as types go. Copied: LangChain's models may write to it. */
function schemaCopy(schema: object): ToolSchemaBase {
  const copy: unknown = structuredClone(schema);
  if (!isSchema(copy)) throw new TypeError('a schema is an object');
  return copy;
}

const isSchema = (value: unknown): value is ToolSchemaBase => typeof value === 'object' && value !== null;
