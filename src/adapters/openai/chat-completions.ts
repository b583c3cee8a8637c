import { defined, isContainer } from '../../collections/objects.ts';
import type {
  ChatCompletion,
  ChatCompletionAssistantMessageParam,
  ChatCompletionChunk,
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionNamedToolChoice,
  ChatCompletionNamedToolChoiceCustom,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import { type OptionKinds, checkOptions, oneOfWords } from '../../options/check-options.ts';
import { definitionError } from '../../errors/definition-error.ts';
import type { ToolOutcome } from '../../outcomes/tool-outcome.ts';
import type { ResultImage } from '../../outcomes/tool-result.ts';
import type { HistoryCall } from '../../interpret/records.ts';
import type { PartialArguments } from '../../interpret/partial-arguments.ts';
import type { PartialListener } from '../../interpret/partial-calls.ts';
import { ToolCallCollector } from '../../interpret/tool-call-collector.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import { objectAt, textAt } from '../../json/members.ts';
import { notExecuted, unreadableCall } from '../../messages/call-messages.ts';
import { fingerprintOf } from '../../json/serialize.ts';
import { type JsonObject, withoutKey } from '../../json/value.ts';
import type { CallOptions } from '../../run/call-options.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import {
  chatCompletions as wire,
  customCall,
  functionCall,
  isCustomCall,
  isFirstChoice,
} from '../../wire/chat-completions.ts';
import { mergedMessage, withoutNulls } from '../../wire/merged-message.ts';
import {
  each,
  objectsAt,
  partsOfCall,
  textAtPath,
  valueAtPath,
  withParts,
} from '../../wire/wire-api.ts';
import { notesWithFiles } from '../result-files.ts';
import {
  type ToolTurns,
  type RetryTurn,
  dataUrl,
  jsonOf,
  resultsOf,
  sentCalls,
  textIn,
  toolCallsFrom,
  toolToRetry,
  toolTurns,
  withUniqueIds,
} from '../tool-turn.ts';
import { callOfText, textOf } from '../text-tool-calls.ts';
import { customChatTool, foreignCustomTool, inputOf } from './custom-calls.ts';
import { completionFrom, failedGeneration } from './failed-generation.ts';
import { type OpenAiOptions, openAiOptionKinds } from './shared.ts';

/** The options of `chatCompletions`. */
export interface ChatOptions extends OpenAiOptions {
  /**
   * The provider whose form the schemas have. `grammar`: servers that make a grammar of the schema,
   * such as llama.cpp, LM Studio and vLLM. `mistral`: other ids than Mistral's are shown with nine
   * letters and digits. Only `openai` and `deepseek` have a strict mode. Default: `openai`.
   */
  readonly provider?: 'openai' | 'deepseek' | 'grammar' | 'mistral';
}

const chatOptionKinds: OptionKinds<ChatOptions> = {
  ...openAiOptionKinds,
  provider: oneOfWords('openai', 'deepseek', 'grammar', 'mistral'),
};

/** The members of a completion that the adapter reads. */
export type CompletionContent = Pick<ChatCompletion, 'choices' | 'model'>;

/** The first choice of a completion. */
export interface ChatAnswer {
  /** As the server sent it. Undefined if the completion has no choice. */
  readonly message: JsonObject | undefined;
  /** Those of functions. */
  readonly calls: readonly ToolCall[];
  /** Calls of custom tools, whose `arguments` are their text. */
  readonly customCalls: readonly ToolCall[];
}

type ChatToolChoice = ChatCompletionNamedToolChoice | ChatCompletionNamedToolChoiceCustom;

/** One step of a conversation. */
export interface ChatTurn extends RetryTurn<ChatToolChoice> {
  /** To append to the conversation: the model's message, and the results of its calls. */
  readonly messages: ChatCompletionMessageParam[];
  /**
   * Only of `answerError`: the text of a call that nothing can read. `messages` then asks the model
   * to send the call again, so the loop goes on although there are no outcomes.
   */
  readonly malformed?: string;
}

/** Tools for Chat Completions. */
export interface ChatTools extends ToolTurns<
  CompletionContent,
  ChatCollector,
  ChatCompletionChunk,
  ChatTurn
> {
  /** The `tools` of a request: a new array of the same tools each time. */
  readonly tools: ChatCompletionTool[];
  /**
   * Answers a request that failed because the server couldn't read the model's call: Groq's
   * `tool_use_failed`, with the text in `failed_generation`. Rejects with any other error.
   */
  answerError(error: unknown, options?: Omit<CallOptions, 'provider'>): Promise<ChatTurn>;
}

/**
 * For OpenAI's Chat Completions and compatible servers, such as vLLM, Ollama, llama.cpp and
 * OpenRouter.
 */
export function chatCompletions(tools: ToolSet, options: ChatOptions = {}): ChatTools {
  checkOptions('chatCompletions', options, chatOptionKinds);
  const { notes = 'parts' } = options;
  const provider = providerOf(options);
  const idOf = provider === 'mistral' ? mistralId : (id: string) => id;
  const turns = toolTurns(tools, {
    provider,
    read: (completion: CompletionContent) => readCompletion(jsonOf(completion)),
    Collector: ChatCollector,
    resolve: (answer: ChatAnswer) => withTextCalls(tools, answer),
    messages(answer: ChatAnswer, history, outcomes) {
      const historyCalls = history.map((call) => ({ ...call, id: idOf(call.id) }));
      return {
        messages: [
          ...assistantMessage(tools, answer, historyCalls),
          ...resultMessages(outcomes, notes, idOf),
          ...otherOutputs(tools, answer),
        ],
        ...defined({ toolChoice: toolChoice(tools, answer, outcomes) }),
      };
    },
  });
  return Object.freeze({
    get tools(): ChatCompletionTool[] {
      const contracts = tools.contracts();
      return tools.schemas(provider).map((tool, index) => {
        const text = options.customTools === true ? contracts[index]?.text : undefined;
        return text === undefined ? tool : customChatTool(tool.function, text);
      });
    },
    ...turns,
    async answerError(
      error: unknown,
      callOptions?: Omit<CallOptions, 'provider'>,
    ): Promise<ChatTurn> {
      const malformed = failedGeneration(error);
      if (malformed === undefined) throw error;
      const completion = completionFrom(malformed, tools);
      if (completion !== undefined) return turns.answer(completion, callOptions);
      const brokenMessage = { role: 'assistant' as const, content: malformed };
      const question = { role: 'user' as const, content: unreadableCall };
      return {
        outcomes: [],
        messages: malformed === '' ? [question] : [brokenMessage, question],
        malformed,
      };
    },
  });
}

function toolChoice(
  tools: ToolSet,
  { message = {} }: ChatAnswer,
  outcomes: readonly ToolOutcome[],
): ChatToolChoice | undefined {
  const name = toolToRetry(outcomes);
  const isThinking = wire.answer.reasoning.some(
    ([, member = '']) => (textAt(message, String(member)) ?? '') !== '',
  );
  if (name === undefined || isThinking) return undefined;
  const call = callsOf(message).find((sentCall) => isOwnCall(tools, sentCall));
  return call !== undefined && isCustomCall(call)
    ? { type: 'custom', custom: { name } }
    : { type: 'function', function: { name } };
}

function providerOf({ provider = 'openai', strict = false, customTools = false }: ChatOptions) {
  if (customTools && provider !== 'openai') {
    const what = `has customTools: true with the provider ${JSON.stringify(provider)}, which has no custom tools`;
    throw definitionError('chatCompletions', what, 'leave out customTools');
  }
  if (provider === 'deepseek') return strict ? 'deepseek-strict' : 'openai';
  if (!strict) return provider;
  if (provider === 'openai') return 'openai-strict';
  const what = `has strict: true with the provider ${JSON.stringify(provider)}, which has no strict mode`;
  throw definitionError('chatCompletions', what, 'leave out strict');
}

/**
 * Servers of Mistral's models take ids of nine letters and digits only, and some make others
 * themselves.
 */
const mistralId = (id: string): string =>
  /^[a-zA-Z0-9]{9}$/.test(id)
    ? id
    : fingerprintOf(id)
        .replace(/[^a-zA-Z0-9]/g, '')
        .slice(-9)
        .padStart(9, '0');

function readCompletion(completion: JsonObject): ChatAnswer {
  const { answer } = wire;
  const choice = objectsAt(completion, answer.choices).find(isFirstChoice) ?? {};
  const message = objectAt(choice, 'message');
  const reason = textAtPath(choice, answer.finishReason);
  const model = valueAtPath(completion, answer.model);
  const [calls, customCalls] = [functionCall, customCall].map((form) =>
    toolCallsFrom(sentCalls(form, callsOf(message), reason), model),
  );
  return { message, calls: calls ?? [], customCalls: customCalls ?? [] };
}

/** The answer with the calls of text tools among the others, in the order of their message. */
function withTextCalls(tools: ToolSet, answer: ChatAnswer): ChatAnswer {
  if (answer.customCalls.length === 0) return answer;
  const [functionCalls, customCalls] = [[...answer.calls], [...answer.customCalls]];
  const calls = callsOf(answer.message).flatMap((sentCall) => {
    if (!isCustomCall(sentCall)) return functionCalls.shift() ?? [];
    const call = customCalls.shift();
    const text = call && textOf(tools, call.name);
    return call === undefined || text === undefined ? [] : callOfText(tools, call, text);
  });
  return { ...answer, calls: withUniqueIds(calls) };
}

const customName = (call: JsonObject): string => textIn(partsOfCall(customCall, call).name);

/** Whether the registry runs a call: any of a function, and that of a text tool. */
const isOwnCall = (tools: ToolSet, call: JsonObject): boolean =>
  !isCustomCall(call) || textOf(tools, customName(call)) !== undefined;

/** With those of custom tools. */
const callsOf = (message: JsonObject = {}): readonly JsonObject[] =>
  objectsAt(message, ['tool_calls', each]);

/** Collects the chunks of one streamed completion. */
export class ChatCollector {
  readonly #calls = new ToolCallCollector();
  /** With what servers add to calls, such as signatures of thoughts. */
  readonly #callObjects = new Map<number, JsonObject>();
  #message: JsonObject = {};
  #finishReason: string | undefined;
  #model = '';

  /**
   * Adds one chunk and returns this collector. Only the first of several choices (`n`) is
   * collected.
   */
  add(chunk: ChatCompletionChunk): this {
    const { event } = wire;
    const json = jsonOf(chunk);
    if (this.#model === '') this.#model = textIn(valueAtPath(json, event.model));
    for (const choice of objectsAt(json, event.choices).filter(isFirstChoice)) {
      this.#addDelta(objectAt(choice, 'delta') ?? {});
      this.#finishReason = textAtPath(choice, event.finishReason) ?? this.#finishReason;
    }
    return this;
  }

  /** As `ToolCallCollector.partial`: what to show of a call while it comes. */
  partial<Values extends object = JsonObject>(
    index?: number,
  ): PartialArguments<Values> | undefined {
    return this.#calls.partial<Values>(index);
  }

  /**
   * Calls the listener when a call begins, and with each piece of its arguments, to show them to a
   * person: see `PartialCall`. Returns the function that ends it.
   */
  onPartial<Values extends object = JsonObject>(listener: PartialListener<Values>): () => void {
    return this.#calls.onPartial(listener);
  }

  /** The answer. Without a finish reason, the stream counts as broken off. */
  end(): ChatAnswer {
    const model = this.#model;
    const endedCalls = this.#calls.end(this.#finishReason);
    const calls = withUniqueIds(
      model === '' ? endedCalls : endedCalls.map((call) => ({ ...call, model })),
    );
    const isCustom = (index: number): boolean => isCustomCall(this.#callObjects.get(index) ?? {});
    const { content, refusal, ...members } = withoutNulls(this.#message);
    const message = {
      ...members,
      role: 'assistant',
      content: calls.length > 0 && content === '' ? null : (content ?? ''),
      refusal: textIn(refusal) === '' ? null : textIn(refusal),
      tool_calls: calls.map((_call, index) => this.#callObjects.get(index) ?? {}),
    };
    return {
      message,
      calls: calls.filter((_call, index) => !isCustom(index)),
      customCalls: calls.filter((_call, index) => isCustom(index)),
    };
  }

  /** Audio can't be sent back. */
  #addDelta(delta: JsonObject): void {
    const { content, tool_calls: _calls, function_call: _call, audio: _audio, ...members } = delta;
    this.#message = mergedMessage(this.#message, { ...members, content: textOfContent(content) });
    for (const part of callsOf(delta)) this.#addPart(part);
  }

  #addPart(part: JsonObject): void {
    const { index, ...call } = part;
    const form = isCustomCall(part) ? customCall : functionCall;
    const { id, name, arguments: argumentPart } = partsOfCall(form, part);
    this.#calls.add({
      index: typeof index === 'number' ? index : undefined,
      id: textIn(id),
      name: textIn(name),
      arguments: argumentPart,
    });
    const { lastIndex } = this.#calls;
    this.#callObjects.set(
      lastIndex,
      mergedMessage(this.#callObjects.get(lastIndex) ?? {}, withoutNulls(call)),
    );
  }
}

/** Some servers send an array of parts, thoughts among them. OpenAI sends a string. */
const textOfContent = (content: unknown): string =>
  Array.isArray(content)
    ? content.map((part: { readonly text?: unknown } | null) => textIn(part?.text)).join('')
    : textIn(content);

/**
 * Without an empty `tool_calls`, which providers refuse, and without the members that the SDK's
 * helpers add. Audio is sent back by its id.
 */
function assistantMessage(
  tools: ToolSet,
  { message }: ChatAnswer,
  history: readonly HistoryCall[],
): readonly ChatCompletionAssistantMessageParam[] {
  if (message === undefined) return [];
  const { audio, tool_calls: _calls, parsed: _parsed, ...members } = message;
  const calls = callsWithHistory(tools, callsOf(message), history);
  const input = {
    ...members,
    role: 'assistant',
    ...(isContainer(audio)
      ? { audio: { id: textAtPath(audio, ['id']) ?? '' } }
      : defined({ audio })),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return isAssistantMessage(input) ? [input] : [];
}

/** The calls as in the history. Those of other custom tools stay as they came. */
function callsWithHistory(
  tools: ToolSet,
  sentCallObjects: readonly JsonObject[],
  history: readonly HistoryCall[],
): readonly JsonObject[] {
  const remainingCalls = [...history];
  return sentCallObjects.map((sentCall) => {
    const call = isOwnCall(tools, sentCall) ? remainingCalls.shift() : undefined;
    if (call === undefined) return sentCall;
    if (!isCustomCall(sentCall))
      return withParts(functionCall, withoutKey(sentCall, 'function'), call);
    const text = textOf(tools, customName(sentCall));
    const input = text && inputOf(call, text);
    return withParts(customCall, sentCall, {
      ...call,
      arguments: input ?? textIn(partsOfCall(customCall, sentCall).arguments),
    });
  });
}

const isAssistantMessage = (
  message: JsonObject,
): message is JsonObject & ChatCompletionAssistantMessageParam => message['role'] === 'assistant';

/**
 * The API refuses a conversation that has a call without a tool message. A program with custom tools
 * of its own replaces these.
 */
const otherOutputs = (
  tools: ToolSet,
  { message }: ChatAnswer,
): readonly ChatCompletionMessageParam[] =>
  callsOf(message)
    .filter((call) => !isOwnCall(tools, call))
    .map((call) => ({
      role: 'tool',
      tool_call_id: textIn(partsOfCall(customCall, call).id),
      content: notExecuted(customName(call), foreignCustomTool),
    }));

/** A tool message for each call. A user message after them has what a tool message can't hold. */
function resultMessages(
  outcomes: readonly ToolOutcome[],
  notes: NonNullable<OpenAiOptions['notes']>,
  idOf: (id: string) => string,
): readonly ChatCompletionMessageParam[] {
  const results = resultsOf(outcomes).map(({ id, message }) => ({
    id: idOf(id),
    message: { ...message, notes: notesWithFiles(message) },
  }));
  const apart = results.flatMap(({ id, message: { notes: messageNotes, images = [] } }) => [
    ...(notes === 'message' ? messageNotes.map((note) => textPart(`On ${id}: ${note}`)) : []),
    ...(images.length === 0
      ? []
      : [textPart(`Images of the result of ${id}:`), ...images.map(imagePart)]),
  ]);
  return [
    ...results.map(({ id, message: { text, notes: messageNotes } }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content:
        notes === 'message' || messageNotes.length === 0
          ? text
          : [text, ...messageNotes].map(textPart),
    })),
    ...(apart.length === 0 ? [] : [{ role: 'user' as const, content: apart }]),
  ];
}

const textPart = (text: string) => ({ type: 'text', text }) as const;

const imagePart = (image: ResultImage): ChatCompletionContentPart => ({
  type: 'image_url',
  image_url: { url: dataUrl(image) },
});
