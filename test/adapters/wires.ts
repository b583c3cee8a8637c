// The SDKs whose loop the program drives, in one shape for tests: how they send calls and what goes
// back to the model.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type {
  CallOptions,
  HistoryCall,
  PartialCall,
  ToolCall,
  ToolOutcome,
  ToolSet,
} from 'toolmend';
import { anthropicMessages, MessageCollector } from 'toolmend/anthropic';
import { ChatCollector, chatCompletions, ResponseCollector, responses } from 'toolmend/openai';
import { bedrockWire } from './bedrock/wire.ts';
import { googleWire } from './google/wire.ts';
import { ollamaWire } from './ollama/wire.ts';
import { abortedAfter, type Transport } from './scripted-server.ts';

/** A call as a server sends it. */
export interface SentCall {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
}

export interface WireResult {
  readonly id: string;
  readonly text: string;
  readonly notes: readonly string[];
  /** Undefined if the API has no word for it. */
  readonly isError: boolean | undefined;
  /** The files that stand in the result as such: their types and base64. Default: none. */
  readonly files?: readonly string[];
}

export interface WireTurn {
  readonly outcomes: readonly ToolOutcome[];
  /** The calls in the history; `arguments` as a value. */
  readonly calls: readonly (Omit<HistoryCall, 'arguments'> & { readonly arguments: unknown })[];
  readonly results: readonly WireResult[];
  /** What makes the model call a tool in the next request. */
  readonly toolChoice?: unknown;
}

/**
 * How the SDK is asked: for a whole answer, a stream, its own helper for streams, or a stream that
 * is aborted after some events.
 */
export type How = 'whole' | 'stream' | 'helper' | { readonly abortAfter: number };

export interface Wire {
  readonly name: string;
  /** How its server writes. Default: server-sent events. */
  readonly transport?: Transport;
  /** What follows the last event of a stream. */
  readonly streamEnd: 'done' | 'silent';
  /** Answers don't name their model. */
  readonly isUnnamed?: true;
  /** Streams have arguments as objects. Default: text. */
  readonly streamsObjects?: true;
  /** The provider has a strict mode. */
  readonly hasStrict: boolean;
  /** The words for answers that were cut off. */
  readonly cutReasons: readonly (string | null)[];
  readonly normalReasons: readonly (string | undefined)[];
  answer(reason: string | null | undefined, ...calls: readonly SentCall[]): object;
  /** Without a reason, the stream ends in its middle. `arguments` are text. */
  events(reason: string | undefined, ...calls: readonly SentCall[]): readonly object[];
  /** Events without content. */
  readonly emptyEvents: readonly unknown[];
  /** Answers without content. */
  readonly emptyAnswers: readonly object[];
  /** The tools of a request. `options`: of the adapter. */
  offer(tools: ToolSet, options: object): readonly unknown[];
  ask(
    tools: ToolSet,
    origin: string,
    how: How,
    options?: Pick<CallOptions, 'elicit'>,
  ): Promise<WireTurn>;
  /** Streams an answer, for a listener to its calls. Absent if the API sends arguments whole. */
  partialCalls?(tools: ToolSet, origin: string): Promise<readonly PartialCall[]>;
  /** Answers what a server sent, without the SDK. */
  read(tools: ToolSet, answer: unknown): Promise<WireTurn>;
  collect(tools: ToolSet, events: readonly unknown[]): Promise<WireTurn>;
  calls(tools: ToolSet, answer: unknown, strict: boolean): readonly ToolCall[];
}

// eslint-disable-next-line typescript/no-explicit-any -- as a server sends it, whatever the SDK's types say
export const sent = (value: unknown): any =>
  value === undefined ? value : JSON.parse(JSON.stringify(value));

interface PartialSource<Event> {
  add(event: Event): unknown;
  onPartial(listener: (call: PartialCall) => unknown): unknown;
}

/** What the listener of a collector is called with. */
export async function partialCallsOf<Event>(
  collector: PartialSource<Event>,
  events: AsyncIterable<Event> | Iterable<Event>,
): Promise<readonly PartialCall[]> {
  const partialCalls: PartialCall[] = [];
  collector.onPartial((call) => partialCalls.push(call));
  for await (const event of events) collector.add(event);
  return partialCalls;
}

/** The outcome of a call that was cut off. */
const truncated = {
  status: 'invalid_arguments',
  interpretation: { issues: [{ keyword: 'truncated' }] },
};

const goOn = [{ role: 'user' as const, content: 'Go on.' }];

export const halves = (text: unknown): readonly string[] => {
  const whole = String(text);
  const middle = Math.ceil(whole.length / 2);
  return [whole.slice(0, middle), whole.slice(middle)].filter((half) => half !== '');
};

interface Sources<Whole, Event> {
  create(): PromiseLike<Whole>;
  stream(): PromiseLike<Parameters<typeof abortedAfter<Event>>[1] & AsyncIterable<Event>>;
  helper(): AsyncIterable<Event>;
}

async function sourceFor<Whole, Event>(how: How, sources: Sources<Whole, Event>) {
  if (how === 'whole') return sources.create();
  if (how === 'helper') return sources.helper();
  return how === 'stream' ? sources.stream() : abortedAfter(how.abortAfter, await sources.stream());
}

export type Turn<Api extends { answer(source: never): Promise<unknown> }> = Awaited<
  ReturnType<Api['answer']>
>;

const chunk = (delta: object | null, reason: string | null = null): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'scripted',
  choices: [{ index: 0, delta, finish_reason: reason }],
});

const message = (content: object) => ({
  choices: [{ index: 0, finish_reason: 'stop', message: content }],
});

function chatTurn({
  messages,
  outcomes,
  toolChoice,
}: Turn<ReturnType<typeof chatCompletions>>): WireTurn {
  const [said] = messages;
  const calls = said?.role === 'assistant' ? (said.tool_calls ?? []) : [];
  return {
    outcomes,
    toolChoice,
    calls: calls.flatMap((call) =>
      call.type === 'function'
        ? [
            {
              id: call.id,
              name: call.function.name,
              arguments: JSON.parse(call.function.arguments),
            },
          ]
        : [],
    ),
    results: messages.flatMap((result) => {
      if (result.role !== 'tool') return [];
      const parts =
        typeof result.content === 'string'
          ? [result.content]
          : result.content.map(({ text }) => text);
      const [text = '', ...notes] = parts;
      return [{ id: result.tool_call_id, text, notes, isError: undefined }];
    }),
  };
}

function chatSources(api: ReturnType<typeof chatCompletions>, origin: string) {
  const { chat } = new OpenAI({ apiKey: 'none', baseURL: `${origin}/v1`, maxRetries: 0 });
  const question = { model: 'scripted', messages: goOn, tools: api.tools };
  return {
    create: () => chat.completions.create(question),
    stream: () => chat.completions.create({ ...question, stream: true }),
    helper: () => chat.completions.stream(question),
  };
}

export const chatWire: Wire = {
  name: 'openai, chat',
  streamEnd: 'done',
  hasStrict: true,
  cutReasons: ['length', 'content_filter', 'error'],
  normalReasons: ['tool_calls', 'stop', undefined],
  answer: (finish_reason, ...calls) => {
    const tool_calls = calls.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
    const said = { role: 'assistant', content: null, tool_calls };
    return { model: 'scripted', choices: [{ index: 0, finish_reason, message: said }] };
  },
  events: (reason, ...calls) => [
    chunk({ role: 'assistant' }),
    ...calls.flatMap(({ id, name, arguments: text }, index) => [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...halves(text).map((half) =>
        chunk({ tool_calls: [{ index, function: { arguments: half } }] }),
      ),
    ]),
    ...(reason === undefined ? [] : [chunk({}, reason)]),
  ],
  emptyEvents: [
    null,
    {},
    { choices: null },
    { choices: [null] },
    chunk(null),
    chunk({ tool_calls: [null] }),
    chunk({ tool_calls: {}, content: null }),
    chunk({ tool_calls: [{ index: 0, function: null }] }),
    { ...chunk({}), model: null },
  ],
  emptyAnswers: [
    {},
    { choices: null },
    { choices: [] },
    { choices: [null] },
    { choices: [{ index: 0, message: null }] },
    ...[null, {}, [], [null], [undefined, 'now']].map((tool_calls) =>
      message({ content: 'Hi.', tool_calls }),
    ),
  ],
  offer: (tools, options) => chatCompletions(tools, options).tools,
  async ask(tools, origin, how, options) {
    const api = chatCompletions(tools);
    const source = await sourceFor(how, chatSources(api, origin));
    return chatTurn(await api.answer(source, options));
  },
  partialCalls: async (tools, origin) =>
    partialCallsOf(new ChatCollector(), await chatSources(chatCompletions(tools), origin).stream()),
  read: async (tools, answer) => chatTurn(await chatCompletions(tools).answer(sent(answer))),
  async collect(tools, events) {
    const collector = new ChatCollector();
    for (const event of events) collector.add(sent(event));
    return chatTurn(await chatCompletions(tools).answer(collector));
  },
  calls: (tools, answer, strict) => chatCompletions(tools, { strict }).calls(sent(answer)),
};

const responseHead = { id: 'resp_1', object: 'response', model: 'scripted' };

const response = (status: unknown, ...output: unknown[]) => ({ ...responseHead, status, output });

const functionCall = ({ id, ...call }: SentCall, rest: object = {}) => ({
  type: 'function_call',
  call_id: id,
  ...call,
  ...rest,
});

const event = (type: string, rest: object) => ({
  type: `response.${type}`,
  sequence_number: 0,
  ...rest,
});

/** The type and the base64 of a data URL. */
const dataIn = (url: string): string => url.replace(/^data:(.*);base64,/, '$1 ');

function responsesTurn({
  items,
  outputs,
  outcomes,
  toolChoice,
}: Turn<ReturnType<typeof responses>>): WireTurn {
  return {
    outcomes,
    toolChoice,
    calls: items.flatMap((item) =>
      item.type === 'function_call'
        ? [{ id: item.call_id, name: item.name, arguments: JSON.parse(item.arguments) }]
        : [],
    ),
    results: outputs.flatMap((item) => {
      if (item.type !== 'function_call_output') return [];
      const { output } = item;
      const parts =
        typeof output === 'string'
          ? [output]
          : output.flatMap((part) => (part.type === 'input_text' ? [part.text] : []));
      const files = (typeof output === 'string' ? [] : output).flatMap((part) =>
        part.type === 'input_file' ? [dataIn(part.file_data ?? '')] : [],
      );
      const [text = '', ...notes] = parts;
      return [{ id: item.call_id ?? '', text, notes, isError: undefined, files }];
    }),
  };
}

function responsesSources(api: ReturnType<typeof responses>, origin: string) {
  const client = new OpenAI({ apiKey: 'none', baseURL: `${origin}/v1`, maxRetries: 0 });
  const question = { model: 'scripted', input: 'Go on.', tools: api.tools };
  return {
    create: () => client.responses.create(question),
    stream: () => client.responses.create({ ...question, stream: true }),
    helper: () => client.responses.stream(question),
  };
}

export const responsesWire: Wire = {
  name: 'openai, responses',
  streamEnd: 'done',
  hasStrict: true,
  cutReasons: ['incomplete', 'failed', 'cancelled'],
  normalReasons: ['completed'],
  answer: (status, ...calls) => response(status, ...calls.map((call) => functionCall(call))),
  events: (status, ...calls) => [
    event('created', { response: response('in_progress') }),
    ...calls.flatMap((call, output_index) => {
      const item = functionCall(call, { id: `fc_${output_index}`, status: 'completed' });
      return [
        event('output_item.added', {
          output_index,
          item: { ...item, arguments: '', status: 'in_progress' },
        }),
        ...halves(call.arguments).map((delta) =>
          event('function_call_arguments.delta', {
            output_index,
            item_id: `fc_${output_index}`,
            delta,
          }),
        ),
        ...(status === undefined ? [] : [event('output_item.done', { output_index, item })]),
      ];
    }),
    ...(status === undefined ? [] : [event(status, { response: response(status) })]),
  ],
  emptyEvents: [
    null,
    event('created', { response: null }),
    event('output_item.added', { output_index: 1, item: null }),
    event('function_call_arguments.delta', { output_index: 0, delta: null }),
  ],
  emptyAnswers: [null, undefined, {}, [null]].map((output) => ({
    ...response('completed'),
    output,
  })),
  offer: (tools, options) => responses(tools, options).tools,
  async ask(tools, origin, how, options) {
    const api = responses(tools);
    const source = await sourceFor(how, responsesSources(api, origin));
    return responsesTurn(await api.answer(source, options));
  },
  partialCalls: async (tools, origin) =>
    partialCallsOf(
      new ResponseCollector(),
      await responsesSources(responses(tools), origin).stream(),
    ),
  read: async (tools, answer) => responsesTurn(await responses(tools).answer(sent(answer))),
  async collect(tools, events) {
    const collector = new ResponseCollector();
    for (const one of events) collector.add(sent(one));
    return responsesTurn(await responses(tools).answer(collector));
  },
  calls: (tools, answer, strict) => responses(tools, { strict }).calls(sent(answer)),
};

const usage = { input_tokens: 1, output_tokens: 1 };
const head = {
  id: 'm_1',
  type: 'message',
  role: 'assistant',
  model: 'scripted',
  stop_sequence: null,
  usage,
};

const messageOf = (stop_reason: unknown, ...content: unknown[]) => ({
  ...head,
  stop_reason,
  content,
});

const messageEnd = (stop_reason: string) => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
  { type: 'message_stop' },
];

const toolUse = ({ id, name, arguments: input }: SentCall) => ({
  type: 'tool_use',
  id,
  name,
  input: typeof input === 'string' ? JSON.parse(input) : input,
});

const block = (index: number, content_block: object | null) => ({
  type: 'content_block_start',
  index,
  content_block,
});
const blockDelta = (index: number, delta: object | null) => ({
  type: 'content_block_delta',
  index,
  delta,
});

function anthropicTurn({
  messages,
  outcomes,
  toolChoice,
}: Turn<ReturnType<typeof anthropicMessages>>): WireTurn {
  const [said = [], answered = []] = messages.map(({ content }) =>
    typeof content === 'string' ? [] : content,
  );
  return {
    outcomes,
    toolChoice,
    calls: said.flatMap((part) =>
      part.type === 'tool_use' ? [{ id: part.id, name: part.name, arguments: part.input }] : [],
    ),
    results: answered.flatMap((part) => {
      if (part.type !== 'tool_result') return [];
      const { tool_use_id: id, content = [], is_error: isError = false } = part;
      const texts =
        typeof content === 'string'
          ? [content]
          : content.flatMap((shown) => (shown.type === 'text' ? [shown.text] : []));
      const files = (typeof content === 'string' ? [] : content).flatMap((shown) =>
        shown.type === 'document' && shown.source.type === 'base64'
          ? [`${shown.source.media_type} ${shown.source.data}`]
          : [],
      );
      const [text = '', ...notes] = texts;
      return [{ id, text, notes, isError, files }];
    }),
  };
}

function anthropicSources(api: ReturnType<typeof anthropicMessages>, origin: string) {
  const { messages } = new Anthropic({ apiKey: 'none', baseURL: origin, maxRetries: 0 });
  const question = { model: 'scripted', max_tokens: 100, messages: goOn, tools: api.tools };
  return {
    create: () => messages.create(question),
    stream: () => messages.create({ ...question, stream: true }),
    helper: () => messages.stream(question),
  };
}

export const anthropicWire: Wire = {
  name: 'anthropic',
  streamEnd: 'silent',
  hasStrict: true,
  // Unknown words, and the null of the SDK for a stream that broke off, may have cut off the last
  // input too.
  cutReasons: [
    ...'max_tokens refusal model_context_window_exceeded stop_sequence pause_turn new'.split(' '),
    null,
  ],
  normalReasons: ['tool_use', 'end_turn', 'tool_calls', undefined],
  answer: (reason, ...calls) => messageOf(reason, ...calls.map(toolUse)),
  events: (reason, ...calls) => [
    { type: 'message_start', message: messageOf(null) },
    ...calls.flatMap(({ arguments: text, ...call }, index) => [
      block(index, toolUse({ ...call, arguments: {} })),
      ...halves(text).map((partial_json) =>
        blockDelta(index, { type: 'input_json_delta', partial_json }),
      ),
      { type: 'content_block_stop', index },
    ]),
    ...(reason === undefined ? [] : messageEnd(reason)),
  ],
  emptyEvents: [
    null,
    { type: 'message_start', message: null },
    { type: 'ping' },
    block(1, null),
    blockDelta(0, null),
    blockDelta(0, { type: 'input_json_delta', partial_json: null }),
    { type: 'message_delta', delta: null },
  ],
  emptyAnswers: [null, undefined, {}, [], [null], [{ type: 'text', text: '' }]].map((content) => ({
    ...messageOf('end_turn'),
    content,
  })),
  offer: (tools, options) => anthropicMessages(tools, options).tools,
  async ask(tools, origin, how, options) {
    const api = anthropicMessages(tools);
    const source = await sourceFor(how, anthropicSources(api, origin));
    return anthropicTurn(await api.answer(source, options));
  },
  partialCalls: async (tools, origin) =>
    partialCallsOf(
      new MessageCollector(),
      await anthropicSources(anthropicMessages(tools), origin).stream(),
    ),
  read: async (tools, answer) => anthropicTurn(await anthropicMessages(tools).answer(sent(answer))),
  async collect(tools, events) {
    const collector = new MessageCollector();
    for (const one of events) collector.add(sent(one));
    return anthropicTurn(await anthropicMessages(tools).answer(collector));
  },
  calls: (tools, answer, strict) => anthropicMessages(tools, { strict }).calls(sent(answer)),
};

export const wires = [chatWire, responsesWire, anthropicWire, googleWire, bedrockWire, ollamaWire];

export { bedrockWire, googleWire, ollamaWire };
export { block, blockDelta, event, functionCall, goOn, messageEnd, messageOf, response, truncated };
