// The log, the metrics, the page and the report.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GatewayRecord } from '../../src/gateway/gateway-record.ts';
import { withoutSecrets } from '../../src/telemetry/redact-arguments.ts';
import { temporaryFolder } from '../checks/temporary-folder.ts';
import { runToolmend } from '../cli/run-toolmend.ts';
import { chatAnswer, offering } from './chat-answers.ts';
import { ask, startTestGateway, startUpstream } from './scripted-upstream.ts';

const sent = [
  '{"paths":["a"]}',
  '{"paths":"[\\"a\\"]"}',
  '{"paths":"b"}',
  '{"limit":"many"}',
  '{"paths":["api_key=sk-1"],"limit":"1"}',
];

/** Sends each of the calls through a gateway, and gives its lines and pages. */
async function recorded(contents: boolean) {
  const lines: string[] = [];
  const record = new GatewayRecord({ writeLine: (line) => lines.push(line), contents });
  const upstream = await startUpstream((_received, index) => ({
    type: 'application/json',
    chunks: [chatAnswer(sent[index] ?? '{}')],
  }));
  const { port } = await startTestGateway(upstream.origin, {}, record);
  const headers = { authorization: 'Bearer sk-client-key' };
  for (const _text of sent) await ask(port, '/v1/chat/completions', { body: offering(), headers });
  while (lines.length < sent.length) await new Promise((resolve) => setImmediate(resolve));
  const page = async (path: string): Promise<string> =>
    (await ask(port, path, { method: 'GET', headers: { accept: 'text/html' } })).bytes.toString();
  return { text: lines.join(''), lines: lines.map((line) => JSON.parse(line)), page };
}

test('a line says what became of a call, without its contents', async () => {
  const { text, lines } = await recorded(false);

  expect(lines.map(({ tool, status }) => [tool, status])).toEqual([
    ['read_files', 'unchanged'],
    ['read_files', 'repaired'],
    ['read_files', 'repaired'],
    ['read_files', 'rejected'],
    ['read_files', 'repaired'],
  ]);
  expect(lines[1]).toMatchObject({
    protocol: 'chat_completions',
    model: 'm',
    answer: 200,
    rules: ['json_text_to_array'],
  });
  expect(lines[3].issues).toContainEqual({ keyword: 'required' });
  expect(text).not.toMatch(/sk-|paths|many|Go\./);
});

test('with contents, a line has the schema and the arguments, without secrets', async () => {
  const { text, lines } = await recorded(true);

  expect(lines[1]).toMatchObject({ schema: { required: ['paths'] }, arguments: sent[1] });
  expect(lines[4].arguments).toBe('{"paths":["(left out)"],"limit":"1"}');
  expect(text).not.toContain('sk-');
});

test.each([false, true])(
  'the name of a tool that there is not is in the log only with contents: %s',
  async (contents) => {
    const lines: string[] = [];
    const record = new GatewayRecord({ writeLine: (line) => lines.push(line), contents });
    const name = `s3cret${'x'.repeat(500)}`;
    const upstream = await startUpstream(() => ({
      type: 'application/json',
      chunks: [chatAnswer('{}').replace('read_files', name)],
    }));
    const { port } = await startTestGateway(upstream.origin, {}, record);
    await ask(port, '/v1/chat/completions', { body: offering() });
    while (lines.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const line = JSON.parse(lines.join(''));

    expect(line.status).toBe('unknown_tool');
    expect(line.tool).toBe(contents ? name.slice(0, 128) : undefined);
  },
);

test('toolmend cases reads both kinds of log', async () => {
  const folder = temporaryFolder();
  const [bare, full] = [await recorded(false), await recorded(true)];
  writeFileSync(join(folder, 'bare.jsonl'), bare.text);
  writeFileSync(join(folder, 'full.jsonl'), full.text);
  const cases = await runToolmend('cases', join(folder, 'full.jsonl'), '--json');

  expect((await runToolmend('cases', join(folder, 'bare.jsonl'))).status).toBe(0);
  expect(cases.status).toBe(0);
  expect(JSON.parse(cases.stdout).files[0]).toMatchObject({ calls: 5 });
});

/** Answers with calls that a gateway repairs in all ways, one each, and the log of them. */
async function logOfRepairs(): Promise<string> {
  const lines: string[] = [];
  const record = new GatewayRecord({ writeLine: (line) => lines.push(line), contents: true });
  const answers = [
    chatAnswer('{"paths":["a"]}'),
    chatAnswer('{"paths":"[\\"a\\"]"}'),
    chatAnswer('{"limit":"many"}'),
    chatAnswer('{"paths":["a"],"limit":"3","token":"t"}'),
    chatAnswer('{"paths":["a"]}').replace('read_files', 'functions.read_files'),
    chatAnswer('ARGUMENTS').replace('"ARGUMENTS"', '{"paths":["a"]}'),
    chatAnswer('{"a":1}').replace('read_files', 'other'),
    chatAnswer('{"paths":["a'),
  ];
  const upstream = await startUpstream((_received, index) => ({
    type: 'application/json',
    chunks: [answers[index] ?? ''],
  }));
  const { port } = await startTestGateway(upstream.origin, {}, record);
  for (const _answer of answers) await ask(port, '/v1/chat/completions', { body: offering() });
  while (lines.length < answers.length) await new Promise((resolve) => setImmediate(resolve));
  const file = join(temporaryFolder(), 'calls.jsonl');
  writeFileSync(file, lines.join(''));
  return file;
}

test('toolmend replay of a log of the same version finds no difference', async () => {
  const { status, stdout } = await runToolmend('replay', await logOfRepairs(), '--json');

  expect(JSON.parse(stdout)).toMatchObject({ differences: [], bad: [] });
  expect(status).toBe(0);
});

test('toolmend replay of a log under a changed tool finds the calls that end otherwise', async () => {
  const file = await logOfRepairs();
  const changed = {
    name: 'read_files',
    inputSchema: {
      type: 'object',
      properties: {
        paths: { type: 'array', items: { type: 'string' } },
        limit: { type: 'string' },
      },
    },
  };
  const tools = join(temporaryFolder(), 'tools.json');
  writeFileSync(tools, JSON.stringify([changed]));
  const { status, stdout } = await runToolmend('replay', file, '--tools', tools, '--json');

  expect(JSON.parse(stdout).differences).toMatchObject([
    { line: 3, tool: 'read_files', before: { status: 'rejected' }, after: { status: 'unchanged' } },
    { line: 4, tool: 'read_files', before: { status: 'repaired' }, after: { status: 'unchanged' } },
  ]);
  expect(status).toBe(1);
});

test('toolmend report sums up a log as tables, Markdown and JSON', async () => {
  const file = join(temporaryFolder(), 'calls.jsonl');
  const { text } = await recorded(false);
  writeFileSync(file, `not json\n${text}`);
  const [tables, markdown, json] = await Promise.all([
    runToolmend('report', file),
    runToolmend('report', file, '--markdown'),
    runToolmend('report', file, '--json'),
  ]);

  expect(tables.stdout).toContain('3 of 5 calls were repaired, which saved 3 turns.');
  expect(markdown.stdout).toContain('| m | 5 | 1 | 3 | 1 | 0 | 0 | 3 | 0 | 0 |');
  expect(markdown.stdout).toContain('| m | read_files | json_text_to_array | 1 | yes |');
  expect(JSON.parse(json.stdout).models).toMatchObject([{ model: 'm', answers: 5, savedTurns: 3 }]);
});

test('toolmend report says that a folder is none', async () => {
  const folder = temporaryFolder();

  expect(await runToolmend('report', folder)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('is a folder, not a file'),
  });
});

test('toolmend report refuses a file that is not a log', async () => {
  const { status, stderr } = await runToolmend('report', import.meta.filename);

  expect(status).toBe(2);
  expect(stderr).toContain('no line is a call');
});

test('metrics and statistics count calls by model, tool and rule', async () => {
  const { page } = await recorded(false);
  const [metrics, stats] = await Promise.all([page('/metrics'), page('/stats')]);

  expect(metrics).toContain(
    'toolmend_gateway_calls_total{model="m",tool="read_files",status="repaired"} 3',
  );
  expect(metrics).toContain(
    'toolmend_gateway_repairs_total{model="m",tool="read_files",rule="json_text_to_array"} 1',
  );
  expect(metrics).toContain('toolmend_gateway_added_seconds_count 5');
  expect(JSON.parse(stats)).toMatchObject({
    exchanges: [{ protocol: 'chat_completions', end: 'complete', count: 5 }],
    models: [
      { model: 'm', calls: 5, tools: [{ statuses: { unchanged: 1, repaired: 3, rejected: 1 } }] },
    ],
  });
});

test('names of models and tools can’t break the metrics', async () => {
  const upstream = await startUpstream(() => ({
    type: 'application/json',
    chunks: [chatAnswer('{}')],
  }));
  const { port } = await startTestGateway(upstream.origin);
  const model = '<b>"\\\n';
  await ask(port, '/v1/chat/completions', { body: offering({ model }) });
  const read = async (path: string): Promise<string> =>
    (await ask(port, path, { method: 'GET', headers: { accept: 'text/html' } })).bytes.toString();

  expect(await read('/metrics')).toContain(String.raw`model="<b>\"\\\n"`);
});

test('another program gets the upstream’s own root', async () => {
  const upstream = await startUpstream(() => ({
    type: 'text/plain',
    chunks: ['Ollama is running'],
  }));
  const { port } = await startTestGateway(upstream.origin);

  expect((await ask(port, '/', { method: 'GET' })).bytes.toString()).toBe('Ollama is running');
});

test.each([
  ['{"a":1}', '{"a":1}'],
  [
    '{"password":"x","n":{"apiKey":{"v":"y","i":3}}}',
    '{"password":"(left out)","n":{"apiKey":{"v":"(left out)","i":0}}}',
  ],
  ['{"command":"curl -H \\"Authorization: Bearer x\\""}', '{"command":"(left out)"}'],
  ['{"edits":"[{\\"token\\":\\"x\\"}]"}', '{"edits":"(left out)"}'],
  ['{"password":"x"', undefined],
  ['{"text":"the secret of it"}', '{"text":"the secret of it"}'],
  ['{"p\\u0061ssword":"x1"}', '{"password":"(left out)"}'],
  ['{"p\\u0061ssword":"x1",}', undefined],
  ['{"body":"{\\"p\\\\u0061ssword\\":\\"x1\\"}"}', '{"body":"(left out)"}'],
  [
    '{"pwd":"x1","auth":"x2","author":"A"}',
    '{"pwd":"(left out)","auth":"(left out)","author":"A"}',
  ],
  [
    '{"env":[{"name":"DB_PASSWORD","value":"x1"}]}',
    '{"env":[{"name":"DB_PASSWORD","value":"(left out)"}]}',
  ],
  ['{"args":["--password","x1","-v"]}', '{"args":["--password","(left out)","-v"]}'],
  ['{"run":"login --token x1"}', '{"run":"(left out)"}'],
  ['{"url":"https://user:x1@host/a"}', '{"url":"(left out)"}'],
  ['{"q":"sk-ant-0123456789"}', '{"q":"(left out)"}'],
  ['{"q":"AKIAIOSFODNN7EXAMPLE"}', '{"q":"(left out)"}'],
  [
    '{"headers":[["X-Api-Key","x1"],["Accept","a/b"]]}',
    '{"headers":[["X-Api-Key","(left out)"],["Accept","a/b"]]}',
  ],
  ['{"args":["curl","-u","me:x1","-v"]}', '{"args":["curl","-u","(left out)","-v"]}'],
  ['{"run":"curl -u me:x1 http://h"}', '{"run":"(left out)"}'],
  [
    '{"args":["sort","-u","names.txt"],"keys":["key","value"]}',
    '{"args":["sort","-u","names.txt"],"keys":["key","value"]}',
  ],
  [
    '{"q":"https://host:80/a","name":"x","value":"y"}',
    '{"q":"https://host:80/a","name":"x","value":"y"}',
  ],
])('what is left out of %s', (text, expected) => {
  expect(withoutSecrets(text)).toBe(expected);
});
