import { memberOf, isObjectLike } from '../../collections/objects.ts';
import type { Tool, ToolCallRepairFunction, ToolSet as AiToolSet } from 'ai';
import { checkOptions } from '../../options/check-options.ts';
import type { ToolOutcome } from '../../outcomes/tool-outcome.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { findTool } from '../../registry/interpret-call.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { inputSchemaOf } from '../../schema/input-schema.ts';
import {
  type RepairToolCallsOptions,
  repairBySchema,
  repairToolCallsKinds,
  sentText,
} from '../repair-by-schema.ts';
import {
  type SdkCallOptions,
  type SdkLoopOptions,
  type SentCalls,
  ToolCallError,
  notifyOutcome,
} from '../sdk-driven-loop.ts';

/** The type of the setting `repairToolCall`. */
export type RepairToolCall = ToolCallRepairFunction<AiToolSet>;

export interface ToolSource<Options extends SdkLoopOptions = SdkLoopOptions> {
  readonly tools: ToolSet;
  readonly sentCalls: SentCalls;
  readonly options: Options;
}

/** The options that `tools.call` doesn't have. */
interface OwnOptions extends SdkLoopOptions {
  readonly progress?: unknown;
  readonly onPartial?: unknown;
  readonly inputExamples?: unknown;
  readonly forceRetry?: unknown;
  readonly customTools?: unknown;
  readonly textResults?: unknown;
}

/** The options of `tools.call` among those of an adapter. */
export function callOptionsOf(options: OwnOptions): SdkCallOptions {
  const {
    progress: _progress,
    onPartial: _partialListener,
    inputExamples: _examples,
    forceRetry: _retry,
    customTools: _custom,
    textResults: _textResults,
    onOutcome: _listener,
    ...callOptions
  } = options;
  return callOptions;
}

interface OwnTool {
  /** The registry's name of the tool. */
  readonly name: string;
  readonly source: ToolSource;
}

/** The tools that toolmend made, by their input schema, which copies of a tool share. */
const ownTools = new WeakMap<object, OwnTool>();

export function rememberTool({ inputSchema }: Tool, tool: OwnTool): void {
  ownTools.set(inputSchema, tool);
}

/**
 * The setting `repairToolCall` for any tools, in AI SDK 5 and 6 `experimental_repairToolCall`. The
 * SDK calls it for arguments that its own parse refuses and for unknown names. Calls of `toAiSdk`'s
 * tools are repaired by their registry. All other calls are repaired by the input schema of their
 * tool, even if the schema validates asynchronously. If a call can't be repaired, the model reads
 * what to send instead. Throws a DefinitionError for an unknown or ill-valued option.
 */
export function repairToolCalls(options: RepairToolCallsOptions = {}): RepairToolCall {
  checkOptions('repairToolCalls', options, repairToolCallsKinds);
  return repairToolCallsOf(undefined, options);
}

/** `source`: the registry that refuses calls of unknown tools. */
export function repairToolCallsOf(
  source: ToolSource | undefined,
  options: RepairToolCallsOptions = {},
): RepairToolCall {
  return async (failure) => {
    const { toolCall, tools: offeredTools } = failure;
    const { toolCallId: id, toolName } = toolCall;
    // The middleware has added its refusal.
    const input = sentText(toolCall.input);
    // The provider runs these calls itself.
    if (toolCall.providerExecuted === true) return null;
    const call = { id, name: toolName, arguments: input };
    const match = findTool(new Map(Object.entries(offeredTools)), toolName);
    if (match.kind === 'unknown') {
      if (source !== undefined) await refuseUnknown(call, match, source);
      return null;
    }
    const { name, tool } = match;
    const ownTool = tool.inputSchema && ownTools.get(tool.inputSchema);
    const repairedInput = await (ownTool === undefined
      ? repairForeign(call, { name, tool, failure }, options)
      : repairOwn(call, name, ownTool));
    return repairedInput === undefined
      ? null
      : { ...toolCall, toolName: name, input: repairedInput };
  };
}

/**
 * A call that can't be repaired goes on too, with an object in the place of its arguments, so that
 * the registry refuses it with its own message. `sdkName`: the tool's name in the SDK.
 */
async function repairOwn(
  call: ToolCall,
  sdkName: string,
  { name, source: { tools, sentCalls, options } }: OwnTool,
): Promise<string | undefined> {
  const callAtEnd = await endedCall(tools, sdkName === name ? call : { ...call, name }, options);
  const interpretedCall = tools.interpret(callAtEnd, { counted: false });
  // The registry has lost the tool since.
  if (interpretedCall.status === 'unknown_tool') return undefined;
  return JSON.stringify(sentCalls.readCall(callAtEnd, interpretedCall).arguments);
}

/**
 * The SDK only runs calls of an answer that ended normally, so a missing end of the text can be
 * repaired. But it asks people for approval before it knows how the answer ended.
 */
async function endedCall(
  tools: ToolSet,
  call: ToolCall,
  { context }: SdkLoopOptions,
): Promise<ToolCall> {
  const callAtEnd = { ...call, finishReason: 'stop' };
  const isAsked = await tools
    .wouldRequireApproval(callAtEnd, context === undefined ? {} : { context })
    .catch(() => true);
  return isAsked ? call : callAtEnd;
}

interface FoundTool {
  /** The tool's name in the SDK. */
  readonly name: string;
  readonly tool: AiToolSet[string];
  readonly failure: Parameters<RepairToolCall>[0];
}

/** Undefined if the SDK's own message says more. Throws a ToolCallError for a refused call. */
async function repairForeign(
  sentCall: ToolCall,
  { name, tool, failure }: FoundTool,
  options: RepairToolCallsOptions,
): Promise<string | undefined> {
  // The SDK hands on calls of tools without `execute`, and asks for approvals, before the answer
  // ends.
  const runsAtEnd =
    typeof tool.execute === 'function' && !(memberOf(tool, 'needsApproval') ?? false);
  const call =
    options.repairMissingEnd === true && runsAtEnd
      ? { ...sentCall, finishReason: 'stop' }
      : sentCall;
  const schema = await schemaOf(name, tool, failure);
  const schemas =
    options.dispatches === undefined ? new Map<string, object>() : await schemasOf(failure);
  const repair = await repairBySchema(schema, { tool: name, call, schemas }, options);
  if (repair.kind === 'refused') throw new ToolCallError(repair.outcome);
  if (repair.kind === 'repaired') return repair.text;
  return repair.kind === 'unchanged' && name !== sentCall.name
    ? sentText(failure.toolCall.input)
    : undefined;
}

/** Those of all tools, for a tool that calls others. */
async function schemasOf(failure: FoundTool['failure']): Promise<ReadonlyMap<string, object>> {
  const entries = await Promise.all(
    Object.entries(failure.tools).map(
      async ([name, tool]) => [name, await schemaOf(name, tool, failure)] as const,
    ),
  );
  return new Map(
    entries.flatMap(([name, schema]) => (schema === undefined ? [] : [[name, schema] as const])),
  );
}

/** By input schema, because the SDK makes a new JSON Schema each time. */
const knownSchemas = new WeakMap<object, object>();

/**
 * The input schema itself, else the JSON Schema that the SDK makes of it. Undefined for a tool
 * without one, and if its library can't write it as JSON Schema.
 */
async function schemaOf(
  toolName: string,
  { inputSchema }: FoundTool['tool'],
  failure: FoundTool['failure'],
): Promise<object | undefined> {
  const schemaLike: unknown = inputSchema;
  if (!isObjectLike(schemaLike)) return undefined;
  const cachedSchema = knownSchemas.get(schemaLike);
  if (cachedSchema !== undefined) return cachedSchema;
  try {
    const schema =
      inputSchemaOf(schemaLike).kind === 'none'
        ? await failure.inputSchema({ toolName })
        : schemaLike;
    knownSchemas.set(schemaLike, schema);
    return schema;
  } catch {
    return undefined;
  }
}

/** Throws a ToolCallError, unless the registry has the tool and this step doesn't offer it. */
async function refuseUnknown(
  call: ToolCall,
  { suggestions, message }: { readonly suggestions: readonly string[]; readonly message: string },
  { tools, options }: ToolSource,
): Promise<void> {
  const interpretedCall = tools.interpret(call, { counted: false });
  if (interpretedCall.status !== 'unknown_tool') return;
  const registryOutcome = await tools.call(call, callOptionsOf(options));
  // The SDK's other tools are tools too.
  const outcome: ToolOutcome =
    registryOutcome.status === 'unknown_tool'
      ? { ...registryOutcome, suggestions, message }
      : registryOutcome;
  notifyOutcome(options, outcome);
  throw new ToolCallError(outcome);
}
