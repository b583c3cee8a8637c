// The request that asks the model again has the model's turn as it was: text, thoughts, signatures,
// and the call.
import { ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

// eslint-disable-next-line typescript/no-explicit-any -- only tests read what a program sends
type Sent = any;

const schema = {
  type: 'object',
  properties: { paths: { type: 'array', items: { type: 'string' } }, id: { type: 'integer' } },
  required: ['paths'],
};
const called = { type: 'function', function: { name: 'read_files', parameters: schema } };
const wrong = '{"id":12345678901234567890}';
const result = expect.stringContaining('read_files was not executed.');

const requests: Readonly<Record<string, object>> = {
  '/v1/chat/completions': { messages: [{ role: 'user', content: 'Go.' }], tools: [called] },
  '/v1/messages': {
    messages: [{ role: 'user', content: 'Go.' }],
    tools: [{ name: 'read_files', input_schema: schema }],
  },
  '/v1/responses': {
    input: 'Go.',
    tools: [{ type: 'function', name: 'read_files', parameters: schema }],
  },
  '/api/chat': { messages: [{ role: 'user', content: 'Go.' }], tools: [called] },
};

/**
 * The second request, after an answer in these chunks; its text and what it adds to the first one.
 */
async function askedAgain(path: string, chunks: readonly string[], rest: object = {}) {
  const isStreamed = chunks.length > 1;
  const streamType = path === '/api/chat' ? 'application/x-ndjson' : 'text/event-stream';
  const upstream = await startUpstream(() => ({
    type: isStreamed ? streamType : 'application/json',
    chunks,
  }));
  const { port } = await startTestGateway(upstream.origin, { retries: 1 });
  await ask(port, path, { body: JSON.stringify({ model: 'm', ...requests[path], ...rest }) });
  const text = upstream.received[1]?.text ?? '';
  const { messages, input }: Sent = JSON.parse(text);
  return { text, added: (messages ?? input).slice(1) };
}

const events = (list: readonly object[]): readonly string[] =>
  list.map((event) => `data: ${JSON.stringify(event)}\n\n`);

describe('Chat Completions', () => {
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: 'read_files', arguments: wrong },
  };
  const expected = [
    {
      role: 'assistant',
      content: 'I read it.',
      reasoning_content: 'Hm. A file.',
      reasoning_details: [
        { type: 'reasoning.text', index: 0, text: 'Hm. A file.', signature: 'sig' },
      ],
      tool_calls: [{ ...call, extra_content: { google: { thought_signature: 'th' } } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: result },
  ];

  test('whole', async () => {
    const message = { ...expected[0], refusal: null, function_call: null };
    const answer = { choices: [{ index: 0, finish_reason: 'tool_calls', message }] };
    const { added } = await askedAgain('/v1/chat/completions', [JSON.stringify(answer)]);

    expect(added).toEqual(expected);
  });

  test('streamed', async () => {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      choices: [{ index: 0, delta, finish_reason }],
    });
    const detail = (part: object) => ({
      reasoning_details: [{ type: 'reasoning.text', index: 0, ...part }],
    });
    const begun = {
      ...call,
      index: 0,
      function: { name: 'read_files', arguments: '' },
      extra_content: { google: { thought_signature: 'th' } },
    };
    const rest = { index: 0, function: { arguments: wrong } };
    const { added } = await askedAgain('/v1/chat/completions', [
      ...events([
        chunk({
          role: 'assistant',
          content: null,
          reasoning_content: 'Hm. ',
          ...detail({ text: 'Hm. ' }),
        }),
        chunk({ role: 'assistant', reasoning_content: 'A file.', ...detail({ text: 'A file.' }) }),
        chunk(detail({ signature: 'sig' })),
        chunk({ content: 'I read' }),
        chunk({ content: ' it.' }),
        chunk({ tool_calls: [begun] }),
        chunk({ tool_calls: [rest] }),
        chunk({}, 'tool_calls'),
      ]),
      'data: [DONE]\n\n',
    ]);

    expect(added).toEqual(expected);
  });

  test('calls that are not JSON are described, and parts without a number are joined to calls', async () => {
    const part = (call_: object) => ({
      choices: [{ index: 0, delta: { tool_calls: [call_] }, finish_reason: null }],
    });
    const { added } = await askedAgain('/v1/chat/completions', [
      ...events([
        part({ id: 'call_1', function: { name: 'read_files', arguments: '<ids' } }),
        part({ function: { arguments: '>' } }),
        { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      ]),
    ]);

    expect(added).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'read_files', arguments: '{"unreadable_arguments":"<ids>"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: expect.any(String) },
    ]);
  });
});

describe('Messages', () => {
  const content = [
    { type: 'thinking', thinking: 'Hm. A file.', signature: 'sig' },
    { type: 'text', text: 'I read it.' },
    { type: 'server_tool_use', id: 'srv', name: 'web_search', input: { query: 'x' } },
    { type: 'tool_use', id: 'toolu_1', name: 'read_files', input: { id: 7 } },
  ];
  const expected = [
    { role: 'assistant', content },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: result }],
    },
  ];

  test('whole', async () => {
    const answer = {
      type: 'message',
      stop_reason: 'tool_use',
      content: [...content, { type: 'text', text: '' }],
    };
    const text = JSON.stringify(answer).replace('{"id":7}', wrong);
    const again = await askedAgain('/v1/messages', [text]);

    expect(JSON.parse(again.text.replace(wrong, '{"id":7}')).messages.slice(1)).toEqual(expected);
    expect(again.text).toContain(`"input":${wrong}`);
  });

  test('streamed', async () => {
    const block = (index: number, content_block: object, deltas: readonly object[]) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ];
    const json = (partial_json: string) => ({ type: 'input_json_delta', partial_json });
    const { added } = await askedAgain('/v1/messages', [
      ...events([
        { type: 'message_start', message: { content: [] } },
        ...block(0, { type: 'thinking', thinking: '', signature: '' }, [
          { type: 'thinking_delta', thinking: 'Hm. ' },
          { type: 'thinking_delta', thinking: 'A file.' },
          { type: 'signature_delta', signature: 'sig' },
        ]),
        ...block(1, { type: 'text', text: '' }, [
          { type: 'text_delta', text: 'I read' },
          { type: 'text_delta', text: ' it.' },
        ]),
        ...block(2, { ...content[2], input: {} }, [json('{"query"'), json(':"x"}')]),
        ...block(3, { ...content[3], input: {} }, [json(''), json('{"id":'), json('7}')]),
        { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
        { type: 'message_stop' },
      ]),
    ]);

    expect(added).toEqual(expected);
  });
});

describe('Responses', () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'enc' };
  const message = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'I read it.' }],
  };
  const call = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: 'read_files',
    arguments: wrong,
    status: 'completed',
  };
  const output = [reasoning, message, call];
  const outputItem = { type: 'function_call_output', call_id: 'call_1', output: result };

  test('whole', async () => {
    const { added } = await askedAgain('/v1/responses', [
      JSON.stringify({ status: 'completed', output }),
    ]);

    expect(added).toEqual([...output, outputItem]);
  });

  test('streamed', async () => {
    const { added } = await askedAgain(
      '/v1/responses',
      events([
        { type: 'response.created', response: { output: [] } },
        ...output.map((item, output_index) => ({
          type: 'response.output_item.done',
          output_index,
          item,
        })),
        { type: 'response.completed', response: { status: 'completed', output: [] } },
      ]),
    );

    expect(added).toEqual([...output, outputItem]);
  });

  test('without a store, items have no ids, and reasoning without its content is left out', async () => {
    const custom = { type: 'custom_tool_call', id: 'ct_1', call_id: 'c2', name: 'sh', input: 'ls' };
    const bare = { type: 'reasoning', id: 'rs_2', summary: [] };
    const answer = JSON.stringify({ status: 'completed', output: [bare, ...output, custom] });
    const { added } = await askedAgain('/v1/responses', [answer], { store: false });

    const withoutId = ({ id: _id, ...item }: { readonly id: string }) => item;
    expect(added).toEqual([...output.map(withoutId), outputItem]);
  });
});

describe('Ollama', () => {
  const expected = [
    {
      role: 'assistant',
      content: 'I read it.',
      thinking: 'Hm. A file.',
      tool_calls: [{ function: { index: 0, name: 'read_files', arguments: { id: 7 } } }],
    },
    { role: 'tool', tool_name: 'read_files', content: result },
  ];

  test('whole', async () => {
    const text = JSON.stringify({ message: expected[0], done: true, done_reason: 'stop' });
    const again = await askedAgain('/api/chat', [text.replace('{"id":7}', wrong)]);

    expect(JSON.parse(again.text.replace(wrong, '{"id":7}')).messages.slice(1)).toEqual(expected);
    expect(again.text).toContain(`"arguments":${wrong}`);
  });

  test('streamed', async () => {
    const line = (message: object, rest: object = { done: false }): string =>
      `${JSON.stringify({ message: { role: 'assistant', ...message }, ...rest })}\n`;
    const { added } = await askedAgain('/api/chat', [
      line({ content: '', thinking: 'Hm. ' }),
      line({ content: '', thinking: 'A file.' }),
      line({ content: 'I read' }),
      line({ content: ' it.' }),
      line({ content: '', tool_calls: expected[0]?.tool_calls }),
      line({ content: '' }, { done: true, done_reason: 'stop' }),
    ]);

    expect(added).toEqual(expected);
  });
});

test('each turn that was asked again has its own results', async () => {
  const answers = ['One.', 'Two.'].map((content, at) => ({
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content,
          tool_calls: [
            { id: `c${at}`, type: 'function', function: { name: 'read_files', arguments: wrong } },
          ],
        },
      },
    ],
  }));
  const upstream = await startUpstream((_received, index) => ({
    type: 'application/json',
    chunks: [JSON.stringify(answers[Math.min(index, 1)])],
  }));
  const { port } = await startTestGateway(upstream.origin, { retries: 2 });
  const path = '/v1/chat/completions';
  await ask(port, path, { body: JSON.stringify({ model: 'm', ...requests[path] }) });

  expect(JSON.parse(upstream.received[2]?.text ?? '').messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: 'One.', tool_calls: [{ id: 'c0' }] },
    { role: 'tool', tool_call_id: 'c0' },
    { role: 'assistant', content: 'Two.', tool_calls: [{ id: 'c1' }] },
    { role: 'tool', tool_call_id: 'c1' },
  ]);
});
