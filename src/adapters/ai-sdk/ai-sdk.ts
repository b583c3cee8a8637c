import {
  type JSONSchema7,
  type ModelMessage,
  type Tool,
  type ToolCallRepairFunction,
  type ToolExecutionOptions,
  type ToolSet as AiToolSet,
  jsonSchema,
} from 'ai';
import { type OptionKinds, callback, checkOptions, either, oneOf } from '../../errors/check-options.ts';
import { type ToolOutcome, toolMessage } from '../../execute/tool-outcome.ts';
import { type ResultImage, resultContent } from '../../execute/tool-result.ts';
import { objectsIn } from '../../interpret/tool-call-collector.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { canonicalJson, readPlainValue } from '../../json/serialize.ts';
import { type JsonObject, type JsonValue, objectOf, sameValue } from '../../json/value.ts';
import type { NeutralTool } from '../../providers/providers.ts';
import { type CallOptions, callOptionKinds } from '../../registry/call-options.ts';
import { SentCalls, ToolCallError, inputAsInterpreted } from '../../registry/sdk-driven-loop.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import type { SchemaObject } from '../../schema/json-schema.ts';
import { tell } from '../../telemetry/tool-event.ts';
import type { ToolContract } from '../../tool/tool-contract.ts';

/** As for `tools.call`; the signal is the SDK's own. */
export interface AiSdkOptions extends Pick<
  CallOptions,
  'context' | 'memory' | 'run' | 'tenant' | 'timeoutMs'
> {
  /**
   * What becomes of a tool's progress. `preliminary`: preliminary results, after which the SDK tells of each result twice, as
   * a preliminary and as the final one. Default: none is told.
   */
  readonly progress?: 'preliminary' | ((update: unknown, call: ToolCall) => unknown);
  /** Told of what became of each call, with repairs, artifact and cause. What it throws or rejects with is dropped. */
  readonly onOutcome?: (outcome: ToolOutcome) => unknown;
}

const aiSdkOptionKinds: OptionKinds<AiSdkOptions> = {
  context: callOptionKinds.context,
  memory: callOptionKinds.memory,
  run: callOptionKinds.run,
  tenant: callOptionKinds.tenant,
  timeoutMs: callOptionKinds.timeoutMs,
  progress: either(
    "write 'preliminary' or a function that takes an update and its call",
    oneOf('preliminary'),
    callback(''),
  ),
  onOutcome: callback('write a function that takes an outcome'),
};

/** Of the options what `tools.call` takes. */
function callOptionsOf(options: AiSdkOptions): CallOptions {
  const { progress: _, onOutcome: __, ...others } = options;
  return others;
}

/** Told to whoever wants to know; never changes what becomes of the call. */
function tellOutcome({ onOutcome }: AiSdkOptions, outcome: ToolOutcome): void {
  tell(() => onOutcome?.(outcome));
}

// The SDK puts requests and answers into its messages.
/** Looked at as data: the messages may have come from a browser. */
interface Part {
  readonly type: string;
  readonly toolCallId?: unknown;
  readonly approvalId?: unknown;
  readonly approved?: unknown;
  readonly input?: unknown;
}

/** Only the last call of this id, if it had this input, was asked about, was approved, and has no result yet. */
function isApprovedIn(messages: readonly ModelMessage[], toolCallId: string, input: unknown): boolean {
  const parts = messages.flatMap(partsOf);
  const called = parts.findLastIndex((part) => part.type === 'tool-call' && part.toolCallId === toolCallId);
  const since = called === -1 ? [] : parts.slice(called);
  const [call] = since;
  const request = since.findLast(
    (part) => part.type === 'tool-approval-request' && part.toolCallId === toolCallId,
  );
  const answers = since.filter(
    (part) => part.type === 'tool-approval-response' && part.approvalId === request?.approvalId,
  );
  const isAnswered = since.some((part) => part.type === 'tool-result' && part.toolCallId === toolCallId);
  return (
    !isAnswered &&
    request !== undefined &&
    answers.length > 0 &&
    answers.every(({ approved }) => approved === true) &&
    isSameInput(call?.input, input)
  );
}

const partsOf = ({ content }: ModelMessage): readonly Part[] =>
  typeof content === 'string' ? [] : objectsIn<Part>(content);

const deepest = 256;

function isSameInput(one: unknown, other: unknown): boolean {
  const [left, right] = [one, other].map((value) => readPlainValue(value, deepest));
  return (
    left?.kind === 'plain' &&
    right?.kind === 'plain' &&
    canonicalJson(left.value) === canonicalJson(right.value)
  );
}

// All that the model reads is in the output itself: it comes back from a browser as JSON.
/** `output` of a tool result; plain JSON. */
export interface AiSdkOutput {
  /** What the model reads. */
  readonly text: string;
  /** The result as data, where it was no text. */
  readonly structured?: JsonValue;
  /** Base64, for a model that sees. */
  readonly images?: readonly ResultImage[];
  /** What the model reads beside the text: what was done to its arguments. */
  readonly notes: readonly string[];
}

function outputOf(outcome: ToolOutcome): AiSdkOutput {
  const { isError: _, ...output } = toolMessage(outcome);
  return output;
}

/** Of what a tool reports while it runs. */
function preliminaryOutput(update: unknown): AiSdkOutput {
  try {
    return { ...resultContent({ value: update, images: [] }), notes: [] };
  } catch {
    return { text: String(update), notes: [] };
  }
}

const outputSchemaOf = (structured: SchemaObject | undefined): SchemaObject => ({
  type: 'object',
  properties: {
    text: { type: 'string' },
    structured: structured ?? {},
    images: {
      type: 'array',
      items: {
        type: 'object',
        properties: { data: { type: 'string' }, mediaType: { type: 'string' } },
        required: ['data', 'mediaType'],
      },
    },
    notes: { type: 'array', items: { type: 'string' } },
  },
  required: ['text', 'notes'],
});

type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>;

/**
 * Text alone as text; notes and images as parts of their own. What comes out of a store or a browser may be the output that
 * a tool of this name had before: then it is as the SDK has it without us.
 */
function modelOutput(output: unknown): ModelOutput {
  if (!isOutput(output)) return typeof output === 'string' ? asText(output) : asJson(output);
  const { text, images = [], notes } = output;
  if (images.length === 0 && notes.length === 0) return asText(text);
  const textPart = (said: string) => ({ type: 'text' as const, text: said });
  const shown = images.map(({ data, mediaType }) => ({
    type: 'file' as const,
    mediaType,
    data: { type: 'data' as const, data },
  }));
  return { type: 'content', value: [textPart(text), ...shown, ...notes.map(textPart)] };
}

const asText = (value: string): ModelOutput => ({ type: 'text', value });

function asJson(output: unknown): ModelOutput {
  const reading = readPlainValue(output ?? null, deepest);
  return reading.kind === 'plain' ? { type: 'json', value: reading.value } : asText(String(output));
}

const isOutput = (value: unknown): value is AiSdkOutput =>
  isRecord(value) &&
  typeof value['text'] === 'string' &&
  isListOf(value['notes'], (note) => typeof note === 'string') &&
  (value['images'] === undefined || isListOf(value['images'], isImage));

const isImage = (value: unknown): boolean =>
  isRecord(value) && typeof value['data'] === 'string' && typeof value['mediaType'] === 'string';

const isListOf = (value: unknown, isOne: (element: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isOne);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

// The registry interprets it as it was sent, and answers it.
/** Of one execution by the SDK. */
export interface SdkRun extends Pick<ToolExecutionOptions<unknown>, 'messages' | 'toolCallId'> {
  readonly abortSignal: AbortSignal | undefined;
  readonly call: ToolCall;
  /** The arguments as the SDK has them. */
  readonly input: unknown;
  readonly progress: ((update: unknown) => unknown) | undefined;
}

/** Throws a ToolCallError for a call that gave no result. */
async function runCall(tools: ToolSet, run: SdkRun, options: AiSdkOptions): Promise<AiSdkOutput> {
  const { call, abortSignal, progress } = run;
  const callOptions: CallOptions = {
    ...callOptionsOf(options),
    ...(abortSignal === undefined ? {} : { signal: abortSignal }),
    ...(progress === undefined ? {} : { progress }),
  };
  const asked = await tools.call(call, callOptions);
  const outcome =
    asked.status === 'approval_required' && isApproved(tools, asked, run)
      ? await tools.resolveApproval(asked.approval, { decision: 'approve' }, callOptions)
      : asked;
  tellOutcome(options, outcome);
  if (outcome.status === 'completed') return outputOf(outcome);
  throw new ToolCallError(outcome);
}

/** The person has seen the arguments that the SDK has; what an interceptor has changed since, nobody has seen. */
function isApproved(
  tools: ToolSet,
  waiting: Extract<ToolOutcome, { readonly status: 'approval_required' }>,
  { call, input, messages, toolCallId }: SdkRun,
): boolean {
  const interpreted = tools.interpret(call);
  return (
    interpreted.status === 'accepted' &&
    sameValue(interpreted.interpretation.value, waiting.interpretation.value) &&
    isApprovedIn(messages, toolCallId, input)
  );
}

export type AiSdkTool = Tool<JsonObject, AiSdkOutput>;

/** What the tools of one set have in common. */
export interface ToolSource {
  readonly tools: ToolSet;
  readonly sent: SentCalls;
  readonly options: AiSdkOptions;
}

function aiSdkTool(shown: NeutralTool, contract: ToolContract, source: ToolSource): AiSdkTool {
  const { name, description, inputSchema } = shown;
  const { execution } = contract;
  return {
    description,
    metadata: metadataOf(contract),
    inputSchema: jsonSchema<JsonObject>(schemaCopy(inputSchema), {
      validate: (value) => ({ success: true, value: interpretedInput(name, value, source) }),
    }),
    outputSchema: jsonSchema<AiSdkOutput>(schemaCopy(outputSchemaOf(execution?.outputSchema))),
    execute: (input, running) => executed(name, input, running, source),
    toModelOutput: ({ output }) => modelOutput(output),
  };
}

/** Not sent to the model: it stands beside each call, for those who show calls to people. */
const metadataOf = ({ title, effects }: ToolContract): NonNullable<AiSdkTool['metadata']> => ({
  ...(title === undefined ? {} : { title }),
  ...(effects === undefined ? {} : { effects }),
});

/** Nothing is refused here: the registry answers what is wrong, in its own words, when the SDK runs the call. */
function interpretedInput(name: string, value: unknown, { tools, sent }: ToolSource): JsonObject {
  const interpreted = tools.interpret({ id: '', name, arguments: value });
  const input = inputAsInterpreted(tools, interpreted);
  if (input !== value) sent.keepValue(input, value);
  return input;
}

function executed(
  name: string,
  input: JsonObject,
  {
    toolCallId,
    messages,
    abortSignal,
  }: Pick<ToolExecutionOptions<unknown>, 'toolCallId' | 'messages' | 'abortSignal'>,
  { tools, sent, options }: ToolSource,
): Promise<AiSdkOutput> | AsyncIterable<AiSdkOutput> {
  const call = sent.callOf(toolCallId, name, input);
  const { progress } = options;
  const run = (told: ((update: unknown) => unknown) | undefined): Promise<AiSdkOutput> =>
    runCall(tools, { call, input, toolCallId, messages, abortSignal, progress: told }, options);
  if (progress === 'preliminary') return withPreliminary(run);
  return run(progress === undefined ? undefined : (update) => progress(update, call));
}

/** The SDK takes each value as preliminary, and the last one as the result too. */
const withPreliminary = (
  run: (told: (update: unknown) => void) => Promise<AiSdkOutput>,
): AsyncIterable<AiSdkOutput> =>
  new ReadableStream<AiSdkOutput>({
    async start(controller) {
      controller.enqueue(await run((update) => controller.enqueue(preliminaryOutput(update))));
      controller.close();
    },
  });

/** A JSON object is a schema as far as types go. Copied: providers may write to it. */
function schemaCopy(schema: object): JSONSchema7 {
  const copy: unknown = structuredClone(schema);
  if (!isSchema(copy)) throw new TypeError('a schema is an object');
  return copy;
}

const isSchema = (value: unknown): value is JSONSchema7 => typeof value === 'object' && value !== null;

/** For `generateText`, `streamText` and agents. */
export type RepairToolCall = ToolCallRepairFunction<AiToolSet>;

/**
 * A call that can be mended goes on mended. One that can't goes on too, with what can be shown of it, so that the registry
 * answers it in its own words; a name that is no tool's is answered at once.
 */
function repairToolCallFor(tools: ToolSet, sent: SentCalls, options: AiSdkOptions): RepairToolCall {
  return async ({ toolCall, tools: offered }) => {
    const { toolCallId: id, toolName: name, input } = toolCall;
    const call = await endedCall(tools, { id, name, arguments: input }, options);
    const interpreted = tools.interpret(call);
    if (interpreted.status === 'unknown_tool') {
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

// As the three settings of its calls that have to do with tools.
/** For `generateText`, `streamText` and agents: `{ model, prompt, ...toAiSdk(tools) }`. */
export interface AiSdkSettings {
  readonly tools: { readonly [name: string]: AiSdkTool };
  /** Mends text that is no JSON, and names that are only spelled differently. Without it the SDK refuses them. */
  readonly repairToolCall: RepairToolCall;
  /**
   * Asks the user in the SDK's way about calls that the registry's `approval` wants to be asked about. Without it the model
   * reads that such a call waits, and `onOutcome` gets what to hand to `tools.resolveApproval`.
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
  checkOptions('toAiSdk', options, aiSdkOptionKinds);
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
