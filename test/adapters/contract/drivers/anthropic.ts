// The contract test through the Anthropic SDK: streamed messages, whose inputs are text that need not be JSON.
import Anthropic from '@anthropic-ai/sdk';
import { anthropicMessages } from 'toolmend/anthropic';
import { startBodyServer } from '../../body-server.ts';
import type { AdapterDriver } from '../adapter-driver.ts';
import { sampleTools } from '../sample-tools.ts';

const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', content: [] };
const usage = { input_tokens: 1, output_tokens: 1 };

export const anthropic: AdapterDriver = {
  name: 'anthropic',
  async run({ id, tool, text, isCut }) {
    const stop_reason = isCut === true ? 'max_tokens' : 'tool_use';
    const server = await startBodyServer({
      events: [
        { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } },
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'tool_use', id, name: tool, input: {} },
        },
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: text } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
        { type: 'message_stop' },
      ],
      end: 'silent',
    });
    try {
      const client = new Anthropic({ apiKey: 'none', baseURL: server.origin, maxRetries: 0 });
      const claude = anthropicMessages(sampleTools());
      const stream = await client.messages.create({
        model: 'scripted',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'Go on.' }],
        tools: claude.tools,
        stream: true,
      });
      const { messages } = await claude.answer(stream);
      const blocks = messages[1]?.content ?? [];
      const [result] = typeof blocks === 'string' ? [] : blocks;
      if (result?.type !== 'tool_result') throw new Error('a result is expected');
      const { content = [] } = result;
      const parts =
        typeof content === 'string'
          ? [content]
          : content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      const [said = '', ...notes] = parts;
      return { text: said, notes, isError: result.is_error === true, by: 'toolmend' };
    } finally {
      server.close();
    }
  },
};
