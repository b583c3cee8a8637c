// What is special about Chat Completions, with the SDK against a server on loopback. The rest is in
// turns.test.ts.
import OpenAI from 'openai';
import {
  ChatCollector,
  chatCompletions,
  type ChatOptions,
  type OpenAiOptions,
} from 'toolmend/openai';
import { pagedTools as tools } from '../sample-results.ts';
import { type Body, startBodyServer } from '../scripted-server.ts';
import { goOn, sent } from '../wires.ts';

async function clientOf(...bodies: readonly Body[]) {
  const server = await startBodyServer(...bodies);
  return { server, client: new OpenAI({ apiKey: 'none', baseURL: server.baseURL, maxRetries: 0 }) };
}

const choiceOf = (message: object, finish_reason: string | null = 'tool_calls', index = 0) => ({
  index,
  finish_reason,
  message: { role: 'assistant', content: null, ...message },
});

const completion = (message: object, reason?: string | null): Body => ({
  json: { model: 'scripted', choices: [choiceOf(message, reason)] },
});

const chunk = (delta: object, reason: string | null = null, index: number | undefined = 0) => ({
  model: 'scripted',
  choices: [{ index, delta, finish_reason: reason }],
});

const type = 'function';
const called = (id: unknown, name: string, args: string) => ({
  id,
  type,
  function: { name, arguments: args },
});

const question = { model: 'scripted', messages: goOn };

async function turnOf(message: object, reason?: string | null, options?: OpenAiOptions) {
  const { client } = await clientOf(completion(message, reason));
  return chatCompletions(tools, options).answer(await client.chat.completions.create(question));
}

async function streamed(...events: readonly object[]) {
  const { client } = await clientOf({ events });
  return chatCompletions(tools).answer(
    await client.chat.completions.create({ ...question, stream: true }),
  );
}

it('sends tools, takes calls and gives back results', async () => {
  const said = {
    content: 'Let me see.',
    tool_calls: [called('call_1', 'read_files', '{"paths":["a"]}')],
  };
  const { client, server } = await clientOf(completion(said));
  const chat = chatCompletions(tools);
  const answer = await client.chat.completions.create({ ...question, tools: chat.tools });
  const messages: OpenAI.ChatCompletionMessageParam[] = [...(await chat.answer(answer)).messages];
  expect(messages).toEqual([
    { role: 'assistant', ...said },
    { role: 'tool', tool_call_id: 'call_1', content: '{"paths":["a"]}' },
  ]);
  expect(server.requests[0].tools[0].function).toMatchObject({ name: 'read_files', strict: false });
});

it('strict: null is an omitted argument for the tool, and stays in the history', async () => {
  const text = '{"paths":["a"],"limit":null,"labels":["1"]}';
  const turn = await turnOf({ tool_calls: [called('call_1', 'read_files', text)] }, 'stop', {
    strict: true,
  });
  expect(turn.outcomes[0]).toMatchObject({
    status: 'completed',
    result: { paths: ['a'], labels: [1] },
  });
  expect(turn.messages).toEqual([
    {
      role: 'assistant',
      content: null,
      tool_calls: [called('call_1', 'read_files', '{"paths":["a"],"labels":[1],"limit":null}')],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '{"paths":["a"],"labels":[1]}' },
  ]);
  expect(chatCompletions(tools, { strict: true }).tools[0]).toMatchObject({
    function: { strict: true },
  });
});

describe('the provider', () => {
  const provided = (options: ChatOptions) => chatCompletions(tools, options);
  const answerWith = (id: string) =>
    sent({ model: 'm', choices: [choiceOf({ tool_calls: [called(id, 'now', '{}')] })] });
  const answer = answerWith('chatcmpl-tool-0123456789');

  test('decides the form of the schemas', () => {
    expect(provided({ provider: 'deepseek', strict: true }).tools[1]).toMatchObject({
      function: { strict: false },
    });
    expect(provided({ provider: 'deepseek' }).tools).toEqual(provided({}).tools);
    expect(provided({ provider: 'mistral' }).tools[1]).not.toHaveProperty('function.strict');
    expect(provided({ provider: 'grammar' }).calls(answer)).toMatchObject([
      { provider: 'grammar' },
    ]);
  });

  test('has no strict mode if it is none of two', () => {
    expect(() => provided({ provider: 'mistral', strict: true })).toThrow(
      /has strict: true with the provider "mistral", which has no strict mode: leave out strict/,
    );
  });

  test('mistral: ids that its servers refuse are shown with nine letters and digits, and outcomes keep them', async () => {
    const { messages, outcomes } = await provided({ provider: 'mistral' }).answer(answer);
    const [said, result] = messages;
    const id = said?.role === 'assistant' ? said.tool_calls?.[0]?.id : undefined;
    expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(result).toMatchObject({ role: 'tool', tool_call_id: id });
    expect(outcomes).toMatchObject([{ call: { id: 'chatcmpl-tool-0123456789' } }]);
    const own = await provided({ provider: 'mistral' }).answer(answerWith('Ab3dE6gH9'));
    expect(own.messages[1]).toMatchObject({ tool_call_id: 'Ab3dE6gH9' });
  });
});

describe('results', () => {
  it('have their images in a user message after all results', async () => {
    const tool_calls = [called('call_1', 'draw', '{}'), called('call_2', 'now', '{}')];
    const { messages } = await turnOf({ tool_calls });
    expect(messages.slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'call_1', content: 'a line' },
      { role: 'tool', tool_call_id: 'call_2', content: 'noon' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Images of the result of call_1:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
        ],
      },
    ]);
  });

  it('have each note in a part of its own, or all in a user message', async () => {
    const message = { tool_calls: [called('call_1', 'long', '{}')] };
    const { messages } = await turnOf(message);
    expect(messages[1]).toMatchObject({
      content: [
        { text: expect.stringMatching(/^word/) },
        { text: expect.stringContaining('part 1 of 2') },
      ],
    });
    const apart = await turnOf(message, 'tool_calls', { notes: 'message' });
    expect(apart.messages.slice(1)).toMatchObject([
      { role: 'tool', content: expect.stringMatching(/^word/) },
      { role: 'user', content: [{ type: 'text', text: expect.stringMatching(/^On call_1: /) }] },
    ]);
  });
});

describe('calls', () => {
  it('may have no type and no function', async () => {
    const { outcomes } = await turnOf({
      tool_calls: [null, { id: '1', function: null }, { id: '2', function: { name: 'now' } }],
    });
    expect(outcomes.map(({ status }) => status)).toEqual(['unknown_tool', 'completed']);
  });

  it('of custom tools of the program stay in the history, and have an output', async () => {
    const custom = { id: '1', type: 'custom', custom: { name: 'grep', input: 'x' } };
    const { messages, outcomes } = await turnOf({ tool_calls: [custom, called('2', 'now', '{}')] });
    expect(outcomes).toHaveLength(1);
    expect(messages).toMatchObject([
      { tool_calls: [custom, called('2', 'now', '{}')] },
      { role: 'tool', tool_call_id: '2', content: 'noon' },
      {
        role: 'tool',
        tool_call_id: '1',
        content: 'grep was not executed.\nOnly function tools can be called here.',
      },
    ]);
  });

  it('are read from the first of several choices, numbered or not', async () => {
    const choice = (index: number, name: string) =>
      choiceOf({ tool_calls: [called(`call_${index}`, name, '{}')] }, 'tool_calls', index);
    const { client } = await clientOf({ json: { choices: [choice(1, 'draw'), choice(0, 'now')] } });
    const { outcomes } = await chatCompletions(tools).answer(
      await client.chat.completions.create(question),
    );
    expect(outcomes).toMatchObject([{ tool: 'now', call: { id: 'call_0' } }]);
    const call = (id: string) => ({ tool_calls: [{ index: 0, ...called(id, 'now', '{}') }] });
    const turn = await streamed(
      chunk({ content: 'No.' }, null, 1),
      chunk({ content: 'Yes.' }),
      chunk(call('call_2'), null, 1),
      chunk(call('call_1'), null, undefined),
      chunk({}, 'length', 1),
      chunk({}, 'tool_calls'),
    );
    const first = { id: 'call_1', finishReason: 'tool_calls' };
    expect(turn.outcomes).toMatchObject([{ status: 'completed', call: first }]);
    expect(turn.messages[0]).toMatchObject({ content: 'Yes.' });
  });

  it.each([
    ['one number', { index: 0 }],
    ['no number', {}],
  ])('without ids under %s are two calls', async (_what, number) => {
    const turn = await streamed(
      chunk({ tool_calls: [{ ...number, ...called('', 'read_files', '{"paths":["a"]}') }] }),
      chunk({ tool_calls: [{ ...number, ...called('', 'read_files', '{"paths":["b"]}') }] }),
      chunk({}, 'tool_calls'),
    );
    expect(turn.outcomes.map(({ status, call }) => [status, call.arguments])).toEqual([
      ['completed', '{"paths":["a"]}'],
      ['completed', '{"paths":["b"]}'],
    ]);
  });

  it('of two ids under one number are two calls', async () => {
    const parts = (id: string, text: string) => [
      chunk({ tool_calls: [{ index: 0, ...called(id, 'read_files', '') }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] }),
    ];
    const calls = [...parts('call_1', '{"paths":["a"]}'), ...parts('call_2', '{"paths":["b"]}')];
    const { outcomes } = await streamed(...calls, chunk({}, 'stop'));
    expect(outcomes).toMatchObject([{ result: { paths: ['a'] } }, { result: { paths: ['b'] } }]);
  });
});

describe('messages', () => {
  const extra_content = { google: { thought_signature: 'c2ln' } };
  const signed = { ...called('call_1', 'now', '{}'), extra_content };

  it('keep thoughts, and signatures of their calls', async () => {
    const message = {
      reasoning_content: 'It asks for the time.',
      reasoning_details: [{ type: 'reasoning.encrypted', data: 'eA==', id: 'r1' }],
      tool_calls: [signed, called('call_2', 'now', '{}')],
    };
    const { messages } = await turnOf(message);
    expect(messages[0]).toEqual({ role: 'assistant', content: null, ...message });
  });

  it('of a stream are put together: text, thoughts, signatures, calls', async () => {
    const { messages } = await streamed(
      chunk({ role: 'assistant', content: 'Let ', reasoning_content: 'It asks ' }),
      chunk({ content: [{ type: 'thinking', thinking: [] }, { type: 'text', text: 'me ' }, null] }),
      chunk({ content: 'see.', reasoning_content: 'for the time.', reasoning: null }),
      chunk({
        reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'It ', signature: null }],
      }),
      chunk({
        reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'asks.', signature: 'c2ln' }],
      }),
      chunk({ reasoning_details: [{ type: 'reasoning.encrypted', index: 0, data: 'eA==' }] }),
      chunk({ reasoning_details: [{ type: 'reasoning.encrypted', index: 0, data: 'eQ==' }] }),
      chunk({ tool_calls: [{ ...signed, index: 0, function: { name: 'now', arguments: '{' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '}' } }] }),
      chunk({ tool_calls: [{ ...called('call_2', 'now', '{}'), index: 1 }] }),
      chunk({}, 'tool_calls'),
    );
    expect(messages[0]).toEqual({
      role: 'assistant',
      content: 'Let me see.',
      refusal: null,
      reasoning_content: 'It asks for the time.',
      reasoning_details: [
        { type: 'reasoning.text', index: 0, text: 'It asks.', signature: 'c2ln' },
        { type: 'reasoning.encrypted', index: 0, data: 'eA==' },
        { type: 'reasoning.encrypted', index: 0, data: 'eQ==' },
      ],
      tool_calls: [signed, called('call_2', 'now', '{}')],
    });
  });

  it('lose what the SDK’s helpers have added', async () => {
    const { client } = await clientOf(
      completion({ content: 'Wait.', audio: { id: 'a1', data: 'eA==' }, tool_calls: [signed] }),
    );
    const parsed = await client.chat.completions.parse(question);
    expect(parsed.choices[0]?.message).toHaveProperty('parsed');
    const { messages } = await chatCompletions(tools).answer(parsed);
    const kept = { content: 'Wait.', audio: { id: 'a1' }, tool_calls: [signed] };
    expect(messages[0]).toEqual({ role: 'assistant', ...kept });
  });

  it('have no empty list of calls', async () => {
    const { messages } = await turnOf({ content: 'Hi.', tool_calls: [] }, 'stop');
    expect(messages).toEqual([{ role: 'assistant', content: 'Hi.' }]);
  });

  it('of a stream that broke off can be collected and answered', async () => {
    const { client } = await clientOf({ events: [chunk({ content: 'So' })], end: 'break' });
    const collector = new ChatCollector();
    const reading = async (): Promise<void> => {
      for await (const one of await client.chat.completions.create({ ...question, stream: true }))
        collector.add(one);
    };
    await expect(reading()).rejects.toThrow();
    expect((await chatCompletions(tools).answer(collector)).messages).toMatchObject([
      { content: 'So' },
    ]);
  });
});
