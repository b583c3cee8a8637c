// repairToolCalls() around a model of the OpenAI Agents SDK, with tools of its own.
import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import type { Interpretation } from 'toolmend';
import { repairToolCalls, type RepairToolCallsOptions } from 'toolmend/openai-agents';
import { z } from 'zod';
import { callTurn as call, done } from '../scripted-models.ts';
import { startScriptedServer, type Turn } from '../scripted-server.ts';
import { agentCalls, valuesThroughAgent } from './agent-calls.ts';

setTracingDisabled(true);

const seen: unknown[] = [];
beforeEach(() => seen.splice(0));

const forecast = tool({
  name: 'forecast',
  description: 'Forecast.',
  parameters: z.object({ cities: z.array(z.string()), days: z.int() }),
  execute: (values) => {
    seen.push(values);
    return 'rain';
  },
});

const callTool = tool({
  name: 'call_tool',
  description: 'Call a tool.',
  strict: false,
  parameters: {
    type: 'object',
    properties: { tool_name: { type: 'string' }, parameters: { type: 'object' } },
    required: ['tool_name', 'parameters'],
    additionalProperties: true,
  },
  execute: (values) => {
    seen.push(values);
    return 'called';
  },
});

async function asked(
  turn: Turn,
  isStreamed: boolean,
  options?: RepairToolCallsOptions,
): Promise<unknown> {
  const { baseURL } = await startScriptedServer(turn, done);
  const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
  const model = repairToolCalls(new OpenAIChatCompletionsModel(client, 'scripted'), options);
  const agent = new Agent({ name: 'Weather', model, tools: [forecast, callTool] });
  if (!isStreamed) return (await run(agent, 'Go.')).finalOutput;
  const result = await run(agent, 'Go.', { stream: true });
  await result.completed;
  return result.finalOutput;
}

describe.each([
  ['whole', false],
  ['streamed', true],
])('%s', (_how, isStreamed) => {
  test.each([
    ['a valid call', 'forecast', '{"cities":["Graz"],"days":2}'],
    ['one value for an array, and a number as text', 'forecast', '{"cities":"Graz","days":"2"}'],
    ['Python for JSON', 'forecast', "{'cities': ['Graz'], 'days': 2}"],
    ['a misspelt name', 'functions.Forecast', '{"cities":["Graz"],"days":2}'],
  ])('%s runs', async (_what, name, text) => {
    expect(await asked(call(name, text), isStreamed)).toBe('done');
    expect(seen).toEqual([{ cities: ['Graz'], days: 2 }]);
  });

  test('a missing end is repaired only if the program says so', async () => {
    const turn = call('forecast', '{"cities":["Graz"],"days":2');
    await asked(turn, isStreamed);
    expect(seen).toEqual([]);
    await asked(turn, isStreamed, { repairMissingEnd: true });
    expect(seen).toEqual([{ cities: ['Graz'], days: 2 }]);
  });

  test('the inner arguments of a tool that calls others are repaired by their own schema', async () => {
    const args = { tool_name: 'forecast', parameters: { cities: 'Graz', days: '2' } };
    const dispatches = { call_tool: { name: 'tool_name', arguments: 'parameters' } };
    await asked(call('call_tool', JSON.stringify(args)), isStreamed, { dispatches });
    expect(seen).toEqual([{ tool_name: 'forecast', parameters: { cities: ['Graz'], days: 2 } }]);
  });

  test('what cannot be repaired does not run', async () => {
    const interpretations: Interpretation[] = [];
    const onInterpretation = (one: Interpretation) => interpretations.push(one);
    await asked(call('forecast', '{"cities":["Graz"]}'), isStreamed, { onInterpretation });
    expect(seen).toEqual([]);
    expect(interpretations).toMatchObject([{ status: 'rejected' }]);
  });
});

test.each(agentCalls)('a provider of models is wrapped too: $what', async ({ text, values }) => {
  expect(await valuesThroughAgent(text)).toEqual(values);
});

test.each([
  ['whose schema is not strict', '{"cities":["Graz"],"dayz":3}'],
  ['that lacks a key', '{"dayz":3}'],
])('a refused call of a tool %s does not run, and the model reads why', async (_which, text) => {
  const open = tool({
    name: 'forecast',
    description: 'Forecast.',
    strict: false,
    parameters: {
      type: 'object',
      properties: {
        cities: { type: 'array', items: { type: 'string' } },
        days: { type: 'integer' },
      },
      required: ['cities'],
      additionalProperties: false,
    } as never,
    execute: (values) => {
      seen.push(values);
      return 'rain';
    },
  });
  const { baseURL, requests } = await startScriptedServer(call('forecast', text), done);
  const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
  const model = repairToolCalls(new OpenAIChatCompletionsModel(client, 'scripted'));
  await run(new Agent({ name: 'Weather', model, tools: [open] }), 'Go.');

  expect(seen).toEqual([]);
  expect(JSON.stringify(requests.at(-1))).toContain('forecast was not executed');
});
