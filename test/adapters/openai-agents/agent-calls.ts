// Calls through an agent of the OpenAI Agents SDK whose models are repaired, and what its tool gets.
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { repairToolCalls } from 'toolmend/openai-agents';
import { z } from 'zod';
import { callTurn, done } from '../scripted-models.ts';
import { startScriptedServer } from '../scripted-server.ts';

export interface AgentCall {
  /** What it is an example of. */
  readonly what: string;
  /** The arguments as the model writes them. */
  readonly text: string;
  /** What the tool gets; undefined if it doesn't run. */
  readonly values: object | undefined;
}

export const agentCalls: readonly AgentCall[] = [
  {
    what: 'a valid call',
    text: '{"cities":["Graz"],"days":2}',
    values: { cities: ['Graz'], days: 2 },
  },
  {
    what: 'one value for a list, and a number as text',
    text: '{"cities":"Graz","days":"2"}',
    values: { cities: ['Graz'], days: 2 },
  },
  { what: 'something is missing', text: '{"cities":["Graz"]}', values: undefined },
];

/** Sends a call with this text through an agent, and returns what its tool gets. */
export async function valuesThroughAgent(text: string): Promise<object | undefined> {
  let values: object | undefined;
  const forecast = tool({
    name: 'forecast',
    description: 'Forecast.',
    parameters: z.object({ cities: z.array(z.string()), days: z.int() }),
    execute: (given) => {
      values = given;
      return 'rain';
    },
  });
  const { baseURL } = await startScriptedServer(callTurn('forecast', text), done);
  const provider = new OpenAIProvider({ baseURL, apiKey: 'none', useResponses: false });
  const runner = new Runner({ modelProvider: repairToolCalls(provider), tracingDisabled: true });
  const agent = new Agent({ name: 'Weather', model: 'scripted', tools: [forecast] });
  await runner.run(agent, 'Go.');
  return values;
}
