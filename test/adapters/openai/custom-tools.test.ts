// Tools of `textTool` as OpenAI's custom tools, with the SDK against a server on loopback.
import OpenAI from 'openai';
import { textTool, ToolRegistry } from 'toolmend';
import { ResponseCollector, responses } from 'toolmend/openai';
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
