// How the contract test sends a call through each adapter: from a provider's answer to the message
// that goes back.
import { ToolMessage } from '@langchain/core/messages';
import type { Client, ContentBlock } from '@modelcontextprotocol/client';
import type { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import * as ai from 'ai';
import {
  type CallOptions,
  type ResultFile,
  toolMessage,
  type ToolOutcome,
  ToolRegistry,
} from 'toolmend';
import { toAiSdk } from 'toolmend/ai-sdk';
import { toLangChain } from 'toolmend/langchain';
import { registerRemoteTools, type RemoteOptions, serveTools } from 'toolmend/mcp';
import { compileTools, ToolmendModule } from 'toolmend/nestjs';
import { responses } from 'toolmend/openai';
import { inMemory, inMemoryOfFirstSdk } from '../mcp/in-memory.ts';
import { RecordingLogger } from '../nestjs/recording-logger.ts';
import { aiModel, chatModel, quietly } from '../scripted-models.ts';
import { startBodyServer, startScriptedServer } from '../scripted-server.ts';
import {
  type Wire,
  anthropicWire,
  bedrockWire,
  chatWire,
  googleWire,
  ollamaWire,
  responsesWire,
} from '../wires.ts';
import { offeredContracts, offeredTools } from './offered-tools.ts';
import type { exportedFiles, SampleCall } from './sample-calls.ts';
import { sampleClasses, sampleTools } from './sample-tools.ts';

/** What a model reads of one call. */
export interface ModelReading {
  /** The result or the refusal, without notes. */
  readonly text: string;
  readonly notes: readonly string[];
  /** Undefined if the provider has no word for it. */
  readonly isError: boolean | undefined;
  /** The files that the provider gets as such: their types, and their base64 or their address. */
  readonly files: readonly string[];
  /** Who decided about the call: `toolmend`, or the SDK that refused it before. */
  readonly by: 'toolmend' | 'sdk';
}

/** An option that changes the tools. */
export type OfferOption = 'strict' | 'customTools';

/**
 * Where the option stands in a tool that has it. `refused`: it is a DefinitionError. `ignored`: the
 * tools are the same with it.
 */
export type Support = { readonly at: string } | 'refused' | 'ignored';

/** What the tools of `offered-tools.ts` are for the provider or the SDK. */
export interface Offers {
  readonly strict: Support;
  readonly customTools: Support;
  /** By their paths: the members of `find_order` that only some providers have. */
  readonly providerOptions: Readonly<Record<string, string>>;
}

export interface AdapterDriver {
  /** The column in docs/reference/adapters.md. */
  readonly name: string;
  /**
   * The calls that the SDK refuses before toolmend sees them, by what they are examples of, and how
   * the model's text starts.
   */
  readonly decidedBySdk?: Readonly<Record<string, string>>;
  /** The files of results that the adapter carries. Default: none. */
  readonly carries?: readonly (keyof typeof exportedFiles)[];
  /** The adapter passes `elicit` on to its calls. */
  readonly elicits?: true;
  readonly offers: Offers;
  /**
   * The tools of `offered-tools.ts`, in their order, as the provider or the SDK gets them.
   * `options`: of the adapter, which may not have them.
   */
  offer(options: object): Promise<readonly unknown[]>;
  run(call: SampleCall, options?: Pick<CallOptions, 'elicit'>): Promise<ModelReading>;
}

const read = (outcome: ToolOutcome): ModelReading => {
  const { text, notes, isError, files = [] } = toolMessage(outcome);
  return { text, notes, isError, files: files.map(fileIn), by: 'toolmend' };
};

const fileIn = (file: ResultFile): string =>
  `${file.mediaType} ${file.kind === 'linked' ? file.uri : file.data}`;

const allFiles = ['pdf', 'audio', 'link'] as const;

const callOf = ({ id, tool, text, isCut }: SampleCall) => ({
  id,
  name: tool,
  arguments: text,
  finishReason: isCut === true ? 'length' : 'tool_calls',
});

/** OpenAI's members of a tool. */
const ofOpenAi = { 'allowed_callers.0': 'programmatic' };

/** A registry's tools reach a provider through an adapter: here Responses. */
const byResponses: Offers = {
  strict: { at: 'strict' },
  customTools: { at: 'format.definition' },
  providerOptions: ofOpenAi,
};

/** What all other drivers are compared with. */
export const bareRegistry: AdapterDriver = {
  name: 'registry',
  carries: allFiles,
  elicits: true,
  offers: byResponses,
  offer: async (options) => responses(offeredTools(), options).tools,
  run: async (call, options) => read(await sampleTools().call(callOf(call), options)),
};

const program = (
  wire: Wire,
  how: 'whole' | 'stream',
  offers: Offers,
  ...carries: NonNullable<AdapterDriver['carries']>
): AdapterDriver => ({
  name: wire.name,
  carries,
  elicits: true,
  offers,
  offer: async (options) => wire.offer(offeredTools(), options),
  async run({ id, tool, text, isCut }, options) {
    const [reason] = isCut === true ? wire.cutReasons : wire.normalReasons;
    const call = { id, name: tool, arguments: text };
    const stream = { events: wire.events(reason ?? undefined, call), end: 'silent' as const };
    const body = how === 'whole' ? { json: wire.answer(reason, call) } : stream;
    const transport = wire.transport === undefined ? {} : { as: wire.transport };
    const { origin } = await startBodyServer({ ...body, ...transport });
    const { results } = await wire.ask(sampleTools(), origin, how, options);
    const [result, ...others] = results;
    if (result === undefined || others.length > 0) throw new Error('one result is expected');
    return { files: [], ...result, by: 'toolmend' };
  },
});

@Module({ imports: [ToolmendModule.forRoot({})], providers: [...sampleClasses] })
class SampleModule {}

const nestjs: AdapterDriver = {
  name: 'Nest',
  carries: allFiles,
  elicits: true,
  offers: byResponses,
  async offer(options) {
    const module = ToolmendModule.forRoot({ tools: offeredContracts, hints: 'off' });
    const builder = Test.createTestingModule({ imports: [module] }).setLogger(
      new RecordingLogger(),
    );
    const { tools, close } = await compileTools(builder);
    const offered = responses(tools, options).tools;
    await close();
    return offered;
  },
  async run(call, options) {
    const builder = Test.createTestingModule({ imports: [SampleModule] }).setLogger(
      new RecordingLogger(),
    );
    const { tools, close } = await compileTools(builder);
    const outcome = await tools.call(callOf(call), options);
    await close();
    return read(outcome);
  },
};

const turnOf = ({ id, tool, text, isCut }: SampleCall) => ({
  calls: [{ id, name: tool, arguments: text }],
  ...(isCut === true ? { finishReason: 'length' } : {}),
});

/** `isStepCount` is called `stepCountIs` before AI SDK 7. */
const stopAfter: typeof ai.isStepCount =
  Reflect.get(ai, 'isStepCount') ?? Reflect.get(ai, 'stepCountIs');

/** A part of a result: text, or a file in the form of one of the SDK's versions. */
interface SdkPart {
  readonly type: string;
  readonly text?: string;
  readonly mediaType?: string;
  readonly data?: string | { readonly data: string };
}

const aiSdk: AdapterDriver = {
  name: 'AI SDK',
  decidedBySdk: {
    // The SDK runs no call of an answer that was cut off, and doesn't ask the model again.
    'cut off': '',
    'an unknown tool':
      'Error repairing tool call: write_file was not executed.\nThere is no tool of this name.',
  },
  carries: ['pdf', 'audio'],
  elicits: true,
  offers: {
    strict: 'refused',
    // AI SDK 5 has no custom tools.
    customTools: 'ToolLoopAgent' in ai ? { at: 'args.format.definition' } : 'refused',
    providerOptions: {
      'metadata.title': 'Find an order',
      'providerOptions.anthropic.cacheControl.ttl': '1h',
      'providerOptions.openai.allowedCallers.0': 'programmatic',
    },
  },
  async offer(options) {
    return Object.values(toAiSdk(offeredTools(), options).tools);
  },
  async run(call, options) {
    const server = await startScriptedServer(turnOf(call), { text: 'done' });
    const outcomes: ToolOutcome[] = [];
    const settings = toAiSdk(sampleTools(), {
      ...options,
      onOutcome: (outcome) => outcomes.push(outcome),
    });
    const model = aiModel(server.baseURL);
    await ai.generateText({ model, prompt: 'Go.', stopWhen: stopAfter(2), ...settings });
    const said: unknown = server.requests[1]?.messages.at(-1).content;
    const content = typeof said === 'string' ? said.replace(/^AI_ToolCallRepairError: /, '') : '';
    // The messages of this provider are text, with parts as JSON.
    const parts: readonly SdkPart[] = content.startsWith('[{"type":"text"')
      ? JSON.parse(content)
      : [{ type: 'text', text: content }];
    const [text = '', ...notes] = parts.flatMap((part) => part.text ?? []);
    const files = parts.flatMap(({ mediaType, data }) =>
      data === undefined ? [] : [`${mediaType} ${typeof data === 'string' ? data : data.data}`],
    );
    const [outcome] = outcomes;
    const by = outcome === undefined || outcome.status === 'unknown_tool' ? 'sdk' : 'toolmend';
    return { text, notes, isError: undefined, files, by };
  },
};

const langChain: AdapterDriver = {
  name: 'LangChain',
  // The loop or LangGraph's tool node looks for the tool.
  decidedBySdk: { 'an unknown tool': '' },
  elicits: true,
  offers: { strict: 'refused', customTools: 'refused', providerOptions: {} },
  offer: async (options) =>
    toLangChain(offeredTools(), options).tools.map(({ name, description, schema }) => ({
      name,
      description,
      schema,
    })),
  async run(call, options) {
    const { baseURL } = await startScriptedServer(turnOf(call));
    const { tools, repairToolCalls } = toLangChain(sampleTools(), options);
    const model = chatModel(baseURL);
    const asked = model.bindTools(tools).pipe(repairToolCalls);
    const { tool_calls: [sent] = [] } = await quietly(() => asked.invoke('Go.'));
    const tool = tools.find(({ name }) => name === sent?.name);
    const message: unknown = sent === undefined ? undefined : await tool?.invoke(sent);
    if (!(message instanceof ToolMessage))
      return { text: '', notes: [], isError: undefined, files: [], by: 'sdk' };
    const { content, status } = message;
    const [text = '', ...notes] =
      typeof content === 'string'
        ? [content]
        : content.map((block) => String(Reflect.get(block, 'text')));
    return { text, notes, isError: status === 'error', files: [], by: 'toolmend' };
  },
};

const identity = { name: 'samples', version: '1' };
/** Serves tools, with these options, and connects a client. */
type Serve<Host> = (tools: ToolRegistry, options?: object) => Promise<Host>;
const servedBySecondSdk: Serve<Client> = (tools, options = {}) =>
  inMemory(serveTools(new McpServer(identity), tools, options));
const servedByFirstSdk: Serve<Client1> = async (tools, options = {}) =>
  inMemoryOfFirstSdk(serveTools(new McpServer1(identity), tools, options));

/** Arguments are objects in the protocol: a host can't send text that it can't parse. */
const refusal = 'Invalid tools/call request';
const refusedByMcp = { 'Python for JSON': refusal, 'a code fence': refusal, 'cut off': refusal };

interface McpHost {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  listTools(): Promise<{ readonly tools: readonly object[] }>;
  close(): Promise<void>;
}

function fileInBlock(block: ContentBlock): readonly string[] {
  if (block.type === 'audio') return [`${block.mimeType} ${block.data}`];
  if (block.type === 'resource_link') return [`${block.mimeType} ${block.uri}`];
  return block.type === 'resource' && 'blob' in block.resource
    ? [`${block.resource.mimeType} ${block.resource.blob}`]
    : [];
}

const mcpServer = (name: string, serve: Serve<McpHost>): AdapterDriver => ({
  name,
  carries: allFiles,
  decidedBySdk: refusedByMcp,
  offers: {
    strict: 'refused',
    customTools: 'refused',
    providerOptions: {
      title: 'Find an order',
      'icons.0.src': 'https://a.test/order.svg',
      '_meta.team': 'orders',
    },
  },
  async offer(options) {
    const client = await serve(offeredTools(), options);
    const { tools } = await client.listTools();
    await client.close();
    return tools;
  },
  async run({ tool, text: sent }) {
    const client = await serve(sampleTools());
    try {
      const answer = await client.callTool({ name: tool, arguments: parsed(sent) });
      const { content = [], isError = false }: { content?: ContentBlock[]; isError?: boolean } =
        answer;
      const [text = '', ...notes] = content.flatMap((block) =>
        block.type === 'text' ? [block.text] : [],
      );
      return { text, notes, isError, files: content.flatMap(fileInBlock), by: 'toolmend' };
    } catch (error) {
      // SDK 1 puts the code before each message.
      const text =
        error instanceof Error ? error.message.replace(/^(?:MCP error -\d+: )+/, '') : '';
      const by = text.startsWith(refusal) ? 'sdk' : 'toolmend';
      return { text, notes: [], isError: true, files: [], by };
    } finally {
      await client.close();
    }
  },
});

/** Text that isn't JSON stays text, as in a host that doesn't repair it. */
function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(JSON.stringify(text));
  }
}

/** What the protocol can't say. */
const overlay: RemoteOptions['overlay'] = {
  read_files: {
    arguments: { paths: { aliases: ['file'], items: { semantic: 'path' } } },
    pairs: [{ requires: ['offset', 'limit'], defaults: { offset: 0 } }],
  },
  call_tool: { dispatches: { name: 'tool_name', arguments: 'parameters' } },
  sign_in: { arguments: { password: { semantic: 'secret' } } },
};

const mcpRemote = (name: string, serve: Serve<Client | Client1>): AdapterDriver => ({
  name,
  carries: allFiles,
  // MCP has functions only, and no member of another provider.
  offers: { strict: { at: 'strict' }, customTools: 'ignored', providerOptions: {} },
  async offer(options) {
    const client = await serve(offeredTools());
    const tools = new ToolRegistry({ hints: 'off' });
    await registerRemoteTools(tools, client);
    await client.close();
    return responses(tools, options).tools;
  },
  async run(call) {
    const client = await serve(sampleTools());
    const tools = new ToolRegistry();
    await registerRemoteTools(tools, client, { annotations: 'trusted', overlay });
    const outcome = await tools.call(callOf(call));
    await client.close();
    return read(outcome);
  },
});

const functionsOnly: Offers = { strict: 'refused', customTools: 'refused', providerOptions: {} };

/** A new adapter is one row. */
export const drivers: readonly AdapterDriver[] = [
  bareRegistry,
  program(chatWire, 'whole', {
    strict: { at: 'function.strict' },
    customTools: { at: 'custom.format.grammar.definition' },
    providerOptions: {},
  }),
  program(responsesWire, 'whole', byResponses, 'pdf'),
  program(
    anthropicWire,
    'stream',
    {
      strict: { at: 'strict' },
      customTools: 'refused',
      providerOptions: { 'cache_control.ttl': '1h' },
    },
    'pdf',
  ),
  program(googleWire, 'whole', functionsOnly, 'pdf', 'audio'),
  program(bedrockWire, 'stream', { ...functionsOnly, strict: { at: 'toolSpec.strict' } }, 'pdf'),
  // It has no options.
  program(ollamaWire, 'whole', { strict: 'ignored', customTools: 'ignored', providerOptions: {} }),
  nestjs,
  aiSdk,
  langChain,
  mcpServer('mcp, served', servedBySecondSdk),
  mcpRemote('mcp, remote', servedBySecondSdk),
  mcpServer('mcp 1, served', servedByFirstSdk),
  mcpRemote('mcp 1, remote', servedByFirstSdk),
];
