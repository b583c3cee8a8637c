// Does a tool class work, as it is, in the SDKs that take a Standard Schema? Each runs against a server or client on loopback
// (MCP: in memory); the handler gets the repaired value.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { betaStandardSchemaTool } from '@anthropic-ai/sdk/helpers/beta/standard-schema';
import { createTool } from '@mastra/core/tools';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
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
import { IsInt, IsOptional, Min } from 'class-validator';
import OpenAI from 'openai';
import {
  ArrayOf,
  type ArgumentsOf,
  defineTool,
  PairedDefault,
  type SchemaObject,
  standardSchema,
  Tool,
} from 'toolmend';
import { startScriptedServer, type Turn } from '../../adapters/scripted-server.ts';

@Tool({ description: 'Read text files.', effects: 'read' })
class ReadFiles {
  @ArrayOf(String)
  paths!: string[];

  @IsOptional()
  @IsInt()
  @Min(0)
  offset?: number;

  @IsOptional()
  @IsInt()
  @Min(1)
  @PairedDefault('offset', 0)
  limit?: number;

  execute(): string {
    return 'never: the host runs its own function';
  }
}

const schema = standardSchema(ReadFiles);
const nearMiss = '{"paths": "[\\"a.txt\\"]", "limit": "2"}';
const repaired = { paths: ['a.txt'], limit: 2, offset: 0 };

/** One call, and then words. */
const turns = (sent: string): readonly Turn[] => [
  { calls: [{ id: 'call_1', name: 'read_files', arguments: sent }] },
  { text: 'done' },
];

const seen: ArgumentsOf<typeof ReadFiles>[] = [];
const read = (values: ArgumentsOf<typeof ReadFiles>): string => {
  seen.push(values);
  return values.paths.map((path) => `content of ${path}`).join();
};

beforeEach(() => {
  seen.length = 0;
});

describe('AI SDK', () => {
  const tools = { read_files: tool({ description: schema.description, inputSchema: schema, execute: read }) };
  const start = async (sent: string) => {
    const server = await startScriptedServer(...turns(sent));
    const model = createOpenAICompatible({ name: 'scripted', baseURL: server.baseURL })('scripted');
    return { server, asked: { model, tools, prompt: 'Read.', stopWhen: isStepCount(3) } };
  };

  test('generateText', async () => {
    const { server, asked } = await start(nearMiss);
    const { text } = await generateText(asked);
    expect(text).toBe('done');
    expect(seen).toEqual([repaired]);
    expect(server.requests[0].tools[0].function.parameters.required).toEqual(['paths']);
    // The history has the repaired arguments.
    expect(JSON.parse(server.requests[1].messages[1].tool_calls[0].function.arguments)).toEqual(repaired);
    expect(server.requests[1].messages[2]).toMatchObject({ role: 'tool', content: 'content of a.txt' });
  });

  test('streamText', async () => {
    const { asked } = await start(nearMiss);
    expect(await streamText(asked).text).toBe('done');
    expect(seen).toEqual([repaired]);
  });

  test('what can’t be repaired reaches the model as the issues say it', async () => {
    const { server, asked } = await start('{"paths": "a, b"}');
    await generateText(asked);
    expect(seen).toEqual([]);
    expect(server.requests[1].messages[2].content).toContain('expected an array of strings, got the string');
    expect(server.requests[1].messages[2].content).toContain('Example: ');
  });
});

describe('OpenAI Agents', () => {
  setTracingDisabled(true);
  const start = async (sent: string) => {
    const server = await startScriptedServer(...turns(sent));
    const client = new OpenAI({ baseURL: server.baseURL, apiKey: 'none' });
    const agent = new Agent({
      name: 'Reader',
      model: new OpenAIChatCompletionsModel(client, 'scripted'),
      tools: [
        agentsTool({
          name: schema.name,
          description: schema.description,
          parameters: schema,
          execute: read,
        }),
      ],
    });
    return { server, agent };
  };

  test('run', async () => {
    const { server, agent } = await start(nearMiss);
    const { finalOutput } = await run(agent, 'Read.');
    expect(finalOutput).toBe('done');
    expect(seen).toEqual([repaired]);
    // Its strict mode makes what is optional nullable, and takes the nulls out again.
    expect(server.requests[0].tools[0].function).toMatchObject({
      strict: true,
      parameters: { required: ['paths', 'offset', 'limit'] },
    });
  });

  test('run, streamed', async () => {
    const { agent } = await start(nearMiss);
    const result = await run(agent, 'Read.', { stream: true });
    await result.completed;
    expect(result.finalOutput).toBe('done');
    expect(seen).toEqual([repaired]);
  });

  test('nulls of its strict mode are no arguments', async () => {
    const { agent } = await start('{"paths": ["a.txt"], "offset": null, "limit": null}');
    await run(agent, 'Read.');
    expect(seen).toEqual([{ paths: ['a.txt'] }]);
  });

  test('its strict mode takes null for what is left out, and no map', async () => {
    const contractOf = (type: SchemaObject) =>
      defineTool({
        name: 'label',
        description: 'Label.',
        inputSchema: { type: 'object', properties: { at: type, tag: { type: 'string' } }, required: ['at'] },
        execute: () => 'done',
      });
    const strict = standardSchema(contractOf({ type: 'integer' }), { provider: 'openai-strict' });
    const received: unknown[] = [];
    const made = agentsTool({
      name: strict.name,
      description: strict.description,
      parameters: strict,
      execute: (values) => {
        received.push(values);
        return 'done';
      },
    });

    expect(made.parameters).toMatchObject({
      properties: { at: { type: 'integer' }, tag: { type: ['string', 'null'] } },
      required: ['at', 'tag'],
    });
    await made.invoke(new RunContext(), '{"at": "1", "tag": null}');
    expect(received).toEqual([{ at: 1 }]);
    const map: SchemaObject = { type: 'object', additionalProperties: { type: 'number' } };
    expect(() => standardSchema(contractOf(map), { provider: 'openai-strict' })).toThrow(
      "takes keys that aren't declared at /properties/at, which strict mode can't express",
    );
  });

  test('what can’t be repaired is its own sentence, and the function doesn’t run', async () => {
    const { server, agent } = await start('{"paths": "a, b"}');
    await run(agent, 'Read.');
    expect(seen).toEqual([]);
    expect(server.requests[1].messages.at(-1).role).toBe('tool');
    expect(server.requests[1].messages.at(-1).content).toContain('An error occurred');
  });
});

describe('Anthropic’s tool runner', () => {
  const start = async (sent: string) => {
    const server = await startScriptedServer(...turns(sent));
    const client = new Anthropic({ baseURL: server.origin, apiKey: 'none' });
    const asked = {
      model: 'scripted',
      max_tokens: 100,
      messages: [{ role: 'user' as const, content: 'Read.' }],
      tools: [
        betaStandardSchemaTool({
          name: schema.name,
          description: schema.description,
          inputSchema: schema,
          run: read,
        }),
      ],
    };
    return { server, client, asked };
  };

  test('runner', async () => {
    const { server, client, asked } = await start(nearMiss);
    const message = await client.beta.messages.toolRunner(asked);
    expect(message.content).toMatchObject([{ type: 'text', text: 'done' }]);
    expect(seen).toEqual([repaired]);
    expect(server.requests[0].tools[0]).toMatchObject({
      name: 'read_files',
      input_schema: { required: ['paths'] },
    });
  });

  test('runner, streamed', async () => {
    const { client, asked } = await start(nearMiss);
    const texts: string[] = [];
    for await (const stream of client.beta.messages.toolRunner({ ...asked, stream: true })) {
      const { content } = await stream.finalMessage();
      texts.push(...content.flatMap((block) => (block.type === 'text' ? [block.text] : [])));
    }

    expect(texts).toEqual(['done']);
    expect(seen).toEqual([repaired]);
  });

  test('what can’t be repaired is an error that the model reads', async () => {
    const { server, client, asked } = await start('{"paths": "a, b"}');
    await client.beta.messages.toolRunner(asked);
    const [result] = server.requests[1].messages.at(-1).content;
    expect(seen).toEqual([]);
    expect(result.is_error).toBe(true);
    expect(JSON.stringify(result.content)).toContain('expected an array of strings');
  });
});

describe('MCP server', () => {
  const start = async () => {
    const server = new McpServer({ name: 'files', version: '1.0.0' });
    server.registerTool(schema.name, { description: schema.description, inputSchema: schema }, (values) => ({
      content: [{ type: 'text', text: read(values) }],
    }));
    const client = new Client({ name: 'test', version: '1.0.0' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    await client.connect(near);
    return client;
  };

  test('registerTool', async () => {
    const client = await start();
    const { tools } = await client.listTools();
    const result = await client.callTool({ name: 'read_files', arguments: JSON.parse(nearMiss) });
    expect(tools).toMatchObject([{ name: 'read_files', inputSchema: { required: ['paths'] } }]);
    expect(result.content).toEqual([{ type: 'text', text: 'content of a.txt' }]);
    expect(seen).toEqual([repaired]);
  });

  test('what can’t be repaired is an error that the model reads', async () => {
    const client = await start();
    const result = await client.callTool({ name: 'read_files', arguments: { paths: 'a, b' } });
    expect(seen).toEqual([]);
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain('paths: expected an array of strings');
  });
});

describe('Mastra', () => {
  const start = async (sent: string) => {
    const server = await startScriptedServer(...turns(sent));
    const agent = new MastraAgent({
      id: 'reader',
      name: 'reader',
      instructions: 'Read files.',
      model: { id: 'scripted/scripted', url: server.baseURL, apiKey: 'none' },
      tools: {
        read_files: createTool({
          id: schema.name,
          description: schema.description,
          inputSchema: schema,
          execute: async (values) => read(values),
        }),
      },
    });
    return { server, agent };
  };

  test('generate', async () => {
    const { agent } = await start(nearMiss);
    const { text } = await agent.generate('Read.', { maxSteps: 3 });
    expect(text).toBe('done');
    expect(seen).toEqual([repaired]);
  });

  test('stream', async () => {
    const { agent } = await start(nearMiss);
    const stream = await agent.stream('Read.', { maxSteps: 3 });
    expect(await stream.text).toBe('done');
    expect(seen).toEqual([repaired]);
  });
});
