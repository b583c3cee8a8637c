// repairMiddleware() around the real model of a provider, in the AI SDK and in Mastra.
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { generateText, isStepCount, streamText, tool, wrapLanguageModel } from 'ai';
import { type Interpretation, ToolRegistry } from 'toolmend';
import {
  repairMiddleware,
  repairToolCalls,
  type RepairToolCallsOptions,
  toAiSdk,
} from 'toolmend/ai-sdk';
import { z } from 'zod';
import { closedTool } from '../../tools.ts';
import { callTurn as call, scriptedAiModel } from '../scripted-models.ts';
import type { Turn } from '../scripted-server.ts';

const inputSchema = z.object({ cities: z.array(z.string()), days: z.int().default(1) });
const forecast = tool({
  description: 'Forecast.',
  inputSchema,
  execute: ({ cities, days }) => `${cities.join(' and ')}: ${days}`,
});

async function modelOf(turns: readonly Turn[], options?: RepairToolCallsOptions) {
  return wrapLanguageModel({
    model: await scriptedAiModel(...turns),
    middleware: repairMiddleware(options),
  });
}

async function outputs(turn: Turn, options?: RepairToolCallsOptions): Promise<readonly unknown[]> {
  const asked = { prompt: 'Go.', tools: { forecast }, stopWhen: isStepCount(1), maxRetries: 0 };
  const whole = await generateText({ ...asked, model: await modelOf([turn], options) });
  const stream = streamText({ ...asked, model: await modelOf([turn], options) });
  return [whole.toolResults, await stream.toolResults].map((results) => results[0]?.output);
}

const both = (value: unknown): readonly unknown[] => [value, value];

test.each([
  ['a valid call', 'forecast', '{"cities":["Graz"],"days":2}', 'Graz: 2'],
  [
    'a misspelt optional key, which zod would drop',
    'forecast',
    '{"cities":["Graz"],"Days":2}',
    'Graz: 2',
  ],
  ['one value for an array', 'forecast', '{"cities":"Graz"}', 'Graz: 1'],
  ['Python for JSON', 'forecast', "{'cities': ['Graz']}", 'Graz: 1'],
  ['a misspelt name', 'Forecast', '{"cities":["Graz"]}', 'Graz: 1'],
])('%s runs, streamed or not', async (_what, name, text, expected) => {
  expect(await outputs(call(name, text))).toEqual(both(expected));
});

describe('a tool that calls others', () => {
  const callTool = tool({
    description: 'Call a tool.',
    inputSchema: z.object({
      tool_name: z.string(),
      parameters: z.record(z.string(), z.unknown()),
    }),
    execute: ({ tool_name, parameters }) => `${tool_name} ${JSON.stringify(parameters)}`,
  });
  const dispatch = { name: 'tool_name', arguments: 'parameters' };
  const output = async (args: object, options: RepairToolCallsOptions) => {
    const model = await modelOf([call('call_tool', JSON.stringify(args))], options);
    const tools = { forecast, call_tool: callTool };
    const { toolResults } = await generateText({ prompt: 'Go.', tools, model, maxRetries: 0 });
    return toolResults[0]?.output;
  };
  const dispatches = { call_tool: dispatch };

  test('has the inner arguments repaired by the schema of the inner tool', async () => {
    const sent = { tool_name: 'Forecast', parameters: { cities: 'Graz', Days: '2' } };
    const repaired = 'forecast {"cities":["Graz"],"days":2}';

    expect(await output(sent, {})).toBe('Forecast {"cities":"Graz","Days":"2"}');
    expect(await output(sent, { dispatches })).toBe(repaired);
    const refused = { tool_name: 'forecast', parameters: { days: 2 } };
    expect(await output(refused, { dispatches })).toBeUndefined();
  });

  test('leaves an inner tool that the model was not shown as it is, unless the tools are listed', async () => {
    const sent = { tool_name: 'drop_table', parameters: { table: ['a'] } };
    const table = { type: 'object', properties: { table: { type: 'string' } } };
    const listed = (effects: RepairToolCallsOptions['effects']) => ({
      dispatches: { call_tool: { ...dispatch, tools: { drop_table: table } } },
      ...(effects === undefined ? {} : { effects }),
    });

    expect(await output(sent, { dispatches })).toBe('drop_table {"table":["a"]}');
    expect(await output(sent, listed(undefined))).toBe('drop_table {"table":"a"}');
    const other = { tool_name: 'forecast', parameters: {} };
    expect(await output(other, listed(undefined))).toBeUndefined();
    const unknown = { tool_name: 'drop_table', parameters: { table: 'a', why: null } };
    expect(await output(unknown, listed({ drop_table: 'destructive' }))).toBe(
      'drop_table {"table":"a","why":null}',
    );
  });

  test('is refused early if it is declared wrongly', () => {
    const wrong = { dispatches: { call_tool: { name: 'tool_name' } } };
    expect(() => Reflect.apply(repairMiddleware, undefined, [wrong])).toThrow(
      'write the argument that has the arguments for it',
    );
  });
});

test('what cannot be repaired, and what names no tool, does not run', async () => {
  for (const turn of [call('forecast', '{"days":1}'), call('delete_all', '{}')])
    expect(await outputs(turn)).toEqual(both(undefined));
});

test('a refused call that zod would accept without a key does not run, streamed or not', async () => {
  expect(await outputs(call('forecast', '{"cities":["Graz"],"dayz":3}'))).toEqual(both(undefined));
});

test('the model reads the refusal, with and without repairToolCalls', async () => {
  const text = '{"cities":["Graz"],"dayz":3}';
  for (const setting of [{}, { repairToolCall: repairToolCalls() }]) {
    const model = await modelOf([call('forecast', text)]);
    const { steps } = await generateText({ prompt: 'Go.', tools: { forecast }, model, ...setting });
    const error = steps[0]?.content.find((part) => part.type === 'tool-error')?.error;
    expect(String(error)).toContain('forecast was not executed');
  }
});

test('a registry reads what was sent, and answers a refused call itself', async () => {
  const registry = new ToolRegistry().register(
    closedTool('forecast', () => 'rain', { days: { type: 'integer' } }),
  );
  const calls: unknown[] = [];
  const settings = toAiSdk(registry, {
    onOutcome: (one) => calls.push([one.status, one.call.arguments]),
  });
  const model = await modelOf([call('forecast', '{"dayz":"q"}')]);
  await generateText({ prompt: 'Go.', model, ...settings });
  expect(calls).toEqual([['invalid_arguments', '{"dayz":"q"}']]);
});

test('a missing end is repaired if the answer has ended, and in a stream if the program says so', async () => {
  const turn = call('forecast', '{"cities":["Graz"]');
  expect(await outputs(turn)).toEqual(['Graz: 1', undefined]);
  expect(await outputs(turn, { repairMissingEnd: true })).toEqual(both('Graz: 1'));
  expect(await outputs({ ...turn, finishReason: 'length' })).toEqual(both(undefined));
});

test('a schema that validates asynchronously is waited for', async () => {
  const taken = (free: string) =>
    tool({
      description: 'Reserve.',
      inputSchema: z.object({
        name: z.string().refine((name) => Promise.resolve(name === free), 'is taken'),
        nights: z.int(),
      }),
      execute: ({ name, nights }) => `${name} for ${nights}`,
    });
  // The two have the same JSON Schema.
  const tools = { one: taken('ada'), other: taken('bob') };
  const output = async (name: string, args: string) => {
    const model = await modelOf([call(name, args)]);
    const { toolResults } = await generateText({ prompt: 'Go.', tools, model, maxRetries: 0 });
    return toolResults[0]?.output;
  };

  expect(await output('one', '{"name":"ada","nights":"2"}')).toBe('ada for 2');
  expect(await output('other', '{"name":"bob","nights":"2"}')).toBe('bob for 2');
  expect(await output('other', '{"name":"ada","nights":"2"}')).toBeUndefined();
});

test('what the schema accepts is not changed', async () => {
  const tagging = z.object({
    tags: z.preprocess(
      (tags) => (typeof tags === 'string' ? tags.split(',') : tags),
      z.array(z.string()),
    ),
  });
  const tag = tool({
    description: 'Tag.',
    inputSchema: tagging,
    execute: ({ tags }) => tags.join(' and '),
  });
  const model = await modelOf([call('tag', '{"tags":"a,b"}')]);
  const { toolResults } = await generateText({
    prompt: 'Go.',
    tools: { tag },
    model,
    maxRetries: 0,
  });
  expect(toolResults[0]?.output).toBe('a and b');
});

test('each interpretation is reported', async () => {
  const seen: Interpretation[] = [];
  await outputs(call('forecast', '{"cities":"Graz"}'), {
    onInterpretation: (one) => seen.push(one),
  });
  expect(seen.map(({ status }) => status)).toEqual(['repaired', 'repaired']);
});

/** Calls `execute` by an agent of Mastra with a wrapped model. */
async function askMastra(
  turn: Turn,
  execute: (values: unknown) => Promise<unknown>,
  schema: z.ZodType,
) {
  const forecasting = createTool({
    id: 'forecast',
    description: 'Forecast.',
    inputSchema: schema,
    execute,
  });
  const agent = new Agent({
    id: 'weather',
    name: 'weather',
    instructions: 'Forecast.',
    // Mastra's types have another stream beside `generate`, which it doesn't need.
    model: (await modelOf([turn])) as never,
    tools: { forecast: forecasting },
  });
  await agent.generate('Go.', { maxSteps: 2 });
}

test.each([
  [
    'a repaired call runs',
    'Forecast',
    "{'cities': 'Graz', 'Days': '2'}",
    [{ cities: ['Graz'], days: 2 }],
  ],
  ['a refused call that zod would accept does not', 'forecast', '{"cities":["Graz"],"dayz":3}', []],
  [
    'a refused call with text that Mastra would repair does not',
    'forecast',
    '{"cities":["it\'s Graz, Wien","a: 2026-01-01","{b:1"],"dayz":3}',
    [],
  ],
])('Mastra: %s', async (_which, name, text, expected) => {
  const seen: unknown[] = [];
  const execute = async (values: unknown) => seen.push(values);
  await askMastra(
    call(name, text),
    execute,
    expected.length === 0 ? inputSchema.partial() : inputSchema,
  );
  expect(seen).toEqual(expected);
});

test.each([
  ['text that is not JSON', inputSchema.partial(), `{'cities': ['Graz'], 'dayz': 3}`],
  ['text that was cut', inputSchema.partial(), '{"cities":["Graz","Vie'],
  ['tokens in its text', inputSchema.partial(), '{"cities":["<|a"],"dayz":"b|>"}'],
  ['a required property named error', z.object({ error: z.string() }), '{"error":"E1","code":3}'],
  ['an optional property named error', z.object({ error: z.string().optional() }), '{"eror":"E1"}'],
  ['an optional map', z.object({ labels: z.looseObject({}).optional() }), '{"label":{"a":1}}'],
])('Mastra: a refused call with %s does not run', async (_which, schema, text) => {
  const seen: unknown[] = [];
  await askMastra(call('forecast', text), async (values) => seen.push(values), schema);
  expect(seen).toEqual([]);
});
