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
  type PartialCall,
  type ResultFile,
  ToolCallCollector,
  toolMessage,
  type ToolOutcome,
  ToolRegistry,
} from 'toolmend';
import { type AiSdkOptions, toAiSdk } from 'toolmend/ai-sdk';
import { toLangChain } from 'toolmend/langchain';
import { registerRemoteTools, type RemoteOptions, serveTools } from 'toolmend/mcp';
import { compileTools, ToolmendModule } from 'toolmend/nestjs';
import { responses } from 'toolmend/openai';
import { inMemory, inMemoryOfFirstSdk } from '../mcp/in-memory.ts';
import { RecordingLogger } from '../nestjs/recording-logger.ts';
import { aiModel, chatModel, done, quietly } from '../scripted-models.ts';
import { startBodyServer, startScriptedServer } from '../scripted-server.ts';
import {
  type Wire,
  anthropicWire,
  bedrockWire,
  chatWire,
  googleWire,
  halves,
  ollamaWire,
  partialCallsOf,
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
 * An adapter has no such option. `refused`: it is a DefinitionError. `ignored`: the tools are the
 * same with it.
 */
export type Absence = 'refused' | 'ignored';

/** Where the option stands in a tool that has it. */
export type Support = { readonly at: string } | Absence;

/** A second try that is forced. */
export interface SecondTry {
  /** How a request says that the model must call `set_profile`. */
  readonly pin: unknown;
  /** What the request after a call says of the tools; undefined if it names none. */
  toolChoiceAfter(call: SampleCall): Promise<unknown>;
}

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
  /** The option that is absent is `forceRetry`. */
  readonly secondTry: SecondTry | Absence;
  /**
   * What the listener to a streamed call is called with. The option that is absent is `onPartial`.
   */
  readonly partialCalls: ((call: SampleCall) => Promise<readonly PartialCall[]>) | Absence;
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

/** The second try of a registry's tools, through Responses too. */
const secondTryOf = (toolsOf: () => ToolRegistry | Promise<ToolRegistry>): SecondTry => ({
  pin: { type: 'function', name: 'set_profile' },
  async toolChoiceAfter({ id, tool, text }) {
    const answer = responsesWire.answer('completed', { id, name: tool, arguments: text });
    return (await responsesWire.read(await toolsOf(), answer)).toolChoice;
  },
});

/** What all other drivers are compared with. */
export const bareRegistry: AdapterDriver = {
  name: 'registry',
  carries: allFiles,
  elicits: true,
  offers: byResponses,
  secondTry: secondTryOf(sampleTools),
  partialCalls: async ({ id, tool, text }) =>
    partialCallsOf(new ToolCallCollector(), [
      { id, name: tool, arguments: '' },
      ...halves(text).map((half) => ({ arguments: half })),
    ]),
  offer: async (options) => responses(offeredTools(), options).tools,
  run: async (call, options) => read(await sampleTools().call(callOf(call), options)),
};

type SentForm = 'whole' | 'stream';

/** The origin of a server that sends a call. */
async function originOf(wire: Wire, call: SampleCall, how: SentForm): Promise<string> {
  const { id, tool, text, isCut } = call;
  const [reason] = isCut === true ? wire.cutReasons : wire.normalReasons;
  const sentCall = { id, name: tool, arguments: text };
  const stream = { events: wire.events(reason ?? undefined, sentCall), end: 'silent' as const };
  const body = how === 'whole' ? { json: wire.answer(reason, sentCall) } : stream;
  const transport = wire.transport === undefined ? {} : { as: wire.transport };
  return (await startBodyServer({ ...body, ...transport })).origin;
}

interface ProgramFacts extends Pick<AdapterDriver, 'carries' | 'offers'> {
  /** As in `SecondTry`. */
  readonly pin: unknown;
  readonly partialCalls?: Absence;
}

function program(wire: Wire, how: SentForm, facts: ProgramFacts): AdapterDriver {
  const { pin, partialCalls = 'refused', ...rest } = facts;
  const turnAfter = async (call: SampleCall, options?: Pick<CallOptions, 'elicit'>) =>
    wire.ask(sampleTools(), await originOf(wire, call, how), how, options);
  return {
    name: wire.name,
    elicits: true,
    ...rest,
    secondTry:
      pin === 'ignored'
        ? pin
        : { pin, toolChoiceAfter: async (call) => (await turnAfter(call)).toolChoice },
    partialCalls:
      wire.partialCalls === undefined
        ? partialCalls
        : async (call) =>
            wire.partialCalls?.(sampleTools(), await originOf(wire, call, 'stream')) ?? [],
    offer: async (options) => wire.offer(offeredTools(), options),
    async run(call, options) {
      const { results } = await turnAfter(call, options);
      const [result, ...others] = results;
      if (result === undefined || others.length > 0) throw new Error('one result is expected');
      return { files: [], ...result, by: 'toolmend' };
    },
  };
}

@Module({ imports: [ToolmendModule.forRoot({})], providers: [...sampleClasses] })
class SampleModule {}

/** The registry of the module stays of use when the module is closed. */
async function withSampleModule<Value>(work: (tools: ToolRegistry) => Promise<Value>) {
  const builder = Test.createTestingModule({ imports: [SampleModule] }).setLogger(
    new RecordingLogger(),
  );
  const { tools, close } = await compileTools(builder);
  const value = await work(tools);
  await close();
  return value;
}

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
  secondTry: {
    pin: secondTryOf(sampleTools).pin,
    toolChoiceAfter: (call) =>
      withSampleModule((tools) => secondTryOf(() => tools).toolChoiceAfter(call)),
  },
  // A collector has the calls before the registry gets them.
  partialCalls: 'refused',
  run: (call, options) =>
    withSampleModule(async (tools) => read(await tools.call(callOf(call), options))),
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

/** Of two steps, with a server that sends the call first. */
async function aiSettings(call: SampleCall, options: AiSdkOptions, secondTurn = done) {
  const server = await startScriptedServer(turnOf(call), secondTurn);
  const model = aiModel(server.baseURL);
  const settings = {
    model,
    prompt: 'Go.',
    stopWhen: stopAfter(2),
    ...toAiSdk(sampleTools(), options),
  };
  return { server, settings };
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
  secondTry: {
    pin: { type: 'function', function: { name: 'set_profile' } },
    async toolChoiceAfter(call) {
      const { server, settings } = await aiSettings(call, { forceRetry: true }, turnOf(call));
      await ai.generateText(settings);
      const choice: unknown = server.requests[1]?.tool_choice;
      return choice === 'auto' ? undefined : choice;
    },
  },
  async partialCalls(call) {
    const partialCalls: PartialCall[] = [];
    const { settings } = await aiSettings(call, { onPartial: (one) => partialCalls.push(one) });
    await ai.streamText(settings).consumeStream();
    return partialCalls;
  },
  async offer(options) {
    return Object.values(toAiSdk(offeredTools(), options).tools);
  },
  async run(call, options) {
    const outcomes: ToolOutcome[] = [];
    const { server, settings } = await aiSettings(call, {
      ...options,
      onOutcome: (outcome) => outcomes.push(outcome),
    });
    await ai.generateText(settings);
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
  // The program binds the tools to the model, and streams its chunks.
  secondTry: 'refused',
  partialCalls: 'refused',
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
  // The host asks the model, and sends arguments when they are whole.
  secondTry: 'refused',
  partialCalls: 'refused',
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
const overlay: NonNullable<RemoteOptions['overlay']> = {
  read_files: {
    arguments: { paths: { aliases: ['file'], items: { semantic: 'path' } } },
    pairs: [{ requires: ['offset', 'limit'], defaults: { offset: 0 } }],
  },
  call_tool: { dispatches: { name: 'tool_name', arguments: 'parameters' } },
  sign_in: { arguments: { password: { semantic: 'secret' } } },
};

async function withRemoteSamples<Value>(
  serve: Serve<Client | Client1>,
  work: (tools: ToolRegistry) => Promise<Value>,
) {
  const client = await serve(sampleTools());
  const tools = new ToolRegistry();
  await registerRemoteTools(tools, client, { annotations: 'trusted', overlay });
  const value = await work(tools);
  await client.close();
  return value;
}

const mcpRemote = (name: string, serve: Serve<Client | Client1>): AdapterDriver => ({
  name,
  carries: allFiles,
  // MCP has functions only, and no member of another provider.
  offers: { strict: { at: 'strict' }, customTools: 'ignored', providerOptions: {} },
  secondTry: {
    pin: secondTryOf(sampleTools).pin,
    toolChoiceAfter: (call) =>
      withRemoteSamples(serve, (tools) => secondTryOf(() => tools).toolChoiceAfter(call)),
  },
  // A collector has the calls before the registry gets them.
  partialCalls: 'refused',
  async offer(options) {
    const client = await serve(offeredTools());
    const tools = new ToolRegistry({ hints: 'off' });
    await registerRemoteTools(tools, client);
    await client.close();
    return responses(tools, options).tools;
  },
  run: (call) => withRemoteSamples(serve, async (tools) => read(await tools.call(callOf(call)))),
});

const functionsOnly: Offers = { strict: 'refused', customTools: 'refused', providerOptions: {} };

/** A new adapter is one row. */
export const drivers: readonly AdapterDriver[] = [
  bareRegistry,
  program(chatWire, 'whole', {
    offers: {
      strict: { at: 'function.strict' },
      customTools: { at: 'custom.format.grammar.definition' },
      providerOptions: {},
    },
    pin: { type: 'function', function: { name: 'set_profile' } },
  }),
  program(responsesWire, 'whole', {
    offers: byResponses,
    carries: ['pdf'],
    pin: { type: 'function', name: 'set_profile' },
  }),
  program(anthropicWire, 'stream', {
    offers: {
      strict: { at: 'strict' },
      customTools: 'refused',
      providerOptions: { 'cache_control.ttl': '1h' },
    },
    carries: ['pdf'],
    pin: { type: 'tool', name: 'set_profile' },
  }),
  // It sends arguments whole.
  program(googleWire, 'whole', {
    offers: functionsOnly,
    carries: ['pdf', 'audio'],
    pin: ['set_profile'],
  }),
  program(bedrockWire, 'stream', {
    offers: { ...functionsOnly, strict: { at: 'toolSpec.strict' } },
    carries: ['pdf'],
    pin: { tool: { name: 'set_profile' } },
  }),
  // It has no options. Its API has no choice of tools, and sends arguments whole.
  program(ollamaWire, 'whole', {
    offers: { strict: 'ignored', customTools: 'ignored', providerOptions: {} },
    pin: 'ignored',
    partialCalls: 'ignored',
  }),
  nestjs,
  aiSdk,
  langChain,
  mcpServer('mcp, served', servedBySecondSdk),
  mcpRemote('mcp, remote', servedBySecondSdk),
  mcpServer('mcp 1, served', servedByFirstSdk),
  mcpRemote('mcp 1, remote', servedByFirstSdk),
];
