import { join } from 'node:path';
import { temporaryFolder } from '../checks/temporary-folder.ts';
import { runToolmend, type ToolmendResult } from './run-toolmend.ts';

const paths = { type: 'array', items: { type: 'string' } };
const schemaOf = (properties: object, requiredKeys: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required: requiredKeys,
  additionalProperties: false,
});
const recordedTool = { name: 'read_files', inputSchema: schemaOf({ paths }, ['paths']) };
const call = (id: string, args: unknown, more: object = {}): object => ({
  id,
  tool: recordedTool,
  arguments: args,
  ...more,
});

/** Lines and tools that aren't strings are written as JSON. */
async function replay(
  lines: readonly unknown[],
  tools: unknown,
  ...options: readonly string[]
): Promise<ToolmendResult> {
  const textOf = (value: unknown): string =>
    typeof value === 'string' ? value : JSON.stringify(value);
  const folder = temporaryFolder({
    'calls.jsonl': lines.map(textOf).join('\n'),
    'tools.json': textOf(tools ?? []),
  });
  const newTools = tools === undefined ? [] : ['--tools', join(folder, 'tools.json')];
  const file = join(folder, 'calls.jsonl');
  const { stdout, ...result } = await runToolmend('replay', file, ...newTools, ...options);
  const report = stdout
    .replaceAll(`${folder}/`, '')
    .replace(/^file +calls /, 'file         calls ');
  return { ...result, stdout: report };
}

const validCall = call('call_1', { paths: ['a'] });
const nearMiss = call('call_2', '{"paths":"a"}');

test('a log without contents has nothing to replay', async () => {
  const logLine = { tool: 'read_files', status: 'repaired', rules: ['wrap_in_array'] };

  for (const lines of [[logLine, logLine], []])
    expect(await replay(lines, [recordedTool])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('--log-contents'),
    });
});

test('a call of an unknown tool in a log with contents is left out', async () => {
  const unknownCall = { tool: { name: 'other' }, arguments: '{}', status: 'unknown_tool' };

  expect((await replay([unknownCall, validCall], [recordedTool])).status).toBe(0);
});

describe('under changed tools', () => {
  test('calls that end as before are only counted', async () => {
    const describedTool = { ...recordedTool, description: 'Reads files.' };

    expect(await replay([validCall, nearMiss], [describedTool])).toEqual({
      status: 0,
      stderr: '',
      stdout: [
        'file         calls  same  different  not compared',
        'calls.jsonl      2     2          0             0',
        '',
      ].join('\n'),
    });
  });

  test('each call that ends otherwise is listed, with what was and what is', async () => {
    const inputSchema = schemaOf({ paths, encoding: { type: 'string' } }, ['paths', 'encoding']);
    const tools = [{ name: 'read_files', inputSchema }];

    expect(await replay([validCall, nearMiss, call('call_3', '{"paths":7}')], { tools })).toEqual({
      status: 1,
      stderr: '',
      stdout: [
        'file         calls  same  different  not compared',
        'calls.jsonl      3     1          2             0',
        '',
        'change                calls',
        'unchanged → rejected      1',
        'repaired → rejected       1',
        '',
        'calls.jsonl:1: call_1 read_files: was unchanged, is rejected (required)',
        'calls.jsonl:2: call_2 read_files: was repaired (wrap_in_array), is rejected (required)',
        '',
      ].join('\n'),
    });
  });

  test('other values and other repairs of the same status are differences', async () => {
    const tools = [{ name: 'read_files', inputSchema: schemaOf({ paths: { type: 'string' } }) }];
    const lines = [
      call('call_4', '```json\n{"paths":["a"]}\n```'),
      call('call_5', '{"paths":["a"]}'),
    ];

    const { status, stdout } = await replay(lines, tools, '--json');

    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      calls: 2,
      same: 0,
      different: 2,
      notCompared: 0,
      bad: [],
      differences: [
        {
          line: 1,
          id: 'call_4',
          tool: 'read_files',
          before: { status: 'repaired', rules: ['code_fence'] },
          after: { status: 'repaired', rules: ['code_fence', 'unwrap_single'] },
          path: '/paths',
        },
        {
          line: 2,
          id: 'call_5',
          tool: 'read_files',
          before: { status: 'unchanged', rules: [] },
          after: { status: 'repaired', rules: ['unwrap_single'] },
          path: '/paths',
        },
      ],
    });
  });

  test('a call of a tool that is gone is a difference; one without a name is compared with the only tool', async () => {
    const other = { ...recordedTool, name: 'write_file' };
    const unnamed = { schema: recordedTool.inputSchema, arguments: { paths: [] } };

    const gone = await replay([validCall], [other]);
    const comparison = await replay([unnamed], [other]);
    const ambiguous = await replay([unnamed], [other, recordedTool]);

    expect(gone.stdout).toContain(
      'calls.jsonl:1: call_1 read_files: was unchanged, is unknown tool\n',
    );
    expect(comparison.status).toBe(0);
    expect(comparison.stdout).toContain('calls.jsonl      1     1');
    expect(ambiguous.stdout).toContain('calls.jsonl      1     0          0             1');
  });

  test('calls of chat logs are read, and no argument is printed', async () => {
    const chat = {
      tools: [
        {
          type: 'function',
          function: { name: 'read_files', parameters: recordedTool.inputSchema },
        },
      ],
      tool_calls: [
        {
          id: 'call_6',
          function: { name: 'read_files', arguments: '{"paths":["hush"],"hush":1}' },
        },
      ],
    };
    const tools = [{ name: 'read_files', inputSchema: { type: 'object', properties: { paths } } }];

    const { stdout } = await replay([chat], tools);

    expect(stdout).toContain('was rejected (additionalProperties), is unchanged\n');
    expect(stdout).not.toContain('hush');
  });
});

describe('under this version', () => {
  test('recorded statuses, repairs and expectations are compared; other calls are not', async () => {
    const lines = [
      call('call_1', { paths: ['a'] }, { status: 'unchanged', repairs: [] }),
      call('call_2', '{"paths":"a"}', { status: 'repaired', repairs: [{ rule: 'wrap_in_array' }] }),
      call('call_3', '{"paths":"a"}', { status: 'rejected' }),
      call('call_4', '{"paths":"a"}', { status: 'repaired', repairs: ['split_text'] }),
      call('call_5', '{"paths":"a"}', { expect: { outcome: 'repaired', value: { paths: ['b'] } } }),
      validCall,
    ];

    const { status, stdout } = await replay(lines, undefined);

    expect(status).toBe(1);
    expect(stdout.split('\n').slice(1)).toEqual([
      'calls.jsonl      6     2          3             1',
      '',
      'change               calls',
      'rejected → repaired      1',
      'repaired → repaired      2',
      '',
      'calls.jsonl:3: call_3 read_files: was rejected, is repaired (wrap_in_array)',
      'calls.jsonl:4: call_4 read_files: was repaired (split_text), is repaired (wrap_in_array)',
      'calls.jsonl:5: call_5 read_files: was repaired, is repaired (wrap_in_array); another value at /paths/0',
      '',
    ]);
  });
});

describe('bad input', () => {
  test('a line that is not JSON and a schema that is none are named, and the other lines are compared', async () => {
    const brokenCall = call('call_7', {}, { tool: { name: 'x', inputSchema: { type: 'array' } } });
    const { status, stdout } = await replay(['{', brokenCall, validCall], [recordedTool]);

    expect(status).toBe(1);
    expect(stdout).toContain('calls.jsonl      1     1          0             0');
    expect(stdout).toContain('calls.jsonl:1: not read: is not JSON');
    expect(stdout).toContain(
      'calls.jsonl:2: not read: has an input schema that is not the schema of an object',
    );
  });

  test.each([
    [[], 'replay needs one file of recorded calls'],
    [['/nowhere/calls.jsonl'], 'there is no file /nowhere/calls.jsonl'],
    [['a', 'b'], 'replay needs one file of recorded calls'],
    [['--yaml', 'a'], "Unknown option '--yaml'"],
  ])('toolmend replay %j ends with 2', async (args, why) => {
    const { status, stdout, stderr } = await runToolmend('replay', ...args);
    expect(stderr).toContain(`toolmend: ${why}`);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  test('new tools that are not tools end with 2', async () => {
    const { status, stderr } = await replay([validCall], [{ name: 'x' }]);
    expect([status, stderr]).toEqual([2, 'toolmend: entry 1 is not a tool: it has no schema.\n']);
  });
});
