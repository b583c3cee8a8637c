// Streams answers from any OpenAI-compatible server.
import { Inject, Injectable } from '@nestjs/common';
import OpenAI from 'openai';
import { type ToolCall, ToolCallCollector } from 'toolmend';
import type { LiveServer } from '../../main-job/live-job.ts';

/** The token for the model's server. */
export const modelServer = Symbol('model server');

export interface StreamedAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

type Messages = readonly OpenAI.ChatCompletionMessageParam[];

@Injectable()
export class ModelClient {
  readonly #client: OpenAI;
  readonly #model: string;

  constructor(@Inject(modelServer) { baseURL, apiKey, model }: LiveServer) {
    this.#client = new OpenAI({ baseURL, apiKey, timeout: 120_000, maxRetries: 1 });
    this.#model = model;
  }

  /** Rejects if the server fails, ends the stream without content, or `signal` fires. */
  async ask(
    messages: Messages,
    tools: readonly OpenAI.ChatCompletionTool[],
    { signal, onText }: { readonly signal: AbortSignal; readonly onText: (piece: string) => void },
  ): Promise<StreamedAnswer> {
    const request = { model: this.#model, messages: [...messages], tools: [...tools] };
    const chunks = await this.#client.chat.completions.create(
      { ...request, stream: true },
      { signal },
    );
    const collector = new ToolCallCollector({ model: this.#model });
    let text = '';
    let finishReason: string | undefined;
    for await (const { choices } of chunks) {
      const [choice] = choices;
      const { content, tool_calls: parts = [] } = choice?.delta ?? {};
      for (const { index, id, function: part } of parts) collector.add({ index, id, ...part });
      if (typeof content === 'string' && content !== '') {
        text += content;
        onText(content);
      }
      finishReason = choice?.finish_reason ?? finishReason;
    }
    const calls = collector.end(finishReason);
    if (text === '' && calls.length === 0) throw new Error('the model’s server answered nothing');
    return { text, calls };
  }
}
