// The openai client, unmodified, with an agent's tool, through the command.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import OpenAI from 'openai';
import { startScriptedServer } from '../adapters/scripted-server.ts';

const command = join(import.meta.dirname, '../../src/cli/toolmend.ts');
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts `toolmend gateway`; resolves to the base URL that it prints. */
async function startCommand(...args: readonly string[]): Promise<string> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', command, 'gateway', ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  children.push(child);
  child.stdout.setEncoding('utf8');
  let printed = '';
  for await (const text of child.stdout) {
    printed += String(text);
    const url = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(printed)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error(`the gateway ended: ${printed}`);
}

const tool = {
  type: 'function',
  function: {
    name: 'read_files',
    parameters: {
      type: 'object',
      properties: { paths: { type: 'array', items: { type: 'string' } } },
      required: ['paths'],
    },
  },
} as const;

test('a streamed call with an array as JSON text reaches the openai client with the array', async () => {
  const call = { id: 'call_1', name: 'read_files', arguments: '{"paths":"[\\"a.ts\\",\\"b.ts\\"]"}' };
  const upstream = await startScriptedServer({ text: 'Reading both.', calls: [call] });
  const baseURL = await startCommand('--upstream', upstream.baseURL);

  const client = new OpenAI({ baseURL, apiKey: 'sk-test' });
  const stream = client.chat.completions.stream({
    model: 'scripted',
    messages: [{ role: 'user', content: 'Read a.ts and b.ts.' }],
    tools: [tool],
  });
  const { choices } = await stream.finalChatCompletion();

  expect(choices[0]?.message.content).toBe('Reading both.');
  expect(choices[0]?.message.tool_calls).toMatchObject([
    { id: 'call_1', function: { name: 'read_files', arguments: '{"paths":["a.ts","b.ts"]}' } },
  ]);
});

test('the command ends with code 0 when it is asked to', async () => {
  await startCommand('--upstream', 'http://127.0.0.1:9/v1');
  const [child] = children;
  const ended = once(child ?? process, 'exit');
  child?.kill('SIGTERM');

  expect(await ended).toEqual([0, null]);
});
