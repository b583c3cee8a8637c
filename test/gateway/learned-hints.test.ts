// Hints that learn, through the gateway: a model that errs less if a description has the sentence.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ErringModel } from '../learning/erring-model.ts';
import {
  type ScriptedAnswer,
  KeptRecord,
  ask,
  startTestGateway,
  startUpstream,
} from './scripted-upstream.ts';

const sentence = 'paths is a JSON array of strings: ["…"].';

const tool = {
  type: 'function',
  function: {
    name: 'read_files',
    description: 'Read text files.',
    parameters: {
      type: 'object',
      properties: { paths: { type: 'array', items: { type: 'string' } } },
      required: ['paths'],
    },
  },
};

/**
 * A server whose model sends a text instead of an array in a fifth of its calls, without the hint.
 * Each answer has this many calls.
 */
function startClumsyServer(callsInAnswer = 1) {
  const model = new ErringModel({ sentence, rate: 0.2, rateWithSentence: 0.02 });
  return startUpstream(({ text }): ScriptedAnswer => {
    const [offered] = JSON.parse(text).tools;
    const tool_calls = Array.from({ length: callsInAnswer }, (_call, at) => ({
      id: `call_${at}`,
      type: 'function',
      function: {
        name: 'read_files',
        arguments: model.argumentsFor(offered.function.description),
      },
    }));
    const message = { role: 'assistant', tool_calls };
    const answer = {
      model: 'clumsy',
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    };
    return { type: 'application/json', chunks: [JSON.stringify(answer)] };
  });
}

/** Requests of one conversation: all begin with the same messages. */
async function converse(port: number, conversation: number, requests = 10) {
  const messages = [{ role: 'user', content: `Question ${conversation}` }];
  for (let turn = 0; turn < requests; turn += 1) {
    const body = JSON.stringify({ model: 'clumsy', messages, tools: [tool] });
    await ask(port, '/v1/chat/completions', { body });
    messages.push({ role: 'assistant', content: `Answer ${turn}` });
  }
}

const statsOf = async (port: number) =>
  JSON.parse((await ask(port, '/stats', { method: 'GET' })).bytes.toString());

test('the sentence comes between conversations, and stays because it helps', async () => {
  const upstream = await startClumsyServer(10);
  const { port } = await startTestGateway(upstream.origin, { hints: 'learn' });
  let hint;
  for (let conversation = 0; conversation < 300; conversation += 1) {
    await converse(port, conversation, 2);
    [hint] = (await statsOf(port)).hints;
    if (hint?.state === 'kept' || hint?.state === 'dropped') break;
  }
  const perConversation = Map.groupBy(
    upstream.received,
    ({ text }) => JSON.parse(text).messages[0].content,
  );
  const descriptions = [...perConversation.values()].map(
    (requests) =>
      new Set(requests.map(({ text }) => JSON.parse(text).tools[0].function.description)),
  );
  const fixed = 'Read text files.\npaths is a JSON array of strings.';

  expect(hint).toMatchObject({ model: 'clumsy', tool: 'read_files', state: 'kept', sentence });
  expect(hint.with.interval.most).toBeLessThan(hint.without.interval.least);
  expect(descriptions.every(({ size }) => size === 1)).toBe(true);
  expect([...(descriptions[0] ?? [])]).toEqual([fixed]);
  expect(new Set(descriptions.flatMap((one) => [...one]))).toEqual(
    new Set([fixed, `Read text files.\n${sentence}`]),
  );
});

test('without the option nothing changes, and what would help is counted', async () => {
  const upstream = await startClumsyServer();
  const record = new KeptRecord({ writeLine: undefined, contents: false });
  const { port } = await startTestGateway(upstream.origin, {}, record);
  for (let conversation = 0; conversation < 12; conversation += 1)
    await converse(port, conversation);
  const { hints } = await statsOf(port);

  expect(hints).toEqual([
    expect.objectContaining({
      state: 'trial',
      sentence,
      without: expect.objectContaining({ calls: 120, misses: 24 }),
    }),
  ]);
  expect(
    new Set(upstream.received.map(({ text }) => JSON.stringify(JSON.parse(text).tools))),
  ).toEqual(new Set([JSON.stringify([tool])]));
});

test('the counts outlive the gateway in a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolmend-hints-'));
  const hintsFile = join(folder, 'hints.json');
  const upstream = await startClumsyServer();
  for (const calls of [5, 6]) {
    const gateway = await startTestGateway(upstream.origin, { hintsFile });
    await converse(gateway.port, 0, calls);
    await gateway.close();
  }
  const { port } = await startTestGateway(upstream.origin, { hintsFile });

  expect((await statsOf(port)).hints).toMatchObject([{ without: { calls: 11, misses: 2 } }]);
  await rm(folder, { recursive: true });
});

test('sentences by the name of a tool are added, also to tools without a schema', async () => {
  const upstream = await startUpstream(() => ({ type: 'application/json', chunks: ['{}'] }));
  const toolHints = { 'read_*': ['Paths are absolute.'], bash: ['Never use sudo.'] };
  const { port } = await startTestGateway(upstream.origin, { toolHints });
  const bash = { name: 'bash', type: 'custom_20260101', description: 'Run a command.' };
  const unknown = { name: 'web_search', type: 'web_search_20250305' };
  const { name, description, parameters } = tool.function;
  const tools = [{ name, description, input_schema: parameters }, bash, unknown];
  await ask(port, '/v1/messages', { body: JSON.stringify({ model: 'm', messages: [], tools }) });
  const sent = JSON.parse(upstream.received[0]?.text ?? '{}').tools;

  expect(sent).toEqual([
    { ...tools[0], description: 'Read text files.\nPaths are absolute.' },
    { ...bash, description: 'Run a command.\nNever use sudo.' },
    unknown,
  ]);
});
