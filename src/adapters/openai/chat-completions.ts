import { isContainer } from '../../collections/objects.ts';
import type {
  ChatCompletion,
  ChatCompletionAssistantMessageParam,
  ChatCompletionChunk,
  ChatCompletionContentPart,
  ChatCompletionFunctionTool,
  ChatCompletionMessage,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
} from 'openai/resources/chat/completions';
import { type OptionKinds, checkOptions, oneOf } from '../../options/check-options.ts';
import { definitionError } from '../../errors/definition-error.ts';
import type { ToolOutcome } from '../../execute/tool-outcome.ts';
import type { ResultImage } from '../../execute/tool-result.ts';
import type { HistoryCall } from '../../interpret/records.ts';
import { ToolCallCollector } from '../../interpret/tool-call-collector.ts';
import type { ToolCall } from '../../providers/tool-call.ts';
import { fingerprintOf } from '../../json/serialize.ts';
import type { CallOptions } from '../../run/call-options.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { endOfEarlier } from '../../text/decode-arguments.ts';
import {
  type ToolTurns,
  type TurnOutcomes,
  dataUrl,
  objectsIn,
  toolCallsFrom,
  resultsOf,
  textIn,
  toolTurns,
  withUniqueIds,
} from '../tool-turn.ts';
import { completionFrom, failedGeneration, unreadableCall } from './failed-generation.ts';
import {
  type ExtraMembers,
  type OpenAiOptions,
  extraMembers,
  joinedMembers,
  openAiOptionKinds,
} from './shared.ts';

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
  provider: oneOf('openai', 'deepseek', 'grammar', 'mistral'),
};

/** The members of a completion that the adapter reads. */
export type CompletionContent = Pick<ChatCompletion, 'choices' | 'model'>;

/** The first choice of a completion. */
export interface ChatAnswer {
  /** Undefined if the completion has no choice. */
  readonly message: ChatCompletionMessage | undefined;
  readonly calls: readonly ToolCall[];
  /** For each call. */
  readonly extraMembers: readonly ExtraMembers[];
  /** Calls of custom tools, which the program answers itself. */
  readonly customCalls: readonly ChatCompletionMessageToolCall[];
}

/** One step of a conversation. */
export interface ChatTurn extends TurnOutcomes {
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
  readonly tools: ChatCompletionFunctionTool[];
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
    read: readCompletion,
    Collector: ChatCollector,
    messages(answer: ChatAnswer, history, outcomes) {
      const shown = history.map((call) => ({ ...call, id: idOf(call.id) }));
      return {
        messages: [...assistantMessage(answer, shown), ...resultMessages(outcomes, notes, idOf)],
      };
    },
  });
  return Object.freeze({
    get tools(): ChatCompletionFunctionTool[] {
      return tools.schemas(provider);
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
      const said = { role: 'assistant' as const, content: malformed };
      const asked = { role: 'user' as const, content: unreadableCall };
      return { outcomes: [], messages: malformed === '' ? [asked] : [said, asked], malformed };
    },
  });
}

function providerOf({ provider = 'openai', strict = false }: ChatOptions) {
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

function readCompletion({ choices, model }: CompletionContent): ChatAnswer {
  const choice = objectsIn(choices).find(isFirst);
  const message = isContainer(choice?.message) ? choice.message : undefined;
  const sent = objectsIn(message?.tool_calls);
  const calls = sent.filter(isFunctionCall);
  const reason = choice?.finish_reason;
  return {
    message,
    calls: toolCallsFrom(
      calls.map((call: ServerCall) => ({
        id: call.id,
        name: call.function?.name,
        arguments: call.function?.arguments,
        finishReason: call === sent.at(-1) ? reason : endOfEarlier(reason),
      })),
      model,
    ),
    extraMembers: calls.map(extraMembersOfCall),
    customCalls: sent.filter((call) => !isFunctionCall(call)),
  };
}

/** A call as servers send it: members may be missing, and arguments may be a value. */
interface ServerCall {
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

/** Only the first of several choices (`n`) is answered. Some servers don't number them. */
const isFirst = ({ index }: { readonly index?: number | null }): boolean => (index ?? 0) === 0;

/** Some servers omit the type of a call. */
const isFunctionCall = (call: ChatCompletionMessageToolCall): boolean => call.type !== 'custom';

const callMembers: ReadonlySet<string> = new Set(['id', 'type', 'index', 'function']);

const extraMembersOfCall = (call: object): ExtraMembers => extraMembers(call, callMembers);

/** Collects the chunks of one streamed completion. */
export class ChatCollector {
  readonly #calls = new ToolCallCollector();
  readonly #extraMembersOfCalls = new Map<number, ExtraMembers>();
  #extraMembers: ExtraMembers = {};
  #text = '';
  #refusal = '';
  #finishReason: string | undefined;
  #model = '';

  /**
   * Adds one chunk and returns this collector. Only the first of several choices (`n`) is
   * collected.
   */
  add(chunk: ChatCompletionChunk): this {
    if (!isContainer(chunk)) return this;
    const { choices, model } = chunk;
    if (this.#model === '') this.#model = textIn(model);
    for (const { delta, finish_reason: reason } of objectsIn(choices).filter(isFirst)) {
      this.#addDelta(delta);
      this.#finishReason = reason ?? this.#finishReason;
    }
    return this;
  }

  /** The answer. Without a finish reason, the stream counts as broken off. */
  end(): ChatAnswer {
    const model = this.#model;
    const ended = this.#calls.end(this.#finishReason);
    const calls = withUniqueIds(model === '' ? ended : ended.map((call) => ({ ...call, model })));
    const refusal = this.#refusal === '' ? null : this.#refusal;
    const content = this.#text === '' && calls.length > 0 ? null : this.#text;
    return {
      message: { ...this.#extraMembers, role: 'assistant', content, refusal },
      calls,
      extraMembers: calls.map((_call, index) => this.#extraMembersOfCalls.get(index) ?? {}),
      customCalls: [],
    };
  }

  #addDelta(delta: ChatCompletionChunk.Choice.Delta | null | undefined): void {
    if (!isContainer(delta)) return;
    this.#text += textOfContent(delta.content);
    this.#refusal += textIn(delta.refusal);
    this.#extraMembers = joinedMembers(this.#extraMembers, extraMembers(delta, deltaMembers));
    for (const part of objectsIn(delta.tool_calls)) this.#addPart(part);
  }

  #addPart(part: ServerCall & { readonly index?: number | null }): void {
    const { index, id, function: called } = part;
    this.#calls.add({
      index,
      id: textIn(id),
      name: textIn(called?.name),
      arguments: called?.arguments,
    });
    const { lastIndex } = this.#calls;
    const before = this.#extraMembersOfCalls.get(lastIndex) ?? {};
    this.#extraMembersOfCalls.set(lastIndex, joinedMembers(before, extraMembersOfCall(part)));
  }
}

/** The members of a delta that OpenAI defines. Audio can't be sent back. */
const deltaMembers = new Set<unknown>([
  'role',
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'audio',
]);

/** Some servers send an array of parts, thoughts among them. OpenAI sends a string. */
const textOfContent = (content: unknown): string =>
  Array.isArray(content)
    ? content.map((part: { readonly text?: unknown } | null) => textIn(part?.text)).join('')
    : textIn(content);

/** Without an empty `tool_calls`, which providers refuse. */
function assistantMessage(
  { message, extraMembers: extra, customCalls }: ChatAnswer,
  history: readonly HistoryCall[],
): readonly ChatCompletionAssistantMessageParam[] {
  if (message === undefined) return [];
  const functionCalls = history.map(({ id, ...call }, index) => ({
    ...extra[index],
    id,
    type: 'function' as const,
    function: call,
  }));
  const calls = [...functionCalls, ...customCalls];
  return [
    calls.length === 0 ? inputMessage(message) : { ...inputMessage(message), tool_calls: calls },
  ];
}

/** Without the members that the SDK's helpers add. Audio is sent back by its id. */
function inputMessage(message: ChatCompletionMessage): ChatCompletionAssistantMessageParam {
  const sent: typeof message & { parsed?: unknown } = message;
  const { audio, tool_calls: _calls, parsed: _parsed, ...input } = sent;
  return isContainer(audio) ? { ...input, audio: { id: audio.id } } : input;
}

/** A tool message for each call. A user message after them has what a tool message can't hold. */
function resultMessages(
  outcomes: readonly ToolOutcome[],
  notes: NonNullable<OpenAiOptions['notes']>,
  idOf: (id: string) => string,
): readonly ChatCompletionMessageParam[] {
  const results = resultsOf(outcomes).map(({ id, message }) => ({ id: idOf(id), message }));
  const apart = results.flatMap(({ id, message: { notes: noted, images = [] } }) => [
    ...(notes === 'message' ? noted.map((note) => textPart(`On ${id}: ${note}`)) : []),
    ...(images.length === 0
      ? []
      : [textPart(`Images of the result of ${id}:`), ...images.map(imagePart)]),
  ]);
  return [
    ...results.map(({ id, message: { text, notes: noted } }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: notes === 'message' || noted.length === 0 ? text : [text, ...noted].map(textPart),
    })),
    ...(apart.length === 0 ? [] : [{ role: 'user' as const, content: apart }]),
  ];
}

const textPart = (text: string) => ({ type: 'text', text }) as const;

const imagePart = (image: ResultImage): ChatCompletionContentPart => ({
  type: 'image_url',
  image_url: { url: dataUrl(image) },
});
