import { IsIn, IsInt, IsOptional } from 'class-validator';
import {
  ArrayOf,
  Check,
  PathField,
  type RegisteredTool,
  RepairStats,
  Secret,
  Tool,
  ToolFailure,
  ToolRegistry,
  ToolRun,
  type ToolCall,
  type ToolListener,
} from 'toolmend';
import { objectOf, texts } from '../schemas.ts';
import { callTo, RecordingListener, thrower, toolOf, unhandledDuring } from '../tools.ts';

@Tool({ description: 'Reads files.', effects: 'read' })
class ReadFiles {
  @ArrayOf(String) @PathField() paths!: string[];
  @IsOptional() @IsInt() offset?: number;
  @IsOptional() @IsInt() limit?: number;
  @IsOptional() @IsIn(['SECRET-1']) @Secret() token?: string;
  @Check() isKnown(): true | string {
    return !this.paths.includes('check') || thrower(new Error('SECRET-in-check'))();
  }
  execute(): string {
    if (this.paths.includes('fail')) throw new ToolFailure('SECRET-failure');
    if (this.paths.includes('throw')) throw new Error('SECRET-error');
    return 'SECRET-result';
  }
}

const callOf = (args: unknown, rest: Partial<ToolCall> = {}) =>
  callTo('read_files', JSON.stringify(args), { model: 'qwen3', ...rest });

/** What listeners hear of these calls. */
async function heardOf(...calls: readonly ToolCall[]) {
  const listener = new RecordingListener();
  const outcomes = await new ToolRegistry({ listeners: [listener] })
    .register(ReadFiles)
    .callAll(calls);
  return { events: listener.events, errors: listener.errors, outcomes };
}

const ofCall = { tool: 'read_files', callId: 'call_1', model: 'qwen3' };
const duration = expect.any(Number);
const executed = {
  ...ofCall,
  type: 'tool_executed',
  input: 'unchanged',
  status: 'completed',
  duration,
};

describe('the events', () => {
  it('of a valid call are its execution', async () => {
    expect((await heardOf(callOf({ paths: ['a'] }))).events).toEqual([executed]);
  });

  it('of a repaired call are each rule and path, and its execution; both have the name that was sent', async () => {
    const requested = '"ReadFiles"';
    const repairs = [
      { rule: 'tool_name', path: '' },
      { rule: 'drop_null', path: '/offset' },
      { rule: 'json_text_to_array', path: '/paths' },
    ];
    const { events } = await heardOf(
      callOf({ paths: '["a"]', offset: null }, { name: 'ReadFiles' }),
    );
    const repairEvent = { ...ofCall, type: 'tool_input_repaired', requested, repairs };
    expect(events).toEqual([repairEvent, { ...executed, input: 'repaired', requested }]);
  });

  it('of a rejected call are the keywords, paths and keys of its issues', async () => {
    const { events } = await heardOf(
      callOf({ file: 'a', [`k${'x'.repeat(300)}`]: 1, limit: 'SECRET-word' }),
    );
    const issues = [
      { keyword: 'required', path: '', key: 'paths' },
      { keyword: 'additionalProperties', path: '', key: 'file' },
      { keyword: 'additionalProperties', path: '', key: `k${'x'.repeat(199)}` },
      { keyword: 'type', path: '/limit' },
    ];
    expect(events).toEqual([{ ...ofCall, type: 'tool_input_invalid', issues }]);
  });

  it('of a call to an unknown tool have no tool', async () => {
    const { tool: _tool, ...others } = ofCall;
    const { events } = await heardOf(callOf({}, { name: `send_mail\u202e${'x'.repeat(999)}` }));
    const requested = expect.stringMatching(/^"send_mail x+…"$/);
    const issues = [{ keyword: 'unknown_tool', path: '' }];
    expect(events).toEqual([{ ...others, type: 'tool_input_invalid', requested, issues }]);
  });

  it('of a failed call have the id of an exception, which is reported as an error', async () => {
    const { events, errors } = await heardOf(
      callOf({ paths: ['fail'] }),
      callOf({ paths: ['throw'] }),
    );
    const errorId = errors[0]?.errorId;
    expect(errorId).toMatch(/^[0-9a-f]{8}$/);
    expect(errors).toEqual([{ ...ofCall, errorId, error: new Error('SECRET-error') }]);
    const failureEvent = { ...executed, status: 'failed' };
    expect(events).toEqual([failureEvent, { ...failureEvent, errorId }]);
  });

  it('are deeply frozen', async () => {
    const { events } = await heardOf(callOf({ paths: '["a"]' }), callOf({ paths: [1.5] }));
    const parts = events.flatMap((event) => [event, ...Object.values(event)]);
    expect(parts.every(Object.isFrozen)).toBe(true);
  });
});

it('values of arguments, results and exceptions are in no event, error or count', async () => {
  const secret = 'SECRET-value';
  const encodedArguments = JSON.stringify({
    paths: [secret],
    token: { type: 'string', value: 'SECRET-1' },
  });
  const argumentList: readonly unknown[] = [
    { paths: secret, token: 'SECRET-1' },
    { paths: `["${secret}"]`, token: ['SECRET-1'], offset: null },
    { paths: [{ value: secret }], Token: [secret] },
    { path: secret, token: secret },
    { paths: ['a'], limit: secret },
    { paths: ['throw', secret] },
    { paths: ['fail', secret] },
    { arguments: encodedArguments },
    { paths: ['a'], limit: 1n, at: secret },
    `{'paths': ['${secret}'], 'paths': ['${secret}']}`,
    `{"paths": ["${secret}`,
    secret,
  ];
  const listener = new RecordingListener();
  const stats = new RepairStats();
  const tools = new ToolRegistry({ listeners: [listener, stats] }).register(ReadFiles);
  for (const one of argumentList) await tools.call(callOf({}, { arguments: one }));
  await tools.call(callOf({ paths: [secret] }, { name: 'read_filez' }));
  expect(listener.events.length).toBeGreaterThan(argumentList.length);
  expect(JSON.stringify([listener.events, stats.snapshot()])).not.toContain('SECRET');
});

describe('a listener', () => {
  const refuse = thrower(new Error('no'));
  const never = (): Promise<void> => new Promise(() => {});

  it.each<[string, ToolListener]>([
    ['throws', { onEvent: refuse, onError: refuse }],
    ['rejects', { onEvent: async () => refuse(), onError: async () => refuse() }],
    ['never settles', { onEvent: never, onError: never }],
    ['returns what throws when it is awaited', { onEvent: () => new Proxy({}, { get: refuse }) }],
    ['has no methods', {}],
    ['throws when it is inspected', new Proxy({}, { get: refuse })],
  ])('that %s changes nothing, and others are called', async (_title, listener) => {
    const nextListener = new RecordingListener();
    const tools = new ToolRegistry({ listeners: [listener, nextListener] }).register(ReadFiles);
    const unhandled = await unhandledDuring(async () => {
      const argumentList = [{ paths: '["a"]' }, { paths: ['throw'] }, {}];
      const outcomes = await tools.callAll(argumentList.map((one) => callOf(one)));
      expect(outcomes.map(({ status }) => status)).toEqual([
        'completed',
        'failed',
        'invalid_arguments',
      ]);
    });
    expect([nextListener.events.length, nextListener.errors.length, unhandled]).toEqual([4, 1, []]);
  });
});

describe('RepairStats', () => {
  const none = { unchanged: 0, repaired: 0, rejected: 0, refused: 0, rules: {} };
  const countedRegistry = (...registeredTools: readonly RegisteredTool[]) => {
    const stats = new RepairStats();
    return { stats, tools: new ToolRegistry({ listeners: [stats] }).register(...registeredTools) };
  };
  const plain = (stats: RepairStats): unknown => JSON.parse(JSON.stringify(stats.snapshot()));

  it('counts calls, not places, by model, tool and rule', async () => {
    const work = toolOf(() => 'done', { inputSchema: objectOf({ lines: texts }, ['lines']) });
    const { tools, stats } = countedRegistry(ReadFiles, work);
    expect(plain(stats)).toEqual({});
    const { model: _model, ...nameless } = callOf({ paths: ['a'] });
    for (const call of [
      callOf({ paths: ['throw'] }),
      callOf({ paths: '["a"]', offset: null, limit: null }),
      callOf({ paths: ['a'], offset: null }, { name: 'readFiles' }),
      callOf({}),
      callOf({ lines: '["a"]' }, { name: 'work' }),
      callOf({}, { name: 'work', model: 'glm' }),
      callOf({}, { name: 'send_mail', model: 'glm' }),
      nameless,
    ])
      await tools.call(call);
    const rules = { drop_null: 2, json_text_to_array: 1, tool_name: 1 };
    expect(plain(stats)).toEqual({
      '(unknown model)': { read_files: { ...none, unchanged: 1 } },
      glm: { '(unknown tool)': { ...none, rejected: 1 }, work: { ...none, rejected: 1 } },
      qwen3: {
        read_files: { ...none, unchanged: 1, repaired: 2, rejected: 1, rules },
        work: { ...none, repaired: 1, rules: { json_text_to_array: 1 } },
      },
    });
  });

  it('counts refused calls apart', async () => {
    const { tools, stats } = countedRegistry(toolOf(() => 'done'));
    const call = { id: 'call_1', name: 'work', arguments: '{}', model: 'glm' };
    const run = new ToolRun({ callLimit: 2 });
    for (const oneCall of [call, { ...call, arguments: "{'x': null}" }, call])
      await tools.call(oneCall, { run });
    await tools.close();
    await tools.call({ ...call, name: 'Work' });
    const rules = { loose_json: 1, tool_name: 1 };
    const work = { ...none, unchanged: 1, repaired: 2, refused: 2, rules };
    expect(plain(stats)).toEqual({ glm: { work } });
  });

  it('gives snapshots that are deeply frozen', async () => {
    const { tools, stats } = countedRegistry(ReadFiles);
    await tools.call(callOf({ paths: '["a"]' }));
    const snapshot = stats.snapshot();
    await tools.call(callOf({ paths: '["a"]' }));
    const counts = snapshot['qwen3']?.['read_files'];
    expect(counts?.repaired).toBe(1);
    expect(stats.snapshot()['qwen3']?.['read_files']?.repaired).toBe(2);
    expect([snapshot, snapshot['qwen3'], counts, counts?.rules].every(Object.isFrozen)).toBe(true);
  });

  it('accepts any name of a model', async () => {
    const { tools, stats } = countedRegistry(ReadFiles);
    const models = ['__proto__', 'constructor', 'toString'];
    for (const model of models) await tools.call(callOf({ paths: ['a'] }, { model }));
    expect(Object.keys(stats.snapshot())).toEqual(models);
    expect(Reflect.get(stats.snapshot(), 'valueOf')).toBeUndefined();
    expect(Reflect.get({}, 'read_files')).toBeUndefined();
  });
});

it('a check that throws is an error for listeners, and an internal error for the model', async () => {
  const { events, errors, outcomes } = await heardOf(callOf({ paths: ['check'] }));
  const errorId = errors[0]?.errorId;
  expect(errorId).toMatch(/^[0-9a-f]{8}$/);
  const message = `read_files was not executed.\nAn internal error occurred (error ${errorId}).`;
  expect(outcomes).toMatchObject([{ status: 'invalid_arguments', message, errorId }]);
  expect(errors).toEqual([{ ...ofCall, errorId, error: new Error('SECRET-in-check') }]);
  expect(events.map(({ type }) => type)).toEqual(['tool_input_invalid']);
  expect(JSON.stringify([outcomes, events])).not.toContain('SECRET');
});

describe('whose call an event is about', () => {
  const eventsOf = async (options: {
    readonly eventArguments?: boolean;
  }): Promise<readonly unknown[]> => {
    const listener = new RecordingListener();
    const tools = new ToolRegistry({ ...options, listeners: [listener] }).register(ReadFiles);
    const owner = { tenant: 'ada', conversation: 'chat_1', run: new ToolRun({ id: 'run_1' }) };
    await tools.call(callOf({ paths: 'a' }), owner);
    await tools.call(callOf({ limit: 1 }), owner);
    await tools.call(callOf({ paths: ['throw'] }), owner);
    return [...listener.events, ...listener.errors];
  };

  it('is in every event and error, if the options of the call said so', async () => {
    const all = await eventsOf({});
    expect(all).toHaveLength(5);
    for (const event of all)
      expect(event).toMatchObject({ tenant: 'ada', conversation: 'chat_1', run: 'run_1' });
    expect(JSON.stringify(all)).not.toContain('arguments');
    expect(all[2]).toMatchObject({ issues: [{ keyword: 'required', path: '', key: 'paths' }] });
  });

  it('comes with the arguments as sent, if they are asked for', async () => {
    const all = await eventsOf({ eventArguments: true });
    expect(all).toMatchObject([
      { type: 'tool_input_repaired', arguments: '{"paths":"a"}' },
      { type: 'tool_executed' },
      { type: 'tool_input_invalid', arguments: '{"limit":1}' },
      { type: 'tool_executed' },
      {},
    ]);
    expect(all.filter((event) => 'arguments' in Object(event))).toHaveLength(2);
  });
});
