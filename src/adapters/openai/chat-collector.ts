// What has a streamed chat completion said, once it has ended? Its text and its calls, which are none before the end.
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { ToolCallCollector } from '../../interpret/streaming/tool-call-collector.ts';
import { withOwnIds } from '../../interpret/streaming/own-ids.ts';
import { isThere, objectsIn, textIn } from '../../interpret/streaming/sent-parts.ts';
import { besideCall, type ChatAnswer, isFirst } from './chat-calls.ts';
import { type Beside, besideOf, joinedBeside } from './sent-beside.ts';

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
