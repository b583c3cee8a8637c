import * as sdk from 'ai';
import {
  type JSONSchema7,
  type ModelMessage,
  type Tool,
  type ToolExecutionOptions,
  jsonSchema,
} from 'ai';
import {
  type OptionKinds,
  boolean,
  callback,
  checkOptions,
  either,
  oneOfWords,
} from '../../options/check-options.ts';
import { type ToolMessage, toolMessage } from '../../outcomes/tool-outcome.ts';
import {
  type EmbeddedFile,
  type ResultFile,
  type ResultImage,
  resultContent,
} from '../../outcomes/tool-result.ts';
import { type PartialListener, partialCall } from '../../interpret/partial-calls.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { readPlainValue } from '../../json/serialize.ts';
import { definitionError } from '../../errors/definition-error.ts';
import { setNewest } from '../../collections/bounded-map.ts';
import { notify } from '../../telemetry/tool-event.ts';
import { attempt } from '../../collections/attempt.ts';
import { defined, memberOf, objectOf } from '../../collections/objects.ts';
import { type JsonObject, sameValue } from '../../json/value.ts';
import type { NeutralTool } from '../../providers/providers.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import type { SchemaObject } from '../../schema/json-schema.ts';
import type { ProviderOptions } from '../../tool/provider-options.ts';
import type { TextInput, ToolContract } from '../../tool/tool-contract.ts';
import {
  type SdkLoopOptions,
  isSameJson,
  notifyOutcome,
  requireExport,
  sdkLoopOptionKinds,
  SentCalls,
  ToolCallError,
} from '../sdk-driven-loop.ts';
import { callOfText, textOf } from '../text-tool-calls.ts';
import { fileText } from '../result-files.ts';
import {
  contentParts,
  inputExamplesOf,
  objectsIn,
  textOrParts,
  toolToRetry,
} from '../tool-turn.ts';
import {
  type RepairToolCall,
  type ToolSource,
  callOptionsOf,
  rememberTool,
  repairToolCallsOf,
} from './repair-tool-calls.ts';

/** The call options of `tools.call`, without the signal, which the SDK has. */
export interface AiSdkOptions extends SdkLoopOptions {
  /**
   * How a tool's progress is reported. `preliminary`: as preliminary results; the SDK then reports
   * each result twice, as the last preliminary one and as the final one. Or a function. Default:
   * not at all.
   */
  readonly progress?: 'preliminary' | ((update: unknown, call: ToolCall) => unknown);
  /**
   * Called with each piece of a call's arguments that `streamText` receives, to show them to a
   * person. What the function throws or rejects with is ignored. Default: not at all.
   */
  readonly onPartial?: PartialListener;
  /**
   * Examples of all arguments (`@Example` on a class, `examples` of a schema) are the SDK's
   * `inputExamples` and not part of the schema. Examples that the shown schema refuses are left
   * out. AI SDK 5 has none. Default: false.
   */
  readonly inputExamples?: boolean;
  /**
   * After a step whose only call had invalid arguments, the model must call the same tool: a server
   * with a grammar then makes them valid. Not if the model thinks, because APIs refuse to name a
   * tool then. Adds `prepareStep` to the settings. Default: false.
   */
  readonly forceRetry?: boolean;
  /**
   * Tools of `textTool` are OpenAI's custom tools, with their grammars, as
   * `openai.tools.customTool` makes them: for models of `@ai-sdk/openai` with the Responses API. Not
   * in AI SDK 5. Default: false, they are functions with one argument.
   */
  readonly customTools?: boolean;
  /**
   * The model reads each result as one text: notes are lines of it, and a line stands for each image
   * and file. For providers that write the parts of a result as JSON text, with all bytes:
   * `@ai-sdk/openai-compatible` (without its `supportsMultiPartToolContent`), the Chat Completions
   * of `@ai-sdk/openai`, DeepSeek, Groq, Mistral, xAI. Default: false, results with images, files or
   * notes are parts.
   */
  readonly textResults?: boolean;
}

const aiSdkOptionKinds: OptionKinds<AiSdkOptions> = {
  ...sdkLoopOptionKinds,
  progress: either(
    "write 'preliminary' or a function that takes an update and its call",
    oneOfWords('preliminary'),
    callback(''),
  ),
  onPartial: callback('write a function that takes a partial call'),
  inputExamples: boolean,
  forceRetry: boolean,
  customTools: boolean,
  textResults: boolean,
};

/**
 * The tool settings of `generateText`, `streamText` and agents:
 * `{ model, prompt, ...toAiSdk(tools) }`.
 */
export interface AiSdkSettings {
  readonly tools: { readonly [name: string]: AiSdkTool };
  /** Repairs text that isn't JSON and misspelt names. Without it the SDK refuses such calls. */
  readonly repairToolCall: RepairToolCall;
  /** The same for AI SDK 6, which knows it by this name. */
  readonly experimental_repairToolCall: RepairToolCall;
  /**
   * Asks the user, in the SDK's way, about calls that the registry's `approval` asks about. Without
   * it the model reads that such a call needs an approval, and `onOutcome` gets the approval for
   * `tools.resolveApproval`. AI SDK 5 and 6 ignore it: the tools have `needsApproval` there.
   */
  readonly toolApproval: { readonly [name: string]: AskUser };
  /** With `forceRetry`: names the tool that the model must call. */
  readonly prepareStep?: PrepareStep;
}

/** The type of the setting `prepareStep`. */
export type PrepareStep = (options: { readonly steps: readonly SdkStep[] }) => {
  readonly toolChoice?: { readonly type: 'tool'; readonly toolName: string };
};

/** The members of a step that `prepareStep` reads. */
export interface SdkStep {
  readonly content: readonly { readonly type: string; readonly error?: unknown }[];
}

/** A tool of the AI SDK. */
export type AiSdkTool = Tool<JsonObject, AiSdkOutput>;

/** The `output` of a tool result: plain JSON, because it may come back from a browser. */
export type AiSdkOutput = Omit<ToolMessage, 'isError'>;

/** The type of the functions in the setting `toolApproval`. */
export type AskUser = (
  input: JsonObject,
  options: { readonly toolCallId: string },
) => Promise<'user-approval' | 'not-applicable'>;

/**
 * The tools of a registry or a selection, as they are now. Call `toAiSdk` for each request, with
 * the `context` of that request. If requests share everything, one call is enough.
 */
export function toAiSdk(tools: ToolSet, options: AiSdkOptions = {}): AiSdkSettings {
  checkOptions('toAiSdk', options, aiSdkOptionKinds);
  if (options.customTools === true && version === 5) {
    const what = 'has customTools: true, and AI SDK 5 has no custom tools';
    throw definitionError('toAiSdk', what, 'leave out customTools');
  }
  const source = { tools, sentCalls: new SentCalls(tools), options };
  const contracts = new Map(tools.contracts().map((contract) => [contract.name, contract]));
  const entries = tools.schemas().flatMap((shownTool) => {
    const contract = contracts.get(shownTool.name);
    return contract === undefined
      ? []
      : [[shownTool.name, aiSdkTool(shownTool, contract, source)] as const];
  });
  const repairToolCall = repairToolCallsOf(source);
  return {
    tools: objectOf(entries),
    repairToolCall,
    experimental_repairToolCall: repairToolCall,
    toolApproval: objectOf(tools.names().map((name) => [name, askUser(name, source)])),
    ...(options.forceRetry === true ? { prepareStep } : {}),
  };
}

const prepareStep: PrepareStep = ({ steps }) => {
  const content = steps.at(-1)?.content ?? [];
  const calls = content.filter(({ type }) => type === 'tool-call');
  const isThinking = content.some(({ type }) => type === 'reasoning');
  const outcomes = content.flatMap(({ type, error }) =>
    type === 'tool-error' && error instanceof ToolCallError ? [error.outcome] : [],
  );
  const toolName = calls.length === 1 && !isThinking ? toolToRetry(outcomes) : undefined;
  return toolName === undefined ? {} : { toolChoice: { type: 'tool', toolName } };
};

type AiSdkSource = ToolSource<AiSdkOptions>;

function aiSdkTool(shownTool: NeutralTool, contract: ToolContract, source: AiSdkSource): AiSdkTool {
  const text = source.options.customTools === true ? contract.text : undefined;
  const asFunction = functionTool(shownTool, contract, source);
  const tool =
    text === undefined ? asFunction : customTool(asFunction, { name: shownTool.name, ...text });
  rememberTool(tool, { name: shownTool.name, source });
  return tool;
}

/**
 * As `openai.tools.customTool` makes it. AI SDK 6 reads the name in `args`. The input of its calls
 * is the text, which the SDK sends back as it is.
 */
function customTool(
  functionForm: AiSdkTool,
  { name, grammar }: TextInput & { readonly name: string },
): AiSdkTool {
  const { description, strict: _strict, inputExamples: _examples, ...members } = functionForm;
  const format = grammar === undefined ? { type: 'text' } : { type: 'grammar', ...grammar };
  const tool = {
    ...members,
    type: 'provider',
    id: 'openai.custom',
    isProviderExecuted: false,
    args: { name, description, format },
    inputSchema: jsonSchema<string>({ type: 'string' }),
  };
  if (!isTool(tool)) throw new TypeError('a tool has an input schema');
  return tool;
}

const isTool = (tool: object): tool is AiSdkTool => 'inputSchema' in tool;

function functionTool(
  shownTool: NeutralTool,
  contract: ToolContract,
  source: AiSdkSource,
): AiSdkTool {
  const { name, description } = shownTool;
  const { schema, examples } =
    source.options.inputExamples === true && version > 5
      ? inputExamplesOf(contract, shownTool.inputSchema)
      : { schema: shownTool.inputSchema, examples: [] };
  const { execution, title, effects, providerOptions } = contract;
  return {
    description,
    // Not sent to the model: programs that show calls to people find it beside each call.
    metadata: defined({ title, effects }),
    ...(providerOptions === undefined ? {} : toolOptionsOf(providerOptions)),
    // AI SDK 7 asks by `toolApproval`.
    ...(version < 7 ? approvalOf(name, source) : {}),
    inputSchema: jsonSchema<JsonObject>(schemaCopy(schema), {
      // Refuses nothing: the registry refuses calls, with its own message, when the SDK runs them.
      validate: (value) => ({ success: true, value: source.sentCalls.readValue(name, value) }),
    }),
    ...inputListeners(name, source.options),
    ...(examples.length === 0 ? {} : { inputExamples: examples.map((input) => ({ input })) }),
    outputSchema: jsonSchema<AiSdkOutput>(schemaCopy(outputSchemaOf(execution?.outputSchema))),
    execute: (input, executionOptions) => executeTool(name, { ...executionOptions, input }, source),
    toModelOutput: (result) =>
      modelOutput(version === 5 ? result : result.output, source.options.textResults === true),
  };
}

/** Calls whose text is kept, of streams that were aborted too. The oldest is dropped first. */
const maxTexts = 1000;

function inputListeners(
  tool: string,
  { onPartial }: AiSdkOptions,
): Pick<AiSdkTool, 'onInputStart' | 'onInputDelta' | 'onInputAvailable'> {
  if (onPartial === undefined) return {};
  const texts = new Map<string, string>();
  const tell = (callId: string, delta: string): void => {
    const text = (texts.get(callId) ?? '') + delta;
    setNewest(texts, [callId, text], maxTexts);
    notify(() => onPartial(partialCall<JsonObject>({ callId, tool, delta, text })));
  };
  return {
    onInputStart({ toolCallId }) {
      texts.delete(toolCallId);
      tell(toolCallId, '');
    },
    onInputDelta: ({ toolCallId, inputTextDelta }) => tell(toolCallId, inputTextDelta),
    onInputAvailable: ({ toolCallId }) => void texts.delete(toolCallId),
  };
}

/** The SDK's providers read the same members in camel case, and `strict` of the tool itself. */
function toolOptionsOf({
  anthropic,
  openai,
}: ProviderOptions): Pick<AiSdkTool, 'providerOptions' | 'strict'> {
  const strict = anthropic?.strict ?? openai?.strict;
  const byProvider = Object.entries({ anthropic, openai }).flatMap(([provider, options = {}]) => {
    const members = Object.entries(structuredClone({ ...options })).flatMap(([key, value]) =>
      key === 'strict' ? [] : [[camelCase(key), value] as const],
    );
    return members.length === 0 ? [] : [[provider, objectOf(members)] as const];
  });
  return {
    ...(byProvider.length === 0 ? {} : { providerOptions: objectOf(byProvider) }),
    ...defined({ strict }),
  };
}

const camelCase = (key: string): string =>
  key.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** A copy, because providers may write to it. */
const schemaCopy = (schema: object): JSONSchema7 => structuredClone({ ...schema });

interface SdkExecution extends Pick<
  ToolExecutionOptions<unknown>,
  'toolCallId' | 'messages' | 'abortSignal'
> {
  /** The text of a custom tool; else an object. */
  readonly input: unknown;
}

/** The call as the model sent it. */
function sentCallOf(
  { tools, sentCalls, options }: AiSdkSource,
  { toolCallId, input }: Pick<SdkExecution, 'toolCallId' | 'input'>,
  name: string,
): ToolCall {
  const call = sentCalls.callOf(toolCallId, name, input);
  const text =
    options.customTools === true && typeof input === 'string' ? textOf(tools, name) : undefined;
  return text === undefined ? call : callOfText(tools, call, text);
}

function executeTool(
  name: string,
  execution: SdkExecution,
  source: AiSdkSource,
): Promise<AiSdkOutput> | AsyncIterable<AiSdkOutput> {
  const call = sentCallOf(source, execution, name);
  const { progress } = source.options;
  const run = (report?: (update: unknown) => unknown): Promise<AiSdkOutput> =>
    runCall(call, execution, report, source);
  if (progress === undefined) return run();
  if (progress !== 'preliminary') return run((update) => progress(update, call));
  // The SDK takes each value as preliminary, and the last one as the result too.
  return new ReadableStream<AiSdkOutput>({
    async start(controller) {
      controller.enqueue(await run((update) => controller.enqueue(preliminaryOutput(update))));
      controller.close();
    },
  });
}

/** Throws a ToolCallError for a call without a result. */
async function runCall(
  call: ToolCall,
  { input, messages, toolCallId, abortSignal }: SdkExecution,
  progress: ((update: unknown) => unknown) | undefined,
  { tools, options }: AiSdkSource,
): Promise<AiSdkOutput> {
  const callOptions = { ...callOptionsOf(options), ...defined({ signal: abortSignal, progress }) };
  const firstOutcome = await tools.call(call, callOptions);
  const outcome =
    firstOutcome.status === 'approval_required' &&
    isInterpretedAs(tools, call, firstOutcome.interpretation.value) &&
    isApprovedIn(messages, toolCallId, input)
      ? await tools.resolveApproval(firstOutcome.approval, { decision: 'approve' }, callOptions)
      : firstOutcome;
  notifyOutcome(options, outcome);
  const { isError, ...output } = toolMessage(outcome);
  if (isError) throw new ToolCallError(outcome);
  return output;
}

/** The person approved the arguments as interpreted, not what an interceptor made of them since. */
function isInterpretedAs(tools: ToolSet, call: ToolCall, value: JsonObject): boolean {
  const interpretedCall = tools.interpret(call, { counted: false });
  return (
    interpretedCall.status === 'accepted' && sameValue(interpretedCall.interpretation.value, value)
  );
}

/** Part of a message. All of it is unknown, because the messages may come from a browser. */
interface Part {
  readonly type: string;
  readonly toolCallId?: unknown;
  readonly approvalId?: unknown;
  readonly approved?: unknown;
  readonly input?: unknown;
}

/**
 * Whether the last call with this id had this input, was asked about, was approved and has no
 * result yet.
 */
function isApprovedIn(
  messages: readonly ModelMessage[],
  toolCallId: string,
  input: unknown,
): boolean {
  const parts = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : objectsIn<Part>(content),
  );
  const callIndex = parts.findLastIndex(
    (part) => part.type === 'tool-call' && part.toolCallId === toolCallId,
  );
  const since = callIndex === -1 ? [] : parts.slice(callIndex);
  const [call] = since;
  const request = since.findLast(
    (part) => part.type === 'tool-approval-request' && part.toolCallId === toolCallId,
  );
  const answers = since.filter(
    (part) => part.type === 'tool-approval-response' && part.approvalId === request?.approvalId,
  );
  const isAnswered = since.some(
    (part) => part.type === 'tool-result' && part.toolCallId === toolCallId,
  );
  return (
    !isAnswered &&
    request !== undefined &&
    answers.length > 0 &&
    answers.every(({ approved }) => approved === true) &&
    isSameJson(call?.input, input)
  );
}

function preliminaryOutput(update: unknown): AiSdkOutput {
  const content = attempt(() => resultContent({ value: update, images: [] }));
  return { ...(content ?? { text: String(update) }), notes: [] };
}

const outputSchemaOf = (outputSchema: SchemaObject | undefined): SchemaObject => ({
  type: 'object',
  properties: {
    text: { type: 'string' },
    structured: outputSchema ?? {},
    images: {
      type: 'array',
      items: {
        type: 'object',
        properties: { data: { type: 'string' }, mediaType: { type: 'string' } },
        required: ['data', 'mediaType'],
      },
    },
    files: {
      type: 'array',
      items: {
        type: 'object',
        properties: { kind: { enum: ['embedded', 'linked'] } },
        required: ['kind'],
      },
    },
    notes: { type: 'array', items: { type: 'string' } },
  },
  required: ['text', 'notes'],
});

type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>;

/**
 * A stored conversation may have outputs of a former tool of this name, which toolmend didn't make.
 * They become what the SDK makes of them.
 */
function modelOutput(output: unknown, isText: boolean): ModelOutput {
  if (isOutput(output)) {
    const message = { ...output, isError: false };
    if (isText) return textOutput(linesOf(message));
    const content = textOrParts(message, outputPart);
    return typeof content === 'string' ? textOutput(content) : { type: 'content', value: content };
  }
  if (typeof output === 'string') return textOutput(output);
  const reading = readPlainValue(output ?? null);
  return reading.kind === 'plain'
    ? { type: 'json', value: reading.value }
    : textOutput(String(output));
}

const textOutput = (value: string): ModelOutput => ({ type: 'text', value });

type OutputPart = Extract<ModelOutput, { type: 'content' }>['value'][number];

const linesOf = (message: ToolMessage): string =>
  contentParts(message, textPart)
    .filter((text) => text !== '')
    .join('\n');

const textPart = {
  text: (text: string): string => text,
  image: (image: ResultImage): string => fileText({ kind: 'embedded', ...image }),
};

const outputPart = {
  text: (text: string): OutputPart => ({ type: 'text', text }),
  image: (image: ResultImage): OutputPart => imageParts[version](image),
  /** Links stay text: the SDK's providers would fetch them, or refuse the conversation. */
  file: (file: ResultFile): OutputPart | undefined =>
    file.kind === 'embedded' ? fileParts[version](file) : undefined,
};

requireExport(sdk, ['stepCountIs', 'isStepCount'], {
  name: 'ai',
  versions: '^5.0.241 || ^6.0.260 || ^7.0.70',
});

/** By exports that came with a version. The package doesn't export its version. */
const version = 'isStepCount' in sdk ? 7 : 'ToolLoopAgent' in sdk ? 6 : 5;

const imageParts: Readonly<Record<typeof version, (image: ResultImage) => OutputPart>> = {
  7: ({ data, mediaType, name: filename }) => ({
    type: 'file',
    mediaType,
    data: { type: 'data', data },
    ...defined({ filename }),
  }),
  6: ({ data, mediaType }) => formerPart({ type: 'image-data', data, mediaType }),
  5: ({ data, mediaType }) => formerPart({ type: 'media', data, mediaType }),
};

const fileParts: Readonly<Record<typeof version, (file: EmbeddedFile) => OutputPart>> = {
  7: ({ data, mediaType, name: filename }) => ({
    type: 'file',
    mediaType,
    data: { type: 'data', data },
    ...defined({ filename }),
  }),
  6: ({ data, mediaType, name: filename }) =>
    formerPart({ type: 'file-data', data, mediaType, ...defined({ filename }) }),
  5: ({ data, mediaType }) => formerPart({ type: 'media', data, mediaType }),
};

/** A part of a former version, which the types of this one don't know or warn about. */
function formerPart(part: object): OutputPart {
  if (!isPart(part)) throw new TypeError('a part has a type');
  return part;
}

const isPart = (part: object): part is OutputPart => 'type' in part;

const isOutput = (value: unknown): value is AiSdkOutput =>
  typeof memberOf(value, 'text') === 'string' &&
  isArrayOf(memberOf(value, 'notes'), (note) => typeof note === 'string') &&
  isArrayOf(memberOf(value, 'images') ?? [], isImage) &&
  isArrayOf(memberOf(value, 'files') ?? [], isResultFile);

const isImage = (value: unknown): boolean =>
  ['data', 'mediaType'].every((name) => typeof memberOf(value, name) === 'string');

const isResultFile = (value: unknown): boolean =>
  memberOf(value, 'kind') === 'linked'
    ? ['uri', 'name'].every((name) => typeof memberOf(value, name) === 'string')
    : memberOf(value, 'kind') === 'embedded' && isImage(value);

const isArrayOf = (value: unknown, isOne: (element: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isOne);

/** As in AI SDK 5 and 6; the types of AI SDK 7 call it deprecated. */
const approvalOf = (name: string, source: AiSdkSource): object => {
  const ask = askUser(name, source);
  return {
    needsApproval: async (input: JsonObject, options: { readonly toolCallId: string }) =>
      (await ask(input, options)) === 'user-approval',
  };
};

const askUser =
  (name: string, source: AiSdkSource): AskUser =>
  async (input, { toolCallId }) => {
    const { tools, options } = source;
    const { context } = options;
    const call = sentCallOf(source, { toolCallId, input }, name);
    try {
      const isAsked = await tools.wouldRequireApproval(
        call,
        context === undefined ? {} : { context },
      );
      return isAsked ? 'user-approval' : 'not-applicable';
    } catch {
      // The registry calls `approval.needed` again when the call runs, and reports what it throws.
      return 'not-applicable';
    }
  };
