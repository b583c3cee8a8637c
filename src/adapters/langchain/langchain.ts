import type { CallbackManagerForToolRun } from '@langchain/core/callbacks/manager';
import { AIMessage, AIMessageChunk, ToolMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { DynamicStructuredTool, type ToolRunnableConfig, type ToolSchemaBase } from '@langchain/core/tools';
import { type OptionKinds, callback, checkOptions } from '../../errors/check-options.ts';
import { ToolmendError, newErrorId, signalTextOf } from '../../errors/errors.ts';
import { type ToolOutcome, toolMessage } from '../../execute/tool-outcome.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { ownValue } from '../../json/value.ts';
import { internalErrorMessage } from '../../messages/call-messages.ts';
import type { NeutralTool } from '../../providers/providers.ts';
import { type CallOptions, callOptionKinds } from '../../registry/call-options.ts';
import { SentCalls, ToolCallError, inputAsInterpreted } from '../../registry/sdk-driven-loop.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { endOfEarlier } from '../../repair/finish-reason.ts';
import { tell } from '../../telemetry/tool-event.ts';

// In blocks of LangChain's own form and of Anthropic's: there, too, they have to be as they were meant, or the
// history has a call twice, or has it as it was sent.
type Content = AIMessage['content'];
type Block = Exclude<Content, string>[number];

/** A call as LangChain lists it. */
export type MeantCall = NonNullable<AIMessage['tool_calls']>[number] & { readonly id: string };

/** A call, and the id that it came with. */
interface SentCall {
  readonly sentId: string | undefined;
  readonly call: MeantCall | undefined;
}

/** A new list, with each call's block as the call is. LangChain adds what is missing of its own blocks. */
function contentWith(content: Content, calls: readonly SentCall[]): Content {
  if (typeof content === 'string') return content;
  const places = content.filter((block) => formOf(block) !== undefined);
  const meant = callsOf(places, calls);
  return content.flatMap((block) => {
    const form = formOf(block);
    if (form === undefined) return [block];
    const call = meant.get(block);
    if (call === undefined) return form === 'own' ? [] : [block];
    return [form === 'own' ? ownBlock(call) : { ...block, id: call.id, name: call.name, input: call.args }];
  });
}

const ownBlock = ({ id, name, args }: MeantCall): Block => ({ type: 'tool_call', id, name, args });

/** LangChain's, whole, streamed or not to be read; Anthropic's; undefined: no call. */
function formOf({ type }: Block): 'own' | 'anthropic' | undefined {
  if (type === 'tool_use') return 'anthropic';
  return type === 'tool_call' || type === 'tool_call_chunk' || type === 'invalid_tool_call'
    ? 'own'
    : undefined;
}

/** By their ids where these tell the calls apart, else by their places. */
function callsOf(places: readonly Block[], calls: readonly SentCall[]): ReadonlyMap<Block, MeantCall> {
  const byId = new Map(calls.map(({ sentId, call }) => [sentId, call]));
  const areApart = byId.size === calls.length && !byId.has(undefined);
  const isInOrder = places.length === calls.length;
  return new Map(
    places.flatMap((block, index) => {
      const call = areApart ? byId.get(idOf(block)) : isInOrder ? calls[index]?.call : undefined;
      return call === undefined ? [] : [[block, call] as const];
    }),
  );
}

const idOf = (block: Block): string | undefined =>
  'id' in block && typeof block.id === 'string' ? block.id : undefined;

// A tool message: content, notes and images in blocks of their own, and a status.
type Blocks = Exclude<ToolMessage['content'], string>;

/** Without an id the content alone, as LangChain does where nobody has called. */
function contentOf(outcome: ToolOutcome): string | Blocks {
  const { text, notes, images = [] } = toolMessage(outcome);
  if (notes.length === 0 && images.length === 0) return text;
  const textBlock = (said: string) => ({ type: 'text', text: said });
  const shown = images.map(({ data, mediaType }) => ({
    type: 'image_url',
    image_url: { url: `data:${mediaType};base64,${data}` },
  }));
  return [textBlock(text), ...shown, ...notes.map(textBlock)];
}

function langChainMessage(outcome: ToolOutcome, id: string, name: string): ToolMessage {
  const artifact = artifactOf(outcome);
  return new ToolMessage({
    content: contentOf(outcome),
    tool_call_id: id,
    name,
    status: toolMessage(outcome).isError ? 'error' : 'success',
    ...(artifact === undefined ? {} : { artifact }),
  });
}

/** The tool's own artifact, else its result as data; of a call that waits, what to hand to `tools.resolveApproval`. */
function artifactOf(outcome: ToolOutcome): unknown {
  if (outcome.status === 'approval_required') return outcome.approval;
  return outcome.status === 'completed' ? (outcome.artifact ?? outcome.content.structured) : undefined;
}

/** As for `tools.call`; the signal is the configuration's own. */
export type LangChainCallOptions = Pick<CallOptions, 'context' | 'memory' | 'run' | 'tenant' | 'timeoutMs'>;

export interface LangChainOptions extends LangChainCallOptions {
  /**
   * The same for one call, from its configuration: its tenant, or the memory of its thread. Stands before the others. The
   * model reads the text of a `ToolFailure` that it throws, and of anything else an error id; the exception is the `cause`.
   */
  readonly forCall?: (config: RunnableConfig) => LangChainCallOptions;
  /** Told of what became of each call, with repairs, artifact and cause. What it throws or rejects with is dropped. */
  readonly onOutcome?: (outcome: ToolOutcome) => unknown;
}

const langChainOptionKinds: OptionKinds<LangChainOptions> = {
  context: callOptionKinds.context,
  memory: callOptionKinds.memory,
  run: callOptionKinds.run,
  tenant: callOptionKinds.tenant,
  timeoutMs: callOptionKinds.timeoutMs,
  forCall: callback('write a function that returns options for one call, (config) => ({ … })'),
  onOutcome: callback('write a function that takes an outcome'),
};

/** Of the options what `tools.call` takes, for one call. */
function callOptionsFor(options: LangChainOptions, config: RunnableConfig): CallOptions {
  const { forCall, onOutcome: _, ...all } = options;
  const { signal } = config;
  return { ...all, ...asked(forCall, config), ...(signal === undefined ? {} : { signal }) };
}

/** LangChain's tool nodes show a model what an exception says. */
function asked(forCall: LangChainOptions['forCall'], config: RunnableConfig): LangChainCallOptions {
  try {
    return forCall?.(config) ?? {};
  } catch (error) {
    if (signalTextOf(error) !== undefined) throw error;
    const what = internalErrorMessage('The call', newErrorId());
    throw new ToolmendError('call-options', what, { cause: error });
  }
}

// It shows its JSON Schema, and only the registry validates against it.
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
function langChainTool(
  { name, description, inputSchema }: NeutralTool,
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

// LangChain keeps it beside what it has read: in the parts of a streamed message, or as OpenAI's API said it.
interface SentText {
  readonly id: string | undefined;
  readonly text: string;
}

interface Listed {
  readonly id?: string | undefined;
}

/** What is kept of how the calls of a message were sent. */
export interface SentTexts {
  /** By the call's id where ids tell the calls apart, else by its place; undefined where no text is kept. */
  of(call: Listed, index: number): string | undefined;
  /** The calls in the order in which they were sent; undefined where it isn't known. */
  inOrder<Call extends Listed>(calls: readonly Call[]): readonly Call[] | undefined;
}

function sentTexts(message: AIMessage): SentTexts {
  const texts = AIMessageChunk.isInstance(message) ? streamedTexts(message) : answeredTexts(message);
  const ids = new Set(texts.map(({ id }) => id));
  const areApart = ids.size === texts.length && !ids.has(undefined);
  const count = (message.tool_calls?.length ?? 0) + (message.invalid_tool_calls?.length ?? 0);
  const isInOrder = texts.length === count && (message.invalid_tool_calls ?? []).length === 0;
  const placeOf = ({ id }: Listed): number => (areApart ? texts.findIndex((one) => one.id === id) : -1);
  return {
    of(call, index) {
      if (areApart) return texts[placeOf(call)]?.text;
      return isInOrder ? texts[index]?.text : undefined;
    },
    inOrder: (calls) =>
      calls.some((call) => placeOf(call) < 0)
        ? undefined
        : calls.toSorted((one, other) => placeOf(one) - placeOf(other)),
  };
}

const streamedTexts = ({ tool_call_chunks = [] }: AIMessageChunk): readonly SentText[] =>
  tool_call_chunks.flatMap(({ id, args }) => (args === undefined ? [] : [{ id, text: args }]));

/** Looked at as data: it is what the provider's server said. */
function answeredTexts({ additional_kwargs }: AIMessage): readonly SentText[] {
  const calls = memberOf(additional_kwargs, 'tool_calls');
  return !Array.isArray(calls)
    ? []
    : calls.flatMap((call: unknown) => {
        const id = memberOf(call, 'id');
        const text = memberOf(memberOf(call, 'function'), 'arguments');
        return typeof text === 'string' ? [{ id: typeof id === 'string' ? id : undefined, text }] : [];
      });
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;

// LangChain has parsed them: what it couldn't read stands apart, and what it read of a stream it has completed. So
// each call is read again from its text, where that is still there.
/** A call as LangChain lists it; `args` of an invalid one is text. */
interface ListedCall {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly args?: unknown;
}

/** The same message if it calls nothing. Calls without an id get one. */
function repairToolCalls(tools: ToolSet, sent: SentCalls, message: AIMessage): AIMessage {
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const apart: readonly ListedCall[] = [...tool_calls, ...invalid_tool_calls];
  if (apart.length === 0) return message;
  const texts = sentTexts(message);
  const reason = finishReasonOf(message.response_metadata);
  // LangChain lists those that it could read first.
  const ordered = invalid_tool_calls.length === 0 ? apart : texts.inOrder(apart);
  const listed = ordered ?? apart;
  const isFollowed = (call: ListedCall): boolean => ordered !== undefined && call !== ordered.at(-1);
  const calls = listed.map((call, index) => {
    const { name = '' } = call;
    const id = call.id === undefined || call.id === '' ? newId() : call.id;
    const finishReason = isFollowed(call) ? endOfEarlier(reason) : reason;
    const ending = finishReason === undefined ? {} : { finishReason };
    return readCall(tools, sent, { id, name, arguments: texts.of(call, index) ?? call.args, ...ending });
  });
  const { content, id, name, additional_kwargs, response_metadata, usage_metadata } = message;
  return new AIMessage({
    content: contentWith(
      content,
      listed.map(({ id: sentId }, index) => ({ sentId, call: calls[index] })),
    ),
    additional_kwargs: withoutCalls(additional_kwargs),
    response_metadata,
    tool_calls: calls,
    invalid_tool_calls: [],
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(usage_metadata === undefined ? {} : { usage_metadata }),
  });
}

const newId = (): string => `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`;

function readCall(tools: ToolSet, sent: SentCalls, call: ToolCall): MeantCall {
  const interpreted = tools.interpret(call);
  const args = inputAsInterpreted(tools, interpreted);
  const name = interpreted.status === 'unknown_tool' ? call.name : interpreted.tool;
  sent.keepCall(call, { name, arguments: args });
  return { type: 'tool_call', id: call.id, name, args: { ...args } };
}

/** The calls as OpenAI's API said them: LangChain would send those where there are no others. */
const withoutCalls = (kwargs: object): AIMessage['additional_kwargs'] =>
  Object.fromEntries(Object.entries(kwargs).filter(([key]) => key !== 'tool_calls'));

/** Where LangChain's models keep the provider's word: OpenAI's, Anthropic's, Google's, Bedrock's, Ollama's. */
const reasonKeys = ['finish_reason', 'stop_reason', 'finishReason', 'stopReason', 'done_reason'];

const finishReasonOf = (metadata: Readonly<Record<string, unknown>> = {}): string | undefined =>
  reasonKeys.map((key) => ownValue(metadata, key)).find((reason) => typeof reason === 'string');

// As structured tools, and a step behind the model that reads its calls.
export interface LangChainTools {
  /** For `bindTools`, tool nodes and agents. Each interprets its calls itself, so that they work without anything else. */
  readonly tools: DynamicStructuredTool[];
  /**
   * The message with its calls as they were meant: text that is no JSON is mended, names that are only spelled differently
   * are the tools', arguments are those that would run. Put it behind the model: `model.bindTools(tools).pipe(repairToolCalls)`.
   */
  readonly repairToolCalls: (message: AIMessage) => AIMessage;
}

/** The tools of a registry or a selection, as they are now. One is good for all requests. */
export function toLangChain(tools: ToolSet, options: LangChainOptions = {}): LangChainTools {
  checkOptions('toLangChain', options, langChainOptionKinds);
  const sent = new SentCalls();
  const source = { tools, sent, options };
  const direct = new Set(
    tools.contracts().flatMap(({ name, execution }) => (execution?.returnDirect === true ? [name] : [])),
  );
  return {
    tools: tools.schemas().map((shown) => langChainTool(shown, direct.has(shown.name), source)),
    repairToolCalls: (message) => repairToolCalls(tools, sent, message),
  };
}
