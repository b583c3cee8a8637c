// The contract test through the OpenAI SDK: the Responses API.
import OpenAI from 'openai';
import { responses } from 'toolmend/openai';
import { startBodyServer } from '../../body-server.ts';
import type { AdapterDriver } from '../adapter-driver.ts';
import { sampleTools } from '../sample-tools.ts';

export const openAiResponses: AdapterDriver = {
  name: 'openai, responses',
  async run({ id, tool, text, isCut }) {
    const status = isCut === true ? 'incomplete' : 'completed';
    const call = { type: 'function_call', id: `fc_${id}`, call_id: id, name: tool, arguments: text, status };
    const server = await startBodyServer({
      json: { id: 'resp_1', object: 'response', model: 'scripted', status, output: [call] },
    });
    try {
      const client = new OpenAI({ apiKey: 'none', baseURL: `${server.origin}/v1`, maxRetries: 0 });
      const offered = responses(sampleTools());
      const response = await client.responses.create({
        model: 'scripted',
        input: 'Go on.',
        tools: offered.tools,
      });
      const { outputs } = await offered.answer(response);
      const [result, ...others] = outputs;
      if (result?.type !== 'function_call_output' || others.length > 0)
        throw new Error('one output is expected');
      const { output } = result;
      const parts =
        typeof output === 'string'
          ? [output]
          : output.flatMap((part) => (part.type === 'input_text' ? [part.text] : []));
      const [said = '', ...notes] = parts;
      return { text: said, notes, isError: undefined, by: 'toolmend' };
    } finally {
      server.close();
    }
  },
};
