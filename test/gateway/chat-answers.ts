// Answers with one call of read_files.

const tool = {
  type: 'function',
  function: {
    name: 'read_files',
    parameters: {
      type: 'object',
      properties: {
        paths: { type: 'array', items: { type: 'string' } },
        limit: { type: 'integer' },
      },
      required: ['paths'],
    },
  },
};

/** A request of Chat Completions that offers the tool. */
export const offering = (rest: object = {}): string =>
  JSON.stringify({
    model: 'm',
    messages: [{ role: 'user', content: 'Go.' }],
    tools: [tool],
    ...rest,
  });

export const chatAnswer = (text: string): string =>
  JSON.stringify({
    id: 'c',
    model: 'm',
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'read_files', arguments: text } },
          ],
        },
      },
    ],
  });

/** The chunks of the same answer as a stream: text, the call, its end. */
export function chatStream(text: string, content: string): readonly string[] {
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const call = {
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name: 'read_files', arguments: text },
  };
  return [
    chunk({ content }),
    chunk({ tool_calls: [call] }),
    chunk({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ];
}

interface StreamEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The events of a streamed message: text, then the call. */
export function messageAnswer(text: string): readonly string[] {
  const block = (index: number, content_block: object, delta: object): readonly StreamEvent[] => [
    { type: 'content_block_start', index, content_block },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index },
  ];
  const events: readonly StreamEvent[] = [
    { type: 'message_start', message: { id: 'msg', model: 'm', content: [] } },
    ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'So. ' }),
    ...block(
      1,
      { type: 'tool_use', id: 'toolu_1', name: 'read_files', input: {} },
      { type: 'input_json_delta', partial_json: text },
    ),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** The text in pieces of a few characters, as models send it. */
export const pieces = (text: string): readonly string[] => text.match(/[^]{1,5}/g) ?? [];

const chunksOf = (events: readonly { readonly type: string }[]): readonly string[] =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

/** The events of a response whose only item is a message with this text, or reasoning with it. */
export function responseStream(
  text: string,
  type: 'message' | 'reasoning' = 'message',
): readonly string[] {
  const [kind, event] =
    type === 'message' ? ['output_text', 'output_text'] : ['reasoning_text', 'reasoning_text'];
  const part = { type: kind, text };
  const item = { id: 'item', type, status: 'completed', content: [part] };
  const place = { item_id: 'item', output_index: 0, content_index: 0 };
  const response = { id: 'resp', model: 'm', status: 'completed', output: [item] };
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    ...pieces(text).map((delta) => ({ type: `response.${event}.delta`, ...place, delta })),
    { type: `response.${event}.done`, ...place, text },
    { type: 'response.content_part.done', ...place, part },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
  return chunksOf(events.map((each, sequence_number) => ({ ...each, sequence_number })));
}
