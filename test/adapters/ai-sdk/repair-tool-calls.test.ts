// repairToolCalls() in the real SDK: tools with zod schemas, tools of a registry, and both.
import {
  dynamicTool,
  generateText,
  isStepCount,
  jsonSchema,
  streamText,
  tool,
  type ToolSet,
} from 'ai';
import { type Interpretation, type ToolOutcome, ToolRegistry } from 'toolmend';
import { repairToolCalls, type RepairToolCallsOptions, toAiSdk } from 'toolmend/ai-sdk';
import { z } from 'zod';
import { toolOf } from '../../tools.ts';
import { aiModel, callTurn as call, done, scriptedAiModel } from '../scripted-models.ts';
import { startScriptedServer, type Turn } from '../scripted-server.ts';

const forecast = tool({
  description: 'Forecast.',
  inputSchema: z.object({
    cities: z.array(z.string()),
    days: z.int().default(1),
    since: z
      .string()
      .transform((text) => new Date(text))
      .optional(),
  }),
  execute: ({ cities, days, since }) =>
    `${cities.join(' and ')}: ${days} ${since instanceof Date ? since.getUTCFullYear() : 'now'}`,
});

const book = tool({
  description: 'Book a room.',
  inputSchema: z
    .object({ room: z.string(), nights: z.int() })
    .refine(({ nights }) => nights < 30, 'nights: under 30'),
  execute: ({ room, nights }) => `${room} for ${nights}`,
});

const registry = new ToolRegistry().register(
  toolOf(({ paths }) => `read ${JSON.stringify(paths)}`, {
    name: 'read_files',
    inputSchema: {
      type: 'object',
      properties: { paths: { type: 'array', items: { type: 'string' } } },
      required: ['paths'],
    },
  }),
);

/** What the model read of the first call, and what the SDK kept of it. */
async function generated(turn: Turn, tools: ToolSet, repairToolCall = repairToolCalls()) {
  const server = await startScriptedServer(turn, done);
  const asked = {
    model: aiModel(server.baseURL),
    prompt: 'Go.',
    stopWhen: isStepCount(2),
    maxRetries: 0,
  };
  const result = await generateText({ ...asked, tools, repairToolCall });
  const { messages = [] } = server.requests[1] ?? {};
  const read: unknown = messages.at(-1)?.content;
  return {
    read,
    toolCall: result.steps[0]?.toolCalls[0],
    sent: messages[1]?.tool_calls[0].function,
  };
}

test('the inner arguments of a tool that calls others are repaired by their own schema', async () => {
  const callTool = tool({
    description: 'Call a tool.',
    inputSchema: z.object({ tool_name: z.string(), parameters: z.looseObject({}) }),
    execute: ({ tool_name, parameters }) => `${tool_name} ${JSON.stringify(parameters)}`,
  });
  const dispatches = { call_tool: { name: 'tool_name', arguments: 'parameters' } };
  const sent = "{'tool_name': 'forecast', 'parameters': {'cities': 'Graz'}}";
  const { read } = await generated(
    call('call_tool', sent),
    { forecast, call_tool: callTool },
    repairToolCalls({ dispatches }),
  );
  expect(read).toBe('forecast {"cities":["Graz"]}');
});

describe('a toolset with zod schemas', () => {
  const tools = { forecast, book };

  test('a valid call is not touched, and the hook is not called', async () => {
    const seen: Interpretation[] = [];
    const { read } = await generated(
      call('forecast', '{"cities":["Graz"],"since":"2020-01-01"}'),
      tools,
      repairToolCalls({ onInterpretation: (interpretation) => seen.push(interpretation) }),
    );

    expect(read).toBe('Graz: 1 2020');
    expect(seen).toEqual([]);
  });

  test.each([
    [
      'a stringified array',
      'forecast',
      '{"cities":"[\\"Graz\\", \\"Wien\\"]"}',
      'Graz and Wien: 1 now',
    ],
    [
      'one value for an array, and a number',
      'forecast',
      '{"cities":"Graz","days":"3"}',
      'Graz: 3 now',
    ],
    ['Python for JSON', 'forecast', "{'cities': ['Graz'], 'days': 2}", 'Graz: 2 now'],
    [
      'a transform behind a repair',
      'forecast',
      '{"cities":"Graz","since":"2020-01-01"}',
      'Graz: 1 2020',
    ],
    ['a misspelt name', 'functions.Forecast', '{"cities":["Graz"]}', 'Graz: 1 now'],
    ['a misspelt name and a near-miss', 'FORECAST', '{"cities":"Graz"}', 'Graz: 1 now'],
  ])('%s is repaired', async (_what, name, text, expected) => {
    const { read, toolCall } = await generated(call(name, text), tools);

    expect(read).toBe(expected);
    expect(toolCall).toMatchObject({ toolName: 'forecast' });
  });

  test('a refused call says what to send', async () => {
    const { read } = await generated(call('book', '{"room":"blue"}'), tools);

    expect(read).toMatch(
      /book was not executed\.\n- nights is missing[^]*Expected: \{ room: string, nights: integer/,
    );
  });

  test('a refinement that fails speaks for itself', async () => {
    for (const text of ['{"room":"blue","nights":40}', '{"room":"blue","nights":"40"}'])
      expect((await generated(call('book', text), tools)).read).toMatch(/nights: under 30/);
  });

  test('an unknown tool is left to the SDK', async () => {
    const { read } = await generated(call('delete_all', '{}'), tools);

    expect(read).toMatch(/unavailable tool 'delete_all'\. Available tools: forecast, book\./);
  });

  test('the SDK streams the repaired call', async () => {
    const model = await scriptedAiModel(call('forecast', "{'cities': 'Graz'}"));
    const { toolResults } = streamText({
      model,
      prompt: 'Go.',
      tools,
      repairToolCall: repairToolCalls(),
    });

    expect(await toolResults).toMatchObject([
      { input: { cities: ['Graz'], days: 1 }, output: 'Graz: 1 now' },
    ]);
  });
});

describe('a missing end', () => {
  const text = '{"room":"blue","nights":3';
  const unended = (tools: ToolSet, options?: RepairToolCallsOptions) =>
    generated(call('book', text), tools, repairToolCalls(options));

  test('is refused, because the answer may have been cut off', async () => {
    expect((await unended({ book })).read).toMatch(/cut off before their end/);
  });

  test('is repaired if the program says so', async () => {
    expect((await unended({ book }, { repairMissingEnd: true })).read).toBe('blue for 3');
  });

  test('is refused nevertheless if the tool needs an approval or has no execute', async () => {
    const options = { repairMissingEnd: true };
    for (const cautious of [
      { ...book, needsApproval: true },
      { ...book, execute: undefined },
    ])
      expect(await unended({ book: cautious as ToolSet[string] }, options)).toMatchObject({
        toolCall: { invalid: true },
      });
  });

  test('of an answer that was cut off: no call runs', async () => {
    const cut = { ...call('book', text), finishReason: 'length' };
    const { read } = await generated(cut, { book }, repairToolCalls({ repairMissingEnd: true }));
    expect(read).toBeUndefined();
  });
});

test('a destructive tool only gets repairs that lose nothing', async () => {
  const tools = {
    remove: tool({
      description: 'Delete.',
      inputSchema: z.strictObject({ ids: z.array(z.int()) }),
      execute: ({ ids }) => `deleted ${ids.join()}`,
    }),
  };
  const repair = repairToolCalls({ effects: { remove: 'destructive' } });
  const lossy = call('remove', '{"ids":[7],"reason":null}');

  expect((await generated(call('remove', '{"ids":"[7]"}'), tools, repair)).read).toBe('deleted 7');
  expect((await generated(lossy, tools, repair)).read).toMatch(
    /remove was not executed\.[^]*send exactly: \{"ids":\[7\]\}/,
  );
  expect((await generated(lossy, tools)).read).toBe('deleted 7');
});

describe('a schema that validates asynchronously', () => {
  const reserve = tool({
    description: 'Reserve a name.',
    inputSchema: z.object({
      name: z.string().refine((name) => Promise.resolve(name !== 'ada'), 'is taken'),
      nights: z.int(),
    }),
    execute: ({ name, nights }) => `${name} for ${nights}`,
  });

  test('is waited for', async () => {
    const read = async (args: string, name = 'reserve') =>
      (await generated(call(name, args), { reserve })).read;

    expect(await read('{"name":"bob","nights":"2"}')).toBe('bob for 2');
    expect(await read('{"name":"bob","nights":2}', 'Reserve')).toBe('bob for 2');
    expect(await read('{"name":"ada","nights":"2"}')).toMatch(
      /reserve was not executed\.\n- name: is taken\./,
    );
    expect(await read('{"name":"ada","nights":2}')).toMatch(
      /reserve was not executed\.\n- name: is taken\./,
    );
  });
});

test('what the schema accepts is not changed when the name is', async () => {
  const inputSchema = z.object({
    tags: z.preprocess(
      (tags) => (typeof tags === 'string' ? tags.split(',') : tags),
      z.array(z.string()),
    ),
  });
  const tag = tool({ description: 'Tag.', inputSchema, execute: ({ tags }) => tags.join(' and ') });

  expect((await generated(call('Tag', '{"tags":"a,b"}'), { tag })).read).toBe('a and b');
});

describe('tools without a usable schema', () => {
  test('speak for themselves', async () => {
    const broken = dynamicTool({
      description: 'Broken.',
      inputSchema: jsonSchema(
        { type: 'object' },
        { validate: () => ({ success: false, error: new Error('never') }) },
      ),
      execute: () => 'ran',
    });
    const { read } = await generated(call('broken', '{"a":1}'), { broken });
    expect(read).toMatch(/broken was not executed\.\n- never\./);
  });

  test('throw nothing of their own: the SDK answers', async () => {
    const hook = repairToolCalls();
    const failed = {
      toolCall: { type: 'tool-call', toolCallId: 'a', toolName: 'x', input: '{' },
      tools: { x: { ...forecast, inputSchema: z.object({ at: z.date() }) } },
      inputSchema: () => Promise.reject(new Error('a transform has no JSON Schema')),
    };
    const without = { ...failed, tools: { x: { ...forecast, inputSchema: undefined } } };
    for (const one of [failed, without])
      expect(await Reflect.apply(hook, undefined, [one])).toBeNull();
  });
});

describe('a mixed toolset', () => {
  function mixed() {
    const outcomes: ToolOutcome[] = [];
    const settings = toAiSdk(registry, { onOutcome: (outcome) => outcomes.push(outcome) });
    return { outcomes, settings, tools: { ...settings.tools, forecast, book } };
  }

  test.each(['the hook of toAiSdk', 'repairToolCalls'])(
    'with %s, each tool is repaired',
    async (hook) => {
      const { outcomes, settings, tools } = mixed();
      const repair = hook === 'repairToolCalls' ? repairToolCalls() : settings.repairToolCall;
      const own = await generated(call('Read-Files', "{'paths': 'a.ts'}"), tools, repair);
      const foreign = await generated(call('Forecast', "{'cities': 'Graz'}"), tools, repair);

      expect(own.read).toBe('read ["a.ts"]');
      expect(outcomes).toMatchObject([{ status: 'completed', call: { name: 'Read-Files' } }]);
      expect(foreign.read).toBe('Graz: 1 now');
    },
  );

  test('a refused call of another tool gets the message of that tool', async () => {
    const { settings, tools } = mixed();
    const { read } = await generated(call('book', '{"room":1}'), tools, settings.repairToolCall);

    expect(read).toMatch(/book was not executed\.\n/);
    expect(read).not.toMatch(/no tool of this name/);
  });

  test('the message about an unknown tool names all tools', async () => {
    const { settings, tools, outcomes } = mixed();
    const { read } = await generated(call('forcast_all', '{}'), tools, settings.repairToolCall);

    expect(read).toMatch(/The tools are: read_files, forecast, book\./);
    expect(outcomes).toMatchObject([{ status: 'unknown_tool' }]);
  });

  test('a tool of the program that has the name of a registry tool is repaired by its own schema', async () => {
    const { settings } = mixed();
    const other = tool({
      description: 'Other.',
      inputSchema: z.object({ count: z.int() }),
      execute: ({ count }) => `counted ${count}`,
    });
    const sent = call('read_files', '{"count":"3"}');
    const { read } = await generated(sent, { read_files: other }, settings.repairToolCall);

    expect(read).toBe('counted 3');
  });

  test('a registry tool under another name is repaired by its registry', async () => {
    const { settings } = mixed();
    const show = settings.tools['read_files'] as ToolSet[string];
    const { read } = await generated(
      call('show', "{'paths': 'a.ts'}"),
      { show },
      settings.repairToolCall,
    );

    expect(read).toBe('read ["a.ts"]');
  });
});

test('an unknown option is an error', () => {
  expect(() => Reflect.apply(repairToolCalls, undefined, [{ effect: {} }])).toThrow(
    /has no option "effect"[^]*effects/,
  );
});
