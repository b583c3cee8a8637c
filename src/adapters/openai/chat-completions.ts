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
import { checkOptions } from '../../errors/check-options.ts';
import { type ToolMessage, type ToolOutcome, toolMessage } from '../../execute/tool-outcome.ts';
import type { HistoryCall } from '../../interpret/history.ts';
import {
  ToolCallCollector,
  isThere,
  objectsIn,
  readStream,
  textIn,
  withOwnIds,
} from '../../interpret/tool-call-collector.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import type { CallOptions } from '../../registry/call-options.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { endOfEarlier } from '../../repair/finish-reason.ts';
import { type Beside, type OpenAiOptions, besideOf, joinedBeside, openAiOptionKinds } from './shared.ts';

// Read as servers send them, which is not always as OpenAI describes it.
/** What of a completion is read. */
export type CompletionContent = Pick<ChatCompletion, 'choices' | 'model'>;

/** The first choice of an answer: its message, and the calls of functions in it. */
export interface ChatAnswer {
  readonly message: ChatCompletionMessage;
  readonly calls: readonly ToolCall[];
  /** What the server says of each call beside that, as a signature that it wants back. */
  readonly beside: readonly Beside[];
  /** Calls of tools that are no functions; they are the program's own. */
  readonly others: readonly ChatCompletionMessageToolCall[];
}

/** What servers send for a call: ids may be missing, arguments may be a value. */
interface SentCall {
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

/** undefined for a completion that says nothing. */
function readCompletion({ choices, model }: CompletionContent): ChatAnswer | undefined {
  const choice = objectsIn(choices).find(isFirst);
  if (choice === undefined || !isThere(choice.message)) return undefined;
  const { message, finish_reason: reason } = choice;
  const sent = objectsIn(message.tool_calls);
  const functions = sent.filter(isFunctionCall);
  const calls = functions.map((call: SentCall): ToolCall => ({
    id: textIn(call.id),
    name: textIn(call.function?.name),
    arguments: call.function?.arguments,
    ...facts(model, call === sent.at(-1) ? reason : endOfEarlier(reason)),
  }));
  return {
    message,
    calls: withOwnIds(calls),
    beside: functions.map(besideCall),
    others: sent.filter((call) => !isFunctionCall(call)),
  };
}

const ofCall: ReadonlySet<string> = new Set(['id', 'type', 'index', 'function']);

const besideCall = (call: object): Beside => besideOf(call, ofCall);

/** Of several choices (`n`) the first alone is answered. Some servers don't number them. */
const isFirst = ({ index }: { readonly index?: number | null }): boolean => (index ?? 0) === 0;

/** Some servers leave out what kind of call it is. */
const isFunctionCall = (call: ChatCompletionMessageToolCall): boolean => call.type !== 'custom';

const facts = (
  model: string | null | undefined,
  reason: string | null | undefined,
): Pick<ToolCall, 'model' | 'finishReason'> => ({
  ...(typeof model === 'string' && model !== '' ? { model } : {}),
  ...(typeof reason === 'string' && reason !== '' ? { finishReason: reason } : {}),
});

// Its text and its calls, which are none before the end.
/** What servers send in one chunk for a call. */
interface SentPart {
  readonly index?: number | null;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

/** Collects the chunks of one streamed answer. */
export class ChatCollector {
  readonly #calls = new ToolCallCollector();
  readonly #besideCalls = new Map<number, Beside>();
  #beside: Beside = {};
  #text = '';
  #refusal = '';
  #finishReason: string | undefined;
  #model = '';

  /** Adds one chunk and returns this collector. Of several choices (`n`) the first alone is collected. */
  add(chunk: ChatCompletionChunk): this {
    if (!isThere(chunk)) return this;
    const { choices, model } = chunk;
    if (this.#model === '') this.#model = textIn(model);
    for (const { delta, finish_reason: reason } of objectsIn(choices).filter(isFirst)) {
      this.#addDelta(delta);
      this.#finishReason = reason ?? this.#finishReason;
    }
    return this;
  }

  /** What was said; without a finish reason the stream is taken to have broken off. */
  end(): ChatAnswer {
    const model = this.#model;
    const ended = this.#calls.end(this.#finishReason);
    const calls = withOwnIds(model === '' ? ended : ended.map((call) => ({ ...call, model })));
    const refusal = this.#refusal === '' ? null : this.#refusal;
    const content = this.#text === '' && calls.length > 0 ? null : this.#text;
    return {
      message: { ...this.#beside, role: 'assistant', content, refusal },
      calls,
      beside: calls.map((_call, place) => this.#besideCalls.get(place) ?? {}),
      others: [],
    };
  }

  #addDelta(delta: ChatCompletionChunk.Choice.Delta | null | undefined): void {
    if (!isThere(delta)) return;
    this.#text += spokenIn(delta.content);
    this.#refusal += textIn(delta.refusal);
    this.#beside = joinedBeside(this.#beside, besideOf(delta, ofDelta));
    for (const part of objectsIn(delta.tool_calls)) this.#addPart(part);
  }

  #addPart(part: SentPart): void {
    const { index, id, function: said } = part;
    this.#calls.add({ index, id: textIn(id), name: textIn(said?.name), arguments: said?.arguments });
    const { place } = this.#calls;
    const before = this.#besideCalls.get(place) ?? {};
    this.#besideCalls.set(place, joinedBeside(before, besideCall(part)));
  }
}

/** What OpenAI describes of a delta; sound has no form in which it goes back. */
const ofDelta: ReadonlySet<string> = new Set([
  'role',
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'audio',
]);

/** Some servers send parts, of which some are thoughts, where OpenAI sends text. */
const spokenIn = (content: unknown): string =>
  Array.isArray(content)
    ? content.map((part: SentText | null) => textIn(part?.text)).join('')
    : textIn(content);

interface SentText {
  readonly text?: unknown;
}

// What it said, with its calls as they were understood, and a result for each.
/** The model's own message; a list without calls is left out: providers refuse it. */
function assistantMessage(
  { message, beside, others }: ChatAnswer,
  calls: readonly HistoryCall[],
): ChatCompletionAssistantMessageParam {
  const functions = calls.map(({ id, ...call }, place) => ({
    ...beside[place],
    id,
    type: 'function' as const,
    function: call,
  }));
  const all = [...functions, ...others];
  return all.length === 0 ? spoken(message) : { ...spoken(message), tool_calls: all };
}

/** Without what the SDK's helpers have read out of it; sound goes back by its id. */
function spoken(message: ChatAnswer['message']): ChatCompletionAssistantMessageParam {
  const {
    audio,
    tool_calls: _sent,
    parsed: _parsed,
    ...said
  }: typeof message & { parsed?: unknown } = message;
  return isThere(audio) ? { ...said, audio: { id: audio.id } } : said;
}

/** One message for each call, in their order; what has no place in such a message stands behind them all. */
function resultMessages(
  outcomes: readonly ToolOutcome[],
  notes: NonNullable<OpenAiOptions['notes']>,
): readonly ChatCompletionMessageParam[] {
  const results = outcomes.map((outcome) => ({ id: outcome.call.id, message: toolMessage(outcome) }));
  const besides = results.flatMap(({ id, message }) => partsBeside(id, message, notes));
  return [
    ...results.map(({ id, message }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: contentOf(message, notes),
    })),
    ...(besides.length === 0 ? [] : [{ role: 'user' as const, content: besides }]),
  ];
}

function contentOf(
  { text, notes }: ToolMessage,
  place: OpenAiOptions['notes'],
): string | { readonly type: 'text'; readonly text: string }[] {
  if (notes.length === 0 || place === 'message') return text;
  return [text, ...notes].map((part) => ({ type: 'text', text: part }));
}

/** A message of a tool takes no images. */
function partsBeside(
  id: string,
  { notes, images = [] }: ToolMessage,
  place: OpenAiOptions['notes'],
): readonly ChatCompletionContentPart[] {
  const said = place === 'message' ? notes : [];
  const texts = said.map((note) => ({ type: 'text' as const, text: `On ${id}: ${note}` }));
  if (images.length === 0) return texts;
  return [
    ...texts,
    { type: 'text', text: `Images of the result of ${id}:` },
    ...images.map(({ data, mediaType }) => ({
      type: 'image_url' as const,
      image_url: { url: `data:${mediaType};base64,${data}` },
    })),
  ];
}

// One step of its loop.
/** A completion, or a streamed one: collected, or still to be read. */
export type ChatSource = CompletionContent | ChatCollector | AsyncIterable<ChatCompletionChunk>;

/** What came of one answer. */
export interface ChatTurn {
  /** To append to the conversation: the model's message, and the results of its calls. */
  readonly messages: ChatCompletionMessageParam[];
  /** In the order of the calls; empty: the model has made none, and is done. */
  readonly outcomes: readonly ToolOutcome[];
}

/** Tools as Chat Completions takes and calls them. */
export interface ChatTools {
  /** The `tools` of a request: a new list, the same every time. */
  readonly tools: ChatCompletionFunctionTool[];
  /** The calls of an answer, for a program that runs them itself with the provider that they carry. */
  calls(completion: CompletionContent): readonly ToolCall[];
  /**
   * Runs the calls of an answer, side by side. Never rejects for what a model or a tool did; a stream that breaks off or is
   * aborted rejects, and nothing has run then.
   */
  answer(source: ChatSource, options?: Omit<CallOptions, 'provider'>): Promise<ChatTurn>;
}

/** For OpenAI's Chat Completions, and for servers that speak like it: vLLM, Ollama, llama.cpp, OpenRouter. */
export function chatCompletions(tools: ToolSet, options: OpenAiOptions = {}): ChatTools {
  checkOptions('chatCompletions', options, openAiOptionKinds);
  const { strict = false, notes = 'parts' } = options;
  const provider = strict ? 'openai-strict' : 'openai';
  return Object.freeze({
    get tools(): ChatCompletionFunctionTool[] {
      return tools.schemas(provider);
    },
    calls: (completion: CompletionContent): readonly ToolCall[] =>
      (readCompletion(completion)?.calls ?? []).map((call) => ({ ...call, provider })),
    async answer(source: ChatSource, callOptions: Omit<CallOptions, 'provider'> = {}): Promise<ChatTurn> {
      const answer = await readSource(source);
      if (answer === undefined) return { messages: [], outcomes: [] };
      const outcomes = await tools.callAll(answer.calls, { ...callOptions, provider });
      const history = outcomes.map((outcome) => tools.history(outcome));
      const messages = [assistantMessage(answer, history), ...resultMessages(outcomes, notes)];
      return { messages, outcomes };
    },
  });
}

async function readSource(source: ChatSource): Promise<ChatAnswer | undefined> {
  if (source instanceof ChatCollector) return source.end();
  if (!(Symbol.asyncIterator in source)) return readCompletion(source);
  const collector = new ChatCollector();
  await readStream(source, (chunk) => collector.add(chunk));
  return collector.end();
}
