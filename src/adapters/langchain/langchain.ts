import type { CallbackManagerForToolRun } from '@langchain/core/callbacks/manager';
import { type AIMessageChunk, AIMessage, ToolMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  type StructuredToolInterface,
  type ToolRunnableConfig,
  type ToolSchemaBase,
  DynamicStructuredTool,
} from '@langchain/core/tools';
import * as jsonSchemas from '@langchain/core/utils/json_schema';
import { type OptionKinds, callback, checkOptions } from '../../errors/check-options.ts';
import { newErrorId, signalTextOf, ToolmendError } from '../../errors/errors.ts';
import { type ToolOutcome, toolMessage } from '../../execute/tool-outcome.ts';
import type { ResultImage } from '../../execute/tool-result.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { newCallId } from '../../interpret/tool-call-collector.ts';
import { type JsonObject, defined, ownValue } from '../../json/value.ts';
import { internalErrorMessage } from '../../messages/call-messages.ts';
import type { NeutralTool } from '../../providers/providers.ts';
import type { CallOptions } from '../../registry/call-options.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { endOfEarlier } from '../../repair/decode-arguments.ts';
import { inputSchemaOf } from '../../schema/input-schema.ts';
import { notify } from '../../telemetry/tool-event.ts';
import {
  type RepairToolCallsOptions,
  repairBySchemasNow,
  repairToolCallsKinds,
} from '../repair-by-schema.ts';
import {
  type SdkCall,
  type SdkCallOptions as LangChainCallOptions,
  type SdkLoopOptions,
  notifyOutcome,
  requireExport,
  sdkLoopOptionKinds,
  SentCalls,
  ToolCallError,
} from '../sdk-driven-loop.ts';
import { argumentsOf, dataUrl, memberOf, textOrParts } from '../tool-turn.ts';

requireExport(jsonSchemas, ['toJsonSchema'], { name: '@langchain/core', versions: '^0.3.80 || ^1.2.0' });

/** The call options of `tools.call`, without the signal, which LangChain's configuration has. */
export interface LangChainOptions extends SdkLoopOptions {
  /**
   * Options for one call, from its configuration: its tenant, or the memory of its thread. They override the others. If the
   * function throws a `ToolFailure`, the model reads its text; of another exception it reads an error id, and the exception is
   * the `cause`.
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
   * A message with repaired calls: text that isn't JSON, misspelt names, and arguments as they would run. Put it after the
   * model: `model.bindTools(tools).pipe(repairToolCalls)`. A message without calls is returned as it is.
   */
  readonly repairToolCalls: (message: AIMessage) => AIMessage;
}

/** The tools of a registry or a selection, as they are now. Once for all requests is enough. */
export function toLangChain(tools: ToolSet, options: LangChainOptions = {}): LangChainTools {
  checkOptions('toLangChain', options, langChainOptionKinds);
  const sent = new SentCalls(tools);
  const direct = new Set(
    tools.contracts().flatMap(({ name, execution }) => (execution?.returnDirect === true ? [name] : [])),
  );
  return {
    tools: tools
      .schemas()
      .map((shown) => langChainTool(shown, direct.has(shown.name), { tools, sent, options })),
    repairToolCalls: (message) => repairMessage(message, (call) => sent.readCall(call)),
  };
}

/** What the tools of one set share. */
interface ToolSource {
  readonly tools: ToolSet;
  readonly sent: SentCalls;
  readonly options: LangChainOptions;
}

/**
 * LangChain validates by the schema of a tool before it invokes the tool, and would refuse what can be repaired. So the tool
 * that models see passes its calls to a second one that accepts any arguments.
 */
function langChainTool(
  { name, description, inputSchema }: NeutralTool,
  returnDirect: boolean,
  source: ToolSource,
): DynamicStructuredTool {
  const func = (input: unknown, runManager?: CallbackManagerForToolRun, config: ToolRunnableConfig = {}) =>
    runTool(name, { input, runManager, config }, source);
  const fields = { name, description, func, returnDirect };
  // A copy, because LangChain's models may write to it.
  const schema: ToolSchemaBase = structuredClone({ ...inputSchema });
  const shown = new DynamicStructuredTool({ ...fields, schema });
  const open = new DynamicStructuredTool({ ...fields, schema: {} });
  return Object.assign(shown, { invoke: open.invoke.bind(open) });
}

interface LangChainRun {
  readonly input: unknown;
  readonly runManager: CallbackManagerForToolRun | undefined;
  readonly config: ToolRunnableConfig;
}

/** A tool message for a tool call. If the program invokes the tool itself: the content, or an exception. */
async function runTool(
  name: string,
  { input, runManager, config }: LangChainRun,
  { tools, sent, options }: ToolSource,
): Promise<unknown> {
  const id = config.toolCall?.id;
  const outcome = await tools.call(sent.callOf(id ?? '', name, input), {
    ...callOptionsFor(options, config),
    progress: (update) => notify(() => reportProgress(runManager, update)),
  });
  notifyOutcome(options, outcome);
  if (id !== undefined) return toolMessageOf(outcome, id, name);
  if (toolMessage(outcome).isError) throw new ToolCallError(outcome);
  return textOrParts(toolMessage(outcome), blockFormat);
}

/** `@langchain/core` 0.3 has no events of tools. */
function reportProgress(runManager: CallbackManagerForToolRun | undefined, update: unknown): unknown {
  return memberOf(runManager, 'handleToolEvent') === undefined
    ? undefined
    : runManager?.handleToolEvent(update);
}

function callOptionsFor(options: LangChainOptions, config: RunnableConfig): CallOptions {
  const { forCall, onOutcome: _, ...callOptions } = options;
  const { signal } = config;
  return {
    ...callOptions,
    ...optionsFromProgram(forCall, config),
    ...(signal === undefined ? {} : { signal }),
  };
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
    ...(artifact === undefined ? {} : { artifact }),
  });
}

/** The tool's own artifact, else its result as data. Of a call that needs an approval, the approval. */
function artifactOf(outcome: ToolOutcome): unknown {
  if (outcome.status === 'approval_required') return outcome.approval;
  return outcome.status === 'completed' ? (outcome.artifact ?? outcome.content.structured) : undefined;
}

type Content = AIMessage['content'];
type Block = Exclude<Content, string>[number];

const blockFormat = {
  text: (text: string): Block => ({ type: 'text', text }),
  image: (image: ResultImage): Block => ({ type: 'image_url', image_url: { url: dataUrl(image) } }),
};

/** A call as LangChain lists it. The `args` of an invalid one are text. */
interface ListedCall {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly args?: unknown;
}

type RepairedCall = NonNullable<AIMessage['tool_calls']>[number] & { readonly id: string };

/**
 * A message with repaired calls, for any tools: `model.bindTools(tools).pipe(repairToolCalls(tools))`. Each call is repaired by the
 * schema of its tool. A call that can't be repaired stays as it is if LangChain refuses it too. Else, for example if zod would drop a
 * misspelt key, it is among `invalid_tool_calls`, and its `error` says what to send instead. A call of a tool that isn't among these
 * stays as it is. Throws a DefinitionError for an unknown or ill-valued option.
 */
export function repairToolCalls(
  tools: readonly Pick<StructuredToolInterface, 'name' | 'schema'>[],
  options: RepairToolCallsOptions = {},
): (message: AIMessage) => AIMessage {
  checkOptions('repairToolCalls', options, repairToolCallsKinds);
  const schemas = new Map(
    tools.flatMap(({ name, schema }) => {
      const written = readableSchema(schema);
      return written === undefined ? [] : [[name, written] as const];
    }),
  );
  return (message) =>
    repairMessage(message, (call) => {
      const isEnded = call.finishReason === undefined && options.repairMissingEnd === true;
      const sent = isEnded ? { ...call, finishReason: 'stop' } : call;
      const repaired = repairBySchemasNow(schemas, sent, options);
      if (repaired.kind === 'as_sent') return undefined;
      if (repaired.kind === 'refused') return { error: repaired.message, schema: repaired.schema };
      const { name, text } = repaired;
      return { name, arguments: argumentsOf({ id: call.id, name, arguments: text }) };
    });
}

/** The schema by which LangChain validates a call that toolmend refuses. */
interface RefusedCall {
  readonly error: string;
  readonly schema: object;
}

/** The call as it is repaired; undefined if it stays as it is. */
type ReadCall = (call: ToolCall) => SdkCall | RefusedCall | undefined;

/** Whether LangChain refuses arguments itself, and answers the call. False if only an asynchronous validation knows. */
function isRefusedByLangChain(schema: object, args: unknown): boolean {
  const read = inputSchemaOf(schema);
  if (read.kind === 'json_schema') return !new jsonSchemas.Validator({ ...read.schema }).validate(args).valid;
  const validated = read.kind === 'validating' ? read.validate(args) : undefined;
  return validated !== undefined && 'kind' in validated && validated.kind === 'invalid';
}

/**
 * LangChain has parsed the calls: it lists those that it couldn't read separately, and completes those that a stream cut off.
 * So each call is read again from its text, if the message still has it.
 */
function repairMessage(message: AIMessage, readCall: ReadCall): AIMessage {
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const listed: readonly ListedCall[] = [...tool_calls, ...invalid_tool_calls];
  if (listed.length === 0) return message;
  const texts = sentTexts(message);
  const reason = finishReasonOf(message.response_metadata);
  const ordered = invalid_tool_calls.length === 0 ? listed : texts.inOrder(listed);
  const isFollowed = (call: ListedCall): boolean => ordered !== undefined && call !== ordered.at(-1);
  const read = (ordered ?? listed).map((listedCall, index) => {
    const { id: sentId, name = '', args } = listedCall;
    const id = sentId === undefined || sentId === '' ? newCallId() : sentId;
    const finishReason = isFollowed(listedCall) ? endOfEarlier(reason) : reason;
    const text = texts.of(listedCall, index);
    const call = { id, name, arguments: text ?? args };
    const repaired = readCall({ ...call, ...(finishReason === undefined ? {} : { finishReason }) });
    if (repaired === undefined || 'arguments' in repaired) return { listedCall, id, repaired };
    const runs = isArguments(args) && !isRefusedByLangChain(repaired.schema, args);
    const refused = { type: 'invalid_tool_call', id, name, error: repaired.error } as const;
    return runs
      ? { listedCall, id, refused: { ...refused, args: text ?? JSON.stringify(args) } }
      : { listedCall, id };
  });
  const refused = read.flatMap((call) => call.refused ?? []);
  if (refused.length === 0 && read.every(({ repaired }) => repaired === undefined)) return message;
  const calls = read.flatMap(({ listedCall, id, refused: isRefused, repaired = validCall(listedCall) }) => {
    if (repaired === undefined || isRefused !== undefined) return [];
    const { name, arguments: args } = repaired;
    return [{ sentId: listedCall.id, call: { type: 'tool_call', id, name, args: { ...args } } as const }];
  });
  const left = new Set(
    read.flatMap(({ listedCall, repaired }) => (repaired === undefined ? [listedCall] : [])),
  );
  const { content, id, name, additional_kwargs, response_metadata, usage_metadata } = message;
  return new AIMessage({
    content: contentWith(content, calls, new Set(refused.map(({ id: refusedId }) => refusedId))),
    additional_kwargs: withoutCalls(additional_kwargs),
    response_metadata,
    tool_calls: calls.map(({ call }) => call),
    invalid_tool_calls: [...invalid_tool_calls.filter((call) => left.has(call)), ...refused],
    ...defined({ id, name, usage_metadata }),
  });
}

/** Undefined for a call that LangChain couldn't read, whose arguments are text. */
const validCall = ({ name = '', args }: ListedCall): SdkCall | undefined =>
  isArguments(args) ? { name, arguments: args } : undefined;
const isArguments = (args: unknown): args is JsonObject => typeof args === 'object' && args !== null;

/** Without OpenAI's own list of the calls, which LangChain would send if there were no others. */
const withoutCalls = (kwargs: object): AIMessage['additional_kwargs'] =>
  Object.fromEntries(Object.entries(kwargs).filter(([key]) => key !== 'tool_calls'));

/** The keys of the finish reason in LangChain's models for OpenAI, Anthropic, Google, Bedrock and Ollama. */
const reasonKeys = ['finish_reason', 'stop_reason', 'finishReason', 'stopReason', 'done_reason'];

const finishReasonOf = (metadata: Readonly<Record<string, unknown>> = {}): string | undefined =>
  reasonKeys.map((key) => ownValue(metadata, key)).find((reason) => typeof reason === 'string');

interface SentText {
  readonly id: string | undefined;
  readonly text: string;
}

/** The argument texts that a message still has: in the chunks of a stream, or in OpenAI's own list of the calls. */
interface SentTexts {
  /** By the id of the call if ids are unique, else by its index. Undefined if the text is unknown. */
  of(call: ListedCall, index: number): string | undefined;
  /** The calls in the order in which they were sent. Undefined if it is unknown. */
  inOrder(calls: readonly ListedCall[]): readonly ListedCall[] | undefined;
}

function sentTexts(message: AIMessage): SentTexts {
  const texts = isChunk(message) ? streamedTexts(message) : answeredTexts(message);
  const ids = new Set(texts.map(({ id }) => id));
  const areUnique = ids.size === texts.length && !ids.has(undefined);
  const isInOrder =
    (message.invalid_tool_calls ?? []).length === 0 && texts.length === (message.tool_calls ?? []).length;
  const indexOf = ({ id }: ListedCall): number => (areUnique ? texts.findIndex((one) => one.id === id) : -1);
  return {
    of(call, index) {
      if (areUnique) return texts[indexOf(call)]?.text;
      return isInOrder ? texts[index]?.text : undefined;
    },
    inOrder: (calls) =>
      calls.some((call) => indexOf(call) < 0)
        ? undefined
        : calls.toSorted((one, other) => indexOf(one) - indexOf(other)),
  };
}

/** `@langchain/core` 0.3 has no `AIMessageChunk.isInstance`. */
const isChunk = (message: AIMessage): message is AIMessageChunk => 'tool_call_chunks' in message;

const streamedTexts = ({ tool_call_chunks = [] }: AIMessageChunk): readonly SentText[] =>
  tool_call_chunks.flatMap(({ id, args }) => (args === undefined ? [] : [{ id, text: args }]));

function answeredTexts({ additional_kwargs }: AIMessage): readonly SentText[] {
  const calls = memberOf(additional_kwargs, 'tool_calls');
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: unknown) => {
    const id = memberOf(call, 'id');
    const text = memberOf(memberOf(call, 'function'), 'arguments');
    return typeof text === 'string' ? [{ id: typeof id === 'string' ? id : undefined, text }] : [];
  });
}

interface RepairedBlockCall {
  readonly sentId: string | undefined;
  readonly call: RepairedCall;
}

/**
 * The content may repeat the calls, in blocks of LangChain's or Anthropic's form. There they are replaced too, or the history
 * would have a call twice, or as it was sent. LangChain adds missing blocks of its own form. Blocks of refused calls are left out,
 * because Anthropic refuses a history with a call that has no result.
 */
function contentWith(
  content: Content,
  calls: readonly RepairedBlockCall[],
  refused: ReadonlySet<unknown>,
): Content {
  if (typeof content === 'string') return content;
  const repaired = callsByBlock(
    content.filter((block) => formOf(block) !== undefined),
    calls,
  );
  return content.flatMap((block): Block[] => {
    const form = formOf(block);
    if (form === undefined) return [block];
    if ('id' in block && refused.has(block.id)) return [];
    const call = repaired.get(block);
    if (call === undefined) return form === 'langchain' ? [] : [block];
    const { id, name, args } = call;
    return [
      form === 'langchain' ? { type: 'tool_call', id, name, args } : { ...block, id, name, input: args },
    ];
  });
}

/** Undefined: the block is not a call. */
function formOf({ type }: Block): 'langchain' | 'anthropic' | undefined {
  if (type === 'tool_use') return 'anthropic';
  return type === 'tool_call' || type === 'tool_call_chunk' || type === 'invalid_tool_call'
    ? 'langchain'
    : undefined;
}

/** By id if ids are unique, else by index. */
function callsByBlock(
  blocks: readonly Block[],
  calls: readonly RepairedBlockCall[],
): ReadonlyMap<Block, RepairedCall> {
  const byId = new Map(calls.map(({ sentId, call }) => [sentId, call]));
  const areUnique = byId.size === calls.length && !byId.has(undefined);
  const isInOrder = blocks.length === calls.length;
  return new Map(
    blocks.flatMap((block, index) => {
      const id = 'id' in block && typeof block.id === 'string' ? block.id : undefined;
      const call = areUnique ? byId.get(id) : isInOrder ? calls[index]?.call : undefined;
      return call === undefined ? [] : [[block, call] as const];
    }),
  );
}

/**
 * The schema itself, else as LangChain shows it, where arguments with defaults are required. Undefined if neither can be written as
 * JSON Schema.
 */
function readableSchema(schema: StructuredToolInterface['schema']): object | undefined {
  if (inputSchemaOf(schema).kind !== 'none') return schema;
  try {
    return jsonSchemas.toJsonSchema(schema);
  } catch {
    return undefined;
  }
}
