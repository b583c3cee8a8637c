// Answers of each API that are text, whole and in pieces; and what a client reads in them.
import type { JsonObject } from 'toolmend';
import { anthropicMessages } from '../../src/gateway/anthropic-messages.ts';
import { chatCompletions } from '../../src/gateway/chat-completions.ts';
import { ollamaChat } from '../../src/gateway/ollama-chat.ts';
import type { Protocol } from '../../src/gateway/protocol.ts';
import { responses } from '../../src/gateway/responses.ts';
import { plainJson } from '../../src/json/parse.ts';
import { arrayAt, objectAt, textAt } from '../../src/json/members.ts';

/** What a client makes of an answer. */
export interface ClientAnswer {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
}

export interface TextApi {
  readonly name: string;
  readonly protocol: Protocol;
  whole(text: string): object;
  events(pieces: readonly string[]): readonly object[];
  readWhole(answer: JsonObject): ClientAnswer;
  readEvents(events: readonly JsonObject[]): ClientAnswer;
}

const callOf = (name: string | undefined, given: unknown) => ({
  name: name ?? '',
  arguments: typeof given === 'string' ? (plainJson(given) ?? given) : given,
});

const textsIn = (objects: readonly JsonObject[], key: string): string =>
  objects.map((object) => textAt(object, key) ?? '').join('');

const functionsIn = (objects: readonly JsonObject[]): ClientAnswer['calls'] =>
  objects
    .flatMap((object) => arrayAt(object, 'tool_calls'))
    .map((call) => objectAt(call, 'function') ?? {})
    .map((part) => callOf(textAt(part, 'name'), part['arguments']));

const chat: TextApi = {
  name: 'Chat Completions',
  protocol: chatCompletions,
  whole: (content) => ({
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  }),
  events: (pieces) => [
    ...pieces.map((content) => ({
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
    })),
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ],
  readWhole(answer) {
    const messages = arrayAt(answer, 'choices').map((choice) => objectAt(choice, 'message') ?? {});
    return { text: textsIn(messages, 'content'), calls: functionsIn(messages) };
  },
  readEvents(events) {
    const deltas = events
      .flatMap((event) => arrayAt(event, 'choices'))
      .map((choice) => objectAt(choice, 'delta') ?? {});
    return { text: textsIn(deltas, 'content'), calls: functionsIn(deltas) };
  },
};

const ollama: TextApi = {
  name: 'Ollama',
  protocol: ollamaChat,
  whole: (content) => ({
    message: { role: 'assistant', content },
    done: true,
    done_reason: 'stop',
  }),
  events: (pieces) => [
    ...pieces.map((content) => ({ message: { role: 'assistant', content }, done: false })),
    { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' },
  ],
  readWhole: (answer) => ollama.readEvents([answer]),
  readEvents(events) {
    const messages = events.map((event) => objectAt(event, 'message') ?? {});
    return { text: textsIn(messages, 'content'), calls: functionsIn(messages) };
  },
};

const messages: TextApi = {
  name: 'Messages',
  protocol: anthropicMessages,
  whole: (text) => ({ content: [{ type: 'text', text }], stop_reason: 'end_turn' }),
  events: (pieces) => [
    { type: 'message_start', message: { content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...pieces.map((text) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ],
  readWhole(answer) {
    const blocks = arrayAt(answer, 'content');
    return {
      text: textsIn(blocks, 'text'),
      calls: blocks
        .filter((block) => textAt(block, 'type') === 'tool_use')
        .map((block) => callOf(textAt(block, 'name'), block['input'])),
    };
  },
  readEvents(events) {
    const deltas = events.map((event) => objectAt(event, 'delta') ?? {});
    const blocks = events.map((event) => objectAt(event, 'content_block') ?? {});
    const inputs = deltas.flatMap((delta) => textAt(delta, 'partial_json') ?? []);
    const names = blocks.flatMap((block) => textAt(block, 'name') ?? []);
    return {
      text: textsIn(deltas, 'text'),
      calls: names.map((name, at) => callOf(name, inputs[at])),
    };
  },
};

const output: TextApi = {
  name: 'Responses',
  protocol: responses,
  whole: (text) => ({
    status: 'completed',
    output: [{ type: 'message', content: [{ type: 'output_text', text }] }],
  }),
  events(pieces) {
    const text = pieces.join('');
    const part = { type: 'output_text', text };
    const item = { id: 'item', type: 'message', content: [part] };
    const place = { item_id: 'item', output_index: 0, content_index: 0 };
    return [
      { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
      ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
      { type: 'response.output_text.done', ...place, text },
      { type: 'response.content_part.done', ...place, part },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { status: 'completed', output: [item] } },
    ].map((event, sequence_number) => ({ ...event, sequence_number }));
  },
  readWhole(answer) {
    const items = arrayAt(answer, 'output');
    return {
      text: textsIn(
        items.flatMap((item) => arrayAt(item, 'content')),
        'text',
      ),
      calls: items
        .filter((item) => textAt(item, 'type') === 'function_call')
        .map((item) => callOf(textAt(item, 'name'), item['arguments'])),
    };
  },
  readEvents(events) {
    const deltas = events.filter((event) => textAt(event, 'type') === 'response.output_text.delta');
    const items = events
      .filter((event) => textAt(event, 'type') === 'response.output_item.done')
      .map((event) => objectAt(event, 'item') ?? {})
      .filter((item) => textAt(item, 'type') === 'function_call');
    return {
      text: textsIn(deltas, 'delta'),
      calls: items.map((item) => callOf(textAt(item, 'name'), item['arguments'])),
    };
  },
};

export const textApis: readonly TextApi[] = [chat, output, messages, ollama];
