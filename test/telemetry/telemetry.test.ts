// What do listeners learn of a call, what can they do to it, and what do the counts say?
import { setTimeout as delay } from 'node:timers/promises';
import { IsIn, IsInt, IsOptional } from 'class-validator';
import {
  ArrayOf,
  Check,
  defineTool,
  PathField,
  RepairStats,
  Secret,
  Tool,
  ToolFailure,
  ToolRegistry,
  ToolRun,
  type ToolCall,
  type ToolListener,
} from 'toolmend';
import { RecordingListener } from '../tools.ts';

@Tool({ description: 'Reads files.', effects: 'read' })
class ReadFiles {
  @ArrayOf(String) @PathField() paths!: string[];
  @IsOptional() @IsInt() offset?: number;
  @IsOptional() @IsInt() limit?: number;
  @IsOptional() @IsIn(['SECRET-1']) @Secret() token?: string;

  execute(): string {
    if (this.paths.includes('fail')) throw new ToolFailure('SECRET-failure');
    if (this.paths.includes('throw')) throw new Error('SECRET-error');
    return 'SECRET-result';
  }
}

const callOf = (sent: unknown, rest: Partial<ToolCall> = {}): ToolCall => ({
  id: 'call_1',
  name: 'read_files',
  arguments: JSON.stringify(sent),
  model: 'qwen3',
  ...rest,
});

/** What the listener was told of these calls, one after the other. */
async function told(...calls: readonly ToolCall[]): Promise<RecordingListener> {
  const listener = new RecordingListener();
  const tools = new ToolRegistry({ listeners: [listener] }).register(ReadFiles);
  for (const call of calls) await tools.call(call);
  return listener;
}

const executed = {
  type: 'tool_executed',
  tool: 'read_files',
  callId: 'call_1',
  model: 'qwen3',
  input: 'unchanged',
  status: 'completed',
  duration: expect.any(Number),
};

describe('events', () => {
  it('a valid call: executed, and nothing else', async () => {
    expect((await told(callOf({ paths: ['a'] }))).events).toEqual([executed]);
  });

  it('a repaired call: repaired with each rule and place, then executed', async () => {
    const { events } = await told(callOf({ paths: '["a"]', offset: null, limit: null }));
    expect(events).toEqual([
      {
        type: 'tool_input_repaired',
        tool: 'read_files',
        callId: 'call_1',
        model: 'qwen3',
        repairs: [
          { rule: 'drop_null', path: '/offset' },
          { rule: 'drop_null', path: '/limit' },
          { rule: 'json_text_to_array', path: '/paths' },
        ],
      },
      { ...executed, input: 'repaired' },
    ]);
  });

  it('a name that was resolved is a repair, with the name as it came', async () => {
    const { events } = await told(callOf({ paths: ['a'] }, { name: 'ReadFiles' }));
    expect(events).toEqual([
      {
        type: 'tool_input_repaired',
        tool: 'read_files',
        callId: 'call_1',
        model: 'qwen3',
        requested: '"ReadFiles"',
        repairs: [{ rule: 'tool_name', path: '' }],
      },
      { ...executed, input: 'repaired', requested: '"ReadFiles"' },
    ]);
  });

  it('a rejected call: keywords and places of its issues', async () => {
    const { events } = await told(callOf({ paths: ['a'], limit: 'SECRET-word' }));
    expect(events).toEqual([
      {
        type: 'tool_input_invalid',
        tool: 'read_files',
        callId: 'call_1',
        model: 'qwen3',
        issues: [{ keyword: 'type', path: '/limit' }],
      },
    ]);
  });

  it('a rejected call: the keys that are missing, unknown or repeated', async () => {
    const { events } = await told(callOf({ file: 'a', [`k${'x'.repeat(300)}`]: 1 }));
    expect(events).toMatchObject([
      {
        issues: [
          { keyword: 'required', path: '', key: 'paths' },
          { keyword: 'additionalProperties', path: '', key: 'file' },
          { keyword: 'additionalProperties', path: '', key: `k${'x'.repeat(199)}` },
        ],
      },
    ]);
  });

  it('an unknown tool has no name of a tool', async () => {
    const { events } = await told(callOf({}, { name: `send_mail\u202e${'x'.repeat(999)}` }));
    expect(events).toEqual([
      {
        type: 'tool_input_invalid',
        callId: 'call_1',
        model: 'qwen3',
        requested: expect.stringMatching(/^"send_mail x+…"$/),
        issues: [{ keyword: 'unknown_tool', path: '' }],
      },
    ]);
  });

  it('a failure that its tool declared, and an exception with the id that the model read', async () => {
    const { events, errors } = await told(callOf({ paths: ['fail'] }), callOf({ paths: ['throw'] }));
    expect(events).toEqual([
      { ...executed, status: 'failed' },
      { ...executed, status: 'failed', errorId: errors[0]?.errorId },
    ]);
    expect(errors).toEqual([
      {
        tool: 'read_files',
        callId: 'call_1',
        model: 'qwen3',
        errorId: expect.stringMatching(/^[0-9a-f]{8}$/),
        error: new Error('SECRET-error'),
      },
    ]);
  });

  it('a call without a model says nothing of one', async () => {
    const { model: _model, ...call } = callOf({ paths: ['a'] });
    expect(Object.keys((await told(call)).events[0] ?? {})).not.toContain('model');
  });

  it('no value of an argument, result or exception is in any of them', async () => {
    const { events } = await told(
      callOf({ paths: ['SECRET-path'] }),
      callOf({ paths: '["SECRET-path"]', offset: null }),
      callOf({ paths: ['a'], token: 'SECRET-2' }),
      callOf({ paths: ['a'], limit: 'SECRET-word' }),
      callOf({ paths: ['throw'] }),
      callOf({ paths: ['fail'] }),
      callOf({}, { arguments: '{"paths": ["SECRET-cut' }),
      callOf({}, { arguments: { paths: ['a'], limit: 1n, at: 'SECRET' } }),
    );
    expect(events.length).toBeGreaterThanOrEqual(9);
    expect(JSON.stringify(events)).not.toContain('SECRET');
  });

  it('are frozen to the bottom', async () => {
    const { events } = await told(callOf({ paths: '["a"]' }), callOf({ paths: [1.5] }));
    for (const event of events) {
      expect(Object.isFrozen(event)).toBe(true);
      for (const member of Object.values(event)) expect(Object.isFrozen(member)).toBe(true);
    }
  });
});

describe('a listener', () => {
  const refuse = (): never => {
    throw new Error('no');
  };
  const hostile: readonly (readonly [string, ToolListener])[] = [
    ['throws', { onEvent: refuse, onError: refuse }],
    ['rejects', { onEvent: async () => refuse(), onError: async () => refuse() }],
    ['never settles', { onEvent: () => new Promise(() => {}), onError: () => new Promise(() => {}) }],
    ['returns what throws when it is awaited', { onEvent: () => new Proxy({}, { get: refuse }) }],
    ['has no methods', {}],
    ['throws when it is looked at', new Proxy({}, { get: refuse })],
  ];

  it.each(hostile)('that %s changes nothing, and others are told', async (_title, listener) => {
    const unhandled: unknown[] = [];
    const remember = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', remember);
    const after = new RecordingListener();
    const tools = new ToolRegistry({ listeners: [listener, after] }).register(ReadFiles);
    const outcomes = [
      await tools.call(callOf({ paths: '["a"]' })),
      await tools.call(callOf({ paths: ['throw'] })),
      await tools.call(callOf({})),
    ];
    await delay(5);
    process.off('unhandledRejection', remember);
    expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'failed', 'invalid_arguments']);
    expect([after.events.length, after.errors.length, unhandled]).toEqual([4, 1, []]);
  });
});

describe('RepairStats', () => {
  it('is empty before the first call', () => {
    expect(new RepairStats().snapshot()).toEqual({});
  });

  it('counts calls, not places, by model, tool and rule', async () => {
    const stats = new RepairStats();
    const write = defineTool({
      name: 'write_file',
      description: 'Writes.',
      inputSchema: {
        type: 'object',
        properties: { lines: { type: 'array', items: { type: 'string' } } },
        required: ['lines'],
      },
      execute: () => 'written',
    });
    const tools = new ToolRegistry({ listeners: [stats] }).register(ReadFiles, write);
    const { model: _model, ...nameless } = callOf({ paths: ['a'] });
    const calls: readonly ToolCall[] = [
      callOf({ paths: ['a'] }),
      callOf({ paths: ['throw'] }),
      callOf({ paths: '["a"]', offset: null, limit: null }),
      callOf({ paths: ['a'], offset: null }),
      callOf({ paths: ['a'], offset: null }, { name: 'readFiles' }),
      callOf({}),
      callOf({ lines: '["a"]' }, { name: 'write_file' }),
      callOf({}, { name: 'write_file', model: 'glm' }),
      callOf({}, { name: 'send_mail', model: 'glm' }),
      nameless,
    ];
    for (const call of calls) await tools.call(call);
    const noOthers = { refused: 0 };
    expect(JSON.parse(JSON.stringify(stats.snapshot()))).toEqual({
      '(unknown model)': { read_files: { unchanged: 1, repaired: 0, rejected: 0, ...noOthers, rules: {} } },
      glm: {
        '(unknown tool)': { unchanged: 0, repaired: 0, rejected: 1, ...noOthers, rules: {} },
        write_file: { unchanged: 0, repaired: 0, rejected: 1, ...noOthers, rules: {} },
      },
      qwen3: {
        read_files: {
          unchanged: 2,
          repaired: 3,
          rejected: 1,
          ...noOthers,
          rules: { drop_null: 3, json_text_to_array: 1, tool_name: 1 },
        },
        write_file: { unchanged: 0, repaired: 1, rejected: 0, ...noOthers, rules: { json_text_to_array: 1 } },
      },
    });
  });

  it('counts calls that were not let in apart', async () => {
    const stats = new RepairStats();
    const tools = new ToolRegistry({ listeners: [stats] }).register(
      defineTool({
        name: 'list',
        description: 'Lists.',
        inputSchema: { type: 'object', properties: {} },
        execute: () => 'line\n'.repeat(50),
      }),
    );
    const call = { id: 'call_1', name: 'list', arguments: '{}', model: 'glm' };
    const run = new ToolRun({ callLimit: 2 });
    await tools.call(call, { run });
    await tools.call({ ...call, arguments: "{'x': null}" }, { run });
    await tools.call(call, { run });
    await tools.close();
    await tools.call({ ...call, name: 'List' });
    expect(JSON.parse(JSON.stringify(stats.snapshot()))).toEqual({
      glm: {
        list: {
          unchanged: 1,
          repaired: 2,
          rejected: 0,
          refused: 2,
          rules: { loose_json: 1, tool_name: 1 },
        },
      },
    });
  });

  it('a snapshot is frozen to the bottom, and no later call changes it', async () => {
    const stats = new RepairStats();
    const tools = new ToolRegistry({ listeners: [stats] }).register(ReadFiles);
    await tools.call(callOf({ paths: '["a"]' }));
    const snapshot = stats.snapshot();
    await tools.call(callOf({ paths: '["a"]' }));
    expect(snapshot['qwen3']?.['read_files']).toMatchObject({
      repaired: 1,
      rules: { json_text_to_array: 1 },
    });
    expect(stats.snapshot()['qwen3']?.['read_files']?.repaired).toBe(2);
    const counts = snapshot['qwen3']?.['read_files'];
    expect([snapshot, snapshot['qwen3'], counts, counts?.rules].every(Object.isFrozen)).toBe(true);
  });

  it('any name of a model is a name', async () => {
    const stats = new RepairStats();
    const tools = new ToolRegistry({ listeners: [stats] }).register(ReadFiles);
    for (const model of ['__proto__', 'constructor', 'toString'])
      await tools.call(callOf({ paths: ['a'] }, { model }));
    expect(Object.keys(stats.snapshot())).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Reflect.get(stats.snapshot(), 'valueOf')).toBeUndefined();
    expect(Reflect.get({}, 'read_files')).toBeUndefined();
  });
});

describe('what is in no event and no error', () => {
  const secret = 's3cr3t-c4n4ry';

  it('values, secret or not, of calls that are repaired, rejected or unknown', async () => {
    const listener = new RecordingListener();
    const stats = new RepairStats();
    const tools = new ToolRegistry({ listeners: [listener, stats] }).register(ReadFiles);
    const sent: readonly unknown[] = [
      { paths: secret, token: 'SECRET-1' },
      { paths: `["${secret}"]`, token: ['SECRET-1'] },
      { paths: [{ value: secret }], Token: [secret] },
      { path: secret, token: secret },
      { arguments: JSON.stringify({ paths: [secret], token: { type: 'string', value: 'SECRET-1' } }) },
      `{'paths': ['${secret}'], 'paths': ['${secret}']}`,
      `{"paths": ["${secret}`,
      secret,
    ];
    for (const one of sent) {
      await tools.call(callOf(one, typeof one === 'string' ? { arguments: one } : {}));
    }
    await tools.call(callOf({ paths: [secret] }, { name: 'read_filez' }));
    expect(listener.events.length).toBeGreaterThan(sent.length);
    const all = JSON.stringify([listener.events, listener.errors, stats.snapshot()]);
    expect(all).not.toContain(secret);
    expect(all).not.toContain('SECRET-1');
  });
});

describe('a check that throws', () => {
  @Tool({ description: 'Checks.' })
  class Checked {
    @IsInt() size!: number;
    @Check() sizeIsKnown(): true | string {
      throw new Error('SECRET-in-check');
    }
    execute(): void {}
  }

  it('is told to listeners as an error, and the model reads nothing but the id of an internal error', async () => {
    const listener = new RecordingListener();
    const tools = new ToolRegistry({ listeners: [listener] }).register(Checked);
    const outcome = await tools.call(callOf({ size: 1 }, { name: 'checked' }));
    const [error] = listener.errors;
    expect(outcome).toMatchObject({
      status: 'invalid_arguments',
      message: `checked was not executed.\nAn internal error occurred (error ${error?.errorId}).`,
      errorId: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    expect(JSON.stringify(outcome)).not.toContain('SECRET');
    expect(listener.errors).toEqual([
      {
        tool: 'checked',
        callId: 'call_1',
        model: 'qwen3',
        errorId: error?.errorId,
        error: new Error('SECRET-in-check'),
      },
    ]);
    expect(listener.events.map(({ type }) => type)).toEqual(['tool_input_invalid']);
    expect(JSON.stringify(listener.events)).not.toContain('SECRET');
  });
});
