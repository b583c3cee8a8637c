// Clients of each API, unmodified, streamed and not. The upstream sends a call that each of them
// would pass on with an array as text.
import Anthropic from '@anthropic-ai/sdk';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { type ToolSet, generateText, jsonSchema, streamText, tool as aiTool } from 'ai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { startScriptedServer } from '../adapters/scripted-server.ts';
import { responseStream } from './chat-answers.ts';
import { startTestGateway, startUpstream } from './scripted-upstream.ts';
import { casesOf, streamedApis } from './exchanges.ts';

const schema = {
  type: 'object' as const,
  properties: { paths: { type: 'array' as const, items: { type: 'string' as const } } },
  required: ['paths'],
};
const tool = {
  type: 'function',
  function: { name: 'read_files', description: 'Read.', parameters: schema },
} as const;
const user = { role: 'user', content: 'Read a.ts and b.ts.' } as const;
const repaired = { paths: ['a.ts', 'b.ts'] };

/** The base URL of a gateway before a server of OpenAI's and Anthropic's APIs. */
async function gatewayURL(): Promise<string> {
  const call = {
    id: 'call_1',
    name: 'read_files',
    arguments: '{"paths":"[\\"a.ts\\",\\"b.ts\\"]"}',
  };
  const upstream = await startScriptedServer({ text: 'Reading both.', calls: [call] });
  return (await startTestGateway(upstream.origin)).url;
}

test('openai, Chat Completions', async () => {
  const client = new OpenAI({ baseURL: await gatewayURL(), apiKey: 'sk' });
  const request = { model: 'm', messages: [user], tools: [tool] };
  const whole = await client.chat.completions.create(request);
  const streamed = await client.chat.completions.stream(request).finalChatCompletion();

  for (const { choices } of [whole, streamed]) {
    expect(choices[0]?.message.content).toBe('Reading both.');
    const [call] = choices[0]?.message.tool_calls ?? [];
    expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual(repaired);
  }
});

test('openai, Responses', async () => {
  const recorded = casesOf('systems.jsonl').find(
    ({ id }) => id === 'seeds-docker-unwraps-stringified-array',
  );
  const api = streamedApis.find(({ path }) => path.endsWith('/responses'));
  if (recorded === undefined || api === undefined) throw new Error('no such case');
  const upstream = await startUpstream(() => ({ chunks: [api.answer(recorded)] }));
  const client = new OpenAI({
    baseURL: (await startTestGateway(upstream.origin)).url,
    apiKey: 'sk',
  });
  const stream = client.responses.stream({
    model: 'm',
    input: 'Read.',
    tools: [
      { type: 'function', name: recorded.tool, parameters: { ...recorded.schema }, strict: false },
    ],
  });
  const { output } = await stream.finalResponse();

  expect(output).toMatchObject([{ type: 'function_call', name: recorded.tool }]);
  expect(output[0]?.type === 'function_call' && JSON.parse(output[0].arguments)).toEqual(
    recorded.expect['value'],
  );
});

const markup =
  '<tool_call>{"name": "read_files", "arguments": {"paths": "[\\"a.ts\\",\\"b.ts\\"]"}}</tool_call>';

test.each(['message', 'reasoning'] as const)(
  'openai, Responses, with a call in the text of its %s',
  async (type) => {
    const upstream = await startUpstream(() => ({
      chunks: responseStream(`I'll read both.\n${markup}`, type),
    }));
    const { url } = await startTestGateway(upstream.origin, { callsInText: true });
    const client = new OpenAI({ baseURL: url, apiKey: 'sk' });
    const { name, parameters } = tool.function;
    const stream = client.responses.stream({
      model: 'm',
      input: 'Read.',
      tools: [{ type: 'function', name, parameters, strict: false }],
    });
    const { output } = await stream.finalResponse();

    expect(output).toMatchObject([{ type }, { type: 'function_call', name, status: 'completed' }]);
    expect(output[1]?.type === 'function_call' && JSON.parse(output[1].arguments)).toEqual(
      repaired,
    );
  },
);

test('the AI SDK, with a call in the reasoning', async () => {
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const upstream = await startUpstream(() => ({
    chunks: [
      chunk({ reasoning_content: `I'll read both.\n${markup}` }),
      chunk({}, 'stop'),
      'data: [DONE]\n\n',
    ],
  }));
  const { url } = await startTestGateway(upstream.origin, { callsInText: true });
  const provider = createOpenAICompatible({ name: 'local', baseURL: url, apiKey: 'sk' });
  const tools: ToolSet = { read_files: aiTool({ inputSchema: jsonSchema(schema) }) };
  const streamed = streamText({ model: provider('m'), prompt: 'Read.', tools });

  expect(await streamed.toolCalls).toMatchObject([{ toolName: 'read_files', input: repaired }]);
  expect(await streamed.finishReason).toBe('tool-calls');
});

test('@anthropic-ai/sdk', async () => {
  const baseURL = (await gatewayURL()).replace(/\/v1$/, '');
  const client = new Anthropic({ baseURL, apiKey: 'sk' });
  const request = {
    model: 'm',
    max_tokens: 9,
    messages: [user],
    tools: [{ name: 'read_files', input_schema: schema }],
  };
  const whole = await client.messages.create(request);
  const streamed = await client.messages.stream(request).finalMessage();

  for (const { content } of [whole, streamed])
    expect(content).toMatchObject([{ text: 'Reading both.' }, { input: repaired }]);
});

test('the AI SDK', async () => {
  const provider = createOpenAICompatible({
    name: 'local',
    baseURL: await gatewayURL(),
    apiKey: 'sk',
  });
  const tools: ToolSet = { read_files: aiTool({ inputSchema: jsonSchema(schema) }) };
  const request = { model: provider('m'), prompt: 'Read.', tools };
  const whole = await generateText(request);
  const streamed = await streamText(request).toolCalls;

  expect(whole.toolCalls).toMatchObject([{ toolName: 'read_files', input: repaired }]);
  expect(streamed).toMatchObject([{ toolName: 'read_files', input: repaired }]);
});

test('LangChain', async () => {
  const configuration = { baseURL: await gatewayURL() };
  const model = new ChatOpenAI({ model: 'm', apiKey: 'sk', configuration }).bindTools([tool]);
  const whole = await model.invoke('Read.');
  const parts = [];
  for await (const part of await model.stream('Read.')) parts.push(part);
  const streamed = parts.reduce((sum, part) => sum.concat(part));

  expect(whole.tool_calls).toMatchObject([{ name: 'read_files', args: repaired }]);
  expect(streamed.tool_calls).toMatchObject([{ name: 'read_files', args: repaired }]);
});

test('ollama', async () => {
  const message = (rest: object): object => ({ role: 'assistant', content: '', ...rest });
  const calls = [{ function: { name: 'read_files', arguments: { paths: '["a.ts","b.ts"]' } } }];
  const line = (rest: object, done: boolean): string =>
    `${JSON.stringify({ model: 'm', message: message(rest), done })}\n`;
  const upstream = await startUpstream(({ text }) =>
    JSON.parse(text).stream === true
      ? {
          type: 'application/x-ndjson',
          chunks: [
            line({ content: 'Both.' }, false),
            line({ tool_calls: calls }, false),
            line({}, true),
          ],
        }
      : { type: 'application/json', chunks: [line({ tool_calls: calls }, true)] },
  );
  const { port } = await startTestGateway(upstream.origin);
  const client = new Ollama({ host: `http://127.0.0.1:${port}` });
  const tools = [
    {
      type: 'function',
      function: { name: 'read_files', description: 'Read.', parameters: schema },
    },
  ];
  const whole = await client.chat({ model: 'm', messages: [user], tools });
  const streamed = [];
  for await (const part of await client.chat({ model: 'm', messages: [user], tools, stream: true }))
    streamed.push(part.message);

  expect(whole.message.tool_calls).toMatchObject([{ function: { arguments: repaired } }]);
  expect(streamed.flatMap(({ tool_calls = [] }) => tool_calls)).toMatchObject([
    { function: { arguments: repaired } },
  ]);
  expect(streamed[0]?.content).toBe('Both.');
});
