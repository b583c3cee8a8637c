// repairToolCalls(tools) behind a real model of LangChain, with tools of its own.
import { AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { repairToolCalls } from 'toolmend/langchain';
import { z } from 'zod';
import { callTurn, chatModel, quietly } from '../scripted-models.ts';
import { startScriptedServer } from '../scripted-server.ts';

const forecast = tool(({ cities, days }) => `${cities.join(' and ')}: ${days}`, {
  name: 'forecast',
  description: 'Forecast.',
  schema: z.object({ cities: z.array(z.string()), days: z.int().default(1) }),
});
const now = tool(() => 'noon', {
  name: 'now',
  description: 'Time.',
  schema: { type: 'object', properties: { zone: { type: 'string' } } },
});
const tools = [forecast, now];

async function answered(name: string, args: string): Promise<AIMessage> {
  const { baseURL } = await startScriptedServer(callTurn(name, args));
  return quietly(() =>
    chatModel(baseURL).bindTools(tools).pipe(repairToolCalls(tools)).invoke('Go.'),
  );
}

test.each([
  [
    'one value for an array',
    'forecast',
    '{"cities":"Graz","days":"2"}',
    { cities: ['Graz'], days: 2 },
  ],
  ['Python for JSON', 'forecast', "{'cities': ['Graz']}", { cities: ['Graz'] }],
  ['a misspelt name', 'Forecast', '{"cities":["Graz"]}', { cities: ['Graz'] }],
])('%s is repaired, and the tool runs', async (_what, name, text, args) => {
  const { tool_calls: calls = [], invalid_tool_calls: invalid } = await answered(name, text);

  expect(calls).toEqual([{ type: 'tool_call', id: 'call_1', name: 'forecast', args }]);
  expect(invalid).toEqual([]);
  const [call] = calls;
  expect(call && (await forecast.invoke(call)).content).toMatch(/^Graz: [12]$/);
});

test('the inner arguments of a tool that calls others are repaired by their own schema', () => {
  const callTool = tool(() => 'done', {
    name: 'call_tool',
    description: 'Call a tool.',
    schema: z.object({ tool_name: z.string(), parameters: z.looseObject({}) }),
  });
  const repair = repairToolCalls([...tools, callTool], {
    dispatches: { call_tool: { name: 'tool_name', arguments: 'parameters' } },
  });
  const args = (cities: unknown) => ({ tool_name: 'forecast', parameters: { cities } });
  const sent = { id: 'call_1', name: 'call_tool', type: 'tool_call' } as const;
  const repaired = (cities: unknown) =>
    repair(new AIMessage({ content: '', tool_calls: [{ ...sent, args: args(cities) }] }));

  expect(repaired('Graz').tool_calls).toMatchObject([{ args: args(['Graz']) }]);
  expect(repaired([1, null]).invalid_tool_calls).toMatchObject([
    { name: 'call_tool', error: expect.stringContaining('parameters.cities') },
  ]);
});

test('a JSON Schema tool beside it is repaired too', async () => {
  expect((await answered('now', '{"Zone":"CET"}')).tool_calls).toMatchObject([
    { args: { zone: 'CET' } },
  ]);
});

test.each([
  ['a valid call', 'forecast', '{"cities":["Graz"]}'],
  ['a call that lacks something', 'forecast', '{"days":1}'],
  ['a call of another tool', 'write', '{"a":1}'],
])('%s stays as it is', async (_what, name, text) => {
  const { tool_calls: calls } = await answered(name, text);
  expect(calls).toMatchObject([{ id: 'call_1', name, args: JSON.parse(text) }]);
});

test('a call that nothing can read stays among the invalid ones', async () => {
  const message = await answered('forecast', '{"cities": [[[');
  expect(message.tool_calls).toEqual([]);
  expect(message.invalid_tool_calls).toMatchObject([{ name: 'forecast', args: '{"cities": [[[' }]);
});

test('one repaired call leaves the others of a message as they are', () => {
  const message = new AIMessage({
    content: '',
    tool_calls: [
      { id: '1', name: 'forecast', args: { cities: 'Graz' } },
      { id: '2', name: 'write', args: { a: 1 } },
    ],
    invalid_tool_calls: [{ id: '3', name: 'forecast', args: '{', error: 'Malformed args.' }],
  });
  const repaired = repairToolCalls(tools)(message);

  expect(repaired.tool_calls).toMatchObject([
    { id: '1', name: 'forecast', args: { cities: ['Graz'] } },
    { id: '2', name: 'write', args: { a: 1 } },
  ]);
  expect(repaired.invalid_tool_calls).toMatchObject([{ id: '3', args: '{' }]);
});

test('an unknown option is an error', () => {
  expect(() => Reflect.apply(repairToolCalls, undefined, [tools, { effect: {} }])).toThrow(
    /has no option "effect"/,
  );
});

test('what the schema of a tool accepts is not changed, and asynchronous parts of it are left to the tool', () => {
  const split = (tags: unknown) => (typeof tags === 'string' ? tags.split(',') : tags);
  const tag = tool(({ tags }) => tags.join(' and '), {
    name: 'tag',
    description: 'Tag.',
    schema: z.object({ tags: z.preprocess(split, z.array(z.string())) }),
  });
  const reserve = tool(({ nights }) => nights, {
    name: 'reserve',
    description: 'Reserve.',
    schema: z.object({ name: z.string().refine(() => Promise.resolve(true)), nights: z.int() }),
  });
  const message = new AIMessage({
    content: '',
    tool_calls: [
      { id: '1', name: 'tag', args: { tags: 'a,b' } },
      { id: '2', name: 'reserve', args: { name: 'ada', nights: '2' } },
    ],
  });

  expect(repairToolCalls([tag, reserve])(message).tool_calls).toMatchObject([
    { args: { tags: 'a,b' } },
    { args: { name: 'ada', nights: 2 } },
  ]);
});

const schemaOf = (name: string, schema: object) =>
  tool(() => 'ran', { name, description: 'Runs.', schema: schema as typeof forecast.schema });

test.each([
  ['zod drops a misspelt key', forecast, { cities: ['Graz'], day: '3' }, /day/],
  [
    'a JSON Schema takes any key',
    schemaOf('now', { type: 'object', properties: { timeZone: { type: 'string' } } }),
    { time_zone: 'CET', TimeZone: 'EET' },
    /timeZone/,
  ],
])(
  'a call that LangChain would run though it is refused does not run: %s',
  (_why, one, args, error) => {
    const message = new AIMessage({
      content: [{ type: 'tool_use', id: '1', name: one.name, input: args }],
      tool_calls: [
        { id: '1', name: one.name, args },
        { id: '2', name: 'write', args: { a: 1 } },
      ],
    });
    const { tool_calls, invalid_tool_calls, content } = repairToolCalls([one])(message);

    expect(tool_calls).toMatchObject([{ id: '2', name: 'write', args: { a: 1 } }]);
    expect(invalid_tool_calls).toEqual([
      {
        type: 'invalid_tool_call',
        id: '1',
        name: one.name,
        args: JSON.stringify(args),
        error: expect.stringMatching(error),
      },
    ]);
    expect(JSON.stringify(content)).not.toContain('tool_use');
  },
);

test('a call that was cut off, which LangChain has completed, does not run', () => {
  const sent = {
    id: '1',
    type: 'function',
    function: { name: 'forecast', arguments: '{"cities":["Gra' },
  };
  const message = new AIMessage({
    content: '',
    tool_calls: [{ id: '1', name: 'forecast', args: { cities: ['Gra'] } }],
    additional_kwargs: Object.fromEntries([['tool_calls', [sent]]]),
    response_metadata: { finish_reason: 'length' },
  });
  const { tool_calls, invalid_tool_calls } = repairToolCalls(tools)(message);

  expect(tool_calls).toEqual([]);
  expect(invalid_tool_calls).toMatchObject([{ id: '1', args: '{"cities":["Gra' }]);
});
