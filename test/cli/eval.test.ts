// `toolmend eval` before a scripted server.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHintFile } from 'toolmend/journal';
import { startUpstream } from '../gateway/scripted-upstream.ts';
import { runToolmend } from './run-toolmend.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolmend-eval-'));
});
afterAll(() => rm(folder, { recursive: true }));

const prompt = {
  model: 'qwen3',
  messages: [{ role: 'user', content: 'Read a.txt.' }],
  tools: [
    {
      type: 'function',
      function: {
        name: 'read_files',
        description: 'Read files.',
        parameters: {
          type: 'object',
          properties: { paths: { type: 'array', items: { type: 'string' } } },
          required: ['paths'],
        },
      },
    },
  ],
};

async function promptsFile(...lines: readonly string[]): Promise<string> {
  const path = join(folder, `${crypto.randomUUID()}.jsonl`);
  await writeFile(path, lines.join('\n'));
  return path;
}

const answerWith = (args: string): string =>
  JSON.stringify({
    model: 'qwen3',
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'read_files', arguments: args } },
          ],
        },
      },
    ],
  });

/** A model that sends a text for a list, unless the tool's description says what a list is. */
const clumsyModel = (seen: string[] = []) =>
  startUpstream(({ text }) => {
    seen.push(text);
    const isTold = hasSentence(text);
    const chunks = [answerWith(isTold ? '{"paths":["a.txt"]}' : '{"paths":"a.txt"}')];
    return { type: 'application/json', chunks };
  });

const evaluate = (origin: string, prompts: string, ...more: readonly string[]) =>
  runToolmend('eval', '--upstream', `${origin}/v1`, '--prompts', prompts, ...more);

const sentence = 'paths is a JSON array of strings: ["…"].';

/** The hint that the schema alone gives has no example, so the sentence is that of the file. */
const hasSentence = (text: string): boolean => text.includes(JSON.stringify(sentence).slice(1, -1));

/** A file of counts in which a hint is on. */
async function hintsFile(): Promise<string> {
  const path = join(folder, `${crypto.randomUUID()}.json`);
  const counts = await openHintFile(path);
  const cell = { model: 'qwen3', tool: 'read_files', definition: 'd', kind: 'form' } as const;
  const trial = { state: 'kept', look: 1_000, callsBefore: 0, missesBefore: 0 } as const;
  const added = { calls: 0, misses: 40, shownCalls: 0, shownMisses: 0 };
  const decided = { from: 100, trial };
  await counts.exchange([{ ...cell, field: '/paths', sentence, added, decided }]);
  return path;
}

test('both ways are asked as often, and the table has denominators and intervals', async () => {
  const seen: string[] = [];
  const { origin } = await clumsyModel(seen);
  const prompts = await promptsFile(JSON.stringify(prompt), '', JSON.stringify(prompt));
  const more = ['--times', '2', '--hints-file', await hintsFile()];
  const { status, stdout } = await evaluate(origin, prompts, ...more);

  expect(status).toBe(0);
  expect(seen.map(hasSentence)).toEqual([false, true, false, true, true, false, true, false]);
  expect(stdout).toMatch(/^A, without hints +4 +0 +4 +0 of 4 \(0\.0 %, 0\.0 to 49\.0\) +4 of 4 /m);
  expect(stdout).toMatch(/^B, with hints +4 +0 +4 +4 of 4 \(100\.0 %, 51\.0 to 100\.0\) +0 of 4 /m);
  expect(stdout).toMatch(/rarer with hints with a probability of 0\.99\d\./);
});

test('a model that errs in both ways is no better with hints', async () => {
  const { origin } = await startUpstream(() => ({
    type: 'application/json',
    chunks: [answerWith('{"paths":7}')],
  }));
  const prompts = await promptsFile(JSON.stringify(prompt));
  const { stdout } = await evaluate(origin, prompts, '--times', '5', '--json');
  const one = { requests: 5, missing: 0, calls: 5, valid: 0, repaired: 0, refused: 5 };
  expect(JSON.parse(stdout)).toEqual({
    ways: [
      { way: 'A', ...one },
      { way: 'B', ...one },
    ],
  });
});

test('requests that the server refuses are counted apart, and the exit code says so', async () => {
  const { origin } = await startUpstream((_received, index) =>
    index === 0
      ? { status: 500, type: 'application/json', chunks: ['{"error":{"message":"no"}}'] }
      : { type: 'application/json', chunks: [answerWith('{"paths":["a.txt"]}')] },
  );
  const prompts = await promptsFile(JSON.stringify(prompt));
  const { status, stdout, stderr } = await evaluate(origin, prompts, '--json');
  expect(status).toBe(1);
  expect(stderr).toBe(
    `toolmend: ${origin} did not answer 1 of 2 requests. The first one: no\n` +
      'Check that the server runs, and its --upstream, --model and --key-env.\n',
  );
  expect(JSON.parse(stdout).ways).toMatchObject([
    { way: 'A', requests: 1, missing: 1, calls: 0 },
    { way: 'B', requests: 1, missing: 0, calls: 1, valid: 1 },
  ]);
});

test('a server that is not there is named, with the reason', async () => {
  const { status, stderr } = await evaluate(
    'http://127.0.0.1:9',
    await promptsFile(JSON.stringify(prompt)),
  );
  expect(status).toBe(1);
  expect(stderr).toContain(
    "http://127.0.0.1:9 did not answer 2 of 2 requests. The first one: The upstream can't be reached (ECONNREFUSED).",
  );
});

test.each([
  ['without a file', [], 'eval needs --upstream and --prompts'],
  [
    'a prompt without tools',
    ['{"messages":[]}'],
    'line 1 of the prompts has no messages and tools',
  ],
  [
    'a prompt without a model',
    [JSON.stringify({ ...prompt, model: undefined })],
    'line 1 of the prompts names no model',
  ],
  ['a file that is not JSON', ['', 'model: m'], 'line 2 of the prompts is not JSON'],
  ['an empty file', [''], 'the file of --prompts is empty'],
])('%s is refused', async (_what, lines, why) => {
  const file = lines.length === 0 ? [] : ['--prompts', await promptsFile(...lines)];
  const upstream = ['--upstream', 'http://127.0.0.1:1/v1'];
  const { status, stderr } = await runToolmend('eval', ...upstream, ...file);
  expect(status).toBe(2);
  expect(stderr).toContain(why);
});
