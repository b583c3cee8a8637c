// What the AI SDK and LangChain have in common, streamed and not: each drives the loop itself,
// against a server on loopback.
import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { generateText, isStepCount, streamText } from 'ai';
import { CallMemory, type ToolOutcome, ToolRegistry } from 'toolmend';
import { toAiSdk } from 'toolmend/ai-sdk';
import { type LangChainCallOptions, toLangChain } from 'toolmend/langchain';
import { closedTool, thrower, unhandledDuring } from '../tools.ts';
import { fileTools } from './contract/sample-tools.ts';
import { aiModel, callTurn, chatModel, done, quietly, whole } from './scripted-models.ts';
import { type ScriptedServer, startScriptedServer, type Turn } from './scripted-server.ts';

const call = (args: string, name = 'read_files', id?: string): Turn => callTurn(name, args, id);

interface LoopOptions extends LangChainCallOptions {
  readonly onOutcome: (outcome: ToolOutcome) => unknown;
}

type Loop = (server: ScriptedServer, tools: ToolRegistry, options: LoopOptions) => Promise<unknown>;

const aiSdk =
  (how: 'generate' | 'stream'): Loop =>
  async ({ baseURL }, tools, options) => {
    const settings = { ...toAiSdk(tools, options), stopWhen: isStepCount(5), maxRetries: 0 };
    const asked = { model: aiModel(baseURL), ...settings };
    if (how === 'generate') return generateText({ ...asked, prompt: 'Go.' });
    return streamText({ ...asked, prompt: 'Go.' }).consumeStream();
  };

/** The loop that programs write: the model, its calls, and the model again. */
const langChain =
  (how: 'invoke' | 'stream'): Loop =>
  async ({ baseURL }, registry, options) => {
    const { tools, repairToolCalls } = toLangChain(registry, options);
    const model = chatModel(baseURL).bindTools(tools);
    const messages: BaseMessage[] = [new HumanMessage('Go.')];
    for (let step = 0; step < 5; step += 1) {
      const said =
        how === 'invoke' ? await model.invoke(messages) : await whole(await model.stream(messages));
      const message = repairToolCalls(said);
      messages.push(message);
      for (const sent of message.tool_calls ?? []) {
        const answer: unknown = await tools.find(({ name }) => name === sent.name)?.invoke(sent);
        if (ToolMessage.isInstance(answer)) messages.push(answer);
      }
      if (message === said) return;
    }
  };

const loops = {
  'AI SDK, generated': aiSdk('generate'),
  'AI SDK, streamed': aiSdk('stream'),
  'LangChain, invoked': langChain('invoke'),
  'LangChain, streamed': langChain('stream'),
};

describe.each(Object.entries(loops))('%s', (_name, loop) => {
  async function converse(
    tools: ToolRegistry,
    turns: readonly Turn[],
    options: Partial<LoopOptions> = {},
  ) {
    const server = await startScriptedServer(...turns, done);
    const outcomes: ToolOutcome[] = [];
    await quietly(() =>
      loop(server, tools, { onOutcome: (outcome) => outcomes.push(outcome), ...options }),
    );
    const { messages } = server.requests.at(-1);
    const sent = messages.findLast(({ role }: { role: string }) => role === 'assistant');
    const { content } = messages.at(-1);
    return {
      outcomes,
      tools: server.requests[0].tools,
      /** The arguments of the last call in the history. */
      shown: JSON.parse(sent?.tool_calls[0].function.arguments ?? 'null'),
      result: messages.at(-1),
      texts:
        typeof content === 'string' && !content.startsWith('[{')
          ? [content]
          : (typeof content === 'string' ? JSON.parse(content) : content).map(
              ({ text }: Turn) => text,
            ),
    };
  }

  test('runs a valid call as it is', async () => {
    const valid = call('{"paths": ["a"], "offset": 1, "limit": 2}');
    const { outcomes, tools, result } = await converse(fileTools(), [valid]);
    expect(tools).toMatchObject([
      {
        type: 'function',
        function: {
          name: 'read_files',
          description: expect.stringMatching(/^Read text files\./),
          parameters: { type: 'object', required: ['paths'], additionalProperties: false },
        },
      },
    ]);
    expect(outcomes).toMatchObject([
      { status: 'completed', interpretation: { status: 'unchanged' } },
    ]);
    const content = '{"paths":["a"],"offset":1,"limit":2}';
    expect(result).toMatchObject({ role: 'tool', tool_call_id: 'call_1', content });
  });

  test.each([
    [
      'a near miss',
      '{"paths":"[\\"a\\"]","limit":"2"}',
      ['json_text_to_array', 'text_to_integer', 'dependent_default'],
    ],
    [
      'text that is not JSON, and has no end',
      "{'paths': ['a'], limit: 2",
      ['broken_json', 'dependent_default'],
    ],
  ])(
    'repairs %s, also in the history, and gives notes as parts of their own',
    async (_what, sent, rules) => {
      const { outcomes, shown, texts } = await converse(fileTools(), [call(sent)]);
      const repairs = rules.map((rule) => ({ rule }));
      expect(outcomes).toMatchObject([{ status: 'completed', interpretation: { repairs } }]);
      expect(shown).toEqual({ paths: ['a'], limit: 2, offset: 0 });
      expect(texts).toEqual([
        '{"paths":["a"],"offset":0,"limit":2}',
        'offset was not sent; 0 was used.',
      ]);
    },
  );

  test.each([
    ['arguments that do not match', '{"paths": "a, b"}', { paths: 'a, b' }],
    ['text without a reading', '{"paths": ["a', { unreadable_arguments: '{"paths": ["a' }],
    ['an array', '[1]', { unreadable_arguments: '[1]' }],
  ])('refuses %s with the message of the registry', async (_what, sent, history) => {
    const { outcomes, shown, texts } = await converse(fileTools(), [call(sent)]);
    expect(outcomes).toMatchObject([
      { status: 'invalid_arguments', call: { arguments: expect.anything() } },
    ]);
    expect(texts).toEqual([expect.stringMatching(/^read_files was not executed\.\n/)]);
    expect(shown).toEqual(history);
  });

  test('runs several calls with their own arguments, in their order, even if two have one id', async () => {
    const texts = ['{"paths": "a"}', "{'paths': 'b'}", "{'paths': ['c'], limit: 1"];
    const ids = ['call_1', 'call_1', 'call_2'];
    const calls = texts.map((sent, at) => ({
      id: ids[at] ?? '',
      name: 'read_files',
      arguments: sent,
    }));
    const { outcomes } = await converse(fileTools(), [{ calls }]);
    const results = [{ paths: ['a'] }, { paths: ['b'] }, { paths: ['c'], limit: 1 }];
    expect(outcomes).toMatchObject(results.map((result) => ({ result })));
  });

  test('passes context values and the memory of the conversation to the registry', async () => {
    const whoAmI = closedTool('who_am_i', (_values, { values }) => values['tenant']);
    const turns = ['{}', '{"me": 1}', '{"me": 1}'].map((sent, at) =>
      call(sent, 'who_am_i', `call_${at}`),
    );
    const options = { context: { tenant: 'acme' }, memory: new CallMemory() };
    const { outcomes } = await converse(new ToolRegistry().register(whoAmI), turns, options);
    expect(outcomes).toMatchObject([
      { status: 'completed', result: 'acme' },
      { status: 'invalid_arguments', failures: 1 },
      { status: 'invalid_arguments', failures: 2 },
    ]);
  });

  test('ignores a listener that fails later', async () => {
    let texts: readonly string[] = [];
    const unhandled = await unhandledDuring(async () => {
      const onOutcome = async () => thrower(new Error('no log'))();
      ({ texts } = await converse(fileTools(), [call('{"paths": ["a"]}')], { onOutcome }));
    });
    expect(texts).toEqual(['{"paths":["a"]}']);
    expect(unhandled).toEqual([]);
  });
});

test('an unreadable text is never the only argument of a tool', async () => {
  const ran: unknown[] = [];
  const properties = { at: { type: 'string' } } as const;
  const look = closedTool('look', (values) => ran.push(values), properties, { required: ['at'] });
  const calls = [call('undefined', 'look'), call('{"at": "a"}{"at": "b"}', 'look')];
  const server = await startScriptedServer(...calls, done);
  const outcomes: ToolOutcome[] = [];
  const onOutcome = (outcome: ToolOutcome): unknown => outcomes.push(outcome);
  await loops['AI SDK, generated'](server, new ToolRegistry().register(look), { onOutcome });
  expect(outcomes.map(({ status }) => status)).toEqual(['invalid_arguments', 'invalid_arguments']);
  expect(ran).toEqual([]);
});
