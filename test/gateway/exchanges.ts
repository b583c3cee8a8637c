// Answers of each API, as servers write them, with one call of a case; and a reader of the calls
// that a client would see.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedCase } from '../cases/run-case.ts';

export interface GatewayCase extends RecordedCase {
  readonly tool: string;
  /** The arguments as text, as the model wrote them. */
  readonly text: string;
  readonly finishReason: string | undefined;
}

/** The cases of a file of test/cases that can be in an answer. */
export function casesOf(file: string): readonly GatewayCase[] {
  return readFileSync(join(import.meta.dirname, '../cases', file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): RecordedCase => JSON.parse(line))
    .flatMap((recorded): GatewayCase[] => {
      const { tool, input, inputText, options = {} } = recorded;
      const text = inputText ?? (input === undefined ? undefined : JSON.stringify(input));
      if (text === undefined || options.meta === true) return [];
      return [{ ...recorded, tool: tool ?? 'tool', text, finishReason: options.finishReason }];
    });
}

/** Text of an answer with one call, and the call that a client reads from such bytes. */
export interface Api {
  readonly name: string;
  readonly path: string;
  readonly type: string;
  request(tool: GatewayCase): object;
  answer(tool: GatewayCase): string;
  /** The argument text, or the value as JSON text. */
  argumentsIn(answer: string): string;
}

const pieces = (text: string): readonly string[] => {
  const third = Math.max(1, Math.ceil(text.length / 3));
  return [text.slice(0, third), text.slice(third, 2 * third), text.slice(2 * third)].filter(
    (piece) => piece !== '',
  );
};

const sse = (events: readonly object[], named: boolean): string =>
  events
    .map((event) => {
      const name = named && 'type' in event ? `event: ${String(event.type)}\n` : '';
      return `${name}data: ${JSON.stringify(event)}\n\n`;
    })
    .join('');

// eslint-disable-next-line typescript/no-explicit-any -- only tests read what a program sends
type Sent = any;

const eventsIn = (answer: string): readonly Sent[] =>
  answer
    .split('\n')
    .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));

const chatHead = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'qwen3' };

const chatRequest = ({ tool, schema }: GatewayCase): object => ({
  model: 'qwen3',
  messages: [{ role: 'user', content: 'Go on.' }],
  tools: [{ type: 'function', function: { name: tool, parameters: schema } }],
});

const chatStream: Api = {
  name: 'Chat Completions, streamed',
  path: '/v1/chat/completions',
  type: 'text/event-stream',
  request: (tool) => ({ ...chatRequest(tool), stream: true }),
  answer({ tool, text, finishReason = 'tool_calls' }) {
    const chunk = (delta: object, finish_reason: string | null = null): object => ({
      ...chatHead,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    });
    const part = (piece: string): object =>
      chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
    const begin = {
      index: 0,
      id: 'call_1',
      type: 'function',
      function: { name: tool, arguments: '' },
    };
    const events = [
      chunk({ role: 'assistant', content: 'Let me see – ' }),
      chunk({ content: 'für dich 👀.' }),
      chunk({ tool_calls: [begin] }),
      ...pieces(text).map(part),
      chunk({}, finishReason),
      {
        ...chatHead,
        choices: [],
        usage: { prompt_tokens: 3, completion_tokens: 4.0, total_tokens: 7 },
      },
    ];
    return `: OPENROUTER PROCESSING\n\n${sse(events, false)}data: [DONE]\n\n`;
  },
  argumentsIn: (answer) =>
    eventsIn(answer)
      .flatMap(({ choices }) => choices[0]?.delta?.tool_calls ?? [])
      .map((call: Sent) => call.function?.arguments ?? '')
      .join(''),
};

const chatWhole: Api = {
  name: 'Chat Completions',
  path: '/v1/chat/completions',
  type: 'application/json',
  request: chatRequest,
  answer({ tool, text, finishReason = 'tool_calls' }) {
    const tool_calls = [
      { id: 'call_1', type: 'function', function: { name: tool, arguments: text } },
    ];
    const message = { role: 'assistant', content: null, reasoning_content: 'I see.', tool_calls };
    const choices = [{ index: 0, message, finish_reason: finishReason }];
    return JSON.stringify(
      { ...chatHead, object: 'chat.completion', choices, usage: { total_tokens: 7 } },
      null,
      1,
    );
  },
  argumentsIn: (answer) => JSON.parse(answer).choices[0].message.tool_calls[0].function.arguments,
};

const responsesRequest = ({ tool, schema }: GatewayCase): object => ({
  model: 'gpt-oss',
  input: 'Go on.',
  tools: [{ type: 'function', name: tool, parameters: schema, strict: false }],
});

const itemStatus = (reason: string | undefined): string =>
  reason === 'length' || reason === 'max_tokens' ? 'incomplete' : 'completed';

const responsesStream: Api = {
  name: 'Responses, streamed',
  path: '/v1/responses',
  type: 'text/event-stream',
  request: (tool) => ({ ...responsesRequest(tool), stream: true }),
  answer({ tool, text, finishReason }) {
    const status = itemStatus(finishReason);
    const item = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: tool };
    const head = { id: 'resp_1', object: 'response', model: 'gpt-oss' };
    const done = { ...item, arguments: text, status };
    const events = [
      { type: 'response.created', response: { ...head, status: 'in_progress', output: [] } },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...item, arguments: '', status: 'in_progress' },
      },
      ...pieces(text).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        item_id: 'fc_1',
        output_index: 0,
        delta,
      })),
      {
        type: 'response.function_call_arguments.done',
        item_id: 'fc_1',
        output_index: 0,
        arguments: text,
      },
      { type: 'response.output_item.done', output_index: 0, item: done },
      { type: `response.${status}`, response: { ...head, status, output: [done] } },
    ];
    return sse(
      events.map((event, sequence_number) => ({ ...event, sequence_number })),
      true,
    );
  },
  argumentsIn(answer) {
    const events = eventsIn(answer);
    const joined = events
      .map(({ type, delta, item }) => {
        if (type === 'response.output_item.added') return item.arguments;
        return type === 'response.function_call_arguments.delta' ? delta : '';
      })
      .join('');
    const wholes = events.flatMap(({ type, arguments: sent, item, response }) => {
      if (type === 'response.function_call_arguments.done') return [sent];
      if (type === 'response.output_item.done') return [item.arguments];
      return type === 'response.completed' || type === 'response.incomplete'
        ? [response.output[0].arguments]
        : [];
    });
    if (wholes.some((whole) => whole !== joined))
      throw new Error(`${joined} is not ${wholes.join(', ')}`);
    return joined;
  },
};

const responsesWhole: Api = {
  name: 'Responses',
  path: '/v1/responses',
  type: 'application/json; charset=utf-8',
  request: responsesRequest,
  answer({ tool, text, finishReason }) {
    const status = itemStatus(finishReason);
    const call = {
      id: 'fc_1',
      type: 'function_call',
      call_id: 'call_1',
      name: tool,
      arguments: text,
      status,
    };
    return JSON.stringify({
      id: 'resp_1',
      object: 'response',
      status,
      model: 'gpt-oss',
      output: [call],
    });
  },
  argumentsIn: (answer) => JSON.parse(answer).output[0].arguments,
};

const messagesRequest = ({ tool, schema }: GatewayCase): object => ({
  model: 'claude',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Go on.' }],
  tools: [{ name: tool, input_schema: schema }],
});

const stopReason = (reason: string | undefined): string =>
  reason === 'length' || reason === 'max_tokens' ? 'max_tokens' : 'tool_use';

const messagesStream: Api = {
  name: 'Anthropic Messages, streamed',
  path: '/v1/messages',
  type: 'text/event-stream; charset=utf-8',
  request: (tool) => ({ ...messagesRequest(tool), stream: true }),
  answer({ tool, text, finishReason }) {
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude',
      content: [],
    };
    const block = (
      index: number,
      content_block: object,
      deltas: readonly object[],
    ): readonly object[] => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ];
    const use = { type: 'tool_use', id: 'toolu_1', name: tool, input: {} };
    const events = [
      {
        type: 'message_start',
        message: { ...message, usage: { input_tokens: 3, output_tokens: 1 } },
      },
      ...block(0, { type: 'thinking', thinking: '' }, [
        { type: 'thinking_delta', thinking: 'Hm.' },
      ]),
      { type: 'ping' },
      ...block(1, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'Ja – ' }]),
      ...block(
        2,
        use,
        pieces(text).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      ),
      {
        type: 'message_delta',
        delta: { stop_reason: stopReason(finishReason) },
        usage: { output_tokens: 9 },
      },
      { type: 'message_stop' },
    ];
    return sse(events, true);
  },
  argumentsIn: (answer) =>
    eventsIn(answer)
      .map(({ delta }) => delta?.partial_json ?? '')
      .join('') || '{}',
};

/** Inputs are values there: only cases whose text is JSON can be written. */
const messagesWhole: Api = {
  name: 'Anthropic Messages',
  path: '/v1/messages',
  type: 'application/json',
  request: messagesRequest,
  answer({ tool, text, finishReason }) {
    const head = '{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[';
    const use = `{"type":"tool_use","id":"toolu_1","name":${JSON.stringify(tool)},"input": ${text}}`;
    return `${head}${use}],"stop_reason":"${stopReason(finishReason)}","usage":{"output_tokens":9}}`;
  },
  argumentsIn: (answer) => JSON.stringify(JSON.parse(answer).content[0].input),
};

const ollamaStream: Api = {
  name: 'Ollama, streamed',
  path: '/api/chat',
  type: 'application/x-ndjson',
  request: chatRequest,
  answer({ tool, text }) {
    const head = '{"model":"qwen3","created_at":"2025-01-01T00:00:00Z","message":';
    const call = `{"function":{"name":${JSON.stringify(tool)},"arguments":${text}}}`;
    return [
      `${head}{"role":"assistant","content":"Ja – "},"done":false}\n`,
      `${head}{"role":"assistant","content":"","tool_calls":[${call}]},"done":false}\n`,
      `${head}{"role":"assistant","content":""},"done":true,"done_reason":"stop","eval_count":12}\n`,
    ].join('');
  },
  argumentsIn(answer) {
    const lines: readonly Sent[] = answer
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    const calls = lines.flatMap(({ message }) => message.tool_calls ?? []);
    return JSON.stringify(calls[0].function.arguments);
  },
};

const ollamaWhole: Api = {
  ...ollamaStream,
  name: 'Ollama',
  type: 'application/json; charset=utf-8',
  request: (tool) => ({ ...chatRequest(tool), stream: false }),
  answer({ tool, text }) {
    const call = `{"function":{"name":${JSON.stringify(tool)},"arguments":${text}}}`;
    return `{"model":"qwen3","message":{"role":"assistant","content":"","tool_calls":[${call}]},"done":true,"done_reason":"stop"}`;
  },
};

/** Those that have arguments as text, and those that have them as a value. */
export const textApis: readonly Api[] = [
  chatStream,
  chatWhole,
  responsesStream,
  responsesWhole,
  messagesStream,
];
export const valueApis: readonly Api[] = [messagesWhole, ollamaStream, ollamaWhole];
export const streamedApis: readonly Api[] = [
  chatStream,
  responsesStream,
  messagesStream,
  ollamaStream,
];
