// Majors of clients, and agents, installed from the registry, behind servers whose parallel calls
// share an index or an id, or have none.
import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder, writeFiles } from '../checks/temporary-folder.ts';
import { type Received, startTestGateway, startUpstream } from './scripted-upstream.ts';

// eslint-disable-next-line typescript/no-explicit-any -- only tests read what a program sends
type Sent = any;

const run = promisify(execFile);

interface ScriptedCall {
  readonly name: string;
  readonly text: string;
}

const partOf = (numbers: object, { name, text }: ScriptedCall): object => ({
  ...numbers,
  type: 'function',
  function: { name, arguments: text },
});

/** The parts of calls as a server writes them. */
const servers = {
  // https://github.com/ollama/ollama/issues/15457
  Ollama: (calls) => calls.map((call, at) => partOf({ index: 0, id: `call_${at}` }, call)),
  // https://github.com/googleapis/python-genai/issues/2868
  Gemini: (calls) => calls.map((call) => partOf({ id: '' }, call)),
  // https://github.com/InternLM/lmdeploy/issues/3412
  'LMDeploy, vLLM': (calls) =>
    calls.flatMap((call) =>
      ['', call.text.slice(0, 5), call.text.slice(5)].map((text) =>
        partOf({ index: 0, id: '' }, { ...call, text }),
      ),
    ),
} satisfies Readonly<Record<string, (calls: readonly ScriptedCall[]) => readonly object[]>>;

const chunkOf = (delta: object, finish_reason: string | null = null): string => {
  const choices = [{ index: 0, delta, finish_reason }];
  const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
  return `data: ${JSON.stringify({ ...head, choices })}\n\n`;
};

const streamOf = (parts: readonly object[]): readonly string[] => [
  chunkOf({ role: 'assistant', content: '' }),
  ...parts.map((part) => chunkOf({ tool_calls: [part] })),
  chunkOf({}, parts.length === 0 ? 'stop' : 'tool_calls'),
  'data: [DONE]\n\n',
];

const program = 'streaming-client.mjs';

/** A folder with packages, and the program that uses them. */
async function installed(packages: readonly string[]): Promise<string> {
  const folder = temporaryFolder({ 'package.json': '{"private":true,"type":"module"}' });
  copyFileSync(join(import.meta.dirname, '../fixtures', program), join(folder, program));
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await run('npm', ['install', ...flags, ...packages], { cwd: folder });
  return folder;
}

interface Client {
  readonly client: string;
  readonly packages: readonly string[];
  /** The arguments of the program before and behind the URL. */
  readonly use: readonly [kind: string, name: string, provider?: string];
}

const aiSdk = (major: number, provider: number): Client => ({
  client: `the AI SDK ${major}`,
  packages: [`ai@${major}`, `@ai-sdk/openai-compatible@${provider}`],
  use: ['ai', 'ai', '@ai-sdk/openai-compatible'],
});

const clients: readonly Client[] = [
  ...[5, 6, 7].map((major): Client => ({
    client: `openai ${major}`,
    packages: [`openai@${major}`],
    use: ['openai', 'openai'],
  })),
  aiSdk(5, 1),
  aiSdk(6, 2),
  aiSdk(7, 3),
  {
    client: 'LangChain 0.3',
    packages: ['@langchain/core@0.3', '@langchain/openai@0.6'],
    use: ['langchain', '@langchain/openai'],
  },
  {
    client: 'LangChain 1',
    packages: ['@langchain/core@1', '@langchain/openai@1'],
    use: ['langchain', '@langchain/openai'],
  },
];

test.each(clients)('$client reads each call of each server', async ({ packages, use }) => {
  const folder = await installed(packages);
  const calls = [
    { name: 'read_file', text: '{"path":"a"}' },
    { name: 'read_file', text: '{"path":"b"}' },
    { name: 'list_files', text: '{"path":"c"}' },
  ];
  const [kind, name, provider = ''] = use;
  for (const partsOf of Object.values(servers)) {
    const upstream = await startUpstream(() => ({ chunks: streamOf(partsOf(calls)) }));
    const { url } = await startTestGateway(upstream.origin);
    const { stdout } = await run(process.execPath, [program, kind, name, url, provider], {
      cwd: folder,
    });
    const read: readonly Sent[] = JSON.parse(stdout);

    expect(read.map(([, called, sent]) => [called, sent])).toEqual(
      calls.map((call) => [call.name, JSON.parse(call.text)]),
    );
    expect(new Set(read.map(([id]) => id)).size).toBe(calls.length);
  }
});

/** Answers an agent: two calls of its tool that reads files, then whether it sent both files. */
function answerTo({ text }: Received, folder: string, partsOf: (typeof servers)['Gemini']) {
  const request: Sent = text === '' ? {} : JSON.parse(text);
  const tools: readonly Sent[] = request.tools ?? [];
  const reader = tools.find((tool) => /^read(_file)?$/i.test(tool.function.name))?.function;
  const results: readonly Sent[] = (request.messages ?? []).filter(
    ({ role }: Sent) => role === 'tool',
  );
  if (reader === undefined || results.length > 0) {
    const all = JSON.stringify(results);
    const hasBoth = all.includes('ALPHA-11') && all.includes('BETA-22');
    return [chunkOf({ content: hasBoth ? 'both files' : 'not both' }), ...streamOf([])];
  }
  const key = Object.keys(reader.parameters.properties).find((name) => /path|file/i.test(name));
  const calls = ['one.txt', 'two.txt'].map((file) => ({
    name: reader.name,
    text: JSON.stringify({ [key ?? 'path']: join(folder, file) }),
  }));
  return streamOf(partsOf(calls));
}

const files = { 'one.txt': 'ALPHA-11\n', 'two.txt': 'BETA-22\n' };
const task = 'Read one.txt and two.txt.';

/** The command line of an agent, by its package, that asks a URL, in a folder. */
const agents: Readonly<
  Record<string, (url: string, folder: string) => readonly [env: object, ...command: string[]]>
> = {
  'opencode-ai@1.18.33': (baseURL, folder) => {
    const options = { baseURL, apiKey: 'none' };
    const provider = {
      local: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Local',
        options,
        models: { m: { name: 'M' } },
      },
    };
    const settings = { provider, model: 'local/m', small_model: 'local/m', autoupdate: false };
    writeFiles(folder, { 'opencode.json': JSON.stringify(settings) });
    return [{}, 'opencode', 'run', '-m', 'local/m', task];
  },
  '@qwen-code/qwen-code@0.24.4': (url) => [
    { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'm' },
    'qwen',
    '--auth-type',
    'openai',
    '--yolo',
    '-p',
    task,
  ],
  '@continuedev/cli@1.5.47': (apiBase, folder) => {
    const model = { name: 'M', provider: 'openai', model: 'm', apiBase, apiKey: 'none' };
    const models = [{ ...model, capabilities: ['tool_use'], roles: ['chat'] }];
    const settings = { name: 'Local', version: '0.0.1', schema: 'v1', models };
    writeFiles(folder, { 'continue.yaml': JSON.stringify(settings) });
    return [{}, 'cn', '--config', join(folder, 'continue.yaml'), '--auto', '-p', task];
  },
};

test.each(Object.entries(agents))('%s makes both calls of each server', async (name, start) => {
  const packages = temporaryFolder({ 'package.json': '{"private":true}' });
  const flags = ['--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...flags, name], { cwd: packages });
  for (const partsOf of Object.values(servers)) {
    const folder = temporaryFolder(files);
    const upstream = await startUpstream((received) => ({
      chunks: answerTo(received, folder, partsOf),
    }));
    const { url } = await startTestGateway(upstream.origin);
    const [env, command = '', ...rest] = start(url, folder);
    const started = run(join(packages, 'node_modules/.bin', command), rest, {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: temporaryFolder(), ...env },
      // Only an agent that hangs takes so long.
      timeout: 600_000,
    });
    started.child.stdin?.end();

    expect((await started).stdout).toContain('both files');
  }
});
