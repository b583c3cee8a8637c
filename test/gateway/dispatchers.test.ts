// Tools that call other tools by name, behind the gateway.
import { DefinitionError } from 'toolmend';
import {
  checkedSettings,
  gatewayOptions,
  type GatewaySettings,
} from '../../src/gateway/gateway-options.ts';
import { type Api, type GatewayCase, textApis, valueApis } from './exchanges.ts';
import { KeptRecord, ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

const readFile = {
  type: 'object',
  properties: { path: { type: 'string' }, limit: { type: 'integer' } },
  required: ['path'],
  additionalProperties: false,
};
const dispatches = { name: 'tool_name', arguments: 'parameters' };
const listed: GatewaySettings = {
  dispatches: { 'call_*': { ...dispatches, tools: { read_file: readFile } } },
};

const recorded = (text: string): GatewayCase => ({
  id: 'dispatched',
  tool: 'call_tool',
  schema: {
    type: 'object',
    properties: { tool_name: { type: 'string' }, parameters: { type: 'object' } },
    required: ['tool_name'],
  },
  text,
  finishReason: undefined,
  expect: { outcome: 'repaired' },
});

/** What the client gets of a call, and its verdict. */
async function exchange(api: Api, text: string, settings: GatewaySettings, more: object = {}) {
  const call = recorded(text);
  const upstream = await startUpstream(() => ({ type: api.type, chunks: [api.answer(call)] }));
  const record = new KeptRecord({ writeLine: undefined, contents: false });
  const { port } = await startTestGateway(upstream.origin, settings, record);
  const request = { ...Object(api.request(call)), ...more };
  const { bytes } = await ask(port, api.path, { body: JSON.stringify(request) });
  await record.added;
  return {
    answer: bytes.toString(),
    arguments: api.argumentsIn(bytes.toString()),
    verdict: record.ends[0]?.calls[0]?.verdict,
  };
}

const nearMiss = '{"tool_name":"readFile","parameters":{"Path":"a","limit":"5"}}';

test.each([...textApis, ...valueApis].map((api) => [api.name, api] as const))(
  '%s: the inner arguments are repaired by the schema of the inner tool',
  async (_name, api) => {
    const { arguments: passed } = await exchange(api, nearMiss, listed);

    expect(JSON.parse(passed)).toEqual({
      tool_name: 'read_file',
      parameters: { path: 'a', limit: 5 },
    });
  },
);

const [chat] = textApis;
if (chat === undefined) throw new Error('there is no API');

test('a valid call passes as it came', async () => {
  const valid = '{"tool_name": "read_file", "parameters": {"path": "a"}}';

  expect(await exchange(chat, valid, listed)).toMatchObject({
    arguments: valid,
    verdict: { kind: 'unchanged' },
  });
});

test('inner arguments as text become an object', async () => {
  const parameters = '{"path":"a","limit":"5"}';
  const text = JSON.stringify({ tool_name: 'read_file', parameters });

  expect(JSON.parse((await exchange(chat, text, listed)).arguments)).toEqual({
    tool_name: 'read_file',
    parameters: { path: 'a', limit: 5 },
  });
});

test('numbers keep their digits if the name is repaired', async () => {
  const text = '{"tool_name":"readFile","parameters":{"path":"a","limit":90071992547409931}}';

  expect((await exchange(chat, text, listed)).arguments).toBe(
    text.replace('readFile', 'read_file'),
  );
});

test.each([
  [
    'what the inner tool does not take',
    '{"tool_name":"read_file","parameters":{"limit":5}}',
    'parameters.path is missing',
  ],
  [
    'a name of no tool that is listed',
    '{"tool_name":"write_file","parameters":{}}',
    'names no tool',
  ],
])('%s is rejected', async (_title, text, says) => {
  expect((await exchange(chat, text, listed)).verdict).toMatchObject({
    kind: 'rejected',
    message: expect.stringContaining(says),
  });
});

describe('without a list', () => {
  const settings = { dispatches: { call_tool: dispatches } };
  const tools = (call: GatewayCase) => [
    { type: 'function', function: { name: 'call_tool', parameters: call.schema } },
    { type: 'function', function: { name: 'read_file', parameters: readFile } },
  ];

  test('the other tools of the request count', async () => {
    const more = { tools: tools(recorded('')) };
    const { arguments: passed } = await exchange(chat, nearMiss, settings, more);

    expect(JSON.parse(passed).parameters).toEqual({ path: 'a', limit: 5 });
  });

  test('the arguments of a tool that the request does not have pass as they came', async () => {
    const { arguments: passed, verdict } = await exchange(chat, nearMiss, settings);

    expect(passed).toBe(nearMiss);
    expect(verdict).toEqual({ kind: 'unchanged' });
  });
});

test('the effects of the inner tool count', async () => {
  const text = '{"tool_name":"read_file","parameters":{"path":"a","limit":null}}';
  const { verdict } = await exchange(chat, text, {
    ...listed,
    effects: { read_file: 'destructive' },
  });

  expect(verdict).toMatchObject({ kind: 'rejected', issues: [{ keyword: 'not_confirmed' }] });
});

test('a schema that can not be used is refused at the start', () => {
  const dispatch = { ...dispatches, tools: { read_file: { type: 'object', properties: 5 } } };
  const settings = checkedSettings('test', {
    upstreams: [{ url: 'http://127.0.0.1:1' }],
    dispatches: { call_tool: dispatch },
  });

  expect(() => gatewayOptions(settings, {})).toThrow(DefinitionError);
});
