// Tools of `textTool` as OpenAI's custom tools, with the SDK against a server on loopback.
import OpenAI from 'openai';
import { textTool, ToolRegistry } from 'toolmend';
import { ChatCollector, chatCompletions, ResponseCollector, responses } from 'toolmend/openai';
import { closedTool } from '../../tools.ts';
import { startBodyServer } from '../scripted-server.ts';
import { event, functionCall, response, sent } from '../wires.ts';

const grammar = { syntax: 'lark', definition: 'start: "*** Begin Patch" /[^]+/' } as const;
let texts: string[] = [];
beforeEach(() => {
  texts = [];
});

const applyPatch = textTool({
  name: 'apply_patch',
  description: 'Apply a patch.',
  argument: 'patch',
  grammar,
  execute(text) {
    texts.push(text);
    return `${text.length} characters`;
  },
});
const readFile = closedTool('read_file', ({ path }) => path, { path: { type: 'string' } });
const tools = new ToolRegistry({ hints: 'off' }).register(applyPatch, readFile);
const api = responses(tools, { customTools: true });

const custom = (input: unknown, more: object = {}) => ({
  type: 'custom_tool_call',
  id: 'ctc_1',
  call_id: 'call_1',
  name: 'apply_patch',
  input,
  ...more,
});

async function turnOf(...items: readonly object[]) {
  const { baseURL } = await startBodyServer({ json: response('completed', ...items) });
  const client = new OpenAI({ apiKey: 'none', baseURL, maxRetries: 0 });
  return api.answer(await client.responses.create({ model: 'scripted', input: 'Go.' }));
}

const patch = '*** Begin Patch\n{"a": "\\n"}\n';

it('is shown as a custom tool with its grammar, and as a function elsewhere', () => {
  const [shown, other] = api.tools;
  expect(shown).toEqual({
    type: 'custom',
    name: 'apply_patch',
    description: 'Apply a patch.',
    format: { type: 'grammar', ...grammar },
  });
  expect(other).toMatchObject({ type: 'function', name: 'read_file' });
  expect(responses(tools).tools[0]).toMatchObject({
    type: 'function',
    parameters: { properties: { patch: { type: 'string' } }, required: ['patch'] },
  });
  expect(tools.schemas('anthropic')[0]).toMatchObject({
    name: 'apply_patch',
    input_schema: { properties: { patch: { type: 'string' } } },
  });
});

it('has any text as its format without a grammar', () => {
  const plain = textTool({ name: 'run_code', description: 'Run it.', execute: (code) => code });
  const shown = responses(new ToolRegistry().register(plain), { customTools: true }).tools;
  expect(shown).toMatchObject([{ type: 'custom', format: { type: 'text' } }]);
});

it('runs with the text as it was sent, and has an output', async () => {
  const { items, outcomes } = await turnOf(custom(patch));

  expect(texts).toEqual([patch]);
  expect(outcomes).toMatchObject([
    { status: 'completed', interpretation: { status: 'unchanged', value: { patch } } },
  ]);
  expect(items).toEqual([
    custom(patch),
    {
      type: 'custom_tool_call_output',
      call_id: 'call_1',
      output: `${patch.length} characters`,
    },
  ]);
});

it('keeps the order of calls of both sorts', async () => {
  const read = functionCall(
    { id: 'call_2', name: 'read_file', arguments: '{"path":"a.ts"}' },
    { id: 'fc_1', status: 'completed' },
  );
  const { items, outcomes } = await turnOf(custom('a'), read, custom('b', { call_id: 'call_3' }));

  expect(outcomes.map(({ call }) => call.id)).toEqual(['call_1', 'call_2', 'call_3']);
  expect(items.slice(3).map((item) => [item.type, Reflect.get(item, 'call_id')])).toEqual([
    ['custom_tool_call_output', 'call_1'],
    ['function_call_output', 'call_2'],
    ['custom_tool_call_output', 'call_3'],
  ]);
});

describe('a call that is wrapped in JSON', () => {
  it.each([
    ['the arguments of a function', { patch: 'text' }],
    ['an envelope', { arguments: { patch: 'text' } }],
    ['an envelope with a name', { name: 'apply_patch', arguments: { patch: 'text' } }],
    ['another spelling', { Patch: 'text' }],
  ])('%s', async (_what, call) => {
    const { items } = await turnOf(custom(JSON.stringify(call)));

    expect(texts).toEqual(['text']);
    expect(items[0]).toEqual(custom('text'));
  });

  it.each(['{"other": "text"}', '{"patch": 1}', '{"patch": "a", "b": 1}', '["a"]', '"a"', '{}'])(
    'is the text itself if it is other JSON: %s',
    async (json) => {
      await turnOf(custom(json));

      expect(texts).toEqual([json]);
    },
  );
});

const item = { output_index: 0, item_id: 'ctc_1' };
const begun = event('output_item.added', { output_index: 0, item: custom('') });

it('is collected from a stream', async () => {
  const collector = new ResponseCollector();
  for (const one of [
    begun,
    event('custom_tool_call_input.delta', { ...item, delta: '*** Begin' }),
    event('custom_tool_call_input.delta', { ...item, delta: ' Patch' }),
    event('custom_tool_call_input.done', { ...item, input: '*** Begin Patch' }),
    event('output_item.done', { output_index: 0, item: custom('*** Begin Patch') }),
    event('completed', { response: response('completed') }),
  ])
    collector.add(sent(one));

  const { outcomes } = await api.answer(collector);
  expect(outcomes).toMatchObject([{ status: 'completed' }]);
  expect(texts).toEqual(['*** Begin Patch']);
});

it('does not run if the stream ends before its text', async () => {
  const collector = new ResponseCollector();
  collector.add(sent(begun));
  collector.add(sent(event('custom_tool_call_input.delta', { ...item, delta: '*** Begin Pa' })));

  const { outcomes, outputs } = await api.answer(collector);
  expect(outcomes).toMatchObject([
    { status: 'invalid_arguments', interpretation: { issues: [{ keyword: 'truncated' }] } },
  ]);
  expect(outputs).toMatchObject([{ type: 'custom_tool_call_output', call_id: 'call_1' }]);
  expect(texts).toEqual([]);
});

it('an unknown custom tool is answered, as before', async () => {
  const { outcomes, outputs } = await turnOf(custom('x', { name: 'grep' }));

  expect(outcomes).toEqual([]);
  expect(outputs).toEqual([
    {
      type: 'custom_tool_call_output',
      call_id: 'call_1',
      output: 'grep was not executed.\nOnly function tools can be called here.',
    },
  ]);
});

describe('Chat Completions', () => {
  const chat = chatCompletions(tools, { customTools: true });
  const called = (input: string, id = 'call_1', name = 'apply_patch') => ({
    id,
    type: 'custom',
    custom: { name, input },
  });
  const read = {
    id: 'call_2',
    type: 'function',
    function: { name: 'read_file', arguments: '{"path":"a.ts"}' },
  };

  async function answered(tool_calls: readonly object[], finish_reason = 'tool_calls') {
    const message = { role: 'assistant', content: null, tool_calls };
    const json = { model: 'scripted', choices: [{ index: 0, finish_reason, message }] };
    const { baseURL } = await startBodyServer({ json });
    const client = new OpenAI({ apiKey: 'none', baseURL, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'Go.' }];
    return chat.answer(
      await client.chat.completions.create({ model: 'scripted', messages, tools: chat.tools }),
    );
  }

  it('shows the tool as a custom tool with its grammar, if asked for', () => {
    expect(chat.tools).toMatchObject([
      {
        type: 'custom',
        custom: {
          name: 'apply_patch',
          description: 'Apply a patch.',
          format: { type: 'grammar', grammar },
        },
      },
      { type: 'function', function: { name: 'read_file' } },
    ]);
    expect(chatCompletions(tools).tools[0]).toMatchObject({
      type: 'function',
      function: { parameters: { required: ['patch'] } },
    });
    expect(() => chatCompletions(tools, { customTools: true, provider: 'mistral' })).toThrow(
      'has customTools: true with the provider "mistral", which has no custom tools: leave out customTools',
    );
  });

  it('runs calls of both sorts in their order, and gives each an output', async () => {
    const calls = [called(patch), read, called('b', 'call_3'), called('x', 'call_4', 'grep')];
    const { messages, outcomes } = await answered(calls);

    expect(texts).toEqual([patch, 'b']);
    expect(outcomes.map(({ call, status }) => [call.id, status])).toEqual([
      ['call_1', 'completed'],
      ['call_2', 'completed'],
      ['call_3', 'completed'],
    ]);
    expect(messages).toEqual([
      expect.objectContaining({ role: 'assistant', tool_calls: calls }),
      { role: 'tool', tool_call_id: 'call_1', content: `${patch.length} characters` },
      { role: 'tool', tool_call_id: 'call_2', content: 'a.ts' },
      { role: 'tool', tool_call_id: 'call_3', content: '1 characters' },
      {
        role: 'tool',
        tool_call_id: 'call_4',
        content: 'grep was not executed.\nOnly function tools can be called here.',
      },
    ]);
  });

  it('unwraps a text that is wrapped in JSON', async () => {
    const { messages } = await answered([called('{"arguments":{"Patch":"text"}}')]);

    expect(texts).toEqual(['text']);
    expect(messages[0]).toMatchObject({ tool_calls: [called('text')] });
  });

  it.each(['length', 'content_filter'])('runs no text that %s cut off', async (reason) => {
    const { outcomes, messages, toolChoice } = await answered([called('*** Begin Pa')], reason);

    expect(texts).toEqual([]);
    expect(outcomes).toMatchObject([
      { status: 'invalid_arguments', interpretation: { issues: [{ keyword: 'truncated' }] } },
    ]);
    expect(messages[0]).toMatchObject({ tool_calls: [called('*** Begin Pa')] });
    expect(messages[1]).toMatchObject({ role: 'tool', tool_call_id: 'call_1' });
    expect(toolChoice).toEqual({ type: 'custom', custom: { name: 'apply_patch' } });
  });

  const chunk = (delta: object, finish_reason: string | null = null) =>
    sent({ model: 'scripted', choices: [{ index: 0, delta, finish_reason }] });

  const collect = (...chunks: readonly object[]) => {
    const collector = new ChatCollector();
    for (const one of chunks) collector.add(sent(one));
    return chat.answer(collector);
  };
  const pieces = [
    chunk({ role: 'assistant', tool_calls: [{ index: 0, ...called('') }] }),
    chunk({ tool_calls: [{ index: 0, custom: { input: '{"not": ' } }] }),
    chunk({ tool_calls: [{ index: 0, custom: { input: 'JSON' } }] }),
    chunk({ tool_calls: [{ index: 1, ...read, function: { name: 'read_file', arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 1, function: { arguments: '{"path":"a.ts"}' } }] }),
  ];

  it('is collected from a stream', async () => {
    const { messages } = await collect(...pieces, chunk({}, 'tool_calls'));

    expect(texts).toEqual(['{"not": JSON']);
    expect(messages).toMatchObject([
      { tool_calls: [called('{"not": JSON'), read] },
      { tool_call_id: 'call_1', content: '12 characters' },
      { tool_call_id: 'call_2', content: 'a.ts' },
    ]);
  });

  it('does not run if the stream breaks off', async () => {
    const { outcomes } = await collect(...pieces.slice(0, 2));

    expect(texts).toEqual([]);
    expect(outcomes).toMatchObject([{ status: 'invalid_arguments' }]);
  });
});

it('a definition that is wrong is refused', () => {
  const definition = {
    name: 'a',
    description: 'A.',
    execute: () => '',
    grammar: { syntax: 'ebnf' },
  };
  expect(() => Reflect.apply(textTool, undefined, [definition])).toThrow(
    "textTool has \"ebnf\" for grammar.syntax: write 'lark' or 'regex'",
  );
});
