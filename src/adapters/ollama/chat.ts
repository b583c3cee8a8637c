import { memberOf, isContainer } from '../../collections/objects.ts';
import type { ChatResponse, Message, Tool, ToolCall as OllamaCall } from 'ollama';
import { type ToolOutcome, toolMessage } from '../../execute/tool-outcome.ts';
import type { HistoryCall } from '../../interpret/records.ts';
import type { ToolCall } from '../../providers/tool-call.ts';
import type { ToolSet } from '../../registry/tool-set.ts';
import { endOfEarlier } from '../../text/decode-arguments.ts';
import {
  type ToolTurns,
  type TurnOutcomes,
  historyArguments,
  objectsIn,
  toolCallsFrom,
  textIn,
  toolTurns,
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
  message: sent,
  model,
  done_reason: reason,
}: Partial<OllamaResponse>): OllamaAnswer {
  const message = isContainer(sent) && hasContent(sent) ? sent : undefined;
  const sentCalls = callsIn(message);
  const calls = sentCalls.map((call) => ({
    id: idOf(call),
    name: call.function?.name,
    arguments: call.function?.arguments,
    finishReason: call === sentCalls.at(-1) ? reason : endOfEarlier(reason),
  }));
  return { message, calls: toolCallsFrom(calls, model) };
}

/** A call as servers send it. */
type ServerCall = Partial<OllamaCall>;

const callsIn = (message: Message | undefined): readonly ServerCall[] =>
  objectsIn(message?.tool_calls);

const hasContent = (message: Message): boolean =>
  textIn(message.content) !== '' || textIn(message.thinking) !== '' || callsIn(message).length > 0;

/** Newer servers send ids, which the package doesn't declare. */
const idOf = (call: ServerCall | undefined): string => textIn(memberOf(call, 'id'));

/** Collects the parts of one streamed response. */
export class ChatCollector {
  #content = '';
  #thinking = '';
  readonly #calls: OllamaCall[] = [];
  #reason: string | undefined;
  #model = '';

  /** Adds one part and returns this collector. */
  add(part: ChatResponse): this {
    if (!isContainer(part)) return this;
    const { message, model, done_reason: reason } = part;
    if (this.#model === '') this.#model = textIn(model);
    this.#reason = reason ?? this.#reason;
    if (!isContainer(message)) return this;
    this.#content += textIn(message.content);
    this.#thinking += textIn(message.thinking);
    this.#calls.push(...objectsIn(message.tool_calls));
    return this;
  }

  /**
   * The answer. The arguments of calls arrive whole, so those of a stream that broke off are
   * complete.
   */
  end(): OllamaAnswer {
    const message: Message = {
      role: 'assistant',
      content: this.#content,
      ...(this.#thinking === '' ? {} : { thinking: this.#thinking }),
      ...(this.#calls.length === 0 ? {} : { tool_calls: [...this.#calls] }),
    };
    const reason = this.#reason === undefined ? {} : { done_reason: this.#reason };
    return readResponse({ message, model: this.#model, ...reason });
  }
}

function assistantMessage(message: Message, history: readonly HistoryCall[]): Message {
  const { tool_calls: _calls, ...rest } = message;
  const calls = callsIn(message).flatMap(({ function: called, ...call }, index) => {
    const shown = history[index];
    if (shown === undefined) return [];
    const id = { id: idOf(call) === '' ? undefined : shown.id };
    return [
      {
        ...call,
        ...id,
        function: { ...called, name: shown.name, arguments: historyArguments(shown) },
      },
    ];
  });
  return calls.length === 0 ? rest : { ...rest, tool_calls: calls };
}

/** A tool message for each call. A user message after them has what a tool message can't hold. */
function resultMessages(
  sent: readonly ServerCall[],
  history: readonly HistoryCall[],
  outcomes: readonly ToolOutcome[],
): readonly Message[] {
  const results = outcomes.map((outcome, index) => ({
    name: history[index]?.name ?? outcome.call.name,
    id: idOf(sent[index]) === '' ? {} : { tool_call_id: outcome.call.id },
    message: toolMessage(outcome),
  }));
  const notes = results.flatMap(({ name, message }) =>
    message.notes.map((note) => `On ${name}: ${note}`),
  );
  const shown = results.filter(({ message }) => (message.images ?? []).length > 0);
  const lines = [...notes, ...shown.map(({ name }) => `Images of the result of ${name}.`)];
  const images = shown.flatMap(({ message }) => (message.images ?? []).map(({ data }) => data));
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
