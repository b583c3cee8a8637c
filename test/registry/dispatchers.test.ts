// Tools that call other tools by name.
import { IsInt } from 'class-validator';
import {
  Check,
  DefinitionError,
  type JsonObject,
  Tool,
  type ToolDefinition,
  ToolRegistry,
  toolMessage,
} from 'toolmend';
import { callTo, closedTool, toolOf } from '../tools.ts';

const dispatches = { name: 'tool_name', arguments: 'parameters' } as const;
const callTool = (options: Partial<ToolDefinition> = {}) =>
  toolOf((values: JsonObject) => values, {
    name: 'call_tool',
    inputSchema: {
      type: 'object',
      properties: { tool_name: { type: 'string' }, parameters: { type: 'object' } },
      required: ['tool_name'],
    },
    dispatches,
    ...options,
  });

const readFile = closedTool(
  'read_file',
  () => '',
  { path: { type: 'string' }, limit: { type: 'integer' } },
  { required: ['path'], effects: 'read' },
);
const deleteFile = closedTool(
  'delete_file',
  () => '',
  { path: { type: 'string' }, force: { type: 'boolean' } },
  { required: ['path'], effects: 'destructive' },
);
const tree = toolOf(() => '', {
  name: 'put_tree',
  inputSchema: {
    type: 'object',
    properties: { root: { $ref: '#/$defs/node' } },
    required: ['root'],
    $defs: {
      node: {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          children: { type: 'array', items: { $ref: '#/$defs/node' } },
        },
        required: ['size'],
      },
    },
  },
});

@Tool({ name: 'pick', description: 'Picks.', effects: 'read' })
class Pick {
  @IsInt() from!: number;
  @IsInt() to!: number;
  @Check() order(): string | true {
    return this.from <= this.to || 'from must not be after to';
  }
  execute() {
    return '';
  }
}

const registry = (options: Partial<ToolDefinition> = {}) =>
  new ToolRegistry().register(callTool(options), readFile, deleteFile, tree, Pick);
const call = (sent: unknown, tools = registry()) => tools.call(callTo('call_tool', sent));

it('passes a valid call as it is', async () => {
  const sent = { tool_name: 'read_file', parameters: { path: 'a', limit: 5 } };

  expect(await call(sent)).toMatchObject({
    status: 'completed',
    result: sent,
    interpretation: { status: 'unchanged', repairs: [] },
  });
});

it('repairs the arguments by the schema of the inner tool, with paths from the outer ones', async () => {
  const outcome = await call({
    tool_name: 'read_file',
    parameters: '{"Path": "a", "limit": "5",}',
  });

  expect(outcome).toMatchObject({
    result: { tool_name: 'read_file', parameters: { path: 'a', limit: 5 } },
  });
  const { repairs } = Reflect.get(outcome, 'interpretation');
  expect(
    repairs.map(({ rule, path }: { rule: string; path: string }) => `${rule} ${path}`),
  ).toEqual([
    'json_text_to_object /parameters',
    'rename_key /parameters/Path',
    'text_to_integer /parameters/limit',
  ]);
});

it('follows the references of the inner schema', async () => {
  const root = { size: '1', children: [{ size: '2' }] };

  expect(await call({ tool_name: 'put_tree', parameters: { root } })).toMatchObject({
    result: { parameters: { root: { size: 1, children: [{ size: 2 }] } } },
  });
});

it.each(['readFile', 'functions.read_file', 'read_file:0', 'read_fileread_file'])(
  'finds the inner tool by the name %j',
  async (name) => {
    const outcome = await call({ tool_name: name, parameters: { path: 'a' } });

    expect(outcome).toMatchObject({
      result: { tool_name: 'read_file' },
      interpretation: { repairs: [{ rule: 'tool_name', path: '/tool_name' }] },
    });
  },
);

it('rejects what the inner tool does not take, with the place and the form', async () => {
  const outcome = await call({ tool_name: 'read_file', parameters: { limit: 'many' } });

  expect(outcome).toMatchObject({
    status: 'invalid_arguments',
    tool: 'call_tool',
    interpretation: {
      issues: [
        { keyword: 'required', path: '/parameters', key: 'path' },
        { keyword: 'type', path: '/parameters/limit' },
      ],
    },
  });
  expect(Reflect.get(outcome, 'message')).toMatch(/^call_tool was not executed\.[^]*parameters/);
});

it('asks for arguments that were left out', async () => {
  expect(await call({ tool_name: 'read_file' })).toMatchObject({
    status: 'invalid_arguments',
    interpretation: { issues: [{ keyword: 'required', key: 'parameters' }] },
  });
});

it('rejects a name of no tool, and names the nearest', async () => {
  const outcome = await call({ tool_name: 'read_fil', parameters: {} });

  expect(outcome).toMatchObject({
    status: 'invalid_arguments',
    interpretation: { issues: [{ keyword: 'unknown_tool', path: '/tool_name' }] },
  });
  expect(Reflect.get(outcome, 'message')).toContain(
    'names no tool, did you mean read_file? the tools are read_file, delete_file, put_tree, pick',
  );
});

it('runs the checks of the inner tool', async () => {
  expect(await call({ tool_name: 'pick', parameters: { from: '3', to: 2 } })).toMatchObject({
    status: 'invalid_arguments',
    interpretation: { issues: [{ advice: 'from must not be after to' }] },
  });
});

describe('the effects of the inner tool', () => {
  it('decide which repairs act', async () => {
    const parameters = { path: 'a', force: null };
    const harmless = { path: 'a', limit: null };

    expect(await call({ tool_name: 'read_file', parameters: harmless })).toMatchObject({
      result: { parameters: { path: 'a' } },
    });
    expect(await call({ tool_name: 'delete_file', parameters })).toMatchObject({
      status: 'invalid_arguments',
      interpretation: { wouldBe: { tool_name: 'delete_file', parameters: { path: 'a' } } },
    });
  });

  it('decide about approval', async () => {
    const tools = new ToolRegistry({ approval: {} }).register(callTool(), readFile, deleteFile);

    const reading = await call({ tool_name: 'read_file', parameters: { path: 'a' } }, tools);
    const deleting = await call({ tool_name: 'deleteFile', parameters: { path: 'a' } }, tools);

    expect([reading.status, deleting.status]).toEqual(['completed', 'approval_required']);
    const approval: unknown = Reflect.get(deleting, 'approval');
    expect(await tools.resolveApproval(approval, { decision: 'approve' })).toMatchObject({
      status: 'completed',
      result: { tool_name: 'delete_file' },
    });
  });
});

describe('arguments that an interceptor changes', () => {
  const edited = (edit: (values: JsonObject) => JsonObject, options: object = {}) =>
    new ToolRegistry({
      interceptors: [({ arguments: values }, next) => next(edit(values))],
      ...options,
    }).register(callTool(), readFile, deleteFile);
  const sent = { tool_name: 'read_file', parameters: { path: 'a' } };

  it('are judged by the inner schema', async () => {
    const longer = edited((values) => ({ ...values, parameters: { path: 'a', limit: '5' } }));
    const wrong = edited((values) => ({ ...values, parameters: { limit: 5 } }));

    expect(await call(sent, longer)).toMatchObject({
      status: 'completed',
      result: { parameters: { path: 'a', limit: 5 } },
    });
    expect(await call(sent, wrong)).toMatchObject({ status: 'failed', reason: 'exception' });
  });

  it('may name another tool, whose schema and effects then count', async () => {
    const other = (values: JsonObject) => ({ ...values, tool_name: 'deleteFile' });

    expect(await call(sent, edited(other))).toMatchObject({ result: { tool_name: 'delete_file' } });
    expect(await call(sent, edited(other, { approval: {} }))).toMatchObject({
      status: 'approval_required',
    });
  });

  it('are the same for a valid call that is not changed', async () => {
    expect(
      await call(
        sent,
        edited((values) => values),
      ),
    ).toMatchObject({
      result: sent,
      interpretation: { status: 'unchanged', repairs: [], notes: [] },
    });
  });
});

it('judges the arguments that an approver changes by the inner schema', async () => {
  const tools = new ToolRegistry({ approval: {} }).register(callTool(), readFile, deleteFile);
  const waiting = await call({ tool_name: 'delete_file', parameters: { path: 'a' } }, tools);
  const approval: unknown = Reflect.get(waiting, 'approval');
  const approve = (parameters: JsonObject) =>
    tools.resolveApproval(approval, {
      decision: 'approve',
      arguments: { tool_name: 'delete_file', parameters },
    });

  expect(await approve({ force: true })).toMatchObject({ status: 'approval_required' });
  expect(await approve({ path: 'b' })).toMatchObject({
    status: 'completed',
    result: { parameters: { path: 'b' } },
  });
});

it('takes the listed tools alone', async () => {
  const tools = registry({ dispatches: { ...dispatches, tools: [Pick] } });

  const picked = await call({ tool_name: 'Pick', parameters: { from: '1', to: 2 } }, tools);
  const read = await call({ tool_name: 'read_file', parameters: { path: 'a' } }, tools);

  expect(picked).toMatchObject({ result: { parameters: { from: 1, to: 2 } } });
  expect(read.status).toBe('invalid_arguments');
});

it('refuses a list with something else than tools', () => {
  expect(() => registry({ dispatches: { ...dispatches, tools: [{}] } })).toThrow(DefinitionError);
});

describe('dispatches that names arguments which the schema lacks', () => {
  const register = (inputSchema: object) => () =>
    new ToolRegistry().register(callTool({ inputSchema }));
  const strings = { type: 'string' };

  it('is refused, with the arguments that there are', () => {
    const properties = { toolName: strings, parameters: { type: 'object' } };

    expect(register({ type: 'object', properties })).toThrow(
      'call_tool has "tool_name" for dispatches.name, which its schema does not declare: name one of its arguments: toolName, parameters.',
    );
    expect(register({ type: 'object', properties: { tool_name: strings } })).toThrow(
      'call_tool has "parameters" for dispatches.arguments',
    );
    expect(register({ type: 'object', additionalProperties: false })).toThrow(DefinitionError);
  });

  it.each([
    ['an open object', { type: 'object' }],
    ['a pattern', { type: 'object', properties: { x: {} }, patternProperties: { '^[tp]': {} } }],
    [
      'one branch of a union',
      {
        type: 'object',
        anyOf: [{ properties: { tool_name: {}, parameters: {} } }, { properties: { x: {} } }],
      },
    ],
    [
      'a reference',
      {
        $ref: '#/$defs/all',
        $defs: { all: { type: 'object', properties: { tool_name: {}, parameters: {} } } },
      },
    ],
  ])('is taken if %s has them', (_what, inputSchema) => {
    expect(register(inputSchema)).not.toThrow();
  });
});

test.each([
  [['tool_name'], '{"tool_name":"read_file","parameters":{"path":"…"}}'],
  [['parameters'], '{"parameters":{},"tool_name":"…"}'],
  [[], '{"tool_name":"read_file","parameters":{"path":"…"}}'],
])(
  'the example of a refused call has the name and the arguments: %j',
  async (required, example) => {
    const properties = { tool_name: { type: 'string' }, parameters: { type: 'object' } } as const;
    const outer = callTool({ inputSchema: { type: 'object', properties, required } });
    const tools = new ToolRegistry().register(outer, readFile);
    const outcome = await tools.call(callTo('call_tool', '{"tool_name":"read_file"}'));

    expect(outcome).toMatchObject({ status: 'invalid_arguments' });
    expect(toolMessage(outcome).text).toContain(`Example: ${example}\n`);
  },
);
