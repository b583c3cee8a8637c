// What has a streamed chat completion said, once it has ended? Its text and its calls, which are none before the end.
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { ToolCallCollector } from '../../interpret/streaming/tool-call-collector.ts';
import { withOwnIds } from '../../interpret/streaming/own-ids.ts';
import type { ChatAnswer } from './chat-calls.ts';

/** What servers send in one chunk for a call. */
interface SentPart {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown } | null;
}

/** Collects the chunks of one streamed answer. */
export class ChatCollector {
  readonly #calls = new ToolCallCollector();
  #text = '';
  #refusal = '';
  #finishReason: string | undefined;
  #model: string | undefined;

  /** Adds one chunk, of the first choice, and returns this collector. */
  add({ choices, model }: ChatCompletionChunk): this {
    if (model !== '') this.#model ??= model;
    const choice = choices.find(({ index }) => index === 0) ?? choices[0];
    if (choice === undefined) return this;
    const { delta, finish_reason: reason } = choice;
    this.#text += delta.content ?? '';
    this.#refusal += delta.refusal ?? '';
    for (const part of delta.tool_calls ?? []) this.#addPart(part);
    this.#finishReason = reason ?? this.#finishReason;
    return this;
  }

  /** What was said; without a finish reason the stream is taken to have broken off. */
  end(): ChatAnswer {
    const model = this.#model;
    const ended = this.#calls.end(this.#finishReason);
    const calls = withOwnIds(model === undefined ? ended : ended.map((call) => ({ ...call, model })));
    const refusal = this.#refusal === '' ? null : this.#refusal;
    const content = this.#text === '' && calls.length > 0 ? null : this.#text;
    return { message: { role: 'assistant', content, refusal }, calls, others: [] };
  }

  #addPart({ index, id, function: said }: SentPart): void {
    this.#calls.add({ index, id, name: said?.name, arguments: said?.arguments });
  }
}
