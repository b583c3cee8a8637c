import { Injectable } from '@nestjs/common';
import OpenAI from 'openai';
import { toolMessage, ToolRegistry } from 'toolmend';

/** Answers a question with the tools of the application. */
@Injectable()
export class Agent {
  readonly #client = new OpenAI({
    baseURL: process.env['OPENAI_BASE_URL'] ?? 'http://127.0.0.1:11434/v1',
    apiKey: process.env['OPENAI_API_KEY'] ?? 'none',
  });

  constructor(private readonly tools: ToolRegistry) {}

  async ask(question: string): Promise<string> {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
    for (let turn = 0; turn < 5; turn += 1) {
      const { choices } = await this.#client.chat.completions.create({
        model: 'qwen3',
        messages,
        tools: [...this.tools.schemas('openai')],
      });
      const [choice] = choices;
      if (choice === undefined) break;
      const { message, finish_reason: finishReason } = choice;
      messages.push(message);
      if (message.tool_calls === undefined) return message.content ?? '';
      for (const call of message.tool_calls) {
        if (call.type !== 'function') continue;
        const outcome = await this.tools.call({ id: call.id, ...call.function, finishReason });
        const { text } = toolMessage(outcome);
        messages.push({ role: 'tool', tool_call_id: call.id, content: text });
      }
    }
    return 'The model called tools in each of five turns.';
  }
}
