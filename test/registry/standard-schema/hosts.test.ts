// Runs a tool class as a Standard Schema in the SDKs that take one, against a server on loopback
// (MCP: in memory).
import Anthropic from '@anthropic-ai/sdk';
import { betaStandardSchemaTool } from '@anthropic-ai/sdk/helpers/beta/standard-schema';
import { createTool } from '@mastra/core/tools';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { McpServer } from '@modelcontextprotocol/server';
import {
  Agent,
  OpenAIChatCompletionsModel,
  run,
  RunContext,
  setTracingDisabled,
  tool as agentsTool,
} from '@openai/agents';
import { generateText, isStepCount, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { type ArgumentsOf, standardSchema } from 'toolmend';
import { ReadFiles } from '../../adapters/contract/sample-tools.ts';
import { inMemory } from '../../adapters/mcp/in-memory.ts';
import { aiModel, callTurn, done } from '../../adapters/scripted-models.ts';
import { type ScriptedServer, startScriptedServer } from '../../adapters/scripted-server.ts';
import { objectOf, text, whole } from '../../schemas.ts';
import { toolOf } from '../../tools.ts';

const schema = standardSchema(ReadFiles);
const { name, description } = schema;
const nearMiss = '{"paths": "[\\"a.txt\\"]", "limit": "2"}';
const repaired = { paths: ['a.txt'], limit: 2, offset: 0 };

const seen: ArgumentsOf<typeof ReadFiles>[] = [];
const read = (values: ArgumentsOf<typeof ReadFiles>): string => {
  seen.push(values);
  return values.paths.map((path) => `content of ${path}`).join();
};
beforeEach(() => void (seen.length = 0));

/** Runs one conversation, whose last text it returns. */
type Host = (server: ScriptedServer, isStreamed: boolean) => Promise<string | undefined>;

/** A model that sends one call, and then the text "done". */
async function converse(host: Host, sent: string, isStreamed = false) {
  const server = await startScriptedServer(callTurn(name, sent), done);
  expect(await host(server, isStreamed)).toBe('done');
  return server.requests;
}

const aiSdk: Host = async (server, isStreamed) => {
  const tools = { [name]: tool({ description, inputSchema: schema, execute: read }) };
  const options = {
    model: aiModel(server.baseURL),
    tools,
    prompt: 'Read.',
    stopWhen: isStepCount(3),
  };
  return isStreamed ? streamText(options).text : (await generateText(options)).text;
};

setTracingDisabled(true);
const openAiAgents: Host = async (server, isStreamed) => {
  const client = new OpenAI({ baseURL: server.baseURL, apiKey: 'none' });
  const model = new OpenAIChatCompletionsModel(client, 'scripted');
  const tools = [agentsTool({ name, description, parameters: schema, execute: read })];
  const agent = new Agent({ name: 'Reader', model, tools });
  if (!isStreamed) return (await run(agent, 'Read.')).finalOutput;
  const result = await run(agent, 'Read.', { stream: true });
  await result.completed;
  return result.finalOutput;
};

const anthropicRunner: Host = async (server, isStreamed) => {
  const { beta } = new Anthropic({ baseURL: server.origin, apiKey: 'none' });
  const options = {
    model: 'scripted',
    max_tokens: 100,
    messages: [{ role: 'user' as const, content: 'Read.' }],
    tools: [betaStandardSchemaTool({ name, description, inputSchema: schema, run: read })],
  };
  const messages = [];
  if (isStreamed)
    for await (const stream of beta.messages.toolRunner({ ...options, stream: true }))
      messages.push(await stream.finalMessage());
  else messages.push(await beta.messages.toolRunner(options));
  const blocks = messages.flatMap(({ content }) => content);
  return blocks.flatMap((block) => (block.type === 'text' ? block.text : [])).join();
};

const mastra: Host = async (server, isStreamed) => {
  const execute = async (values: ArgumentsOf<typeof ReadFiles>) => read(values);
  const reading = createTool({ id: name, description, inputSchema: schema, execute });
  const model = { id: 'scripted/scripted', url: server.baseURL, apiKey: 'none' } as const;
  const reader = { id: 'reader', name: 'reader', instructions: 'Read files.' };
  const agent = new MastraAgent({ ...reader, model, tools: { [name]: reading } });
  return (await agent[isStreamed ? 'stream' : 'generate']('Read.', { maxSteps: 3 })).text;
};

test.each<[string, Host]>([
  ['AI SDK', aiSdk],
  ['OpenAI Agents', openAiAgents],
  ['Anthropic’s tool runner', anthropicRunner],
  ['Mastra', mastra],
])('%s: its function gets the repaired arguments, streamed or not', async (_title, host) => {
  await converse(host, nearMiss, false);
  await converse(host, nearMiss, true);
  expect(seen).toEqual([repaired, repaired]);
});

test('AI SDK: the history has the repaired arguments', async () => {
  const [first, second] = await converse(aiSdk, nearMiss);
  expect(first.tools[0].function.parameters.required).toEqual(['paths']);
  expect(JSON.parse(second.messages[1].tool_calls[0].function.arguments)).toEqual(repaired);
  expect(second.messages[2]).toMatchObject({ role: 'tool', content: 'content of a.txt' });
});

test.each([
  ['AI SDK', aiSdk],
  ['Anthropic’s tool runner', anthropicRunner],
])('%s: the model reads the issues of a call that is refused', async (_title, host) => {
  const [, refused] = await converse(host, '{"paths": "a, b"}');
  const issue = /expected an array of strings, got the string .*Example: /;
  expect(JSON.stringify(refused.messages.at(-1).content)).toMatch(issue);
  expect(seen).toEqual([]);
});

test('OpenAI Agents makes optional arguments nullable, and leaves nulls out again', async () => {
  const [first] = await converse(
    openAiAgents,
    '{"paths": ["a.txt"], "offset": null, "limit": null}',
  );
  const parameters = { required: ['paths', 'offset', 'limit'] };
  expect(first.tools[0].function).toMatchObject({ strict: true, parameters });
  expect(seen).toEqual([{ paths: ['a.txt'] }]);
});

test('OpenAI Agents takes the schema for strict mode', async () => {
  const work = toolOf(() => 'done', { inputSchema: objectOf({ at: whole, tag: text }, ['at']) });
  const strict = standardSchema(work, { provider: 'openai-strict' });
  const execute = (values: unknown) => JSON.stringify(values);
  const made = agentsTool({ name: 'work', description: 'Works.', parameters: strict, execute });
  expect(made.parameters).toMatchObject({ required: ['at', 'tag'] });
  expect(await made.invoke(new RunContext(), '{"at": "1", "tag": null}')).toBe('{"at":1}');
});

test('MCP server: its function gets the repaired arguments, and the model reads the issues of a call that is refused', async () => {
  const server = new McpServer({ name: 'files', version: '1.0.0' });
  const contentOf = (said: string) => [{ type: 'text' as const, text: said }];
  const definition = { description, inputSchema: schema };
  server.registerTool(name, definition, (values) => ({ content: contentOf(read(values)) }));
  const client = await inMemory(server);
  const { tools } = await client.listTools();
  expect(tools).toMatchObject([{ name, inputSchema: { required: ['paths'] } }]);
  const result = await client.callTool({ name, arguments: JSON.parse(nearMiss) });
  expect(result.content).toEqual(contentOf('content of a.txt'));
  const refused = await client.callTool({ name, arguments: { paths: 'a, b' } });
  expect([seen, refused.isError]).toEqual([[repaired], true]);
  expect(JSON.stringify(refused.content)).toContain('paths: expected an array of strings');
});
