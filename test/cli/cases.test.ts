// What does `toolmend cases` say of case files and of calls that users recorded themselves?
import { join } from 'node:path';
import { temporaryFolder } from '../checks/temporary-folder.ts';
import { runOnTerminal, runToolmend, type ToolmendResult } from './run-toolmend.ts';

const schema = {
  type: 'object',
  properties: { paths: { type: 'array', items: { type: 'string' } }, limit: { type: 'integer' } },
  required: ['paths'],
  additionalProperties: false,
};

/** A file with these lines; what is no text is written as JSON. */
function fileOf(...lines: readonly unknown[]): string {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  return join(temporaryFolder({ 'calls.jsonl': text }), 'calls.jsonl');
}

const cases = async (...lines: readonly unknown[]): Promise<ToolmendResult> =>
  runToolmend('cases', fileOf(...lines));

/** The counts of the one file. */
async function countsOf(...lines: readonly unknown[]): Promise<unknown> {
  const { stdout } = await runToolmend('cases', '--json', fileOf(...lines));
  const { files }: { files: readonly unknown[] } = JSON.parse(stdout);
  return files[0];
}

const right = {
  schema,
  inputText: '{"paths":["a"]}',
  expect: { outcome: 'unchanged', value: { paths: ['a'] } },
};
const mended = {
  schema,
  inputText: '{"paths":"a"}',
  expect: { outcome: 'repaired', value: { paths: ['a'] } },
};
const refused = { schema, input: { paths: 7, x: 1 }, expect: { outcome: 'rejected' } };

describe('judged calls', () => {
  test('right ones, with a row a rule', async () => {
    const { status, stdout, stderr } = await cases(right, mended, refused, mended);

    expect(stderr).toBe('');
    expect(stdout.split('\n').slice(1, 6)).toEqual([
      expect.stringMatching(/calls\.jsonl +4 +4 +1 +0 +0$/),
      '',
      'rule           calls  repairs  wrong',
      'wrap_in_array      2        2      0',
      '',
    ]);
    expect(stdout).toMatch(/^file +cases +right +refused +missed +wrong\n/);
    expect(status).toBe(0);
  });

  test.each([
    [
      'another value',
      { inputText: '{"paths":["a"]}', expect: { outcome: 'unchanged', value: { paths: ['b'] } } },
      '/paths/0',
    ],
    [
      'a key too few',
      { inputText: '{"paths":[]}', expect: { outcome: 'unchanged', value: { paths: [], limit: 1 } } },
      '/limit',
    ],
    ['accepted at all', { inputText: '{"paths":[]}', expect: { outcome: 'rejected' } }, ''],
    [
      'repaired, not unchanged',
      { inputText: '{"paths":"a"}', expect: { outcome: 'unchanged', value: { paths: ['a'] } } },
      '',
    ],
    [
      'other meta arguments',
      {
        inputText: '{"paths":[],"_timeout_seconds":5}',
        options: { meta: true },
        expect: { outcome: 'unchanged', value: { paths: [] }, meta: { timeout_seconds: 6 } },
      },
      '/timeout_seconds',
    ],
  ])('wrong: %s', async (_what, recorded, path) => {
    expect(await countsOf(right, { schema, id: 'odd', ...recorded })).toMatchObject({
      judged: { cases: 2, right: 1, missed: 0, wrong: 1 },
      wrongLines: [{ line: 2, id: 'odd', what: path }],
    });
    const { status, stdout } = await cases({ schema, id: 'odd', ...recorded });
    expect(stdout).toContain(`calls.jsonl:1: odd wrong, first at ${path === '' ? 'the whole' : path}\n`);
    expect(status).toBe(1);
  });

  test('missed is told, and is no failure', async () => {
    const { status, stdout } = await cases({ ...mended, inputText: '{"paths":"a, b, c"}' });
    expect(stdout).toContain('calls.jsonl:1: missed: type at /paths\n');
    expect(status).toBe(0);
  });

  test('text that is compared as the JSON it holds', async () => {
    const text = { type: 'object', properties: { content: { type: 'string' } } };
    const expected = { outcome: 'repaired', value: { content: '{ "a": 1 }' } };
    const recorded = { schema: text, input: { content: { a: 1 } } };
    expect(await countsOf({ ...recorded, expect: expected })).toMatchObject({ judged: { wrong: 1 } });
    expect(
      await countsOf({ ...recorded, expect: { ...expected, kinds: ['compare-parsed:content'] } }),
    ).toMatchObject({
      judged: { right: 1 },
    });
  });
});

const openAi = { type: 'function', function: { name: 'read_files', parameters: schema } };
const openAiCall = (name: string, text: string): object => ({
  id: 'call_1',
  type: 'function',
  function: { name, arguments: text },
});

describe('recorded calls that nothing is expected of', () => {
  test.each([
    ['beside its schema', { schema, arguments: '{"paths":"a"}' }],
    ['as a value', { inputSchema: schema, arguments: { paths: 'a' } }],
    ['an MCP tool', { tool: { name: 'read_files', inputSchema: schema }, arguments: { paths: 'a' } }],
    ['Anthropic, input', { tool: { name: 'read_files', input_schema: schema }, input: { paths: 'a' } }],
    ['an OpenAI function', { tool: openAi, arguments: '{"paths":"a"}' }],
    ['tools and tool calls', { tools: [openAi], tool_calls: [openAiCall('read_files', '{"paths":"a"}')] }],
    [
      'a conversation',
      {
        tools: [openAi],
        messages: [
          { role: 'user', content: 'x' },
          { role: 'assistant', tool_calls: [openAiCall('read_files', '{"paths":"a"}')] },
        ],
      },
    ],
    [
      'request and response',
      {
        request: { tools: [openAi] },
        response: {
          choices: [
            {
              finish_reason: 'tool_calls',
              message: { tool_calls: [openAiCall('read_files', '{"paths":"a"}')] },
            },
          ],
        },
      },
    ],
    [
      'Responses',
      {
        tools: [{ type: 'function', name: 'read_files', parameters: schema }],
        output: [{ type: 'function_call', call_id: 'c', name: 'read_files', arguments: '{"paths":"a"}' }],
      },
    ],
    [
      'Messages',
      {
        request: { tools: [{ name: 'read_files', input_schema: schema }] },
        response: {
          stop_reason: 'tool_use',
          content: [
            { type: 'text', text: 'x' },
            { type: 'tool_use', id: 't', name: 'read_files', input: { paths: 'a' } },
          ],
        },
      },
    ],
  ])('%s', async (_what, line) => {
    expect(await countsOf(line)).toMatchObject({
      calls: 1,
      outcomes: { unchanged: 0, repaired: 1, rejected: 0 },
      rules: { wrap_in_array: { calls: 1, repairs: 1 } },
      repairedLines: [{ line: 1, what: 'wrap_in_array at /paths' }],
      bad: 0,
    });
  });

  test('the finish reason of the answer counts: a missing closer is mended only behind a normal end', async () => {
    const answer = (reason: string): object => ({
      tools: [openAi],
      choices: [
        { finish_reason: reason, message: { tool_calls: [openAiCall('read_files', '{"paths":["a"]')] } },
      ],
    });
    expect(await countsOf(answer('tool_calls'), answer('length'))).toMatchObject({
      outcomes: { repaired: 1, rejected: 1 },
      rejections: { truncated: 1 },
    });
  });

  test('a tool by another spelling is found, one that was not offered is counted', async () => {
    const calls = [openAiCall('readFiles', '{"paths":[]}'), openAiCall('write', '{}')];
    expect(await countsOf({ tools: [openAi], tool_calls: calls })).toMatchObject({
      calls: 1,
      unknownTools: 1,
      rules: { tool_name: { calls: 1 } },
    });
  });

  test('a destructive MCP tool keeps to the lossless rules', async () => {
    const tool = { name: 't', inputSchema: schema, annotations: { destructiveHint: true } };
    expect(await countsOf({ tool, arguments: { paths: [], limit: null } })).toMatchObject({
      rejections: { not_confirmed: 1 },
    });
  });

  test('a number keeps its digits on the way here', async () => {
    const line =
      '{"schema":{"type":"object","properties":{"id":{"type":"string"}}},"arguments":{"id":12345678901234567890},"expect":{"outcome":"repaired","value":{"id":"12345678901234567890"}}}';
    expect(await countsOf(line)).toMatchObject({ judged: { right: 1 } });
  });

  test('tools, conversations and blank lines without a call are no calls', async () => {
    const { status, stdout } = await cases({ schema, tool: 'x' }, '', '  ', {
      tools: [openAi],
      messages: [{ role: 'user', content: 'hi' }],
    });
    expect(stdout).toMatch(/calls\.jsonl: 2 lines without a call\n$/);
    expect(status).toBe(0);
  });

  test('what was sent is never printed, nor a key that no schema knows', async () => {
    const canary = 'sk-canary-0123456789';
    const file = fileOf(
      { schema, id: 'ok', arguments: { paths: canary, [canary]: '' } },
      { schema, arguments: { paths: [canary], [canary]: canary } },
      { schema, arguments: `{"paths": ${canary}` },
      `{"schema": ${canary}`,
      { schema: { type: 'object', properties: { a: { type: 'text' } } }, arguments: { a: canary } },
    );
    for (const args of [
      ['cases', file],
      ['cases', file, '--json'],
    ]) {
      const { stdout, stderr } = await runToolmend(...args);
      expect(stdout + stderr).not.toContain(canary);
    }
  });
});

describe('bad input', () => {
  test.each([
    ['{broken', 'is no JSON (syntax at character 2)'],
    ['{"schema":{', 'is no JSON (cut at character 12)'],
    ['{"a":1,"a":2}', 'is no JSON (duplicate key at character 13)'],
    ['[1]', 'is no JSON object'],
    ['{"arguments":{}}', 'says nothing of the tool: write schema, tool.inputSchema or tools'],
    [
      JSON.stringify({ ...right, expect: { outcome: 'fine' } }),
      'has an expect.outcome that is none of unchanged, repaired, rejected',
    ],
    [
      JSON.stringify({ ...right, expect: { outcome: 'repaired' } }),
      'has no expect.value for an accepted call',
    ],
    [JSON.stringify({ ...right, expect: 'x' }), 'has an expect that is no object'],
    ['{"schema":{"type":"array"},"arguments":{}}', 'has an input schema that is not the schema of an object'],
    ['['.repeat(100_000), 'is no JSON (too deep at character 1)'],
  ])('line %# is named and counted, and the others are judged', async (line, why) => {
    const { status, stdout } = await cases(right, line, right);
    expect(stdout).toContain(`calls.jsonl:2: not read: ${why}\n`);
    expect(stdout).toMatch(/calls\.jsonl +2 +2 +0 +0 +0$/m);
    expect(status).toBe(1);
  });

  test('a schema that nobody can judge by is told once, and its calls are as the seam leaves them', async () => {
    const unusable = {
      schema: { properties: { a: { $ref: 'https://example.com/a.json' } } },
      arguments: { a: 1 },
    };
    const { status, stdout } = await cases(unusable, unusable);
    expect(stdout.match(/calls\.jsonl:1: schema: .*https:\/\/example\.com\/a\.json/g)).toHaveLength(1);
    expect(stdout).toMatch(/calls\.jsonl +2 +2 +0 +0 +0$/m);
    expect(status).toBe(0);
  });

  test('a byte order mark, other line ends, and separators inside of strings', async () => {
    const path = 'a\u2028b\u0085c';
    const line = JSON.stringify({
      schema,
      input: { paths: [path] },
      expect: { outcome: 'unchanged', value: { paths: [path] } },
    });
    expect(await countsOf(`\uFEFF${line}\r`, `${line}\r`, '\r', line)).toMatchObject({
      judged: { right: 3 },
      bad: 0,
    });
  });

  test('more lines than are listed are counted', async () => {
    const { stdout } = await cases(...Array.from({ length: 150 }, () => '{'));
    expect(stdout.match(/not read/g)).toHaveLength(10);
    expect(stdout).toContain('calls.jsonl: 140 more\n');
  });

  test.each([
    [[], 'no command was given'],
    [['case', 'a'], 'there is no command "case"'],
    [['cases'], 'cases needs at least one file'],
    [['cases', '--yaml', 'a'], "Unknown option '--yaml'"],
    [['cases', '/nowhere/calls.jsonl'], 'there is no file /nowhere/calls.jsonl'],
    [['cases', '/'], 'there is no file /'],
  ])('toolmend %j ends with 2', async (args, why) => {
    const { status, stdout, stderr } = await runToolmend(...args);
    expect(stderr).toContain(`toolmend: ${why}`);
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });
});

test('--help says how', async () => {
  const { status, stdout } = await runToolmend('--help');
  expect(stdout).toMatch(/^Usage: toolmend cases FILE\.\.\. \[--json\]\n/);
  expect(status).toBe(0);
});

test('progress is shown to a person, and nowhere else', async () => {
  const file = fileOf(...Array.from({ length: 1200 }, () => right));
  expect((await runOnTerminal('cases', file)).stderr).toContain(`\r${file}: 1000 lines`);
  expect((await runToolmend('cases', file)).stderr).toBe('');
});

test('a large file is read in pieces', async () => {
  const long = { schema, input: { paths: ['x'.repeat(100_000)] } };
  expect(await countsOf(...Array.from({ length: 40 }, () => long))).toMatchObject({
    calls: 40,
    outcomes: { unchanged: 40 },
  });
});
