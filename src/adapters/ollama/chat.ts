import type { ChatResponse, Message, Tool, ToolCall as OllamaCall } from 'ollama';
import { isContainer } from '../../collections/objects.ts';
import { type ToolOutcome, toolMessage } from '../../outcomes/tool-outcome.ts';
import type { HistoryCall } from '../../interpret/records.ts';
import { objectAt } from '../../json/members.ts';
import type { JsonObject } from '../../json/value.ts';
import type { ToolCall } from '../../interpret/tool-call.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { mergedMessage, withoutNulls } from '../../wire/merged-message.ts';
import { ollamaCall, ollamaChat as wire } from '../../wire/ollama-chat.ts';
import { each, objectsAt, textAtPath, valueAtPath } from '../../wire/wire-api.ts';
import { notesWithFiles } from '../result-files.ts';
import {
  type ToolTurns,
  type TurnOutcomes,
  jsonOf,
  sentCalls,
  textIn,
  toolCallsFrom,
  toolTurns,
  withHistory,
} from '../tool-turn.ts';

/** The members of a response that the adapter reads. */
export type OllamaResponse = Pick<ChatResponse, 'message' | 'model' | 'done_reason'>;

export interface OllamaAnswer {
  /** Undefined if the response has no message. */
  readonly message: Message | undefined;
  readonly calls: readonly ToolCall[];
}

/** One step of a conversation. */
export interface OllamaTurn extends TurnOutcomes {
  /** To append to the conversation: the model's message, and the results of its calls. */
  readonly messages: Message[];
}

/** Tools for `ollama.chat`. */
export interface OllamaTools extends ToolTurns<
  OllamaResponse,
  ChatCollector,
  ChatResponse,
  OllamaTurn
> {
  /** The `tools` of a request: a new array of the same tools each time. */
  readonly tools: Tool[];
}

/** For Ollama's own API. Its OpenAI-compatible API takes `chatCompletions` of `toolmend/openai`. */
export function ollamaChat(tools: ToolSet): OllamaTools {
  return Object.freeze({
    get tools(): Tool[] {
      return tools.schemas('ollama');
    },
    ...toolTurns(tools, {
      provider: 'ollama',
      read: readResponse,
      Collector: ChatCollector,
      messages: ({ message }, history, outcomes) => ({
        messages: [
          ...(message === undefined ? [] : [assistantMessage(message, history)]),
          ...resultMessages(callsIn(message), history, outcomes),
        ],
      }),
    }),
  });
}

function readResponse({
  message: rawMessage,
  model,
  done_reason: reason,
}: Partial<OllamaResponse>): OllamaAnswer {
  const message = isContainer(rawMessage) && hasContent(rawMessage) ? rawMessage : undefined;
  const calls = sentCalls(ollamaCall, callsIn(message), reason);
  return { message, calls: toolCallsFrom(calls, model) };
}

const callsIn = (message: Message | undefined): readonly JsonObject[] =>
  objectsAt(jsonOf(message), ['tool_calls', each]);

const hasContent = (message: Message): boolean =>
  textIn(message.content) !== '' || textIn(message.thinking) !== '' || callsIn(message).length > 0;

/** Collects the parts of one streamed response. */
export class ChatCollector {
  #message: JsonObject = {};
  #reason: string | undefined;
  #model = '';

  /** Adds one part and returns this collector. */
  add(part: ChatResponse): this {
    const { event } = wire;
    const json = jsonOf(part);
    if (this.#model === '') this.#model = textIn(valueAtPath(json, event.model));
    this.#reason = textAtPath(json, event.finishReason) ?? this.#reason;
    this.#message = mergedMessage(this.#message, objectAt(json, 'message') ?? {});
    return this;
  }

  /**
   * The answer. The arguments of calls arrive whole, so those of a stream that broke off are
   * complete.
   */
  end(): OllamaAnswer {
    const message = { role: 'assistant', content: '', ...withoutNulls(this.#message) };
    const reason = this.#reason === undefined ? {} : { done_reason: this.#reason };
    return readResponse({ message, model: this.#model, ...reason });
  }
}

function assistantMessage(message: Message, history: readonly HistoryCall[]): Message {
  const { tool_calls: _calls, ...members } = message;
  const calls = withHistory(ollamaCall, callsIn(message), history).filter(isCall);
  return calls.length === 0 ? members : { ...members, tool_calls: calls };
}

const isCall = (call: JsonObject): call is JsonObject & OllamaCall => ollamaCall.isCall(call);

/** A tool message for each call. A user message after them has what a tool message can't hold. */
function resultMessages(
  messageCalls: readonly JsonObject[],
  history: readonly HistoryCall[],
  outcomes: readonly ToolOutcome[],
): readonly Message[] {
  const results = outcomes.map((outcome, index) => ({
    name: history[index]?.name ?? outcome.call.name,
    // Older servers send no ids. The package doesn't declare them.
    id: messageCalls[index]?.['id'] === undefined ? {} : { tool_call_id: outcome.call.id },
    message: toolMessage(outcome),
  }));
  const notes = results.flatMap(({ name, message }) =>
    notesWithFiles(message).map((note) => `On ${name}: ${note}`),
  );
  const withImages = results.filter(({ message }) => (message.images ?? []).length > 0);
  const lines = [...notes, ...withImages.map(({ name }) => `Images of the result of ${name}.`)];
  const images = withImages.flatMap(({ message }) =>
    (message.images ?? []).map(({ data }) => data),
  );
  return [
    ...results.map(({ name, id, message }) => ({
      role: 'tool',
      tool_name: name,
      ...id,
      content: message.text,
    })),
    ...(lines.length === 0
      ? []
      : [{ role: 'user', content: lines.join('\n'), ...(images.length === 0 ? {} : { images }) }]),
  ];
}
