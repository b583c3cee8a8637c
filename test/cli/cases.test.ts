import { join } from 'node:path';
import { temporaryFolder } from '../checks/temporary-folder.ts';
import { runOnTerminal, runToolmend } from './run-toolmend.ts';

const schema = {
  type: 'object',
  properties: { paths: { type: 'array', items: { type: 'string' } }, limit: { type: 'integer' } },
  required: ['paths'],
  additionalProperties: false,
};

/** A file with these lines. Lines that aren't strings are written as JSON. */
function fileOf(...lines: readonly unknown[]): string {
  const text = lines
    .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    .join('\n');
  return join(temporaryFolder({ 'calls.jsonl': text }), 'calls.jsonl');
}

const cases = (...lines: readonly unknown[]) => runToolmend('cases', fileOf(...lines));

/** The counts of the one file. */
async function countsOf(...lines: readonly unknown[]): Promise<unknown> {
  const { stdout } = await runToolmend('cases', '--json', fileOf(...lines));
  const { files }: { files: readonly unknown[] } = JSON.parse(stdout);
  return files[0];
}

const expecting = (outcome: string, value?: object, meta?: object) => ({
  expect: { outcome, value, meta },
});
const validCase = { schema, inputText: '{"paths":["a"]}' };
const nearMiss = { schema, inputText: '{"paths":"a"}' };
const right = { ...validCase, ...expecting('unchanged', { paths: ['a'] }) };
const repairedCase = { ...nearMiss, ...expecting('repaired', { paths: ['a'] }) };

describe('calls with an expectation', () => {
  test('right ones are counted, with a row for each rule', async () => {
    const rejectedCase = { schema, input: { paths: 7, x: 1 }, ...expecting('rejected') };
    const { status, stdout, stderr } = await cases(right, repairedCase, rejectedCase, repairedCase);
    expect(stderr).toBe('');
    expect(stdout.split('\n').slice(0, 6)).toEqual([
      expect.stringMatching(/^file +cases +right +refused +missed +wrong$/),
      expect.stringMatching(/calls\.jsonl +4 +4 +1 +0 +0$/),
      '',
      'rule           calls  repairs  wrong',
      'wrap_in_array      2        2      0',
      '',
    ]);
    expect(status).toBe(0);
  });

  const withMeta = {
    schema,
    inputText: '{"paths":[],"_timeout_seconds":5}',
    options: { meta: true },
    ...expecting('unchanged', { paths: [] }, { timeout_seconds: 6 }),
  };

  test.each([
    ['another value', { ...validCase, ...expecting('unchanged', { paths: ['b'] }) }, '/paths/0'],
    [
      'a missing key',
      { ...validCase, ...expecting('unchanged', { paths: ['a'], limit: 1 }) },
      '/limit',
    ],
    ['an accepted call that must be rejected', { ...validCase, ...expecting('rejected') }, ''],
    [
      'a repaired call that is valid',
      { ...nearMiss, ...expecting('unchanged', { paths: ['a'] }) },
      '',
    ],
    ['other meta arguments', withMeta, '/timeout_seconds'],
  ])('%s is wrong', async (_what, record, path) => {
    expect(await countsOf(right, { id: 'odd', ...record })).toMatchObject({
      judged: { cases: 2, right: 1, missed: 0, wrong: 1 },
      wrongLines: [{ line: 2, id: 'odd', what: path }],
    });
    const { status, stdout } = await cases({ id: 'odd', ...record });
    expect(stdout).toContain(
      `calls.jsonl:1: odd wrong, first at ${path === '' ? 'the whole' : path}\n`,
    );
    expect(status).toBe(1);
  });

  test('a missed call is listed, and is not a failure', async () => {
    const { status, stdout } = await cases({ ...repairedCase, inputText: '{"paths":"a, b, c"}' });
    expect(stdout).toContain('calls.jsonl:1: missed: type at /paths\n');
    expect(status).toBe(0);
  });

  test('text can be compared as the JSON that it holds', async () => {
    const text = { type: 'object', properties: { content: { type: 'string' } } };
    const record = { schema: text, input: { content: { a: [1] } } };
    const expectation = { outcome: 'repaired', value: { content: '{ "a": [1] }' } };
    const counts = await Promise.all([
      countsOf({ ...record, expect: expectation }),
      countsOf({ ...record, expect: { ...expectation, kinds: ['compare-parsed:content'] } }),
    ]);
    expect(counts).toMatchObject([{ judged: { wrong: 1 } }, { judged: { right: 1 } }]);
  });
});

const openAi = { type: 'function', function: { name: 'read_files', parameters: schema } };
const callHead = { id: 'call_1', type: 'function' };
const openAiCall = (name: string, text: string) => ({
  ...callHead,
  function: { name, arguments: text },
});
const argumentsText = '{"paths":"a"}';
const toolCalls = { tool_calls: [openAiCall('read_files', argumentsText)] };
const assistant = { role: 'assistant', ...toolCalls };
const name = 'read_files';
const functionCall = { type: 'function_call', call_id: 'c', name, arguments: argumentsText };
const toolUse = { type: 'tool_use', id: 't', name, input: { paths: 'a' } };
const ollamaCall = { function: { name, arguments: { paths: 'a' } } };
const claude = { stop_reason: 'tool_use', content: [{ type: 'text' }, toolUse] };
const choice = { finish_reason: 'tool_calls', message: toolCalls };

describe('calls without an expectation', () => {
  test.each([
    ['beside its schema', { schema, arguments: argumentsText }],
    ['as a value', { inputSchema: schema, arguments: { paths: 'a' } }],
    [
      'of an MCP tool',
      { tool: { name: 'read_files', inputSchema: schema }, arguments: { paths: 'a' } },
    ],
    [
      'of an Anthropic tool',
      { tool: { name: 'read_files', input_schema: schema }, input: { paths: 'a' } },
    ],
    ['of an OpenAI function', { tool: openAi, arguments: argumentsText }],
    ['beside the tools', { tools: [openAi], ...toolCalls }],
    ['in a conversation', { tools: [openAi], messages: [{ role: 'user' }, assistant] }],
    ['in request and response', { request: { tools: [openAi] }, response: { choices: [choice] } }],
    [
      'of Responses',
      { tools: [{ type: 'function', name, parameters: schema }], output: [functionCall] },
    ],
    [
      'in a conversation of Responses',
      { tools: [{ type: 'function', name, parameters: schema }], input: [functionCall] },
    ],
    [
      'of the old form',
      {
        tools: [openAi],
        choices: [{ message: { function_call: { name, arguments: argumentsText } } }],
      },
    ],
    ['of Ollama', { tools: [openAi], message: { tool_calls: [ollamaCall] }, done_reason: 'stop' }],
    ['of Messages', { request: { tools: [{ name, input_schema: schema }] }, response: claude }],
  ])('a call %s is found', async (_what, line) => {
    expect(await countsOf(line)).toMatchObject({
      calls: 1,
      outcomes: { unchanged: 0, repaired: 1, rejected: 0 },
      rules: { wrap_in_array: { calls: 1, repairs: 1 } },
      repairedLines: [{ line: 1, what: 'wrap_in_array at /paths' }],
      bad: 0,
    });
  });

  test('a missing closer is repaired only after a normal end of the answer', async () => {
    const message = { tool_calls: [openAiCall('read_files', '{"paths":["a"]')] };
    const answer = (finish_reason: string) => ({
      tools: [openAi],
      choices: [{ finish_reason, message }],
    });
    const counts = { outcomes: { repaired: 1, rejected: 1 }, rejections: { truncated: 1 } };
    expect(await countsOf(answer('tool_calls'), answer('length'))).toMatchObject(counts);
  });

  test('the end of an answer is read in the words of each API', async () => {
    const open = '{"paths":["a"]';
    const item = { type: 'function_call', name, arguments: open };
    const answersOf = (status: string, done_reason: string) => [
      { tools: [openAi], response: { status, output: [item] } },
      { tools: [openAi], done_reason, message: { tool_calls: [openAiCall(name, open)] } },
    ];
    const counts = { outcomes: { repaired: 2, rejected: 2 }, rejections: { truncated: 2 } };
    const answers = [...answersOf('completed', 'stop'), ...answersOf('incomplete', 'length')];
    expect(await countsOf(...answers)).toMatchObject(counts);
  });

  test('a tool is found by another spelling of its name, and calls of other tools are counted', async () => {
    const calls = [openAiCall('readFiles', '{"paths":[]}'), openAiCall('write', '{}')];
    const counts = { calls: 1, unknownTools: 1, rules: { tool_name: { calls: 1 } } };
    expect(await countsOf({ tools: [openAi], tool_calls: calls })).toMatchObject(counts);
  });

  test('only lossless rules repair a call of a destructive MCP tool', async () => {
    const tool = { name: 't', inputSchema: schema, annotations: { destructiveHint: true } };
    const counts = await countsOf({ tool, arguments: { paths: [], limit: null } });
    expect(counts).toMatchObject({ rejections: { not_confirmed: 1 } });
  });

  test('tools, conversations and blank lines are not calls', async () => {
    const conversation = { tools: [openAi], messages: [{ role: 'user', content: 'hi' }] };
    const { status, stdout } = await cases({ schema, tool: 'x' }, '', '  ', conversation);
    expect(stdout).toMatch(/calls\.jsonl: 2 lines without a call: .+ with --log-contents\n$/);
    expect(status).toBe(0);
  });

  test('values and undeclared keys of calls are never printed', async () => {
    const canary = 'sk-canary-0123456789';
    const file = fileOf(
      { schema, id: 'ok', arguments: { paths: canary, [canary]: '' } },
      { schema, arguments: { paths: [canary], [canary]: canary } },
      { schema, arguments: `{"paths": ${canary}` },
      `{"schema": ${canary}`,
      { schema: { type: 'object', properties: { a: { type: 'text' } } }, arguments: { a: canary } },
    );
    const results = [await runToolmend('cases', file), await runToolmend('cases', file, '--json')];
    expect(JSON.stringify(results)).not.toContain(canary);
  });
});

describe('bad input', () => {
  const fine = { ...validCase, ...expecting('fine') };
  test.each([
    ['{broken', 'is not JSON (syntax at character 2)'],
    ['{"schema":{', 'is not JSON (cut at character 12)'],
    ['{"a":1,"a":2}', 'is not JSON (duplicate key at character 13)'],
    ['['.repeat(100_000), 'is not JSON (too deep at character 1)'],
    ['[1]', 'is not a JSON object'],
    [
      '{"arguments":{}}',
      "has no schema of the call's tool: write schema, tool.inputSchema or tools",
    ],
    [fine, 'has an expect.outcome that is none of unchanged, repaired, rejected'],
    [{ ...validCase, ...expecting('repaired') }, 'has no expect.value for an accepted call'],
    [{ ...validCase, expect: 'x' }, 'has an expect that is not an object'],
    [
      '{"schema":{"type":"array"},"arguments":{}}',
      'has an input schema that is not the schema of an object',
    ],
  ])('line %# is reported, and the others are counted', async (line, why) => {
    const { status, stdout } = await cases(right, line, right);
    expect(stdout).toContain(`calls.jsonl:2: not read: ${why}\n`);
    expect(stdout).toMatch(/calls\.jsonl +2 +2 +0 +0 +0$/m);
    expect(status).toBe(1);
  });

  test('an unusable schema is reported once, and its calls are not validated', async () => {
    const external = { properties: { a: { $ref: 'https://example.com/a.json' } } };
    const unusable = { schema: external, arguments: { a: 1 } };
    const { status, stdout } = await cases(unusable, unusable);
    expect(stdout.match(/calls\.jsonl:1: schema: .*https:\/\/example\.com\/a\.json/g)).toHaveLength(
      1,
    );
    expect(stdout).toMatch(/calls\.jsonl +2 +2 +0 +0 +0$/m);
    expect(status).toBe(0);
  });

  test('a byte order mark, other line ends, and separators inside strings are read', async () => {
    const value = { paths: ['a\u2028b\u0085c'] };
    const line = JSON.stringify({ schema, input: value, ...expecting('unchanged', value) });
    const counts = await countsOf(`\uFEFF${line}\r`, `${line}\r`, '\r', line);
    expect(counts).toMatchObject({ judged: { right: 3 }, bad: 0 });
  });

  test('lines beyond the listed ones are counted', async () => {
    const { stdout } = await cases(...Array.from({ length: 150 }, () => '{'));
    expect(stdout.match(/not read/g)).toHaveLength(10);
    expect(stdout).toContain('calls.jsonl: 140 more\n');
  });

  test.each([
    [[], 'no command was given'],
    [['case', 'a'], 'there is no command "case"'],
    [['cases'], 'cases needs at least one file'],
    [['cases', '--yaml', 'a'], "Unknown option '--yaml'\nRun toolmend cases --help"],
    [['cases', '/nowhere/calls.jsonl'], 'there is no file /nowhere/calls.jsonl'],
    [['cases', '/'], '/ is a folder, not a file'],
  ])('toolmend %j ends with 2', async (args, why) => {
    const { status, stdout, stderr } = await runToolmend(...args);
    expect(stderr).toContain(`toolmend: ${why}`);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });
});

test('progress is shown on a terminal only', async () => {
  const file = fileOf(...Array.from({ length: 1200 }, () => right));
  expect((await runOnTerminal('cases', file)).stderr).toContain(`\r${file}: 1000 lines`);
  expect((await runToolmend('cases', file)).stderr).toBe('');
});

test('a file may be larger than the pieces in which it is read', async () => {
  const long = { schema, input: { paths: ['x'.repeat(100_000)] } };
  const counts = await countsOf(...Array.from({ length: 40 }, () => long));
  expect(counts).toMatchObject({ calls: 40, outcomes: { unchanged: 40 } });
});
