// The contract test through the OpenAI SDK: Chat Completions.
import OpenAI from 'openai';
import { chatCompletions } from 'toolmend/openai';
import { startBodyServer } from '../../body-server.ts';
import type { AdapterDriver } from '../adapter-driver.ts';
import { sampleTools } from '../sample-tools.ts';

export const openAiChat: AdapterDriver = {
  name: 'openai, chat',
  async run({ id, tool, text, isCut }) {
    const call = { id, type: 'function', function: { name: tool, arguments: text } };
    const server = await startBodyServer({
      json: {
        model: 'scripted',
        choices: [
          {
            index: 0,
            finish_reason: isCut === true ? 'length' : 'tool_calls',
            message: { role: 'assistant', content: null, tool_calls: [call] },
          },
        ],
      },
    });
    try {
      const client = new OpenAI({ apiKey: 'none', baseURL: `${server.origin}/v1`, maxRetries: 0 });
      const chat = chatCompletions(sampleTools());
      const completion = await client.chat.completions.create({
        model: 'scripted',
        messages: [{ role: 'user', content: 'Go on.' }],
        tools: chat.tools,
      });
      const { messages } = await chat.answer(completion);
      const [, result, ...others] = messages;
      if (result?.role !== 'tool' || others.length > 0) throw new Error('one result is expected');
      const { content } = result;
      const [said = '', ...notes] =
        typeof content === 'string' ? [content] : content.map(({ text: part }) => part);
      return { text: said, notes, isError: undefined, by: 'toolmend' };
    } finally {
      server.close();
    }
  },
};
